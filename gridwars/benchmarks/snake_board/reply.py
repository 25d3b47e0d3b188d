"""From a reply's text to what it submits (board game spec section 16.2)."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from gridwars.benchmarks.snake_board.rules import MOST_TOKENS

_WORDS = {
    "north": "N",
    "east": "E",
    "south": "S",
    "west": "W",
    "forward": "F",
    "left": "L",
    "right": "R",
    "place": "P",
    "stop": "X",
}
_SEPARATORS = re.compile(r"[\s,]+")
_MOST_CHARACTERS = 65536
_MOST_BRACES = 500
"""Where no object begins at so many braces, none is looked for any further."""


class StepsReply(NamedTuple):
    """What was read.

    Attributes:
        ok: whether the text held an object with steps in it at all.
    """

    ok: bool
    steps: tuple[str, ...] = ()


def read_steps(text: str) -> StepsReply:
    """The tokens of a reply; what holds no list of steps gives none."""
    steps = find_first_object(text).get("steps")
    if isinstance(steps, str):
        steps = [step for step in _SEPARATORS.split(steps) if step]
    if not isinstance(steps, list):
        return StepsReply(False)
    return StepsReply(True, tuple(map(_read_token, steps[:MOST_TOKENS])))


def _read_token(token: object) -> str:
    if not isinstance(token, str):
        return ""
    return _WORDS.get(token.strip().lower(), token)


def find_first_object(text: str) -> dict[str, object]:
    """The first JSON object in a text; an empty one where there is none."""
    at = -1
    for _ in range(_MOST_BRACES):
        at = text.find("{", at + 1, _MOST_CHARACTERS)
        if at < 0:
            break
        try:
            value, _ = _DECODER.raw_decode(text[:_MOST_CHARACTERS], at)
        except (ValueError, RecursionError):
            continue
        assert isinstance(value, dict), "what begins with a brace is an object"
        return value
    return {}


def _ignore_number(_: str) -> None:
    """Numbers stand for nothing in a reply, however long they are."""
    return


_DECODER = json.JSONDecoder(
    parse_int=_ignore_number, parse_float=_ignore_number, parse_constant=_ignore_number
)
