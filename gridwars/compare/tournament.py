"""A tournament: every contestant against the others, and what can be concluded from it.

Where nobody draws and all bouts there are can be played, they are, and what follows is exact. Else bouts are
played on many seeds, and means have intervals.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Benchmark, Bout, Results
from gridwars.compare.contestants import Contestant
from gridwars.compare.design import Seating, list_seatings, plan_bouts
from gridwars.compare.estimate import (
    Estimate,
    adjust_holm,
    average_blocks,
    compute_p_value,
    estimate_scores,
)
from gridwars.compare.starts import MOST_BOUTS, find_starts

SIGNIFICANT = 0.05

Progress = Callable[[int, int], None]
"""Told how many bouts have been played, of how many."""


@dataclass(frozen=True, slots=True)
class PlayedBout:
    """One episode of the tournament.

    Attributes:
        seating: by seat the contestant, from 0.
        results: as the benchmark gives them.
    """

    seed: int
    seating: Seating
    results: Results

    def compute_scores(self) -> dict[int, Fraction]:
        """By contestant who took part: the mean score of its seats."""
        by_player = defaultdict(list)
        for player, score in zip(self.seating, self.results.scores, strict=True):
            by_player[player].append(Fraction(score))
        return {player: sum(scores, Fraction()) / len(scores) for player, scores in by_player.items()}


@dataclass(frozen=True, slots=True)
class Standing:
    """How one contestant did.

    Attributes:
        score: mean episode score, by block, or exact.
        first_share: of its bouts, those that it ranked first in.
    """

    contestant: int
    score: Estimate
    first_share: float
    bout_count: int


@dataclass(frozen=True, slots=True)
class Duel:
    """One contestant seen against another, over the bouts in which they met.

    Attributes:
        margin: of the first's score over the second's, by block, or exact; None where they never met.
        win_share: of their bouts, those in which the first scored more; a tie is half of one.
        p_value: of no difference, adjusted for all pairs of the tournament (Holm); None where the margin is
            exact, since nothing is left to chance.
        better: the one whose mean score is higher, exactly or with a p-value below `SIGNIFICANT`; None where
            neither is, or it cannot be told.
    """

    first: int
    second: int
    margin: Estimate | None
    win_share: float
    p_value: float | None
    better: int | None
    bout_count: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that was played, in order, and what follows.

    Attributes:
        config: of every bout, its seed aside.
        exact: whether the bouts are all that there are: every start in every seating.
        seeds: of the bouts; where they are all that there are, one for each start.
        standings: best first.
        duels: of every pair, the lower contestant first.
    """

    config: msgspec.Struct
    exact: bool
    names: tuple[str, ...]
    seeds: tuple[int, ...]
    bouts: tuple[PlayedBout, ...]
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]


def run_tournament(
    benchmark: Benchmark,
    config: msgspec.Struct,
    contestants: Sequence[Contestant],
    seeds: Sequence[int],
    *,
    threads: int = 1,
    progress: Progress = lambda done, total: None,
) -> Tournament:
    """Plays every start in every seating, or a block of bouts on every seed.

    It is a pure function of all but `threads`, and of `seeds` too where the result is exact.

    Args:
        contestants: at least two.
        seeds: of the episodes, each once; at least one.
    """
    players = [contestant.player for contestant in contestants]
    seat_count = len(benchmark.start(config).aliases)
    planned = plan_bouts(len(players), seat_count, seeds)
    most_bouts = max(MOST_BOUTS, len(planned))
    starts = find_starts(benchmark, config, players, seat_count, most_bouts=most_bouts)
    if starts is not None:
        config = starts.config
        seatings = list_seatings(len(players), seat_count)
        planned = [(seed, seating) for seed in starts.seeds for seating in seatings]
    bouts = [Bout(seed, tuple(players[player] for player in seating)) for seed, seating in planned]
    played = []
    for (seed, seating), results in zip(
        planned, benchmark.play_bouts(config, bouts, threads=threads), strict=True
    ):
        played.append(PlayedBout(seed, seating, results))
        progress(len(played), len(planned))
    names = [contestant.name for contestant in contestants]
    return _conclude(names, config, played, exact=starts is not None)


def _conclude(
    names: Sequence[str], config: msgspec.Struct, bouts: Sequence[PlayedBout], *, exact: bool
) -> Tournament:
    """What follows from bouts that were played; if not all there are, those of one seed are a block."""
    scored = [(bout, bout.compute_scores()) for bout in bouts]
    standings = [_stand(player, scored, exact=exact) for player in range(len(names))]
    return Tournament(
        config=config,
        exact=exact,
        names=tuple(names),
        seeds=tuple(dict.fromkeys(bout.seed for bout in bouts)),
        bouts=tuple(bouts),
        standings=tuple(sorted(standings, key=lambda each: (-each.score.mean, each.contestant))),
        duels=_compare_pairs(len(names), scored, exact=exact),
    )


_Scored = Sequence[tuple[PlayedBout, dict[int, Fraction]]]
_Values = Sequence[tuple[int, Fraction]]
"""Seeds and what came of them."""


def _stand(player: int, scored: _Scored, *, exact: bool) -> Standing:
    own = [(bout, scores[player]) for bout, scores in scored if player in scores]
    firsts = sum(bout.seating[bout.results.ranking[0]] == player for bout, _ in own)
    return Standing(
        contestant=player,
        score=estimate_scores(((bout.seed, score) for bout, score in own), exact=exact),
        first_share=firsts / len(own),
        bout_count=len(own),
    )


def _compare_pairs(player_count: int, scored: _Scored, *, exact: bool) -> tuple[Duel, ...]:
    margins: dict[tuple[int, int], list[tuple[int, Fraction]]] = {
        pair: [] for pair in itertools.combinations(range(player_count), 2)
    }
    for bout, scores in scored:
        for first, second in itertools.combinations(sorted(scores), 2):
            margins[first, second].append((bout.seed, scores[first] - scores[second]))
    p_values: Sequence[float | None] = [None] * len(margins)
    if not exact:
        p_values = adjust_holm(
            [compute_p_value(_take_blocks(own)) if own else 1.0 for own in margins.values()]
        )
    return tuple(
        _make_duel(pair, own, p_value) for (pair, own), p_value in zip(margins.items(), p_values, strict=True)
    )


def _make_duel(pair: tuple[int, int], own: _Values, p_value: float | None) -> Duel:
    margin = estimate_scores(own, exact=p_value is None) if own else None
    better = None
    if margin is not None and margin.mean != 0 and (p_value is None or p_value < SIGNIFICANT):
        better = pair[margin.mean < 0]
    return Duel(
        first=pair[0],
        second=pair[1],
        margin=margin,
        win_share=_compute_win_share([value for _, value in own]),
        p_value=p_value,
        better=better,
        bout_count=len(own),
    )


def _take_blocks(values: _Values) -> list[float]:
    return average_blocks((seed, float(value)) for seed, value in values)


def _compute_win_share(margins: Sequence[Fraction]) -> float:
    if not margins:
        return 0.5
    return sum(0.5 if margin == 0 else float(margin > 0) for margin in margins) / len(margins)
