"""Streams of random numbers that depend on nothing but their seed.

`NimRand` is the generator of Nim's standard library (xoroshiro128+), of which Grid Wars draws its
spawns and aliases; `mix` derives one seed from another.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import cache
from typing import TypeVar

Item = TypeVar("Item")

MASK_64 = 2**64 - 1


def mix(seed: int, multiplier: int, addend: int) -> int:
    """A seed derived from `seed`, below 2^63 (Grid Wars spec section 1)."""
    return ((seed & MASK_64) * multiplier + addend) & MASK_64 >> 1


class NimRand:
    """A `Rand` of Nim; every word is unsigned and 64 bits wide."""

    _ZERO_SEED = 2147483647
    _MOST_RETRIES = 20

    def __init__(self, seed: int) -> None:
        word = seed & MASK_64 or self._ZERO_SEED
        state = 0
        for table, byte in zip(_build_jump_tables(), word.to_bytes(8, "little"), strict=True):
            state ^= table[byte]
        self._a0, self._a1 = state >> 64, state & MASK_64

    def draw_word(self) -> int:
        s0, s1 = self._a0, self._a1
        drawn = (s0 + s1) & MASK_64
        s1 ^= s0
        # Rotated to the left by 55 and by 36.
        self._a0 = (s0 << 55 ^ s0 >> 9 ^ s1 ^ s1 << 14) & MASK_64
        self._a1 = (s1 << 36 | s1 >> 28) & MASK_64
        return drawn

    def draw_up_to(self, highest: int) -> int:
        """A number of 0..highest, both included."""
        if highest == 0:
            return 0
        limit = MASK_64 - MASK_64 % highest
        word = self.draw_word()
        for _ in range(self._MOST_RETRIES):
            if word <= limit:
                break
            word = self.draw_word()
        return word % (highest + 1)

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Permutes `items` in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw_up_to(i)
            items[i], items[j] = items[j], items[i]


_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)
_LANES = sum(1 << 64 * lane for lane in range(64))
"""A number of 64 words of 64 bits each, all 1."""


@cache
def _build_jump_tables() -> tuple[tuple[int, ...], ...]:
    """For each byte of a seed, from the lowest, and each of its values: the first state that it makes.

    A generator jumps ahead by 2^64 words before its first one. That takes 128 steps, but exclusive or goes
    through all of them: the state of a seed is that of its bytes. The seeds of one bit each jump together.
    """
    s0 = sum((1 << bit >> 16) << 64 * bit for bit in range(64))
    s1 = sum((1 << bit & 0xFFFF) << 64 * bit for bit in range(64))
    t0 = t1 = 0
    for word in _JUMP:
        for bit in range(64):
            if word >> bit & 1:
                t0 ^= s0
                t1 ^= s1
            s0, s1 = _step_lanes(s0, s1)
    t0, t1 = _step_lanes(t0, t1)
    states = [(t0 >> 64 * bit & MASK_64) << 64 | t1 >> 64 * bit & MASK_64 for bit in range(64)]
    tables = []
    for first in range(0, 64, 8):
        table = [0]
        for state in states[first : first + 8]:
            table += [state ^ other for other in table]
        tables.append(tuple(table))
    return tuple(tables)


def _step_lanes(s0: int, s1: int) -> tuple[int, int]:
    """What a generator's state becomes with each word drawn, in 64 generators at once."""
    s1 ^= s0
    shifted = (s1 & _LANES * (MASK_64 >> 14)) << 14
    return _rotate_lanes_left(s0, 55) ^ s1 ^ shifted, _rotate_lanes_left(s1, 36)


def _rotate_lanes_left(lanes: int, count: int) -> int:
    low = _LANES * (MASK_64 >> count)
    high = _LANES * (MASK_64 >> 64 - count)
    return (lanes & low) << count | lanes >> 64 - count & high
