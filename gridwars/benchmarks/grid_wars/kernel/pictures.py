"""The kernel's record of each tick as the frames that the reference engine shows."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridwars.benchmarks.grid_wars.frames import (
    Frame,
    FrameBomb,
    FrameEvent,
    FrameWarrior,
    Happening,
)
from gridwars.benchmarks.grid_wars.kernel.encoding import PICTURE_SIZE
from gridwars.benchmarks.grid_wars.rules import CELL_COUNT, FUSE, SEAT_COUNT, START_ENERGY, DeathCause
from gridwars.benchmarks.grid_wars.tick import BLAST_CELLS
from gwl.program import ActionKind


def iterate_pictures(spawn: Sequence[int], pictures: bytes) -> Iterator[Frame]:
    """The frames of a battle, one before the first tick and one after each.

    Args:
        spawn: by seat the cell that it started on.
        pictures: of a `KernelBattle`.
    """
    board = _Board()
    yield board.frame(
        -1, [FrameWarrior(cell, True, START_ENERGY, 0, 0, 0, ActionKind.NONE, 0) for cell in spawn], ()
    )
    for tick, start in enumerate(range(0, len(pictures), PICTURE_SIZE)):
        seats, blasts = _unpack(pictures[start : start + PICTURE_SIZE])
        events = tuple(board.apply(seats, blasts))
        yield board.frame(tick, [seat.warrior for seat in seats], events)


class _SeatPicture(NamedTuple):
    warrior: FrameWarrior
    happenings: tuple[Happening, ...]
    cause: DeathCause
    killer: int | None


class _Board:
    """What lies on the board, rebuilt from one record after the other."""

    def __init__(self) -> None:
        self._owner = bytearray(CELL_COUNT)
        self._corpses: set[int] = set()
        self._bombs: dict[int, FrameBomb] = {}
        self._living = [True] * SEAT_COUNT

    def apply(self, seats: Sequence[_SeatPicture], blasts: Sequence[int]) -> Iterator[FrameEvent]:
        """Plays a tick on the board; what happened in it."""
        for seat, (warrior, happenings, _, _) in enumerate(seats):
            if warrior.action is ActionKind.PLACE:
                self._owner[warrior.cell] = seat + 1
            elif warrior.action is ActionKind.BOMB and not happenings:
                self._bombs[warrior.cell] = FrameBomb(warrior.cell, FUSE, seat)
                happenings = (Happening.PLANT,)
            for what in happenings:
                yield FrameEvent(what, seat, warrior.cell)
        for cell in blasts:
            yield FrameEvent(Happening.BLAST, self._bombs.pop(cell).seat, cell)
            for scorched in BLAST_CELLS[cell]:
                self._owner[scorched] = 0
        for cell, bomb in self._bombs.items():
            self._bombs[cell] = bomb._replace(fuse=bomb.fuse - 1)
        for seat, (warrior, _, cause, killer) in enumerate(seats):
            if warrior.alive or not self._living[seat]:
                continue
            self._living[seat] = False
            self._corpses.add(warrior.cell)
            self._owner[:] = self._owner.replace(bytes([seat + 1]), b"\0")
            yield FrameEvent(_DEATHS[cause], seat, warrior.cell, killer)

    def frame(self, tick: int, warriors: Sequence[FrameWarrior], events: tuple[FrameEvent, ...]) -> Frame:
        return Frame(
            tick=tick,
            owner=bytes(self._owner),
            corpses=tuple(sorted(self._corpses)),
            bombs=tuple(sorted(self._bombs.values())),
            warriors=tuple(warriors),
            events=events,
        )


_SEAT = struct.Struct("<3H6B")
_BLASTS = _SEAT.size * SEAT_COUNT
_ACTION_BITS = 3
_CAUSE_BITS = 2
_NO_SEAT = 7
_MARKS = (Happening.STALL, Happening.ILLEGAL, Happening.REFUSED, Happening.BLOCKED)
"""In the order of their bits."""
_DEATH_CAUSES = tuple(DeathCause)
_DEATHS = {
    DeathCause.BOMB: Happening.BOMB_DEATH,
    DeathCause.IDLE: Happening.IDLE_DEATH,
    DeathCause.FAULT: Happening.FAULT_DEATH,
}


def _unpack(picture: bytes) -> tuple[list[_SeatPicture], tuple[int, ...]]:
    """The seats of a record, and the cells of the bombs that went off."""
    seats = [_unpack_seat(*_SEAT.unpack_from(picture, seat * _SEAT.size)) for seat in range(SEAT_COUNT)]
    (blast_count,) = struct.unpack_from("<H", picture, _BLASTS)
    return seats, struct.unpack_from(f"<{blast_count}H", picture, _BLASTS + 2)


def _unpack_seat(
    cell: int, line: int, tiles: int, energy: int, idle: int, kills: int, action: int, death: int, _: int
) -> _SeatPicture:
    cause, killer = _DEATH_CAUSES[death & (1 << _CAUSE_BITS) - 1], death >> _CAUSE_BITS
    kind, marks = ActionKind(action & (1 << _ACTION_BITS) - 1), action >> _ACTION_BITS
    return _SeatPicture(
        warrior=FrameWarrior(cell, cause is DeathCause.NONE, energy, idle, tiles, kills, kind, line),
        happenings=tuple(mark for bit, mark in enumerate(_MARKS) if marks >> bit & 1),
        cause=cause,
        killer=None if killer == _NO_SEAT else killer,
    )
