"""Mulberry32, the random numbers of the arena, exact as bots know them (arena spec section 2)."""

from __future__ import annotations

_MASK_32 = 2**32 - 1


class Mulberry32:
    """A stream of 32-bit words.

    Attributes:
        word: its state.
    """

    __slots__ = ("word",)

    def __init__(self, seed: int) -> None:
        self.word = seed & _MASK_32

    def draw_word(self) -> int:
        self.word = a = (self.word + 0x6D2B79F5) & _MASK_32
        t = (a ^ a >> 15) * (a | 1) & _MASK_32
        t = (t + ((t ^ t >> 7) * (t | 61) & _MASK_32) & _MASK_32) ^ t
        return t ^ t >> 14

    def draw(self) -> float:
        """From 0 up to 1, exact."""
        return self.draw_word() / 2**32

    def pick(self, count: int) -> int:
        """0 to `count` - 1; 0 where there is none, and a word is drawn all the same."""
        return self.draw_word() * count >> 32
