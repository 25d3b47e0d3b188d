"""The numbers of Grid Wars, each named once, and what follows from them without playing.

Configuration and its ranges, seeds, spawns, aliases and scores: the rules' sections "Seats and the
series", "The arena" and "Scoring", and Grid Wars spec sections 1 and 3.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from gridwars.benchmarks.contract import ConfigurationError, Option
from gridwars.benchmarks.options import check_options
from gridwars.canonical import Json
from gridwars.rng import NimRand, mix

RULES_VERSION = 1

SEAT_COUNT = 4
COLOURS = ("red", "blue", "green", "yellow")
"""By seat."""

BOARD_SIZE = 30
"""Cells per row and per column; both wrap. Cells are numbered y * 30 + x."""
CELL_COUNT = BOARD_SIZE * BOARD_SIZE
CORNERS = ((4, 4), (25, 4), (4, 25), (25, 25))
"""Where warriors start, as (x, y); a permutation drawn per round says who where."""

SIGHT = 4
"""How far `check` and `who` reach in x and in y: a window of 9 x 9 cells."""

START_ENERGY = 12
MOST_ENERGY = 60
TILES_PER_ENERGY = 60
"""At the end of a tick a living warrior gains 1 energy, and 1 more for every so many tiles."""

FUSE = 5
IDLE_LIMIT = 50
"""Ticks in a row on one cell that kill."""

CURVE_INTERVAL = 25
"""Ticks between two samples of the tile curve."""

POINTS_ALIVE = 100
POINTS_KILL = 50
POINTS_SELF_KILL = -50

ALIASES = (
    "Sprocket",
    "Gizmo",
    "Ratchet",
    "Widget",
    "Bolt",
    "Piston",
    "Flywheel",
    "Rivet",
    "Tinker",
    "Gasket",
)


class Ending(StrEnum):
    """Why a battle ended."""

    HORIZON = "horizon"
    LAST_STANDING = "lastStanding"
    WIPEOUT = "wipeout"


class DeathCause(StrEnum):
    """What killed a warrior."""

    NONE = ""
    """It lives."""
    BOMB = "bomb"
    IDLE = "idle"
    FAULT = "fault"


class GridWarsConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What an episode is played with.

    Not checked when built, because a recorded one is read as it stands; `configure` checks.

    Attributes:
        seed: the episode's seed, a signed 64-bit number.
        rounds: how many battles.
        ticks: the most ticks of one battle.
        bomb_cost: energy that a bomb costs.
    """

    seed: int = 0
    rounds: int = 5
    ticks: int = 400
    bomb_cost: int = 12


_DEFAULTS = GridWarsConfig()

OPTIONS = (
    Option("seed", _DEFAULTS.seed, "the episode's seed", minimum=-(2**63), maximum=2**63 - 1),
    Option("rounds", _DEFAULTS.rounds, "battles of an episode", minimum=1, maximum=12),
    Option("ticks", _DEFAULTS.ticks, "most ticks of a battle", minimum=20, maximum=1200),
    Option("bomb_cost", _DEFAULTS.bomb_cost, "energy that a bomb costs", minimum=0, maximum=60),
)


def configure(options: Mapping[str, Json]) -> GridWarsConfig:
    """The configuration that `options` describe; what they leave out takes its default.

    Raises:
        ConfigurationError: for an unknown field, and for a value that is no integer or out of range.
    """
    check_options("grid-wars", OPTIONS, options)
    return msgspec.convert(dict(options), GridWarsConfig)


def is_within_rules(config: GridWarsConfig) -> bool:
    """Whether `configure` would take it; a recorded one need not be."""
    try:
        configure(msgspec.to_builtins(config))
    except ConfigurationError:
        return False
    return True


def compute_round_seed(episode_seed: int, round_number: int) -> int:
    """The seed of a round; rounds count from 1."""
    return mix(episode_seed, 1000003, round_number * 97)


def draw_spawn(round_seed: int) -> tuple[int, ...]:
    """The cells that the seats start on: the corners in an order drawn from the round's seed."""
    cells = list(_CORNER_CELLS)
    NimRand(mix(round_seed, 2654435761, 12345)).shuffle(cells)
    return tuple(cells)


@functools.cache
def list_start_seeds() -> tuple[int, ...]:
    """Seeds of episodes that begin with each order of the corners, one for each, which are equally likely."""
    found: dict[tuple[int, ...], int] = {}
    for seed in itertools.count():
        found.setdefault(draw_spawn(compute_round_seed(seed, 1)), seed)
        if len(found) == math.factorial(len(CORNERS)):
            break
    return tuple(found.values())


def draw_aliases(episode_seed: int) -> tuple[str, ...]:
    """The seats' names in the game, the same in every round of an episode."""
    names = list(ALIASES)
    NimRand(mix(episode_seed, 6779, 31)).shuffle(names)
    return tuple(names[:SEAT_COUNT])


def cell_at(x: int, y: int) -> int:
    """The number of the cell at any coordinates, which wrap."""
    return y % BOARD_SIZE * BOARD_SIZE + x % BOARD_SIZE


_CORNER_CELLS = tuple(cell_at(x, y) for x, y in CORNERS)


def compute_raw_score(tiles: int, alive: bool, kills: int, self_kills: int) -> int:
    return tiles + POINTS_ALIVE * alive + POINTS_KILL * kills + POINTS_SELF_KILL * self_kills


def compute_round_scores_quarters(raw_scores: Sequence[int]) -> tuple[int, ...]:
    """The seats' zero-sum scores of a round, exact, in quarters: four times raw minus the sum of all raw."""
    total = sum(raw_scores)
    return tuple(SEAT_COUNT * raw - total for raw in raw_scores)
