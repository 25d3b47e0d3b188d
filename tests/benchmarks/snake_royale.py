"""How fast Snake Royale's turns are resolved: `python -m tests.benchmarks.snake_royale`."""

from __future__ import annotations

import functools
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.snake_royale.baselines import BASELINES, Weights, choose_direction
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
    print(f"python {sys.version.split()[0]}, {len(SEEDS)} games each, best of {REPEATS}, processor time")
    for module in Module:
        moves = [draw_legal_moves(module, seed) for seed in SEEDS]
        _print(module, "legal moves, precomputed", measure(module, functools.partial(resolve, moves)))
        for name, seating in SEATINGS.items():
            weights = [BASELINES[each] for each in seating]
            _print(module, name, measure(module, functools.partial(decide, weights)))


def measure(module: Module, play: Callable[[Sequence[GameState]], None]) -> Speed:
    """How fast games are played that have been set up before."""
    best = float("inf")
    turns = 0
    for _ in range(REPEATS):
        states = [start_game(MODULES[module], seed, module)[0] for seed in SEEDS]
        begun = time.process_time()
        play(states)
        best = min(best, time.process_time() - begun)
        turns = sum(state.turn for state in states)
    return Speed(turns, best)


def resolve(games: Sequence[Moves], states: Sequence[GameState]) -> None:
    """Plays every game's moves."""
    for moves, state in zip(games, states, strict=True):
        for directions in moves:
            apply_turn(state, directions)


def decide(weights: Sequence[Weights], states: Sequence[GameState]) -> None:
    """Plays games of baselines to their ends."""
    for state in states:
        while not state.end_rule:
            sight = Sight(state)
            directions = [0 for _ in SEATS]
            for snake in sight.living:
                directions[snake.seat] = choose_direction(sight, snake, weights[snake.seat])
            apply_turn(state, directions)


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
