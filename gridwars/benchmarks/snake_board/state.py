"""The state of a game: snakes, apples, rocks, dead segments and the dice.

Plain data that can be copied; only the rules' modules beside it change it (board game spec section 5).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from gridwars.benchmarks.snake_board.board import NO_SQUARE, Board
from gridwars.benchmarks.snake_board.config import SnakeBoardConfig
from gridwars.benchmarks.snake_board.happenings import Happening, Kind
from gridwars.benchmarks.snake_board.rules import (
    MOST_FAILED_ROLLS,
    STARTS,
    Colour,
    Fate,
    Mode,
    Reason,
)

NOBODY = -1


class Link(StrEnum):
    """How a segment follows the one before it; in the order of their codes."""

    STEP = "step"
    WALL = "wall"
    WORMHOLE = "wormhole"


class Content(StrEnum):
    """What a square holds, to somebody who looks at it."""

    EMPTY = "empty"
    APPLE = "apple"
    ROCK = "rock"
    DEAD = "dead"
    OWN = "own"
    ANOTHER = "another"


@dataclass(slots=True)
class Snake:
    """One snake, of a seat or a robot's.

    Attributes:
        index: the seat, or behind all seats for a robot.
        start: index of its start position.
        side: those of one side never bite each other and win together.
        body: squares, the head first; its last in death.
        links: one for each segment but the last: how the next one follows it.
        repaired: how often something was put in the place of what its seat submitted.
        bites: how many it has bitten.
        out_at: the how-manieth to be out; 0 while it lives.
    """

    index: int
    colour: Colour
    start: int
    side: int
    body: list[int]
    heading: int
    links: list[Link] = field(default_factory=list)
    carried: int = 0
    fate: Fate = Fate.ALIVE
    repaired: int = 0
    bites: int = 0
    out_at: int = 0

    @property
    def alive(self) -> bool:
        return self.fate is Fate.ALIVE

    @property
    def in_transit(self) -> bool:
        """Whether a part of it is still in a wall or a wormhole."""
        return any(link is not Link.STEP for link in self.links)


class Dice(Protocol):
    """One letter die and one number die."""

    @property
    def state(self) -> int:
        """What all rolls to come follow from, 64 bits."""
        ...

    def roll(self, sides: int) -> int:
        """1 to `sides`."""
        ...

    def roll_square(self, board: Board) -> int: ...


class Over(NamedTuple):
    """How a game ended.

    Attributes:
        winners: seats, in order; none of a solo game that was lost.
    """

    reason: Reason
    winners: tuple[int, ...]


@dataclass(slots=True)
class GameState:
    """A game at any moment.

    Attributes:
        turn: turns completed.
        to_move: the seat whose turn it is; `NOBODY` once the game is over.
        snakes: seats, then robots.
        order: seats, clockwise by their start.
        dead: by square the index of the snake in whose colour it is blocked.
        pending: the same, of squares that are blocked once the living segment on them leaves.
        owners: by square the index of the living snake on it.
        saved: apples put aside in a solo game.
        extra: extra moves left in a solo turn.
        mandatory: moves that must still be made in a solo turn.
        digest: the game's hash as of the last turn, 64 bits.
        rolled: the square that this turn's dice showed, and what lay there.
        happenings: all that was told and is not yet taken.
    """

    config: SnakeBoardConfig
    board: Board
    dice: Dice
    snakes: tuple[Snake, ...]
    order: tuple[int, ...]
    turn: int = 0
    to_move: int = NOBODY
    apples: set[int] = field(default_factory=set)
    rocks: set[int] = field(default_factory=set)
    dead: dict[int, int] = field(default_factory=dict)
    pending: dict[int, int] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    saved: int = 0
    extra: int = 0
    mandatory: int = 0
    digest: int = 0
    over: Over | None = None
    rolled: tuple[int, Content] | None = None
    happenings: list[Happening] = field(default_factory=list)

    @property
    def seats(self) -> tuple[Snake, ...]:
        return self.snakes[: self.config.seats]

    @property
    def robots(self) -> tuple[Snake, ...]:
        return self.snakes[self.config.seats :]

    def copy(self) -> GameState:
        """A game that goes on by itself."""
        return copy.deepcopy(self, {id(self.board): self.board, id(self.config): self.config})

    def tell(
        self, kind: Kind, snake: int = NOBODY, square: int = NO_SQUARE, *, value: int = 0, text: str = ""
    ) -> None:
        name = self.board.names[square] if square != NO_SQUARE else ""
        self.happenings.append(Happening(kind, self.turn, snake, name, value, text))

    def look(self, square: int, viewer: Snake) -> Content:
        """What lies on a square."""
        owner = self.owners.get(square)
        if owner is not None:
            return Content.OWN if owner == viewer.index else Content.ANOTHER
        if square in self.apples:
            return Content.APPLE
        if square in self.rocks:
            return Content.ROCK
        return Content.DEAD if square in self.dead else Content.EMPTY

    def is_empty(self, square: int) -> bool:
        return not (
            square in self.owners or square in self.apples or square in self.rocks or square in self.dead
        )

    def find_next_living(self, seat: int) -> Snake | None:
        """The next living snake of a seat, clockwise from another one; itself last of all."""
        at = self.order.index(seat) + 1
        turn_order = self.order[at:] + self.order[:at]
        return next((self.snakes[other] for other in turn_order if self.snakes[other].alive), None)

    def hand_apples(self, giver: int, count: int, why: str) -> None:
        """The next living player clockwise gets apples that somebody loses."""
        taker = self.find_next_living(giver)
        if count and taker is not None:
            taker.carried += count
            self.tell(Kind.HANDOVER, taker.index, value=count, text=why)

    def place_by_dice(self, fits: Callable[[int], bool]) -> int:
        """Rolls until the square fits; `NO_SQUARE` where none does (board game spec section 3.7)."""
        for _ in range(MOST_FAILED_ROLLS):
            square = self.dice.roll_square(self.board)
            if fits(square):
                return square
        return next(filter(fits, self.board.squares), NO_SQUARE)

    def add_head(self, snake: Snake, square: int, heading: int, link: Link = Link.STEP) -> None:
        snake.body.insert(0, square)
        snake.links.insert(0, link)
        snake.heading = heading
        self.owners[square] = snake.index

    def drop_tail(self, snake: Snake) -> int:
        """Takes a snake's last segment away; the square that it was on."""
        square = snake.body.pop()
        snake.links.pop()
        self.vacate(square)
        return square

    def vacate(self, square: int) -> None:
        """A living segment leaves a square, which is filled if that was pending."""
        del self.owners[square]
        colour = self.pending.pop(square, None)
        if colour is not None:
            self.dead[square] = colour
            self.tell(Kind.FILL, colour, square, text="late")

    def end(self, reason: Reason, winners: tuple[int, ...]) -> None:
        self.over = Over(reason, winners)
        self.to_move = NOBODY


def place_snakes(config: SnakeBoardConfig, board: Board) -> tuple[Snake, ...]:
    """The snakes as they start: seats, then robots (board game spec sections 3 and 14.1)."""
    positions = STARTS[config.board]
    colours = [position.colour for position in positions]
    if config.mode is Mode.ADDER:
        own = config.starts[config.adder]
        colours[colours.index(Colour.BLACK)] = colours[own]
        colours[own] = Colour.BLACK
    snakes = []
    for index in range(config.seats + config.robot_count):
        is_robot = index >= config.seats
        start = index if is_robot else config.starts[index]
        position = positions[start]
        names = position.robot_squares if is_robot else position.squares
        snakes.append(
            Snake(
                index=index,
                colour=colours[start],
                start=start,
                side=_find_side(config, index, position.square_colour),
                body=[board.require(name) for name in names],
                heading=position.heading,
                links=[Link.STEP] * (len(names) - 1),
            )
        )
    return tuple(snakes)


def _find_side(config: SnakeBoardConfig, index: int, square_colour: int) -> int:
    match config.mode:
        case Mode.TEAM:
            return square_colour
        case Mode.ADDER:
            return int(index == config.adder)
        case Mode.PYTHON:
            return int(index >= config.seats)
        case Mode.BASIC:
            return index
