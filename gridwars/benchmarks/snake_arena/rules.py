"""The numbers and names of the snake arena, each once (arena spec sections 1, 5 and 8)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import ConfigurationError

RULES_VERSION = 1

START_LENGTH = 3
CONTESTANTS = range(2, 13)
"""How many fight in one game of a match."""
EXTRA_GAMES = 4
"""Played at most beyond `best_of`, where games have no single winner."""


class Direction(StrEnum):
    """In the order of their codes, which count from 1."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


OFFSETS: Mapping[Direction, tuple[int, int]] = {
    Direction.UP: (0, -1),
    Direction.DOWN: (0, 1),
    Direction.LEFT: (-1, 0),
    Direction.RIGHT: (1, 0),
}
"""y grows downwards."""


class DeathCause(StrEnum):
    """In the order of their codes, which count from 1."""

    WALL = "wall"
    STORM = "storm"
    STARVED = "starved"
    SELF = "self"
    BODY = "body"
    HEAD_ON = "head-on"
    LOAD_ERROR = "load-error"


class ArenaOptions(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What one game is played by, named as bots know it.

    Attributes:
        shrink_start: the turn at whose end the storm first closes in; then every `shrink_every` turns.
        food_chance: of food at the end of a turn that is not short of it.
    """

    width: Annotated[int, msgspec.Meta(ge=3, le=99)] = 11
    height: Annotated[int, msgspec.Meta(ge=3, le=99)] = 11
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)] = 1
    max_turns: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 600
    shrink_start: Annotated[int, msgspec.Meta(ge=1, le=2**32 - 1)] = 150
    shrink_every: Annotated[int, msgspec.Meta(ge=1, le=2**32 - 1)] = 20
    min_food: Annotated[int, msgspec.Meta(ge=0, le=9801)] = 1
    food_chance: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.15
    start_health: Annotated[int, msgspec.Meta(ge=1, le=65535)] = 100

    @property
    def ring_cap(self) -> int:
        """The widest that the storm gets."""
        return max(0, min(self.width, self.height) // 2 - 1)


def read_options(options: Mapping[str, object]) -> ArenaOptions:
    """The options that `options` describe; what they leave out is as by default.

    Raises:
        ConfigurationError: for an unknown option, and for a value of the wrong type or out of range.
    """
    try:
        return msgspec.convert(options, ArenaOptions)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"options: {error}") from error


# What ECMAScript trims, which is not what Python does.
_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_DIRECTIONS = {direction.value: direction for direction in Direction}


def read_direction(action: object) -> Direction | None:
    """The direction that a submitted value is; None for anything else."""
    if not isinstance(action, str):
        return None
    word = action.strip(_BLANKS)
    return _DIRECTIONS.get(word.lower())
