"""How fast Snake Royale's turns are resolved: `python -m tests.benchmarks.snake_royale`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.snake_royale.baselines import BASELINES, choose_direction
from gridwars.benchmarks.snake_royale.rules import DIRECTIONS, MODULES, SEATS, Module
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.turn import apply_turn

SEEDS = range(1, 201)
REPEATS = 3
"""Of these the fastest counts: everything else is noise of the machine."""

SEATINGS = {
    "coil, forager": ("coil", "forager", "coil", "forager"),
    "four of coil": ("coil",) * 4,
    "four of forager": ("forager",) * 4,
}

Moves = list[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Speed:
    turns: int
    seconds: float

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds


def main() -> None:
    """Prints a line for each module and way of deciding."""
    print(f"python {sys.version.split()[0]}, {len(SEEDS)} games each, best of {REPEATS}")
    for module in Module:
        games = {seed: draw_legal_moves(module, seed) for seed in SEEDS}
        _print(module, "legal moves, precomputed", measure(lambda games=games, m=module: resolve(m, games)))  # type: ignore[misc]
        for name, seating in SEATINGS.items():
            speed = measure(lambda m=module, s=seating: decide(m, s))  # type: ignore[misc]
            _print(module, name, speed)


def measure(play: Callable[[], int]) -> Speed:
    best = float("inf")
    turns = 0
    for _ in range(REPEATS):
        begun = time.perf_counter()
        turns = play()
        best = min(best, time.perf_counter() - begun)
    return Speed(turns, best)


def resolve(module: Module, games: dict[int, Moves]) -> int:
    """Plays the moves; the number of turns."""
    turns = 0
    for seed, moves in games.items():
        state, _ = start_game(MODULES[module], seed, module)
        for directions in moves:
            apply_turn(state, directions)
        turns += state.turn
    return turns


def decide(module: Module, seating: Sequence[str]) -> int:
    """Plays games of baselines; the number of turns."""
    weights = [BASELINES[name] for name in seating]
    turns = 0
    for seed in SEEDS:
        state, _ = start_game(MODULES[module], seed, module)
        while not state.end_rule:
            sight = Sight(state)
            directions = [0 for _ in SEATS]
            for snake in sight.living:
                directions[snake.seat] = choose_direction(sight, snake, weights[snake.seat])
            apply_turn(state, directions)
        turns += state.turn
    return turns


def draw_legal_moves(module: Module, seed: int) -> Moves:
    """The moves of a game in which everybody takes any legal direction."""
    state, _ = start_game(MODULES[module], seed, module)
    chance = random.Random(seed)
    moves: Moves = []
    while not state.end_rule:
        moves.append(_draw(state, chance))
        apply_turn(state, moves[-1])
    return moves


def _draw(state: GameState, chance: random.Random) -> list[int]:
    sight = Sight(state)
    directions = [0 for _ in SEATS]
    for snake in sight.living:
        legal = [code for code in range(len(DIRECTIONS)) if sight.is_legal(snake, code)]
        directions[snake.seat] = chance.choice(legal) if legal else snake.last_dir
    return directions


def _print(module: Module, deciding: str, speed: Speed) -> None:
    print(f"{module.value:<8} {deciding:<26} {speed.turns:>6} turns {speed.turns_per_second:>8.0f} turns/s")


if __name__ == "__main__":
    main()
