"""What places are worth, of any number of seats."""

from __future__ import annotations

import itertools

import pytest

from gridwars.benchmarks.points import compute_place_points


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1,), (0,)),
        ((1, 2), (1000, -1000)),
        ((2, 1), (-1000, 1000)),
        ((1, 2, 3, 4), (1000, 333, -333, -1000)),
        ((1, 2, 2, 2), (1000, -333, -333, -334)),
        ((2, 2, 1, 2), (-333, -333, 1000, -334)),
        ((1, 1, 1, 4), (334, 333, 333, -1000)),
        ((1, 1, 1), (0, 0, 0)),
    ],
)
def test_who_shares_a_place_splits_what_its_ranks_bring_and_the_first_get_the_rest(
    places: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert compute_place_points(places) == points


@pytest.mark.parametrize("count", range(1, 13))
def test_points_are_zero_together_and_fall_with_the_place(count: int) -> None:
    points = compute_place_points(range(1, count + 1))
    assert sum(points) == 0
    assert all(better > worse for better, worse in itertools.pairwise(points))
