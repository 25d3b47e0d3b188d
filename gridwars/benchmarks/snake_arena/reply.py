"""From a reply's text to the source of a bot (arena spec section 16, numbers 2 and 3)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from gridwars.answer import Missing, NoAnswer, find_answer
from gridwars.tolerant_json import Value

MOST_BYTES = 32_768
MOST_LINES = 1000
NOTES_LENGTH = 600

_FENCE = re.compile(r"\s*```[^\n`]*\n(.*?)\n?[ \t]*```\s*", re.DOTALL)


class ReplyError(StrEnum):
    EMPTY = "empty"
    NO_JSON = "no-json"
    NO_BOT = "no-bot"
    BOT_TYPE = "bot-type"
    BOT_EMPTY = "bot-empty"
    BOT_TOO_LONG = "bot-too-long"


class BotReply(NamedTuple):
    """What was read.

    Attributes:
        source: ends in one newline.
        repairs: what reading put right, by name.
    """

    source: str
    notes: str
    repairs: tuple[str, ...] = ()


def read_bot(text: str) -> BotReply | ReplyError:
    """The bot that a reply holds, or why it holds none."""
    if not text.strip():
        return ReplyError.EMPTY
    answer = find_answer(text, "bot", frozenset({"notes"}))
    if isinstance(answer, NoAnswer):
        return ReplyError.NO_BOT if answer.missing is Missing.WITHOUT_KEY else ReplyError.NO_JSON
    source = _join(answer.value["bot"])
    if source is None:
        return ReplyError.BOT_TYPE
    source = _unwrap_fence(source.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\n") + "\n"
    if not source.strip():
        return ReplyError.BOT_EMPTY
    if len(source.encode("utf-8", "replace")) > MOST_BYTES or source.count("\n") > MOST_LINES:
        return ReplyError.BOT_TOO_LONG
    notes = answer.value.get("notes")
    return BotReply(source, notes[:NOTES_LENGTH] if isinstance(notes, str) else "", answer.repairs)


def _join(value: Value) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    lines = [line for line in value if isinstance(line, str)]
    return "\n".join(lines) if len(lines) == len(value) else None


def _unwrap_fence(source: str) -> str:
    match = _FENCE.fullmatch(source)
    return source if match is None else match[1]
