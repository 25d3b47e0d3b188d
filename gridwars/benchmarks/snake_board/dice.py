"""The two dice, which are one stream of random numbers (board game spec section 4)."""

from __future__ import annotations

from gridwars.benchmarks.snake_board.board import Board
from gridwars.benchmarks.stream import Stream

LETTERS = 12
NUMBERS = 10


class StreamDice:
    """Dice that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._stream = Stream.seeded(seed)

    @property
    def state(self) -> int:
        return self._stream.state

    def roll(self, sides: int) -> int:
        return 1 + self._stream.draw_word() % sides

    def roll_square(self, board: Board) -> int:
        letter = self.roll(LETTERS)
        return board.at(letter, self.roll(NUMBERS))
