"""Which of two warriors is the stronger: both in two seats each of the same battles, then exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gridwars.benchmarks.grid_wars.battle import BattleResult, compile_seats
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, GridWarsConfig, compute_round_seed, draw_spawn
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.compare.estimate import Estimate, estimate_mean

FIRST_SEATS = ((0, 1), (0, 2), (0, 3))
"""The seats of the first warrior, in turn by seed: every way of sharing four seats, with the exchange."""


@dataclass(frozen=True, slots=True)
class Duel:
    """What two warriors came to.

    Attributes:
        margin: mean round score of the first less that of the second; a seed, with both its battles, is
            one observation.
        won, lost: seeds in which the first scored more, or less.
        results: of every battle, two for each seed.
    """

    margin: Estimate
    won: int
    lost: int
    results: Sequence[BattleResult]


def play_duel(first: str, second: str, seeds: Sequence[int], config: GridWarsConfig | None = None) -> Duel:
    """Plays two battles for each seed, the second with seats exchanged."""
    config = config or GridWarsConfig()
    warriors = load_warriors()
    programs = compile_seats([warriors[first].lines, warriors[second].lines])
    seatings = []
    jobs = []
    for index, seed in enumerate(seeds):
        round_seed = compute_round_seed(seed, 1)
        chosen = FIRST_SEATS[index % len(FIRST_SEATS)]
        for seats in (chosen, tuple(seat for seat in range(SEAT_COUNT) if seat not in chosen)):
            seatings.append(seats)
            jobs.append(
                BattleJob(
                    [programs[0] if seat in seats else programs[1] for seat in range(SEAT_COUNT)],
                    seed=round_seed,
                    spawn=draw_spawn(round_seed),
                    ticks=config.ticks,
                    bomb_cost=config.bomb_cost,
                )
            )
    results = start_engine().run_battles(jobs)
    margins = [_compute_margin(result, seats) for result, seats in zip(results, seatings, strict=True)]
    blocks = [(one + other) / 2 for one, other in zip(margins[::2], margins[1::2], strict=True)]
    return Duel(
        margin=estimate_mean(blocks),
        won=sum(block > 0 for block in blocks),
        lost=sum(block < 0 for block in blocks),
        results=results,
    )


def _compute_margin(result: BattleResult, seats: Sequence[int]) -> float:
    own = sum(result.stats[seat].round_score_quarters for seat in seats)
    # Scores are zero-sum, so the others have the opposite; quarters, and two seats a side.
    return 2 * own / (4 * len(seats))
