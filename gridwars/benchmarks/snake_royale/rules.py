"""The numbers and names of Snake Royale, each once, and what follows from them without playing.

Modules, switches and their ranges, aliases, colours, the spawn deal and the pay: the rules' sections
"The board" and "Scoring", and Snake Royale spec sections 1, 2, 4 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import Option
from gridwars.benchmarks.options import check_options
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.stream import Stream
from gridwars.canonical import Json

RULES_VERSION = 1
GAME_VERSION = "1"
"""The reference implementation's, whose results these rules reproduce."""

SEAT_COUNT = 4
SEATS = range(SEAT_COUNT)
Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]
SeatOrNone = Annotated[int, msgspec.Meta(ge=-1, lt=SEAT_COUNT)]
"""-1 for none."""
BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
ALIASES = ("COG-alpha", "COG-beta", "COG-gamma", "COG-delta")
"""By seat."""
COLOURS = ("amber", "teal", "violet", "lime")
"""By anchor: a seat has the colour of the anchor that it was dealt."""

_FOOD_SEED_MARK = 0x5EED

SAY_LENGTH = 24
NOTES_LENGTH = 160

PAY_PERMILLE = compute_place_points(range(1, SEAT_COUNT + 1))
"""By place; seats that share places share their pay."""


class Direction(StrEnum):
    """In wire order: a direction's code is its index in `DIRECTIONS`."""

    UP = "up"
    RIGHT = "right"
    DOWN = "down"
    LEFT = "left"


DIRECTIONS = tuple(Direction)
DIRECTION_CODES: Mapping[Direction, int] = {direction: code for code, direction in enumerate(DIRECTIONS)}
UP, RIGHT, DOWN, LEFT = range(4)
OFFSETS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""By direction; y grows downwards."""


class HeadOnRule(StrEnum):
    LONGER_WINS = "longer_wins"
    BOTH_DIE = "both_die"


class Module(StrEnum):
    """A preset of the switches."""

    ROYALE = "royale"
    GEESE = "geese"
    TRON = "tron"


class DeathCause(StrEnum):
    NONE = ""
    WALL = "wall"
    BODY = "body"
    HEAD_ON = "headon"
    STARVE = "starve"


class EndRule(StrEnum):
    """What ended the game."""

    NONE = ""
    """It goes on."""
    LAST_STANDING = "last_standing"
    FULL_TIME = "full_time"
    WALL_CLOCK = "wall_clock"
    SIM_FAULT = "sim_fault"
    """Only in recordings of others, as the next."""
    HOST_ERROR = "host_error"


EARLY_END_RULES = frozenset({EndRule.WALL_CLOCK, EndRule.SIM_FAULT, EndRule.HOST_ERROR})
"""Those that end a game before it is over."""


class Switches(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is played by.

    Attributes:
        health_start: 0 for a game without hunger.
        shrink_every: turns between two shrinkings; 0 for none.
        leave_trail: tails never move on.
    """

    board_w: int
    board_h: int
    wrap: bool
    food_count: int
    health_start: int
    shrink_every: int
    leave_trail: bool
    head_to_head: HeadOnRule
    start_length: int
    max_turns: int = 50


MODULES: Mapping[Module, Switches] = {
    Module.ROYALE: Switches(
        board_w=17,
        board_h=9,
        wrap=False,
        food_count=3,
        health_start=30,
        shrink_every=0,
        leave_trail=False,
        head_to_head=HeadOnRule.LONGER_WINS,
        start_length=3,
    ),
    Module.GEESE: Switches(
        board_w=11,
        board_h=7,
        wrap=True,
        food_count=2,
        health_start=0,
        shrink_every=20,
        leave_trail=False,
        head_to_head=HeadOnRule.BOTH_DIE,
        start_length=3,
    ),
    Module.TRON: Switches(
        board_w=21,
        board_h=9,
        wrap=False,
        food_count=0,
        health_start=0,
        shrink_every=0,
        leave_trail=True,
        head_to_head=HeadOnRule.BOTH_DIE,
        start_length=1,
    ),
}

RANGES: Mapping[str, tuple[int, int]] = {
    "board_w": (7, 31),
    "board_h": (5, 21),
    "food_count": (0, 8),
    "health_start": (0, 200),
    "shrink_every": (0, 200),
    "start_length": (1, 5),
    "max_turns": (5, 200),
    "say_turns": (0, 8),
    "seed": (-(2**63), 2**63 - 1),
}
"""Lowest and highest value of every number of a configuration."""


class SnakeRoyaleConfig(Switches, frozen=True, kw_only=True):
    """One game.

    Attributes:
        module: the preset's name, also where switches depart from it.
        say_turns: for how many turns' observations a bubble is seen.
    """

    seed: int = 1
    module: Module = Module.ROYALE
    say_turns: int = 2


_DEFAULT = MODULES[Module.ROYALE]
_HELP = {
    "board_w": "columns",
    "board_h": "rows",
    "wrap": "edges lead to the opposite edge",
    "food_count": "how much food lies on the board",
    "health_start": "turns without food that starve; 0 for never",
    "shrink_every": "every so many turns all lose a segment; 0 for never",
    "leave_trail": "tails stay where they are",
    "head_to_head": "who survives heads meeting",
    "start_length": "segments at the start",
    "max_turns": "most turns of a game",
}


def _make_switch_option(name: str, text: str) -> Option:
    default = getattr(_DEFAULT, name)
    if isinstance(default, HeadOnRule):
        return Option(name, default.value, text, choices=tuple(rule.value for rule in HeadOnRule))
    if isinstance(default, bool):
        return Option(name, default, text)
    return Option(name, default, text, *RANGES[name])


OPTIONS = (
    Option("seed", 1, "the game's seed", *RANGES["seed"]),
    Option(
        "module",
        Module.ROYALE.value,
        "the preset of what follows, whose defaults are shown for royale",
        choices=tuple(module.value for module in Module),
    ),
    *(_make_switch_option(name, text) for name, text in _HELP.items()),
    Option("say_turns", 2, "turns for which a bubble is seen", *RANGES["say_turns"]),
)


def configure(options: Mapping[str, Json]) -> SnakeRoyaleConfig:
    """The configuration that `options` describe; what they leave out is as the module has it.

    Raises:
        ConfigurationError: for an unknown field, and for a value of the wrong type or out of range.
    """
    check_options("snake-royale", OPTIONS, options)
    module = Module(str(options.get("module", Module.ROYALE)))
    preset = msgspec.structs.asdict(MODULES[module])
    return msgspec.convert(preset | dict(options), SnakeRoyaleConfig)


def draw_spawn_deal(seed: int) -> tuple[int, ...]:
    """By seat, the number of the anchor that it starts on."""
    deal = list(SEATS)
    stream = Stream.seeded(seed)
    for i in range(SEAT_COUNT - 1, 0, -1):
        j = stream.draw_below(i + 1)
        deal[i], deal[j] = deal[j], deal[i]
    return tuple(deal)


def make_food_stream(seed: int) -> Stream:
    """Apart from the deal's stream, so that nothing else moves the food."""
    return Stream.seeded(seed ^ _FOOD_SEED_MARK)


def list_anchors(switches: Switches) -> tuple[tuple[int, int], ...]:
    """The four cells that snakes start on, as (x, y)."""
    right, bottom = switches.board_w - 1, switches.board_h - 1
    x, y = switches.board_w // 4, switches.board_h // 4
    return ((x, y), (right - x, y), (x, bottom - y), (right - x, bottom - y))


def compute_start_direction(switches: Switches, x: int, y: int) -> int:
    """From a cell towards the middle, along the longer way; along x where both are as long."""
    dx, dy = switches.board_w // 2 - x, switches.board_h // 2 - y
    if abs(dx) >= abs(dy):
        return RIGHT if dx >= 0 else LEFT
    return DOWN if dy >= 0 else UP


def compute_places(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """By seat its place from 1; a higher key ranks first, and equal ones share the better place."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)
