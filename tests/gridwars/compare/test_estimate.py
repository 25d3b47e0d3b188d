"""Means with intervals, tests against zero, and Holm's correction."""

from __future__ import annotations

import random

import pytest

from gridwars.compare.estimate import Estimate, adjust_holm, average_blocks, compute_p_value, estimate_mean


def test_interval_is_the_textbooks() -> None:
    estimate = estimate_mean([1.0, 2.0, 3.0, 4.0, 5.0])
    assert estimate.mean == 3.0
    assert estimate.half_width == pytest.approx(2.7764 * (2.5 / 5) ** 0.5, rel=1e-4)
    assert estimate.block_count == 5
    assert estimate.render() == "3.0 ± 2.0"


def test_single_block_has_no_interval_and_proves_nothing() -> None:
    assert estimate_mean([7.0]) == Estimate(7.0, None, 1)
    assert estimate_mean([7.0]).render() == "7.0"
    assert compute_p_value([7.0]) == 1.0


def test_equal_blocks_leave_no_doubt() -> None:
    assert estimate_mean([2.0, 2.0]).half_width == 0
    assert compute_p_value([2.0, 2.0]) == 0.0
    assert compute_p_value([0.0, 0.0]) == 1.0


def test_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    draw = random.Random(7).gauss
    covered = 0
    for _ in range(2000):
        estimate = estimate_mean([draw(10, 3) for _ in range(5)])
        assert estimate.half_width is not None
        covered += abs(estimate.mean - 10) <= estimate.half_width
    assert 0.935 < covered / 2000 < 0.965


def test_p_value_says_where_the_interval_excludes_zero() -> None:
    for values in ([1.0, 2.0, 3.0], [0.1, 2.0, 4.0], [5.0, 6.0, 5.5, 6.5], [-1.0, -1.2, -0.9]):
        estimate = estimate_mean(values)
        assert estimate.half_width is not None
        assert (compute_p_value(values) < 0.05) == (abs(estimate.mean) > estimate.half_width)


def test_holm_is_stepwise_monotone_and_in_the_order_given() -> None:
    assert adjust_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert adjust_holm([0.9, 0.8]) == (1.0, 1.0)
    assert adjust_holm([]) == ()


def test_seeds_are_averaged_before_anything_is_concluded() -> None:
    assert average_blocks([(5, 1.0), (2, 10.0), (5, 3.0)]) == [2.0, 10.0]
