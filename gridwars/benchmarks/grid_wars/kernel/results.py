"""A kernel's result read back: the same `BattleResult` as the reference engine's, texts included."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridwars.benchmarks.grid_wars.battle import BattleResult
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.encoding import PICTURE_SIZE, ResultLayout
from gridwars.benchmarks.grid_wars.rules import (
    BOARD_SIZE,
    CELL_COUNT,
    SEAT_COUNT,
    DeathCause,
    Ending,
    compute_raw_score,
    compute_round_scores_quarters,
)
from gridwars.benchmarks.grid_wars.stats import SeatStats
from gwl.errors import Fault, FaultCode
from gwl.faults import make_fault
from gwl.program import ActionKind, Program


@dataclass(frozen=True, slots=True)
class FinalSeat:
    """What a battle leaves of a warrior, beyond its statistics.

    Attributes:
        line: the last that its machine reported.
        action: of the last tick.
        rng: state of its rand stream.
        spent: instructions executed in the whole battle.
    """

    x: int
    y: int
    energy: int
    idle: int
    line: int
    action: ActionKind
    halted: bool
    rng: int
    spent: int


class KernelBattle:
    """A result with what else the kernel tells, which is read when it is asked for.

    Attributes:
        result: what every battle is played for.
    """

    __slots__ = ("_data", "_layout", "_seats", "result")

    def __init__(self, job: BattleJob, layout: ResultLayout, data: bytes) -> None:
        """Reads the result of a job, laid out as said."""
        _, ticks_played, ending, sample_count, digest = _HEADER.unpack_from(data)
        samples = struct.unpack_from(f"<{SEAT_COUNT * sample_count}H", data, layout.samples)
        digest_count = ticks_played * job.tick_digests
        tick_digests = struct.unpack_from(f"<{digest_count}I", data, layout.digests)
        self._data = data
        self._layout = layout
        self._seats = [
            _Seat._make(_SEAT.unpack_from(data, _HEADER.size + seat * _SEAT.size))
            for seat in range(SEAT_COUNT)
        ]
        self.result = BattleResult(
            ticks_played=ticks_played,
            reason=_ENDINGS[ending],
            stats=_describe_seats(job.programs, self._seats),
            curve=tuple(samples[seat::SEAT_COUNT] for seat in range(SEAT_COUNT)),
            digest=f"{digest:016x}",
            tick_digests=struct.pack(f">{digest_count}I", *tick_digests).hex(),
        )

    @property
    def board(self) -> str:
        """The final board as `render_board` draws it."""
        board = self._data[_BOARD : _BOARD + CELL_COUNT].decode("ascii")
        return "\n".join(board[start : start + BOARD_SIZE] for start in range(0, CELL_COUNT, BOARD_SIZE))

    @property
    def seats(self) -> tuple[FinalSeat, ...]:
        """By seat."""
        return tuple(_describe_final(seat) for seat in self._seats)

    @property
    def pictures(self) -> bytes:
        """A record per tick (`picture.h`), empty unless asked for."""
        start = self._layout.pictures
        has_pictures = self._layout.size - start >= PICTURE_SIZE
        return self._data[start : start + PICTURE_SIZE * self.result.ticks_played * has_pictures]


_HEADER = struct.Struct("<IiiIQ")
_SEAT = struct.Struct("<qQqqq21i4x")
_BOARD = _HEADER.size + SEAT_COUNT * _SEAT.size

_ENDINGS = (None, *Ending)
_DEATH_CAUSES = tuple(DeathCause)
_FAULT_CODES = (None, *FaultCode)


class _Seat(NamedTuple):
    """The fields of `SeatResult` in `kernel.h`."""

    energy: int
    random: int
    spent: int
    first_number: int
    second_number: int
    fault_code: int
    fault_address: int
    fault_number_count: int
    x: int
    y: int
    is_alive: int
    idle: int
    tiles: int
    peak_tiles: int
    kills: int
    self_kills: int
    illegal: int
    blocked: int
    refused: int
    stalls: int
    ticks_lived: int
    death_tick: int
    death_cause: int
    line: int
    action: int
    is_halted: int


def _describe_seats(programs: Sequence[Program | None], seats: Sequence[_Seat]) -> tuple[SeatStats, ...]:
    raw_scores = [
        compute_raw_score(seat.tiles, bool(seat.is_alive), seat.kills, seat.self_kills) for seat in seats
    ]
    return tuple(
        _describe_seat(seat, _find_fault(program, seat), raw, quarters)
        for program, seat, raw, quarters in zip(
            programs, seats, raw_scores, compute_round_scores_quarters(raw_scores), strict=True
        )
    )


def _find_fault(program: Program | None, seat: _Seat) -> Fault | None:
    code = _FAULT_CODES[seat.fault_code]
    if code is None:
        return None
    assert program is not None, "a seat without a program faulted"
    numbers = (seat.first_number, seat.second_number)[: seat.fault_number_count]
    return make_fault(program, seat.fault_address, code, numbers)


def _describe_seat(seat: _Seat, fault: Fault | None, raw: int, quarters: int) -> SeatStats:
    return SeatStats(
        tiles=seat.tiles,
        peak_tiles=seat.peak_tiles,
        kills=seat.kills,
        self_kills=seat.self_kills,
        alive=bool(seat.is_alive),
        death_tick=seat.death_tick,
        death_cause=_DEATH_CAUSES[seat.death_cause],
        fault_line=0 if fault is None else fault.line,
        fault_code=None if fault is None else fault.code,
        fault_text="" if fault is None else fault.message,
        illegal=seat.illegal,
        blocked=seat.blocked,
        refused=seat.refused,
        stalls=seat.stalls,
        ticks_lived=seat.ticks_lived,
        raw=raw,
        round_score_quarters=quarters,
    )


def _describe_final(seat: _Seat) -> FinalSeat:
    return FinalSeat(
        x=seat.x,
        y=seat.y,
        energy=seat.energy,
        idle=seat.idle,
        line=seat.line,
        action=ActionKind(seat.action),
        halted=bool(seat.is_halted),
        rng=seat.random,
        spent=seat.spent,
    )
