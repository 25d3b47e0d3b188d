"""The baselines' check value: what two of each come to over all modules (Snake Royale spec section 11)."""

from __future__ import annotations

from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_royale.baselines import BASELINES, choose_direction
from gridwars.benchmarks.snake_royale.rules import (
    MODULES,
    SEATS,
    Module,
    compute_places,
)
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.turn import apply_turn

SEEDS = (977, 1954, 2931, 3908)
SEATINGS = (("coil", "forager", "coil", "forager"), ("forager", "coil", "forager", "coil"))


def play(module: Module, seed: int, seating: tuple[str, ...]) -> GameState:
    state, _ = start_game(MODULES[module], seed, module)
    while not state.end_rule:
        sight = Sight(state)
        directions = [0 for _ in SEATS]
        for snake in sight.living:
            directions[snake.seat] = choose_direction(sight, snake, BASELINES[seating[snake.seat]])
        apply_turn(state, directions)
    return state


def test_coil_beats_forager_by_as_much_as_in_the_reference() -> None:
    scores = {(name, module): 0 for name in BASELINES for module in Module}
    survived = dict.fromkeys(BASELINES, 0)
    for module in Module:
        for seed in SEEDS:
            for seating in SEATINGS:
                snakes = play(module, seed, seating).snakes
                places = compute_places(
                    [(snake.survived_turns, snake.final_length, snake.food_eaten) for snake in snakes]
                )
                for seat, score in enumerate(compute_place_points(places)):
                    scores[seating[seat], module] += score
                    survived[seating[seat]] += snakes[seat].survived_turns
    assert survived == {"coil": 1893, "forager": 1982}
    for name, sign in (("coil", 1), ("forager", -1)):
        assert [scores[name, module] for module in Module] == [sign * 999, sign * 2666, sign * 667]
