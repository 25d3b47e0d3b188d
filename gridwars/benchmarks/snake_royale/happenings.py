"""What happens in a game, one small record each, in the reference's words (Snake Royale spec section 5)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from gridwars.benchmarks.snake_royale.rules import SeatOrNone


class Kind(StrEnum):
    GAME_START = "gamestart"
    SPAWN = "spawn"
    TURN = "turn"
    MOVE = "move"
    SAY = "say"
    EAT = "eat"
    FOOD_SPAWN = "foodspawn"
    SHRINK = "shrink"
    HEAD_ON = "headon"
    DEATH = "death"
    TRAPPED = "trapped"
    DECLINE = "decline"
    DUEL = "duel"
    FALLBACK = "fallback"
    GAME_OVER = "gameover"
    END = "end"


class Happening(msgspec.Struct, frozen=True, array_like=True, gc=False, forbid_unknown_fields=True):
    """One thing that happened; what a kind does not use is -1, 0 or "".

    Attributes:
        slot, other: seats.
        x, y: the cell.
        value, extra: the kind's numbers: a direction's code, a length, a count.
    """

    kind: Kind
    turn: int
    slot: SeatOrNone = -1
    other: SeatOrNone = -1
    x: int = 0
    y: int = 0
    value: int = 0
    extra: int = 0
    text: str = ""
