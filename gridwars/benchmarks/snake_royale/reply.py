"""Reads a reply into directions, a shout and notes by fixed rules (Snake Royale spec section 10.2).

First the reply is read as the reference reads it: within its first 4096 bytes, the first outermost braces
that hold a JSON object; trailing commas, comments and raw line breaks are taken. What is of no use to the
reference (thoughts before the answer that are too long, single quotes, bare keys, JSON in a JSON string) is
then read by `gridwars.answer`, each repair by its name. A reply that is of no use even so is a `Rejection`.

Any object is an order: one that gives no direction takes the alternative, or else goes on as it did where
that is legal, or else takes the first legal direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gridwars.answer import ITEM_LIMIT, AnswerRepair, NoAnswer, find_answer
from gridwars.benchmarks.contract import Rejection
from gridwars.benchmarks.snake_royale.orders import cap_notes, cap_say
from gridwars.benchmarks.snake_royale.rules import DIRECTIONS, Direction
from gridwars.canonical import holds_escaped_bytes, replace_lone_surrogates
from gridwars.tolerant_json import (
    Bare,
    Ending,
    JsonRepair,
    Value,
    scan_value,
)

ASKED_FOR = 'answer with one JSON object {"dir": "up", "alt": "left", "say": "...", "notes": "..."} only'

REPLY_BYTES = 4096
NO_DIRECTION = "no direction in the reply"
"""The repair of an object without one."""

_WORDS: Mapping[Direction, tuple[str, ...]] = {
    Direction.UP: ("up", "u", "north", "n", "top", "moveup", "goup"),
    Direction.RIGHT: ("right", "r", "east", "e", "moveright", "goright"),
    Direction.DOWN: ("down", "d", "south", "s", "bottom", "movedown", "godown"),
    Direction.LEFT: ("left", "l", "west", "w", "moveleft", "goleft"),
}
_DIRECTION_OF = {word: direction for direction, words in _WORDS.items() for word in words}
_NO_LETTER = re.compile("[^A-Za-z]+")
_LANDMARK = re.compile(r'["\\{}]')
_CODE = re.compile(f"-?0+|0*[0-{len(DIRECTIONS) - 1}]")
"""A direction's number as JSON may have it; Python would refuse to read one of many thousand digits."""
_TAKEN_REPAIRS = frozenset(
    {JsonRepair.TRAILING_COMMA, JsonRepair.COMMENT, JsonRepair.RAW_BREAK, JsonRepair.SURROGATE}
)
"""What the reference's parser takes without a word."""


class Heading(NamedTuple):
    """Where a seat goes and may go: what an order without a direction is repaired from.

    Attributes:
        legal: by direction.
    """

    last: Direction
    legal: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says; for the fields see `Order`."""

    direction: Direction
    alternative: Direction | None
    say: str
    notes: str
    repaired: bool
    repairs: tuple[str, ...] = ()


def read_reply(text: str, heading: Heading) -> Reading | Rejection:
    """Reads any text; takes time linear in its length."""
    strict = read_strictly(text, heading)
    if strict is not None:
        return strict
    answer = find_answer(text, "dir", frozenset({"alt", "say", "notes"}))
    if isinstance(answer, NoAnswer):
        return Rejection(f"{answer.message}; {ASKED_FOR}")
    return _read_object(answer.value, heading, answer.repairs)


def read_strictly(text: str, heading: Heading) -> Reading | None:
    """Reads as the reference does; None for what is of no use to it."""
    data = replace_lone_surrogates(text).encode()[:REPLY_BYTES]
    visible = data.decode(errors="ignore")
    for candidate in _list_candidates(visible):
        value = _parse(candidate)
        if value is not None:
            return _read_object(value, heading, (AnswerRepair.NOT_UTF8,) if holds_escaped_bytes(text) else ())
    return None


def parse_direction(text: str) -> Direction | None:
    """The direction that a word stands for, whatever stands between its letters."""
    return _DIRECTION_OF.get(_NO_LETTER.sub("", text).lower())


def repair_direction(alternative: Direction | None, heading: Heading) -> Direction:
    """The direction of an order that gives none."""
    if alternative is not None:
        return alternative
    legal = [direction for direction, is_legal in zip(DIRECTIONS, heading.legal, strict=True) if is_legal]
    return heading.last if heading.last in legal or not legal else legal[0]


def _list_candidates(text: str) -> Iterator[str]:
    """What may be the object, in the order in which it is tried."""
    depth = start = position = 0
    in_string = False
    while (match := _LANDMARK.search(text, position)) is not None:
        position = match.end()
        character = match[0]
        if character == "\\":
            position += in_string
        elif character == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif character == "{":
            start = start if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield text[start:position]
    first, last = text.find("{"), text.rfind("}")
    if 0 <= first < last:
        yield text[first : last + 1]


def _parse(text: str) -> dict[str, Value] | None:
    scan = scan_value(text, 0, ITEM_LIMIT)
    whole = scan.ending is Ending.WHOLE and scan.end == len(text) and scan.repairs <= _TAKEN_REPAIRS
    return scan.value if whole and isinstance(scan.value, dict) else None


def _read_object(value: Mapping[str, Value], heading: Heading, repairs: tuple[str, ...]) -> Reading:
    alternative = _read_direction(value.get("alt"))
    direction = _read_direction(value.get("dir"))
    say, notes = value.get("say"), value.get("notes")
    return Reading(
        direction=repair_direction(alternative, heading) if direction is None else direction,
        alternative=alternative,
        say=cap_say(say) if isinstance(say, str) else "",
        notes=cap_notes(notes) if isinstance(notes, str) else "",
        repaired=direction is None,
        repairs=repairs if direction is not None else (*repairs, NO_DIRECTION),
    )


def _read_direction(value: Value | None) -> Direction | None:
    # `Bare` is a tuple to Python, and a text to nobody.
    if isinstance(value, Bare):
        return DIRECTIONS[int(value.text[-1])] if _CODE.fullmatch(value.text) else None
    return parse_direction(value) if isinstance(value, str) else None
