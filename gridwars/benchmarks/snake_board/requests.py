"""What a seat is asked: always one seat for one thing (board game spec section 16.1)."""

from __future__ import annotations

from typing import NamedTuple

from gridwars.benchmarks.snake_board.steps import Step


class StepsRequest(NamedTuple):
    """For the steps of a turn.

    Attributes:
        moves: how many must be made.
        legal: for the first of them.
    """

    seat: int
    moves: int
    legal: tuple[Step, ...]


class PythonRequest(NamedTuple):
    """For what is done in a solo turn.

    Attributes:
        mandatory: moves that must be made, 0 or 1.
        extra: moves that may be.
        legal: for the next of them.
    """

    seat: int
    mandatory: int
    extra: int
    legal: tuple[Step, ...]


class RockRequest(NamedTuple):
    """For the square of a rock."""

    seat: int


Request = StepsRequest | PythonRequest | RockRequest
