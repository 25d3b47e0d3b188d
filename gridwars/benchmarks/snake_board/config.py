"""What one game is played by, and whether it may be (board game spec section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.snake_board.rules import (
    LEVELS,
    MOST_ROCKS,
    PATTERNS,
    ROBOT_COUNTS,
    SEAT_COUNTS,
    STARTS,
    BoardName,
    Mode,
    RockMethod,
)
from gridwars.canonical import Json

_MOST_TURNS = 2**32 - 1
_SEEDS = range(2**63)


class SnakeBoardConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game.

    Attributes:
        starts: by seat the index of its start square.
        rock_pattern: "" without one.
        level: the complexity level that the other fields must be of; 0 for none.
        adder: the adder's seat; only `Mode.ADDER` has one.
        robots, max_apples: only of `Mode.PYTHON`; the most apples that can be saved.
    """

    mode: Mode = Mode.BASIC
    board: BoardName = BoardName.MAIN
    seats: int = 2
    starts: tuple[int, ...] = (0, 2)
    rocks: int = 0
    rock_method: RockMethod = RockMethod.DICE
    rock_pattern: str = ""
    wormholes: bool = False
    infinity: bool = False
    level: int = 0
    adder: int = 1
    robots: int = 2
    max_apples: int = 2
    max_turns: int = 400
    seed: int = 1

    @property
    def robot_count(self) -> int:
        return self.robots if self.mode is Mode.PYTHON else 0


def configure(options: Mapping[str, Json]) -> SnakeBoardConfig:
    """The configuration that `options` describe; what they leave out follows from mode, board and seats.

    Raises:
        ConfigurationError: for an unknown field, and for the first value that may not be, in the order
            mode, board, seats, starts, rocks, pattern, passages, adder, robots, level, max_turns, seed.
    """
    known = SnakeBoardConfig.__struct_fields__
    for name in options:
        if name not in known:
            raise ConfigurationError(f"{name}: no such field of snake-board; there are {', '.join(known)}")
    given = {name: value for name, value in options.items() if value is not None}
    if given.get("mode") == Mode.PYTHON:
        given.pop("seats", None)
    config = _convert(_derive_defaults(given) | given)
    field = find_offending_field(config)
    if field is not None:
        raise ConfigurationError(f"{field}: {_REMEDIES[field]}")
    return config


def find_offending_field(config: SnakeBoardConfig) -> str | None:
    """The first field, in the specification's order, that does not go with those before it."""
    return next((field for field, is_right in _CHECKS if not is_right(config)), None)


def _derive_defaults(options: Mapping[str, Json]) -> dict[str, Json]:
    mode, board = options.get("mode", Mode.BASIC), options.get("board", BoardName.MAIN)
    seats: Json = 1 if mode == Mode.PYTHON else options.get("seats", 2)
    defaults: dict[str, Json] = {"max_turns": 200 if mode == Mode.PYTHON else 400}
    if isinstance(seats, int) and not isinstance(seats, bool) and 0 <= seats <= 4:
        diagonal = seats == 2 and board != BoardName.DUEL
        defaults["seats"] = seats
        defaults["starts"] = [0, 2] if diagonal else list(range(seats))
    return defaults


def _convert(values: Mapping[str, Json]) -> SnakeBoardConfig:
    try:
        return msgspec.convert(values, SnakeBoardConfig)
    except msgspec.ValidationError as error:
        text = str(error)
        field = text.rpartition("`$.")[2].rstrip("`").partition("[")[0] if "`$." in text else ""
        raise ConfigurationError(f"{field}: {text}" if field else text) from error


def _is_start_of_all(config: SnakeBoardConfig) -> bool:
    starts = config.starts
    count = len(STARTS[config.board])
    if len(starts) != config.seats or len(set(starts)) != len(starts):
        return False
    if not all(0 <= start < count for start in starts):
        return False
    if config.mode is Mode.PYTHON:
        return starts == (0,)
    return config.seats != 2 or config.board is BoardName.DUEL or abs(starts[0] - starts[1]) == 2


def _is_pattern_of_rocks(config: SnakeBoardConfig) -> bool:
    if config.rock_method is not RockMethod.PATTERN:
        return True
    pattern = PATTERNS[config.board].get(config.rock_pattern)
    return pattern is not None and len(pattern) == config.rocks


def _is_of_level(config: SnakeBoardConfig) -> bool:
    if config.level == 0:
        return True
    level = LEVELS.get(config.level)
    return (
        level is not None
        and level.fewest_rocks <= config.rocks <= level.most_rocks
        and (level.wormholes, level.infinity) == (config.wormholes, config.infinity)
    )


def _is_count_of_seats(config: SnakeBoardConfig) -> bool:
    return config.seats in SEAT_COUNTS[config.mode] and (config.board is BoardName.MAIN or config.seats == 2)


_CHECKS: tuple[tuple[str, Callable[[SnakeBoardConfig], bool]], ...] = (
    ("board", lambda config: config.board is BoardName.MAIN or config.mode is Mode.BASIC),
    ("seats", _is_count_of_seats),
    ("starts", _is_start_of_all),
    ("rocks", lambda config: 0 <= config.rocks <= MOST_ROCKS),
    ("pattern", _is_pattern_of_rocks),
    ("passages", lambda config: config.mode is not Mode.PYTHON or not (config.wormholes or config.infinity)),
    ("adder", lambda config: config.mode is not Mode.ADDER or 0 <= config.adder < config.seats),
    ("robots", lambda config: config.mode is not Mode.PYTHON or config.robots in ROBOT_COUNTS),
    ("max_apples", lambda config: 0 <= config.max_apples <= 255),
    ("level", _is_of_level),
    ("max_turns", lambda config: 1 <= config.max_turns <= _MOST_TURNS),
    ("seed", lambda config: config.seed in _SEEDS),
)

_REMEDIES: Mapping[str, str] = {
    "board": "the duel board is for the basic game",
    "seats": "basic games have 2 to 4 seats (2 on the duel board), team and adder 3 or 4, python 1",
    "starts": "one different start index a seat; two seats on the main board start diagonally, as [0, 2]",
    "rocks": f"0 to {MOST_ROCKS}",
    "pattern": "rock_pattern must be one of the board's, with as many squares as there are rocks: "
    + "; ".join(f"{board}: {', '.join(patterns)}" for board, patterns in PATTERNS.items()),
    "passages": "a python game has neither wormholes nor the infinity field",
    "adder": "the adder's seat, from 0, must be one of the seats",
    "robots": "1 to 3",
    "max_apples": "0 to 255",
    "level": "the other fields are not of this complexity level: "
    + "; ".join(
        f"{number}: {level.fewest_rocks}-{level.most_rocks} rocks"
        + (", wormholes" if level.wormholes else "")
        + (", infinity" if level.infinity else "")
        for number, level in LEVELS.items()
    ),
    "max_turns": f"1 to {_MOST_TURNS}",
    "seed": f"0 to {_SEEDS[-1]}",
}
