"""What samples of independent blocks say of a mean: an interval, and whether it is off zero.

The block is the unit: bouts that share a seed are no independent observations, so whoever calls this has
averaged them first.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gridwars.compare.student import compute_bound, compute_coverage

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over blocks, or of all there is.

    Attributes:
        half_width: of its t interval at `CONFIDENCE`; None for a single block, which says nothing of it, and
            where the mean is exact.
        block_count: where the mean is exact, the number of starts.
        exact: whether it is the true mean, of all that there is, and no estimate.
    """

    mean: float
    half_width: float | None
    block_count: int
    exact: bool = False

    def render(self) -> str:
        """Such as `12.3 ± 1.5`, or `12.3 exact`."""
        spread = "" if self.half_width is None else f" ± {self.half_width:.1f}"
        return f"{self.mean:.1f}{' exact' if self.exact else spread}"


def average_blocks(values: Iterable[tuple[int, float]]) -> list[float]:
    """The mean of each seed's values, in the order in which seeds first come."""
    blocks = defaultdict(list)
    for seed, value in values:
        blocks[seed].append(value)
    return [statistics.fmean(block) for block in blocks.values()]


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean of at least one block, with its interval."""
    count = len(values)
    mean = statistics.fmean(values)
    if count == 1:
        return Estimate(mean, None, count)
    standard_error = statistics.stdev(values) / math.sqrt(count)
    return Estimate(mean, compute_bound(CONFIDENCE, count - 1) * standard_error, count)


def estimate_scores(scores: Iterable[tuple[int, Fraction]], *, exact: bool) -> Estimate:
    """The mean of at least one bout's score.

    Args:
        scores: each with its bout's seed, which is the block.
        exact: whether these are all bouts there are, each as likely as the others.
    """
    if not exact:
        return estimate_mean(average_blocks((seed, float(score)) for seed, score in scores))
    seeds, values = zip(*scores, strict=True)
    return Estimate(float(sum(values, Fraction()) / len(values)), None, len(set(seeds)), exact=True)


def compute_p_value(values: Sequence[float]) -> float:
    """How likely a mean so far off 0 is if the true one is 0, by a two-sided t test; 1 for a single block."""
    if len(values) == 1:
        return 1.0
    mean = statistics.fmean(values)
    standard_error = statistics.stdev(values) / math.sqrt(len(values))
    if standard_error == 0:
        return 1.0 if mean == 0 else 0.0
    return 1 - compute_coverage(abs(mean) / standard_error, len(values) - 1)


def adjust_holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values as Holm (1979) has them for a family of tests, in the order given."""
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)
