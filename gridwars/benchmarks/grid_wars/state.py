"""The state of a battle: the board, the bombs and the four warriors with their machines.

Only the eleven steps of `tick` change it. Between any two ticks it can be saved as plain data and
restored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

import msgspec

from gridwars.benchmarks.grid_wars.rules import (
    BOARD_SIZE,
    CELL_COUNT,
    FUSE,
    SEAT_COUNT,
    START_ENERGY,
    DeathCause,
    Ending,
)
from gwl.machine import Machine
from gwl.program import ActionKind, Instruction, Op, Program

Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]
Cell = Annotated[int, msgspec.Meta(ge=0, lt=CELL_COUNT)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE)]
Offset = tuple[int, int]


@dataclass(slots=True)
class Bomb:
    """A live bomb; the board knows its cell.

    Attributes:
        seat: who planted it, dead or alive.
        fuse: it detonates when this reaches 0.
    """

    seat: Seat
    fuse: Annotated[int, msgspec.Meta(ge=1, le=FUSE)]


@dataclass(slots=True)
class Warrior:
    """One warrior, its machine aside.

    Attributes:
        idle: ticks in a row that it has ended where it began.
        tiles: as of the end of the last tick.
        death_tick: -1 while it lives.
        killed_by: the seat whose bomb killed it, itself perhaps; None where no bomb did.
        action: what its machine did in the last tick; a stall is a wait, an illegal move a move.
        offset: of a legal move in this tick; None otherwise.
        came_from: the cell it stood on when this tick began.
    """

    seat: Seat
    x: Coordinate
    y: Coordinate
    alive: bool = True
    energy: int = START_ENERGY
    idle: int = 0
    tiles: int = 0
    peak_tiles: int = 0
    kills: int = 0
    self_kills: int = 0
    illegal: int = 0
    blocked: int = 0
    refused: int = 0
    stalls: int = 0
    ticks_lived: int = 0
    death_tick: int = -1
    death_cause: DeathCause = DeathCause.NONE
    killed_by: Seat | None = None
    action: ActionKind = ActionKind.NONE
    offset: Offset | None = None
    came_from: Cell = 0

    @property
    def id(self) -> int:
        """Its number as warriors and the board know it, 1..4."""
        return self.seat + 1

    @property
    def cell(self) -> int:
        return self.y * BOARD_SIZE + self.x


_UNCOMPILED = Program((Instruction(Op.JUMP, 1, 0, 1), Instruction(Op.HALT, 0, 0, 0)), (), (), (), ())
"""What an empty script compiles to, run in place of one that does not compile: its warrior halts at once."""


@dataclass(slots=True)
class BattleState:
    """Everything that the steps of a tick read and change.

    Attributes:
        bomb_cost: energy that a bomb costs.
        ticks: the most ticks of this battle.
        warriors, machines: by seat.
        owner: per cell the id of the warrior that owns it, 0 for none.
        corpse: per cell 1 where a corpse lies.
        occupant: per cell the id of the living warrior that stands there, 0 for none.
        bombs: live bombs by cell.
        tick: number of the running tick, from 0; between ticks how many were played.
        priority: seats in this tick's order.
        curves: by seat, the samples of its tile count.
        ending: set once the battle is over.
    """

    bomb_cost: int
    ticks: int
    warriors: tuple[Warrior, ...]
    machines: tuple[Machine, ...]
    owner: bytearray = field(default_factory=lambda: bytearray(CELL_COUNT))
    corpse: bytearray = field(default_factory=lambda: bytearray(CELL_COUNT))
    occupant: bytearray = field(default_factory=lambda: bytearray(CELL_COUNT))
    bombs: dict[int, Bomb] = field(default_factory=dict)
    tick: int = 0
    priority: tuple[int, ...] = tuple(range(SEAT_COUNT))
    curves: tuple[list[int], ...] = field(default_factory=lambda: tuple([] for _ in range(SEAT_COUNT)))
    ending: Ending | None = None

    def __post_init__(self) -> None:
        for warrior in self.warriors:
            if warrior.alive:
                self.occupant[warrior.cell] = warrior.id

    @classmethod
    def start(
        cls,
        programs: Sequence[Program | None],
        *,
        seed: int,
        spawn: Sequence[int],
        ticks: int,
        bomb_cost: int,
    ) -> Self:
        """Four warriors on an empty board.

        Args:
            programs: by seat; None where a script did not compile.
            seed: the round's seed.
            spawn: by seat the cell to start on, four different ones.
            ticks: the most ticks to play, at least 1.

        Raises:
            ValueError: for anything but four programs and a spawn and a tick count as above.
        """
        if len(programs) != SEAT_COUNT:
            raise ValueError(f"programs: a battle has {SEAT_COUNT} seats, not {len(programs)}")
        if (
            len(spawn) != SEAT_COUNT
            or len(set(spawn)) != SEAT_COUNT
            or not set(spawn) <= set(range(CELL_COUNT))
        ):
            raise ValueError(
                f"spawn: {list(spawn)} is not {SEAT_COUNT} different cells of 0..{CELL_COUNT - 1}"
            )
        if ticks < 1:
            raise ValueError(f"ticks: {ticks} is not at least 1")
        return cls(
            bomb_cost=bomb_cost,
            ticks=ticks,
            warriors=tuple(
                Warrior(seat=seat, x=cell % BOARD_SIZE, y=cell // BOARD_SIZE)
                for seat, cell in enumerate(spawn)
            ),
            machines=tuple(
                Machine(program or _UNCOMPILED, seat=seat, seed=seed, bomb_cost=bomb_cost)
                for seat, program in enumerate(programs)
            ),
        )

    def save(self) -> dict[str, object]:
        """The whole state as JSON-ready plain data, the programs aside."""
        snapshot = _Snapshot(
            bomb_cost=self.bomb_cost,
            ticks=self.ticks,
            tick=self.tick,
            ending=self.ending,
            owner=self.owner,
            corpse=self.corpse,
            bombs=self.bombs,
            warriors=self.warriors,
            machines=tuple(machine.save() for machine in self.machines),
            curves=self.curves,
        )
        plain: dict[str, object] = msgspec.to_builtins(snapshot, str_keys=True)
        return plain

    @classmethod
    def restore(cls, programs: Sequence[Program | None], saved: Mapping[str, object]) -> Self:
        """The state that `save` described.

        Args:
            programs: those that the battle was started with.

        Raises:
            ValueError: names what in `saved` does not fit.
        """
        snapshot = msgspec.convert(saved, _Snapshot, str_keys=True)
        for name, values, highest in (("owner", snapshot.owner, SEAT_COUNT), ("corpse", snapshot.corpse, 1)):
            if max(values) > highest:
                raise ValueError(
                    f"{name}: {max(values)} on cell {values.index(max(values))} is beyond {highest}"
                )
        if [warrior.seat for warrior in snapshot.warriors] != list(range(SEAT_COUNT)):
            raise ValueError("warriors: they are not one of each seat in order")
        return cls(
            bomb_cost=snapshot.bomb_cost,
            ticks=snapshot.ticks,
            warriors=snapshot.warriors,
            machines=tuple(
                Machine.restore(program or _UNCOMPILED, machine)
                for program, machine in zip(programs, snapshot.machines, strict=True)
            ),
            owner=snapshot.owner,
            corpse=snapshot.corpse,
            bombs=snapshot.bombs,
            tick=snapshot.tick,
            curves=snapshot.curves,
            ending=snapshot.ending,
        )


_Board = Annotated[bytearray, msgspec.Meta(min_length=CELL_COUNT, max_length=CELL_COUNT)]


class _Snapshot(msgspec.Struct, forbid_unknown_fields=True):
    """A saved state; what is left out follows from the rest or is set anew in every tick."""

    bomb_cost: int
    ticks: int
    tick: Annotated[int, msgspec.Meta(ge=0)]
    ending: Ending | None
    owner: _Board
    corpse: _Board
    bombs: dict[Cell, Bomb]
    warriors: Annotated[tuple[Warrior, ...], msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)]
    machines: Annotated[
        tuple[dict[str, object], ...], msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
    ]
    curves: Annotated[tuple[list[int], ...], msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)]
