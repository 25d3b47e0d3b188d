"""The random numbers of the snake games: one 64-bit word a stream (Snake Royale spec section 3)."""

from __future__ import annotations

from gridwars.rng import MASK_64


class Stream:
    """A xorshift generator.

    Attributes:
        state: unsigned, 64 bits wide, never 0.
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def seeded(cls, seed: int) -> Stream:
        """The stream of a seed; a negative one is taken in two's complement."""
        word = ((seed & MASK_64) * 0x9E3779B97F4A7C15 + 0x1234567890ABCDEF) & MASK_64
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK_64
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK_64
        return cls(word ^ word >> 31 or 0x9E3779B97F4A7C15)

    def draw_word(self) -> int:
        word = self.state
        word ^= word << 13 & MASK_64
        word ^= word >> 7
        word ^= word << 17 & MASK_64
        self.state = word
        return word

    def draw_below(self, bound: int) -> int:
        """A number of 0..bound-1; where there is but one, nothing is drawn."""
        return self.draw_word() % bound if bound > 1 else 0
