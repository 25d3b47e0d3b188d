"""The board as text: 30 lines of 30 characters, as seats are shown it."""

from __future__ import annotations

from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT
from gridwars.benchmarks.grid_wars.state import BattleState

UNCLAIMED = "."
CORPSE = "x"
BOMB = "*"

_OWNER_CHARACTERS = UNCLAIMED + "".join(str(seat + 1) for seat in range(SEAT_COUNT))


def render_board(state: BattleState) -> str:
    """Owners 1-4, corpses over them and live bombs over those (Grid Wars spec section 2)."""
    characters = [_OWNER_CHARACTERS[warrior_id] for warrior_id in state.owner]
    for cell, lies_corpse in enumerate(state.corpse):
        if lies_corpse:
            characters[cell] = CORPSE
    for cell in state.bombs:
        characters[cell] = BOMB
    text = "".join(characters)
    return "\n".join(text[start : start + BOARD_SIZE] for start in range(0, len(text), BOARD_SIZE))
