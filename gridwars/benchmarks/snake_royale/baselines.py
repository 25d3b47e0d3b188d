"""The baselines `coil` and `forager`: one formula with two sets of weights (Snake Royale spec section 11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gridwars.benchmarks.snake_royale.rules import OFFSETS
from gridwars.benchmarks.snake_royale.sight import HeadRisk, Sight
from gridwars.benchmarks.snake_royale.state import Snake

_FOOD_BONUS = 300
_STRAIGHT_BONUS = 40
_SIGHT_LENGTHS = 4
"""Room is looked at up to so many times the own length."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What a baseline cares for.

    Attributes:
        space_cap: in own lengths; more room than this counts for nothing.
        hunger_threshold: health up to which food is eaten for its own sake.
    """

    description: str
    space_weight: int
    space_cap: int
    head_risk_penalty: int
    kill_bonus: int
    food_weight: int
    hunger_threshold: int


COIL = "coil"
BASELINES: Mapping[str, Weights] = {
    COIL: Weights(
        description="Keeps room around itself, shuns heads, and eats when hungry; the fallback.",
        space_weight=100,
        space_cap=2,
        head_risk_penalty=900,
        kill_bonus=120,
        food_weight=100,
        hunger_threshold=12,
    ),
    "forager": Weights(
        description="Goes for the nearest food with little care for room.",
        space_weight=40,
        space_cap=1,
        head_risk_penalty=500,
        kill_bonus=60,
        food_weight=40,
        hunger_threshold=999,
    ),
}


def choose_direction(sight: Sight, snake: Snake, weights: Weights) -> int:
    """What a living snake does: the best legal direction, the earliest of equals; with none, straight on."""
    best, best_score = snake.last_dir, None
    for direction in range(len(OFFSETS)):
        if sight.is_legal(snake, direction):
            score = _score(sight, snake, direction, weights)
            if best_score is None or score > best_score:
                best, best_score = direction, score
    return best


def _score(sight: Sight, snake: Snake, direction: int, weights: Weights) -> int:
    state = sight.state
    cell = state.board.steps[direction][snake.body[0]]
    length = len(snake.body)
    # Room beyond either bound changes nothing, so it is not counted.
    room = sight.count_free_after(cell, min(_SIGHT_LENGTHS, weights.space_cap) * length)
    score = weights.space_weight * room
    match sight.head_risk(snake, cell):
        case HeadRisk.LOSE | HeadRisk.TIE:
            score -= weights.head_risk_penalty
        case HeadRisk.WIN:
            score += weights.kill_bonus
        case HeadRisk.SAFE:
            pass
    if state.switches.food_count > 0 and state.food:
        score -= weights.food_weight * sight.count_steps_to_food(cell)
        is_hungry = state.switches.health_start == 0 or snake.health <= weights.hunger_threshold
        if is_hungry and sight.has_food(cell):
            score += _FOOD_BONUS
    if direction == snake.last_dir:
        score += _STRAIGHT_BONUS
    return score
