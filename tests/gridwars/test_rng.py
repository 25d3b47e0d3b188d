"""Nim's generator and the seeds derived for it; the golden set-ups test them as a whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_a_stream_begins_where_the_published_jump_ends(seed: int) -> None:
    """Against the 128 steps of xoroshiro128+'s own `jump`, one by one."""
    a0, a1 = seed >> 16, seed & 0xFFFF
    if seed == 0:
        a0, a1 = 2147483647 >> 16, 2147483647 & 0xFFFF
    t0 = t1 = 0
    for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
        for bit in range(64):
            if word >> bit & 1:
                t0, t1 = t0 ^ a0, t1 ^ a1
            a0, a1 = _step(a0, a1)
    t0, t1 = _step(t0, t1)
    assert NimRand(seed).draw_word() == (t0 + t1) % 2**64


def _step(s0: int, s1: int) -> tuple[int, int]:
    s1 ^= s0
    return _rotate(s0, 55) ^ s1 ^ s1 << 14 & 2**64 - 1, _rotate(s1, 36)


def _rotate(word: int, count: int) -> int:
    return (word << count | word >> 64 - count) & 2**64 - 1
