"""Which of two warriors is the stronger, and how strong each is over all fields that a ladder can form.

Two of them meet in two seats each of the same battles, then with seats exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, permutations

from gridwars.benchmarks.grid_wars.battle import BattleResult, compile_seats
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.rules import (
    CORNERS,
    SEAT_COUNT,
    GridWarsConfig,
    cell_at,
    compute_round_seed,
    draw_spawn,
)
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


STARTS = tuple(permutations(cell_at(*corner) for corner in CORNERS))
"""Every way of starting a battle; a warrior that never calls `rand` can do no other thing on another seed."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Mean round scores of one warrior; exact where nobody calls `rand`.

    Attributes:
        duels: two seats against two of each other warrior, over all starts and ways of sharing the seats.
        fours: with any three others, in every seating.
    """

    duels: Fraction
    fours: Fraction

    @property
    def mean(self) -> Fraction:
        return (self.duels + self.fours) / 2


def measure_strengths(names: Sequence[str], starts_each: int = len(STARTS)) -> dict[str, Strength]:
    """How each does over all fields that the names can form.

    Args:
        starts_each: in how many of the 24 starts each four is played, others for each seating.
    """
    warriors = load_warriors()
    programs = dict(zip(names, compile_seats([warriors[name].lines for name in names]), strict=True))

    def score(fields: Iterator[tuple[int, tuple[str, ...]]]) -> dict[str, Fraction]:
        scores: dict[str, list[int]] = defaultdict(list)
        while some := list(islice(fields, 5000)):
            jobs = [
                BattleJob(
                    [programs[name] for name in field],
                    seed=start,
                    spawn=STARTS[start],
                    ticks=GridWarsConfig().ticks,
                    bomb_cost=GridWarsConfig().bomb_cost,
                )
                for start, field in some
            ]
            for (_, field), result in zip(some, start_engine().run_battles(jobs), strict=True):
                for name, stats in zip(field, result.stats, strict=True):
                    scores[name].append(stats.round_score_quarters)
        return {name: Fraction(sum(values), 4 * len(values)) for name, values in scores.items()}

    duels, fours = score(_list_duels(names)), score(_list_fours(names, starts_each))
    return {name: Strength(duels[name], fours[name]) for name in names}


def _list_duels(names: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for first, second in combinations(names, 2):
        for start in range(len(STARTS)):
            for seats in combinations(range(SEAT_COUNT), 2):
                yield start, tuple(first if seat in seats else second for seat in range(SEAT_COUNT))


def _list_fours(names: Sequence[str], starts_each: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    for index, four in enumerate(combinations(names, SEAT_COUNT)):
        for place, field in enumerate(permutations(four)):
            for step in range(starts_each):
                # Seven shares no factor with 24, so every start comes once.
                yield (index + 7 * place + step) % len(STARTS), field
