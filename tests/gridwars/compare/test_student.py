"""Student's t against published tables."""

from __future__ import annotations

import pytest

from gridwars.compare.student import compute_bound, compute_coverage

PUBLISHED = [
    # coverage, degrees, bound: Abramowitz and Stegun, table 26.10
    (0.9, 1, 6.314),
    (0.95, 1, 12.706),
    (0.95, 2, 4.303),
    (0.99, 3, 5.841),
    (0.95, 4, 2.776),
    (0.95, 9, 2.262),
    (0.99, 10, 3.169),
    (0.999, 19, 3.883),
    (0.95, 30, 2.042),
    (0.95, 120, 1.980),
]


@pytest.mark.parametrize(("coverage", "degrees", "bound"), PUBLISHED)
def test_bounds_are_the_published_ones(coverage: float, degrees: int, bound: float) -> None:
    assert compute_bound(coverage, degrees) == pytest.approx(bound, abs=5.1e-4)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 25, 1000])
def test_bound_is_the_inverse_of_coverage(degrees: int) -> None:
    for coverage in (0.0, 0.1, 0.5, 0.95, 0.9999):
        assert compute_coverage(compute_bound(coverage, degrees), degrees) == pytest.approx(
            coverage, abs=1e-12
        )


def test_many_degrees_approach_the_normal_distribution() -> None:
    assert compute_bound(0.95, 5000) == pytest.approx(1.96, abs=1e-3)


def test_coverage_has_its_closed_forms_for_one_and_two_degrees() -> None:
    assert compute_coverage(1.0, 1) == pytest.approx(0.5)
    assert compute_coverage(1.0, 2) == pytest.approx(1 / 3**0.5)
