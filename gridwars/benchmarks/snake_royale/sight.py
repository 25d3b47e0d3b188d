"""What can be told of a state before the next turn: what stands where, who contests a cell, what room is.

Snake Royale spec section 6: seats are told this, baselines and the alliance audit go by it. Nothing here
knows of moves to come: the tail of a snake that is about to eat counts as vacant.
"""

from __future__ import annotations

from enum import StrEnum

from gridwars.benchmarks.snake_royale.board import OFF_BOARD
from gridwars.benchmarks.snake_royale.rules import HeadOnRule
from gridwars.benchmarks.snake_royale.state import GameState, Snake

_DISTANCE_CAP = 99


class HeadRisk(StrEnum):
    """What meeting a rival's head on a cell would come to."""

    SAFE = "safe"
    """No rival can step there."""
    WIN = "win"
    TIE = "tie"
    LOSE = "lose"


class BodyKind(StrEnum):
    """What stands on a cell, as a mover sees it."""

    NONE = "none"
    SELF = "self"
    OTHER = "other"
    TAIL = "tail"
    """The last segment of a snake, which moves on."""


class Sight:
    """One state looked at; good until the state changes.

    Attributes:
        occupied: the set of the cells that bodies hold, vacating tails left out.
    """

    __slots__ = ("_board", "_first", "_food", "_food_layers", "living", "occupied", "state")

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.living = state.living
        self.occupied = compute_occupied(state, self.living)
        self._board = state.board
        self._food = frozenset(state.food)
        self._first = _find_first_segments(state, self.living)
        self._food_layers: list[int] = []

    def body_kind(self, mover: Snake, cell: int) -> BodyKind:
        """Of a cell on the board."""
        first = self._first.get(cell)
        if first is None:
            return BodyKind.NONE
        owner, vacates = first
        if vacates:
            return BodyKind.TAIL
        return BodyKind.SELF if owner == mover.seat else BodyKind.OTHER

    def will_occupy(self, cell: int) -> bool:
        """Whether a body stands on the cell that does not vacate it."""
        first = self._first.get(cell)
        return first is not None and not first[1]

    def is_legal(self, mover: Snake, direction: int) -> bool:
        cell = self._board.steps[direction][mover.body[0]]
        return cell != OFF_BOARD and cell != find_neck(mover) and not self.will_occupy(cell)

    def head_risk(self, mover: Snake, cell: int) -> HeadRisk:
        bit = self._board.bits[cell]
        around = self._board.around
        lengths = [
            len(rival.body)
            for rival in self.living
            if around[rival.body[0]] & bit and rival is not mover and find_neck(rival) != cell
        ]
        if not lengths:
            return HeadRisk.SAFE
        if self.state.switches.head_to_head is HeadOnRule.BOTH_DIE:
            return HeadRisk.TIE
        # Food on the cell makes everybody longer by one, which changes no comparison.
        own, longest = len(mover.body), max(lengths)
        if own > longest:
            return HeadRisk.WIN
        return HeadRisk.TIE if own == longest or lengths.count(longest) > 1 else HeadRisk.LOSE

    def count_free_after(self, cell: int, cap: int) -> int:
        """How much room a move to the cell leaves, at most `cap`; the mover's old head stays blocked."""
        return self._board.count_reachable(cell, self.occupied & ~self._board.bits[cell], cap)

    def has_food(self, cell: int) -> bool:
        return cell in self._food

    def count_steps_to_food(self, cell: int) -> int:
        """The shortest walk from the cell to any food, at most 99.

        Bodies are walked around, but food may lie under one, and the cell may.
        """
        # Walked from all food at once, and kept: every mover's every step asks for it.
        layers = self._food_layers
        bit = self._board.bits[cell]
        free = self._board.all_cells & ~self.occupied
        if not layers:
            layers.append(sum(self._board.bits[food] for food in self._food))
        for steps in range(_DISTANCE_CAP):
            if steps == len(layers):
                walked = layers[-1] if steps == 1 else layers[-1] & free
                layers.append(layers[-1] | self._board.spread(walked))
            if layers[steps] & bit:
                return steps
            if steps and layers[steps] == layers[steps - 1]:
                break
        return _DISTANCE_CAP


def compute_free_space(state: GameState, snake: Snake) -> int:
    """The room that a living snake has, its head's cell included; 0 before the first turn."""
    if not snake.alive or state.turn == 0:
        return 0
    head = snake.body[0]
    blocked = compute_occupied(state, state.living) & ~state.board.bits[head]
    return state.board.count_reachable(head, blocked, len(state.board.cells))


def find_neck(snake: Snake) -> int:
    """The cell behind the head, which stacked segments share with it; OFF_BOARD for a snake of one."""
    return snake.body[1] if len(snake.body) > 1 else OFF_BOARD


def compute_occupied(state: GameState, snakes: list[Snake]) -> int:
    """The set of the cells that these snakes hold, but for a last segment that moves on."""
    bits = state.board.bits
    stays = state.switches.leave_trail
    occupied = 0
    for snake in snakes:
        body = snake.body
        for cell in body if stays or len(body) < 2 else body[:-1]:
            occupied |= bits[cell]
    return occupied


def _find_first_segments(state: GameState, snakes: list[Snake]) -> dict[int, tuple[int, bool]]:
    """By cell, whose segment is met first, and whether that is a tail which moves on."""
    stays = state.switches.leave_trail
    first: dict[int, tuple[int, bool]] = {}
    for snake in snakes:
        body = snake.body
        remaining = (snake.seat, False)
        last = len(body) - 1
        for index, cell in enumerate(body):
            if cell not in first:
                first[cell] = (snake.seat, True) if index == last and last and not stays else remaining
    return first
