"""What happened in a tick, in plain English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gridwars.benchmarks.grid_wars.frames import Frame, FrameEvent, Happening
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE
from gridwars.benchmarks.grid_wars.tick import BLAST_CELLS

_SAID: dict[Happening, str] = {
    Happening.ILLEGAL: "{seat} tries a move that is none",
    Happening.STALL: "{seat} runs out of instructions",
    Happening.REFUSED: "{seat} is refused a bomb",
    Happening.PLANT: "{seat} plants a bomb at {place}",
    Happening.BLAST: "{seat}'s bomb goes off at {place}",
    Happening.IDLE_DEATH: "{seat} has stood still for too long and dies at {place}",
    Happening.FAULT_DEATH: "{seat} faults and dies at {place}",
}
"""Blocked moves are too many to tell; deaths by bomb name the bomb."""

_DEATHS = frozenset({Happening.BOMB_DEATH, Happening.IDLE_DEATH, Happening.FAULT_DEATH})


def tell_tick(frame: Frame, aliases: Sequence[str]) -> Iterator[str]:
    """A sentence for each thing that happened."""
    for event in frame.events:
        if event.what in _DEATHS or event.what in _SAID:
            yield _tell(event, frame, aliases)


def tell_deaths(frames: Iterable[Frame], aliases: Sequence[str]) -> Iterator[str]:
    """Who died in a battle, when and where, and by whose bomb that stood where."""
    for frame in frames:
        for event in frame.events:
            if event.what in _DEATHS:
                yield f"tick {frame.tick}: {_tell(event, frame, aliases)}"


def _tell(event: FrameEvent, frame: Frame, aliases: Sequence[str]) -> str:
    seat, place = aliases[event.seat], _name_place(event.cell)
    if event.what is not Happening.BOMB_DEATH:
        return _SAID[event.what].format(seat=seat, place=place)
    bomb = _find_bomb(event, frame)
    if event.killer is None or event.killer == event.seat:
        return f"{seat} dies at {place} of its own bomb at {bomb}"
    return f"{aliases[event.killer]}'s bomb at {bomb} kills {seat} at {place}"


def _find_bomb(death: FrameEvent, frame: Frame) -> str:
    """Where the bomb stood that killed: the lowest cell of those whose blast reaches the victim."""
    covering = [
        event.cell
        for event in frame.events
        if event.what is Happening.BLAST and death.cell in BLAST_CELLS[event.cell]
    ]
    return _name_place(min(covering))


def _name_place(cell: int) -> str:
    return f"({cell % BOARD_SIZE},{cell // BOARD_SIZE})"
