"""The words that seats submit, and the step that each stands for (board game spec section 16.3)."""

from __future__ import annotations

from collections.abc import Sequence

from gridwars.benchmarks.snake_board.rules import HEADINGS
from gridwars.benchmarks.snake_board.state import Snake
from gridwars.benchmarks.snake_board.steps import FORWARD, LEFT, RIGHT, Step, turn_from

PLACE = "P"
"""Put a saved apple back."""
STOP = "X"
"""Give the extra moves up."""
KEEP = "K"
"""Behind a step of a solo game: save the apple that is eaten."""
_RELATIVE = {"F": FORWARD, "L": LEFT, "R": RIGHT}


def normalise(token: str) -> str:
    return token.strip().upper()


def find_step(token: str, snake: Snake, legal: Sequence[Step]) -> Step | None:
    """The legal step that a token means to a snake; None for any other."""
    word = normalise(token)
    if word in _RELATIVE:
        word = HEADINGS[turn_from(snake.heading, _RELATIVE[word])]
    return next((step for step in legal if step.token == word), None)


def split_keep(token: str) -> tuple[str, bool]:
    """A step of a solo game and whether its apple is saved."""
    word = normalise(token)
    return (word[:-1], True) if len(word) > 1 and word.endswith(KEEP) else (word, False)
