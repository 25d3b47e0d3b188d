"""The game's hash, which fixes every bit of a state that rules depend on (Snake Royale spec section 8)."""

from __future__ import annotations

from gridwars.benchmarks.fnv import FNV_OFFSET, FNV_PRIME
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.rng import MASK_64

_ADDEND = 0x9E37
_FOOD_STATE_MASK = 0x3FFFFFFF


def compute_digest(state: GameState) -> int:
    """64 bits: turn, snakes by seat, food in its order, and the low bits of the food's stream."""
    values: list[int] = [state.turn]
    coordinates = state.board.coordinates
    for snake in state.snakes:
        body = snake.body
        values += (snake.alive, snake.health, len(body))
        for cell in body:
            values += coordinates[cell]
    values.append(len(state.food))
    for cell in state.food:
        values += coordinates[cell]
    values.append(state.food_stream.state & _FOOD_STATE_MASK)
    digest = FNV_OFFSET
    # Half of a turn's time goes by here: names are local, and nothing is called.
    addend, prime, mask = _ADDEND, FNV_PRIME, MASK_64
    for value in values:
        digest = (digest ^ value + addend) * prime & mask
        digest ^= digest >> 29
    return digest


def render_digest(digest: int) -> str:
    return f"{digest:016x}"
