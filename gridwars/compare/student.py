"""Student's t distribution for whole degrees of freedom, by its finite sums: all that intervals need.

Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4. Exact but for rounding.
"""

from __future__ import annotations

import functools
import math


def compute_coverage(bound: float, degrees: int) -> float:
    """The probability that a t variable lies in -bound..bound; bound not below 0, degrees from 1."""
    angle = math.atan(bound / math.sqrt(degrees))
    cosine = math.cos(angle)
    is_odd = degrees % 2 == 1
    term = cosine if is_odd else 1.0
    total = 0.0
    for index in range(2 + is_odd, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (index - 1) / index
    if is_odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


@functools.cache
def compute_bound(coverage: float, degrees: int) -> float:
    """The bound that a t variable keeps with this probability: 2.776 for 0.95 and 4 degrees."""
    assert 0 <= coverage < 1, "no bound is kept always"
    low, high = 0.0, 1.0
    while compute_coverage(high, degrees) < coverage:
        low, high = high, high * 2
    while (middle := (low + high) / 2) not in (low, high):
        if compute_coverage(middle, degrees) < coverage:
            low = middle
        else:
            high = middle
    return high
