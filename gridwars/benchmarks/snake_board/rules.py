"""The numbers and names of Snake: The Board Game, each once, and what a configuration may be.

Components, start squares, rock patterns and complexity levels: the rulebook's sections of these names, and
board game spec sections 1 to 3, 11 and 15.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from gridwars.benchmarks.points import split_points

RULES_VERSION = 1

APPLE_COUNT = 4
MOST_ROCKS = 8
PAIR_SEGMENTS = 60
"""Of the segments that each pair of colours shares."""
BITE_LEAD = 10
"""How many segments longer than its victim a snake must be to bite it."""
MOST_FAILED_ROLLS = 1000
"""After so many the lowest square that fits is taken."""
MOST_TOKENS = 32
SAVED_LENGTH = 15
"""The length that a solo game is won at, and what counts of it in a lost one."""


class Mode(StrEnum):
    """In the order of their codes."""

    BASIC = "basic"
    TEAM = "team"
    ADDER = "adder"
    PYTHON = "python"


class BoardName(StrEnum):
    """In the order of their codes."""

    MAIN = "main"
    DUEL = "duel"


class RockMethod(StrEnum):
    """In the order of their codes."""

    DICE = "dice"
    CHOSEN = "chosen"
    PATTERN = "pattern"


class Heading(StrEnum):
    """In the order of their codes; each to the right of the one before it."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"


HEADINGS = tuple(Heading)
NORTH, EAST, SOUTH, WEST = range(4)
OFFSETS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""By heading; y grows southwards."""


class Colour(StrEnum):
    """Of snakes."""

    BLUE = "blue"
    BLACK = "black"
    RED = "red"
    WHITE = "white"


BLUE_BLACK = (Colour.BLUE, Colour.BLACK)
"""One of the two pairs that lend each other segments; the other colours are the other."""


class Fate(StrEnum):
    """In the order of their codes."""

    ALIVE = "alive"
    BLOCKED = "blocked"
    BITTEN = "bitten"


class Reason(StrEnum):
    """Why a game is over."""

    LAST_STANDING = "last_standing"
    TEAM = "team"
    ADDER_CAUGHT = "adder_caught"
    CATCHER_BLOCKED = "catcher_blocked"
    PYTHON_WON = "python_won"
    BLOCKED = "blocked"
    TURN_CAP = "turn_cap"


class Start(NamedTuple):
    """A start position.

    Attributes:
        squares: the head's, which is the coloured one, and those behind it, by name.
        robot_squares: of a robot, which is longer; none where no robot starts.
        colour: of the snake that starts there.
        square_colour: start squares of one colour are teams, and each other's wormhole.
    """

    squares: tuple[str, ...]
    heading: int
    colour: Colour
    square_colour: int
    robot_squares: tuple[str, ...] = ()


STARTS: Mapping[BoardName, tuple[Start, ...]] = {
    BoardName.MAIN: (
        Start(("C3", "B3", "A3"), EAST, Colour.BLUE, 0),
        Start(("J3", "K3", "L3"), WEST, Colour.BLACK, 1, ("J3", "K3", "L3", "L2", "L1")),
        Start(("J8", "K8", "L8"), WEST, Colour.RED, 0, ("J8", "K8", "L8", "L9", "L10")),
        Start(("C8", "B8", "A8"), EAST, Colour.WHITE, 1, ("C8", "B8", "A8", "A9", "A10")),
    ),
    BoardName.DUEL: (
        Start(("B3", "B2", "B1"), EAST, Colour.BLUE, 0),
        Start(("E8", "E9", "E10"), WEST, Colour.RED, 0),
    ),
}
"""By start index, clockwise."""

PATTERNS: Mapping[BoardName, Mapping[str, tuple[str, ...]]] = {
    BoardName.MAIN: {
        "4a": ("E4", "H4", "E7", "H7"),
        "4b": ("F3", "G8", "D6", "I5"),
        "6a": ("E4", "H4", "E7", "H7", "F2", "G9"),
        "6b": ("D5", "I6", "F3", "G8", "F7", "G4"),
        "8a": ("E4", "H4", "E7", "H7", "F2", "G2", "F9", "G9"),
        "8b": ("E3", "H3", "E8", "H8", "B5", "B6", "K5", "K6"),
    },
    BoardName.DUEL: {
        "4a": ("C4", "C7", "D4", "D7"),
        "4b": ("B5", "E6", "D3", "C8"),
    },
}


class Level(NamedTuple):
    """A complexity level."""

    fewest_rocks: int
    most_rocks: int
    wormholes: bool
    infinity: bool


LEVELS: Mapping[int, Level] = {
    1: Level(0, 0, False, False),
    2: Level(1, 4, False, False),
    3: Level(5, 8, False, False),
    4: Level(0, 8, True, False),
    5: Level(4, 8, False, True),
    6: Level(4, 8, True, True),
}

SEAT_COUNTS: Mapping[Mode, range] = {
    Mode.BASIC: range(2, 5),
    Mode.TEAM: range(3, 5),
    Mode.ADDER: range(3, 5),
    Mode.PYTHON: range(1, 2),
}
ROBOT_COUNTS = range(1, 4)


def compute_borrowed(segments: Mapping[Colour, int]) -> int:
    """How many segments are borrowed from the other pair, with so many of each colour on the board."""
    blue_black = sum(count for colour, count in segments.items() if colour in BLUE_BLACK)
    red_white = sum(segments.values()) - blue_black
    return max(0, blue_black - PAIR_SEGMENTS) + max(0, red_white - PAIR_SEGMENTS)


def compute_side_points(winners: Sequence[int], seat_count: int) -> tuple[int, ...]:
    """By seat, in permille, where one side beat the other; all 0 where there is no other."""
    losers = [seat for seat in range(seat_count) if seat not in winners]
    points = [0] * seat_count
    total = 1000 * min(len(winners), len(losers))
    if total:
        split_points(total, winners, points)
        split_points(-total, losers, points)
    return tuple(points)


def compute_solo_points(length: int, bites: int, robots: int, turn: int, max_turns: int) -> int:
    """In permille, of a solo game that was not won."""
    grown = min(length, SAVED_LENGTH) - 3
    return 40 * grown + 480 * bites // robots + 39 * turn // max_turns
