"""What a person's keys come to in one turn (arena spec section 15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gridwars.benchmarks.snake_arena.rules import OFFSETS, Direction
from gridwars.benchmarks.snake_arena.spawns import Cell

PERSONS = ("player-1", "player-2")
"""The ids of people, which no bot has."""

_ARROWS: Mapping[str, Direction] = {
    "arrowup": Direction.UP,
    "arrowdown": Direction.DOWN,
    "arrowleft": Direction.LEFT,
    "arrowright": Direction.RIGHT,
}
_LETTERS: Mapping[str, Direction] = {
    "w": Direction.UP,
    "s": Direction.DOWN,
    "a": Direction.LEFT,
    "d": Direction.RIGHT,
}
_KEYS: Mapping[str, Mapping[str, Direction]] = dict(zip(PERSONS, (_ARROWS, _LETTERS), strict=True))


def choose_direction(
    person: str, body: Sequence[Cell], keys: Iterable[str], last_submitted: Direction | None
) -> Direction:
    """The direction to submit: that of the last key which does not lead into the neck, or the one before.

    Args:
        person: one of `PERSONS`.
        body: before the move.
        keys: pressed since the last turn, by their name in a browser; others are passed over.
    """
    chosen = last_submitted or Direction.UP
    (x, y), neck = body[0], body[1]
    for key in keys:
        direction = _KEYS[person].get(key.lower())
        if direction is None:
            continue
        dx, dy = OFFSETS[direction]
        if neck == (x, y) or (x + dx, y + dy) != neck:
            chosen = direction
    return chosen
