"""A person's view of a seat as one file for an editor: the order to fill in, and below it what the seat sees.

The order stands in lines `dir:`, `alt:`, `say:` and `notes:`; every other line is ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from gridwars.benchmarks.contract import Rejection, Worksheet
from gridwars.benchmarks.snake_royale.observation import (
    MoveView,
    SnakeRoyaleObservation,
    SnakeView,
    restore_state,
)
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.reply import parse_direction
from gridwars.benchmarks.snake_royale.rules import ALIASES, DIRECTIONS
from gridwars.benchmarks.snake_royale.view import HEADS, draw_plain_board

SUFFIX = ".txt"

_FIELDS = ("dir", "alt", "say", "notes")
_FIELD = re.compile(rf"({'|'.join(_FIELDS)}):(.*)")


def render_reply(order: Order) -> str:
    """The reply that reads as the order."""
    answer = {"dir": order.direction.value}
    if order.alternative is not None:
        answer["alt"] = order.alternative.value
    for name, text in (("say", order.say), ("notes", order.notes)):
        if text:
            answer[name] = text
    return json.dumps(answer, ensure_ascii=False)


def render_worksheet(observation: SnakeRoyaleObservation, problem: str, draft: str) -> Worksheet:
    """See `Benchmark.render_worksheet`."""
    fields = {"dir": "", "alt": "", "say": "", "notes": observation.your_notes} | _split(draft)
    lines = [f"{name}: {fields[name]}".rstrip() for name in _FIELDS]
    lines += [f"!! {line}" for line in problem.split("\n") if line]
    lines += [
        "",
        f"Write a direction behind dir ({', '.join(DIRECTIONS)}), save, and leave the editor.",
        "alt is taken where dir is your own neck; all see what you say, you alone your notes.",
        "To give this turn up, leave an empty file.",
        "",
        *_describe_moment(observation),
    ]
    return Worksheet("\n".join(lines) + "\n", SUFFIX)


def read_worksheet(text: str) -> str | Rejection:
    """See `Benchmark.read_worksheet`."""
    fields = _split(text)
    for name in ("dir", "alt"):
        word = fields.get(name, "")
        if parse_direction(word) is None and (word or name == "dir"):
            return Rejection(f"{name}: {word or 'nothing'} is no direction; write {', '.join(DIRECTIONS)}")
    return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def _split(text: str) -> dict[str, str]:
    matches = (_FIELD.match(line) for line in text.split("\n"))
    return {match[1]: match[2].strip() for match in matches if match is not None}


def _describe_moment(seen: SnakeRoyaleObservation) -> Iterator[str]:
    yield f"Turn {seen.turn + 1} of {seen.max_turns}; {seen.module}. You are {_name(seen.you)}."
    yield ""
    yield draw_plain_board(restore_state(seen)[0])
    yield ""
    for snake in sorted((seen.you, *seen.snakes), key=lambda snake: snake.id):
        fate = (
            f"length {snake.length}, health {snake.health}" if snake.alive else f"died: {snake.death_cause}"
        )
        yield f"{_name(snake)}: {fate}, ate {snake.food_eaten}"
    yield from (f'{said.id} says "{said.text}"' for said in seen.said)
    yield ""
    yield from map(describe_move, seen.moves)


def describe_move(move: MoveView) -> str:
    """Where a move leads and what is there, on one line."""
    what = "a wall" if move.wall else f"body: {move.body}" if not move.legal else f"heads: {move.head_risk}"
    food = ", food" if move.food else ""
    return f"{move.dir:<5} to {move.to}: {what}{food}, room {move.free_space}"


def _name(snake: SnakeView) -> str:
    return f"{_letter(snake)} {snake.id} ({snake.colour})"


def _letter(snake: SnakeView) -> str:
    return HEADS[ALIASES.index(snake.id)]
