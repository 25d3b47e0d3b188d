"""A tournament: every contestant against the others on many seeds, and what can be concluded from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Benchmark, Bout, Results
from gridwars.compare.contestants import Contestant
from gridwars.compare.design import Seating, plan_bouts
from gridwars.compare.estimate import Estimate, adjust_holm, average_blocks, compute_p_value, estimate_mean

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
        score: mean episode score, by block.
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
        margin: of the first's score over the second's, by block; None where they never met.
        win_share: of their bouts, those in which the first scored more; a tie is half of one.
        p_value: of no difference, adjusted for all pairs of the tournament (Holm).
    """

    first: int
    second: int
    margin: Estimate | None
    win_share: float
    p_value: float
    bout_count: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that was played, in order, and what follows.

    Attributes:
        standings: best first.
        duels: of every pair, the lower contestant first.
    """

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
    """Plays a block of bouts on every seed; a pure function of all but `threads`.

    Args:
        contestants: at least two.
        seeds: of the episodes, each once; at least one.
    """
    seat_count = len(benchmark.start(config).aliases)
    planned = plan_bouts(len(contestants), seat_count, seeds)
    bouts = [Bout(seed, tuple(contestants[player].player for player in seating)) for seed, seating in planned]
    played = []
    for (seed, seating), results in zip(
        planned, benchmark.play_bouts(config, bouts, threads=threads), strict=True
    ):
        played.append(PlayedBout(seed, seating, results))
        progress(len(played), len(planned))
    return conclude([contestant.name for contestant in contestants], played)


def conclude(names: Sequence[str], bouts: Sequence[PlayedBout]) -> Tournament:
    """What follows from bouts that were played; those of one seed are a block."""
    scored = [(bout, bout.compute_scores()) for bout in bouts]
    standings = [_stand(player, scored) for player in range(len(names))]
    return Tournament(
        names=tuple(names),
        seeds=tuple(dict.fromkeys(bout.seed for bout in bouts)),
        bouts=tuple(bouts),
        standings=tuple(sorted(standings, key=lambda each: (-each.score.mean, each.contestant))),
        duels=_compare_pairs(len(names), scored),
    )


_Scored = Sequence[tuple[PlayedBout, dict[int, Fraction]]]


def _stand(player: int, scored: _Scored) -> Standing:
    own = [(bout, scores[player]) for bout, scores in scored if player in scores]
    firsts = sum(bout.seating[bout.results.ranking[0]] == player for bout, _ in own)
    return Standing(
        contestant=player,
        score=estimate_mean(average_blocks((bout.seed, float(score)) for bout, score in own)),
        first_share=firsts / len(own),
        bout_count=len(own),
    )


def _compare_pairs(player_count: int, scored: _Scored) -> tuple[Duel, ...]:
    pairs = [(first, second) for first in range(player_count) for second in range(first + 1, player_count)]
    margins: dict[tuple[int, int], list[tuple[int, Fraction]]] = {pair: [] for pair in pairs}
    for bout, scores in scored:
        players = sorted(scores)
        for index, first in enumerate(players):
            for second in players[index + 1 :]:
                margins[first, second].append((bout.seed, scores[first] - scores[second]))
    blocks = [average_blocks((seed, float(margin)) for seed, margin in margins[pair]) for pair in pairs]
    p_values = adjust_holm([compute_p_value(values) if values else 1.0 for values in blocks])
    return tuple(
        Duel(
            first=first,
            second=second,
            margin=estimate_mean(values) if values else None,
            win_share=_compute_win_share([margin for _, margin in margins[first, second]]),
            p_value=p_value,
            bout_count=len(margins[first, second]),
        )
        for (first, second), values, p_value in zip(pairs, blocks, p_values, strict=True)
    )


def _compute_win_share(margins: Sequence[Fraction]) -> float:
    if not margins:
        return 0.5
    return sum(0.5 if margin == 0 else float(margin > 0) for margin in margins) / len(margins)
