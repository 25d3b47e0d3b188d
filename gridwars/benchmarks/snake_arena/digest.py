"""The game's hash, which fixes every bit of a state that rules depend on (arena spec section 18)."""

from __future__ import annotations

import struct

from gridwars.benchmarks.fnv import hash_bytes
from gridwars.benchmarks.snake_arena.engine import Arena, Snake
from gridwars.benchmarks.snake_arena.rules import DeathCause, Direction

_DIRECTION_CODES = {direction: code for code, direction in enumerate(Direction, start=1)}
_CAUSE_CODES = {cause: code for code, cause in enumerate(DeathCause, start=1)}


def compute_first_digest(arena: Arena) -> int:
    """64 bits: options, contestants and the state before the first turn."""
    options = arena.options
    header = struct.pack(
        "<HHIIIIHdIH",
        options.width,
        options.height,
        options.seed,
        options.max_turns,
        options.shrink_start,
        options.shrink_every,
        options.min_food,
        options.food_chance,
        options.start_health,
        len(arena.snakes),
    )
    ids = b"".join(bytes([len(snake.id)]) + snake.id.encode("ascii") for snake in arena.snakes)
    return hash_bytes(b"snake-arena/1\0" + header + ids + _pack_block(arena))


def compute_digest(arena: Arena, before: int) -> int:
    """64 bits: the state after a turn, behind the hash of the turn before."""
    return hash_bytes(_pack_block(arena), before)


def render_digest(digest: int) -> str:
    return f"{digest:016x}"


def _pack_block(arena: Arena) -> bytes:
    indices = {snake.id: index for index, snake in enumerate(arena.snakes)}
    parts = [
        struct.pack("<IBIH", arena.turn, arena.ring, arena.stream.word, len(arena.food)),
        *(struct.pack("<hh", *cell) for cell in arena.food),
        *(_pack_snake(snake, indices) for snake in arena.snakes),
    ]
    return b"".join(parts)


def _pack_snake(snake: Snake, indices: dict[str, int]) -> bytes:
    death = snake.death
    return b"".join(
        (
            struct.pack(
                "<BiBHHHH",
                snake.alive,
                snake.health,
                0 if snake.last_dir is None else _DIRECTION_CODES[snake.last_dir],
                snake.kills,
                snake.eaten,
                snake.errors,
                len(snake.body),
            ),
            *(struct.pack("<hh", *cell) for cell in snake.body),
            struct.pack(
                "<iBh",
                -1 if death is None else death.turn,
                0 if death is None else _CAUSE_CODES[death.cause],
                -1 if death is None or death.by is None else indices[death.by],
            ),
        )
    )
