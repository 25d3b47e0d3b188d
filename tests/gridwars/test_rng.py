"""Nim's generator and the seeds derived for it; the golden set-ups test them as a whole."""

from __future__ import annotations

import pytest

from gridwars.rng import NimRand, mix


def test_mix_stays_below_2_to_the_63_and_wraps_at_64_bits() -> None:
    assert mix(3, 5, 7) == 22
    assert mix(2**63, 1, 0) == 0
    assert mix(-1, 1, 0) == 2**63 - 1
    assert mix(-1, 2, 0) == mix(2**64 - 1, 2, 0) == 2**63 - 2


def test_one_seed_gives_one_stream() -> None:
    assert [NimRand(5).draw_word() for _ in range(3)] == [NimRand(5).draw_word()] * 3
    assert NimRand(5).draw_word() != NimRand(6).draw_word()


def test_seed_zero_is_the_generators_own() -> None:
    assert NimRand(0).draw_word() == NimRand(2147483647).draw_word()


def test_a_negative_seed_is_its_64_bit_word() -> None:
    assert NimRand(-1).draw_word() == NimRand(2**64 - 1).draw_word()


@pytest.mark.parametrize("highest", [0, 1, 3, 9])
def test_draws_reach_every_number_up_to_the_highest_and_no_other(highest: int) -> None:
    rand = NimRand(1)
    assert {rand.draw_up_to(highest) for _ in range(200)} == set(range(highest + 1))


def test_drawing_from_one_number_costs_no_word() -> None:
    rand, other = NimRand(1), NimRand(1)
    rand.draw_up_to(0)
    assert rand.draw_word() == other.draw_word()


def test_shuffling_permutes_in_place() -> None:
    items = list("abcdefgh")
    NimRand(1).shuffle(items)
    assert items != list("abcdefgh")
    assert sorted(items) == list("abcdefgh")
