"""What a log's scripts are worth without the luck of seat and board: their rounds, fought again and again.

Models are asked once and that is dear; what they submitted can be fought with at every seating and on many
boards for nothing. The score of a script over all of them is its seat-integrated one; the canonical score is
that of the one battle which the models saw. A part whose scripts draw nothing is fought in every start
instead of on boards that are drawn, and its seat-integrated scores are exact.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import NamedTuple

import msgspec

from gridwars.benchmarks.contract import Benchmark, Bout, Rematch
from gridwars.compare.design import Seating, list_seatings, plan_bouts
from gridwars.compare.estimate import Estimate, average_blocks, estimate_mean, estimate_scores
from gridwars.compare.starts import find_starts


@dataclass(frozen=True, slots=True)
class SeatScores:
    """Both scores of what one seat submitted.

    Attributes:
        canonical: exact; None where it was not played.
        integrated: mean over all seatings, by board seed, or exact.
    """

    canonical: Fraction | None
    integrated: Estimate


@dataclass(frozen=True, slots=True)
class PartScores:
    """One part; `seats` by seat of the log, `remarks` as in `Rematch`."""

    part: int
    seats: tuple[SeatScores, ...]
    remarks: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Rebattle:
    """A log's parts, fought again.

    Attributes:
        seeds: of the boards; where all parts are exact, none were needed.
        series: by seat of the log, the mean over the parts; canonical over those that were played; integrated
            exact where all parts are, else by the board seeds of those that are not.
        bout_count: of all parts together.
    """

    seeds: tuple[int, ...]
    parts: tuple[PartScores, ...]
    series: tuple[SeatScores, ...]
    bout_count: int


def run_rebattle(
    benchmark: Benchmark,
    rematches: Sequence[Rematch],
    seeds: Sequence[int],
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Rebattle:
    """Plays every part at every seating, in every start or on every seed.

    Args:
        rematches: at least one, all of the same number of seats.
        seeds: the same boards for every part that is not exact; each once, at least one.
    """
    plans = [_plan(benchmark, rematch, seeds) for rematch in rematches]
    total, done = sum(len(plan.bouts) for plan in plans), 0
    fought: list[list[_Values]] = []
    for rematch, plan in zip(rematches, plans, strict=True):
        values: list[_Values] = [[] for _ in rematch.players]
        bouts = [Bout(seed, tuple(rematch.players[seat] for seat in seating)) for seed, seating in plan.bouts]
        results = benchmark.play_bouts(plan.config, bouts, threads=threads)
        for (seed, seating), result in zip(plan.bouts, results, strict=True):
            for seat, score in zip(seating, result.scores, strict=True):
                values[seat].append((seed, Fraction(score)))
            done += 1
            progress(done, total)
        fought.append(values)
    exact = [plan.exact for plan in plans]
    return Rebattle(
        seeds=() if all(exact) else tuple(seeds),
        parts=tuple(
            PartScores(
                rematch.part,
                tuple(
                    SeatScores(
                        Fraction(rematch.scores[seat]) if rematch.scores else None,
                        estimate_scores(own, exact=is_exact),
                    )
                    for seat, own in enumerate(values)
                ),
                rematch.remarks,
            )
            for rematch, values, is_exact in zip(rematches, fought, exact, strict=True)
        ),
        series=tuple(
            SeatScores(
                _average([Fraction(rematch.scores[seat]) for rematch in rematches if rematch.scores]),
                _integrate([values[seat] for values in fought], exact),
            )
            for seat in range(len(rematches[0].players))
        ),
        bout_count=total,
    )


_Values = list[tuple[int, Fraction]]
"""Seeds and the scores that came of them."""


class _Plan(NamedTuple):
    config: msgspec.Struct
    bouts: Sequence[tuple[int, Seating]]
    exact: bool


def _plan(benchmark: Benchmark, rematch: Rematch, seeds: Sequence[int]) -> _Plan:
    seat_count = len(rematch.players)
    starts = find_starts(benchmark, rematch.config, rematch.players, seat_count)
    if starts is None:
        return _Plan(rematch.config, plan_bouts(seat_count, seat_count, seeds), False)
    seatings = list_seatings(seat_count, seat_count)
    return _Plan(starts.config, [(seed, seating) for seed in starts.seeds for seating in seatings], True)


def _integrate(parts: Sequence[_Values], exact: Sequence[bool]) -> Estimate:
    """The mean over parts; those that are exact add nothing to its interval."""
    if all(exact):
        # Every part has as many bouts as the others.
        return estimate_scores([score for own in parts for score in own], exact=True)
    blocks = [
        itertools.repeat(estimate_scores(own, exact=True).mean)
        if is_exact
        else average_blocks((seed, float(score)) for seed, score in own)
        for own, is_exact in zip(parts, exact, strict=True)
    ]
    return estimate_mean([fmean(block) for block in zip(*blocks)])  # noqa: B905  # what is exact never ends


def _average(scores: Sequence[Fraction]) -> Fraction | None:
    return sum(scores, Fraction()) / len(scores) if scores else None
