"""What can be told of a game as it goes on (board game spec section 17)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    FIRST_ROLL = "first_roll"
    """A seat's number die, in `value`."""
    FIRST = "first"
    """Who begins."""
    ROCK = "rock"
    APPLE = "apple"
    ROLL = "roll"
    """This turn's dice: the square, what lies there in `text`, and the moves that follow in `value`."""
    REPAIR = "repair"
    """In `text` what was played in the place of what was submitted."""
    MOVE = "move"
    EAT = "eat"
    SWAP = "swap"
    """An apple is swapped with a last segment, to the square named."""
    BITE = "bite"
    """In `value` the index of the bitten."""
    DEATH = "death"
    HANDOVER = "handover"
    """In `value` how many apples a seat gets, in `text` why: death, bitten or unreachable."""
    RING_CLEAR = "ring_clear"
    APPLE_REMOVED = "apple_removed"
    FILL = "fill"
    FILL_LATER = "fill_later"
    PLACED = "placed"
    """A carried or saved apple is put back."""
    EXTRA_MOD = "extra_mod"
    """What a roll in a solo game adds to the extra moves, in `value`."""
    SAVED = "saved"
    EXTRA_LAPSED = "extra_lapsed"
    ROBOT_SKIP = "robot_skip"
    ROBOT_WAIT = "robot_wait"
    ROBOT_RETURN = "robot_return"
    GAME_END = "game_end"


class Happening(NamedTuple):
    """One thing that happened.

    Attributes:
        turn: turns completed before.
        snake: the index of the snake that it is about; -1 for none.
        square: by name; "" for none.
    """

    kind: Kind
    turn: int
    snake: int
    square: str
    value: int
    text: str
