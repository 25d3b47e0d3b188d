"""Streams of random numbers that depend on nothing but their seed.

`NimRand` is the generator of Nim's standard library (xoroshiro128+), of which Grid Wars draws its
spawns and aliases; `mix` derives one seed from another.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeVar

Item = TypeVar("Item")

MASK_64 = 2**64 - 1


def mix(seed: int, multiplier: int, addend: int) -> int:
    """A seed derived from `seed`, below 2^63 (Grid Wars spec section 1)."""
    return ((seed & MASK_64) * multiplier + addend) & MASK_64 >> 1


class NimRand:
    """A `Rand` of Nim; every word is unsigned and 64 bits wide."""

    _JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)
    _ZERO_SEED = 2147483647
    _MOST_RETRIES = 20

    def __init__(self, seed: int) -> None:
        word = seed & MASK_64 or self._ZERO_SEED
        self._a0 = word >> 16
        self._a1 = word & 0xFFFF
        self._jump()
        self.draw_word()

    def draw_word(self) -> int:
        s0, s1 = self._a0, self._a1
        drawn = (s0 + s1) & MASK_64
        s1 ^= s0
        self._a0 = _rotate_left(s0, 55) ^ s1 ^ (s1 << 14 & MASK_64)
        self._a1 = _rotate_left(s1, 36)
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

    def _jump(self) -> None:
        t0 = t1 = 0
        for word in self._JUMP:
            for bit in range(64):
                if word >> bit & 1:
                    t0 ^= self._a0
                    t1 ^= self._a1
                self.draw_word()
        self._a0, self._a1 = t0, t1


def _rotate_left(word: int, count: int) -> int:
    return (word << count | word >> 64 - count) & MASK_64
