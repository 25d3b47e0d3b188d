"""How fast Snake Royale's turns are resolved, and where they are only a part of the work, how large a part:
`python -m tests.benchmarks.snake_royale`.

That part is all that a kernel could save, so the last table says what one would bring at best.
"""

from __future__ import annotations

import asyncio
import functools
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridwars.benchmarks.contract import Bout, Player, Results
from gridwars.benchmarks.snake_royale.baselines import BASELINES, Weights, choose_direction
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.parallel_env import SnakeRoyaleEnv
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults
from gridwars.benchmarks.snake_royale.rules import DIRECTIONS, MODULES, SEATS, Module
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.turn import apply_turn
from gridwars.canonical import Json
from gridwars.clock import SystemClock
from gridwars.harness.folder import RunFolder
from gridwars.harness.plan import SeatChoice, make_plan
from gridwars.harness.run import Stage, play_run
from gridwars.log.events import Limits
from gridwars.policies.prices import PriceTable
from tests.benchmarks.episodes import Nobody

SEEDS = range(1, 201)
USE_GAMES = 40
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
    _show_uses()


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


def _show_uses() -> None:
    """What a turn of royale costs in each use of the game, and how much of that a kernel could take over."""
    moves = [draw_legal_moves(Module.ROYALE, seed) for seed in SEEDS]
    resolving = measure(Module.ROYALE, functools.partial(resolve, moves))
    weights = [BASELINES[name] for name in SEATINGS["coil, forager"]]
    deciding = measure(Module.ROYALE, functools.partial(decide, weights))
    print("\nroyale, microseconds a turn: in all, what a kernel would save at most, and the gain then")
    for name, play, saved in (
        ("a tournament's bouts", play_bouts, deciding),
        ("an episode with its log", play_logged, deciding),
        ("a learner's environment", play_environment, resolving),
    ):
        speed = time_use(play)
        whole, part = (1e6 / each.turns_per_second for each in (speed, saved))
        print(f"{name:<26} {whole:>8.0f} {part:>8.0f}   {whole / (whole - part):.2f} times as fast")


def time_use(play: Callable[[Sequence[int]], int]) -> Speed:
    """How fast games are played by a function from seeds to turns."""
    seeds = SEEDS[:USE_GAMES]
    best = float("inf")
    turns = 0
    for _ in range(REPEATS):
        begun = time.process_time()
        turns = play(seeds)
        best = min(best, time.process_time() - begun)
    return Speed(turns, best)


def play_bouts(seeds: Sequence[int]) -> int:
    game = SnakeRoyale()
    players = tuple(Player(game.baselines[name]) for name in SEATINGS["coil, forager"])
    results = list(game.play_bouts(game.configure({}), [Bout(seed, players) for seed in seeds]))
    return sum(_count_turns(each) for each in results)


def play_logged(seeds: Sequence[int]) -> int:
    game = SnakeRoyale()
    seats = {seat: SeatChoice(name, {}) for seat, name in enumerate(SEATINGS["coil, forager"])}
    options: dict[str, Json] = {"seed": seeds[0]}
    plan = make_plan(game, options, seats, prices=PriceTable(), limits=Limits(), episode_count=len(seeds))
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(SystemClock(), Nobody(), parallel_count=1)
        reports = asyncio.run(play_run(plan, RunFolder(Path(folder)), stage))
    return sum(_count_turns(report.results) for report in reports)


def play_environment(seeds: Sequence[int]) -> int:
    env = SnakeRoyaleEnv()
    chance = random.Random(0)
    turns = 0
    for seed in seeds:
        observations, _ = env.reset(seed=seed)
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = observations[agent]["action_mask"].nonzero()[0]
                actions[agent] = int(chance.choice(legal)) if len(legal) else 0
            observations, *_ = env.step(actions)
            turns += 1
    return turns


def _count_turns(results: Results | None) -> int:
    assert isinstance(results, SnakeRoyaleResults), "a finished game"
    return results.turns


def _print(module: Module, deciding: str, speed: Speed) -> None:
    print(f"{module.value:<8} {deciding:<26} {speed.turns:>6} turns {speed.turns_per_second:>8.0f} turns/s")


if __name__ == "__main__":
    main()
