"""Pictures of a battle as data, one before the first tick and one after each, for a viewer.

What happened in a tick is read off the states around it: the law keeps no record for the eye.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gridwars.benchmarks.grid_wars.battle import Battle
from gridwars.benchmarks.grid_wars.rules import DeathCause
from gridwars.benchmarks.grid_wars.state import BattleState, Warrior
from gwl.program import ActionKind


class Happening(StrEnum):
    """What can happen to or by a seat in a tick."""

    STALL = "stall"
    ILLEGAL = "illegal"
    REFUSED = "refused"
    PLANT = "plant"
    BLOCKED = "blocked"
    BLAST = "blast"
    """A bomb of the seat went off."""
    BOMB_DEATH = "bombDeath"
    IDLE_DEATH = "idleDeath"
    FAULT_DEATH = "faultDeath"


class FrameEvent(NamedTuple):
    """One happening.

    Attributes:
        cell: of the bomb or of the warrior.
        killer: the seat whose bomb killed, for `BOMB_DEATH`; else None.
    """

    what: Happening
    seat: int
    cell: int
    killer: int | None = None


class FrameBomb(NamedTuple):
    cell: int
    fuse: int
    seat: int


class FrameWarrior(NamedTuple):
    """One warrior; `action` and `line` are those of the tick that the frame shows the end of."""

    cell: int
    alive: bool
    energy: int
    idle: int
    tiles: int
    kills: int
    action: ActionKind
    line: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The battle at the end of a tick.

    Attributes:
        tick: from 0; -1 before the first.
        owner: per cell the owner's id or 0.
        corpses: their cells, ascending.
        bombs: live ones, in ascending order of cells.
        warriors: by seat.
        events: what happened in the tick: by seat what it did, by cell what went off, by seat who died.
    """

    tick: int
    owner: bytes
    corpses: tuple[int, ...]
    bombs: tuple[FrameBomb, ...]
    warriors: tuple[FrameWarrior, ...]
    events: tuple[FrameEvent, ...]


def iterate_frames(battle: Battle) -> Iterator[Frame]:
    """Plays what is left of a battle and pictures it, first as it stands."""
    yield _picture(battle.state, ())
    while not battle.is_over:
        before = _Record.of(battle.state)
        battle.step()
        yield _picture(battle.state, tuple(_read_events(before, battle.state)))


def compute_paint(before: bytes, after: bytes) -> tuple[tuple[int, int], ...]:
    """The (cell, new owner) of every cell whose owner differs: what a viewer need not be sent twice."""
    return tuple((cell, new) for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)


def _picture(state: BattleState, events: tuple[FrameEvent, ...]) -> Frame:
    return Frame(
        tick=state.tick - 1,
        owner=bytes(state.owner),
        corpses=tuple(cell for cell, lies_corpse in enumerate(state.corpse) if lies_corpse),
        bombs=tuple(FrameBomb(cell, bomb.fuse, bomb.seat) for cell, bomb in sorted(state.bombs.items())),
        warriors=tuple(
            FrameWarrior(
                cell=warrior.cell,
                alive=warrior.alive,
                energy=warrior.energy,
                idle=warrior.idle,
                tiles=warrior.tiles,
                kills=warrior.kills,
                action=warrior.action,
                line=machine.line,
            )
            for warrior, machine in zip(state.warriors, state.machines, strict=True)
        ),
        events=events,
    )


class _Record(NamedTuple):
    """What must be remembered of a state to tell what the next tick did.

    Attributes:
        counts: by seat, as `_count`.
        bombs: seat by cell.
    """

    counts: tuple[tuple[int, ...], ...]
    bombs: dict[int, int]

    @classmethod
    def of(cls, state: BattleState) -> _Record:
        return cls(
            counts=tuple(_count(warrior) for warrior in state.warriors),
            bombs={cell: bomb.seat for cell, bomb in state.bombs.items()},
        )


_COUNTED = (Happening.STALL, Happening.ILLEGAL, Happening.REFUSED, Happening.BLOCKED)


def _count(warrior: Warrior) -> tuple[int, ...]:
    return (warrior.stalls, warrior.illegal, warrior.refused, warrior.blocked)


_DEATHS = {
    DeathCause.BOMB: Happening.BOMB_DEATH,
    DeathCause.IDLE: Happening.IDLE_DEATH,
    DeathCause.FAULT: Happening.FAULT_DEATH,
}


def _read_events(before: _Record, state: BattleState) -> Iterator[FrameEvent]:
    bombs = dict(before.bombs)
    for warrior, old_counts in zip(state.warriors, before.counts, strict=True):
        happened = [
            what for what, old, new in zip(_COUNTED, old_counts, _count(warrior), strict=True) if new > old
        ]
        if warrior.action is ActionKind.BOMB and not happened:
            happened = [Happening.PLANT]
            bombs[warrior.cell] = warrior.seat
        for what in happened:
            yield FrameEvent(what, warrior.seat, warrior.cell)
    for cell in sorted(bombs.keys() - state.bombs.keys()):
        yield FrameEvent(Happening.BLAST, bombs[cell], cell)
    for warrior in state.warriors:
        if warrior.death_tick == state.tick - 1:
            yield FrameEvent(_DEATHS[warrior.death_cause], warrior.seat, warrior.cell, warrior.killed_by)
