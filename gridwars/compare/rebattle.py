"""What a log's scripts are worth without the luck of seat and board: their rounds, fought again and again.

Models are asked once and that is dear; what they submitted can be fought with at every seating and on many
boards for nothing. The score of a script over all of them is its seat-integrated one; the canonical score is
that of the one battle which the models saw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

from gridwars.benchmarks.contract import Benchmark, Bout, Rematch
from gridwars.compare.design import plan_bouts
from gridwars.compare.estimate import Estimate, average_blocks, estimate_mean


@dataclass(frozen=True, slots=True)
class SeatScores:
    """Both scores of what one seat submitted.

    Attributes:
        canonical: exact; None where it was not played.
        integrated: mean over all seatings, by board seed.
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
        series: by seat of the log, the mean over the parts; canonical over those that were played.
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
    """Plays every part at every seating on every seed.

    Args:
        rematches: at least one, all of the same number of seats.
        seeds: the same boards for every part; each once, at least one.
    """
    seats = range(len(rematches[0].players))
    planned = plan_bouts(len(seats), len(seats), seeds)
    total = len(planned) * len(rematches)
    fought = []
    for index, rematch in enumerate(rematches):
        values: list[list[tuple[int, float]]] = [[] for _ in seats]
        bouts = [Bout(seed, tuple(rematch.players[seat] for seat in seating)) for seed, seating in planned]
        results = benchmark.play_bouts(rematch.config, bouts, threads=threads)
        for number, ((seed, seating), result) in enumerate(zip(planned, results, strict=True), start=1):
            for seat, score in zip(seating, result.scores, strict=True):
                values[seat].append((seed, float(Fraction(score))))
            progress(index * len(planned) + number, total)
        fought.append([average_blocks(own) for own in values])
    return Rebattle(
        seeds=tuple(seeds),
        parts=tuple(_score_part(rematch, blocks) for rematch, blocks in zip(rematches, fought, strict=True)),
        series=tuple(
            SeatScores(
                _average([Fraction(rematch.scores[seat]) for rematch in rematches if rematch.scores]),
                estimate_mean(
                    [fmean(parts) for parts in zip(*(blocks[seat] for blocks in fought), strict=True)]
                ),
            )
            for seat in seats
        ),
        bout_count=total,
    )


def _score_part(rematch: Rematch, blocks: Sequence[Sequence[float]]) -> PartScores:
    return PartScores(
        rematch.part,
        tuple(
            SeatScores(Fraction(rematch.scores[seat]) if rematch.scores else None, estimate_mean(own))
            for seat, own in enumerate(blocks)
        ),
        rematch.remarks,
    )


def _average(scores: Sequence[Fraction]) -> Fraction | None:
    return sum(scores, Fraction()) / len(scores) if scores else None
