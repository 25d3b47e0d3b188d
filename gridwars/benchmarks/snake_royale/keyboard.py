"""A turn for a person at a keyboard: the board as the seat sees it, and what each key would do.

All of it comes from the observation alone, which holds nothing that is hidden from the seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from gridwars.benchmarks.contract import Key, Keyboard, Observation, Origin, Stroke
from gridwars.benchmarks.presentation import Span
from gridwars.benchmarks.snake_royale.observation import SnakeView, require_own, restore_state
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import ALIASES, SAY_LENGTH, Direction
from gridwars.benchmarks.snake_royale.view import HEADS, TERMINAL_COLOURS, draw_board, draw_small_board
from gridwars.benchmarks.snake_royale.worksheet import describe_move, render_reply

_KEYS: Mapping[Direction, tuple[str, ...]] = {
    Direction.UP: (Key.UP, "w", "k"),
    Direction.RIGHT: (Key.RIGHT, "d", "l"),
    Direction.DOWN: (Key.DOWN, "s", "j"),
    Direction.LEFT: (Key.LEFT, "a", "h"),
}
_AHEAD = (Key.ENTER, Key.SPACE)

_HELP = (
    "A capital is a head, its small letters the body, * is food. All move at once.",
    "heads: whether another head may come there, and you would win, tie or lose.",
    "room: how many cells you could reach. With no key in time coil moves for you.",
)


def list_strokes(observation: Observation, line: str) -> Sequence[Stroke]:
    """Every direction but that of the own neck, which cannot be taken; notes stay as they are."""
    seen = require_own(observation)
    order = Order(
        seat=ALIASES.index(seen.you.id),
        origin=Origin.LLM,
        direction=seen.you.last_dir,
        say=line,
        notes=seen.your_notes,
    )
    neck = seen.you.body[1:2]
    return [
        Stroke(
            _KEYS[move.dir] + (_AHEAD if move.dir == seen.you.last_dir else ()),
            render_reply(msgspec.structs.replace(order, direction=move.dir)),
            describe_move(move),
        )
        for move in seen.moves
        if (move.to,) != neck
    ]


def draw(observation: Observation, is_compact: bool) -> Iterator[tuple[Span, ...]]:
    """The moment, and nothing of what may be done; see `Keyboard`."""
    seen = require_own(observation)
    state, _ = restore_state(seen)
    snakes = sorted((seen.you, *seen.snakes), key=lambda snake: ALIASES.index(snake.id))
    colours = [TERMINAL_COLOURS[snake.colour] for snake in snakes]
    own = ALIASES.index(seen.you.id)
    yield (
        Span(f"{seen.module}, turn {seen.turn + 1} of {seen.max_turns}: you are "),
        Span(f"{HEADS[own]} {seen.you.id}", f"bold {colours[own]}"),
    )
    yield from (draw_small_board if is_compact else draw_board)(state, colours)
    bubbles = {said.id: f'  "{said.text}"' for said in seen.said}
    for seat, snake in enumerate(snakes):
        yield (
            Span(f"{HEADS[seat]} {snake.id:<{max(map(len, ALIASES))}}", colours[seat]),
            Span(f"  {_describe(snake, seen.rules.health_start > 0)}{bubbles.get(snake.id, '')}"),
        )
    if seen.your_notes:
        yield (Span(f"your notes: {seen.your_notes}", "dim"),)


KEYBOARD = Keyboard(list_strokes, lambda *seen: tuple(draw(*seen)), _HELP, "say", SAY_LENGTH)


def _describe(snake: SnakeView, has_hunger: bool) -> str:
    if not snake.alive:
        return f"died in turn {snake.death_turn}: {snake.death_cause}"
    health = f", health {snake.health:>2}" if has_hunger else ""
    return f"length {snake.length:>2}{health}, ate {snake.food_eaten}"
