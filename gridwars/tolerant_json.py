"""Reads one JSON value the way models write it, in time linear in its length.

Beyond JSON it takes: trailing and missing commas, raw line breaks and invalid escapes in strings, single
and typographic quotes, bare keys, Python's literals, comments. Each is reported as a `JsonRepair`. Nothing
is invented: a value that is cut short or broken is never completed. No text makes it recurse or raise, and
the caller bounds how many items it may take, so that megabytes of brackets cost no more than a reply.

Own code rather than a library: a reader's verdict decides which decision a seat plays, so it must be
linear on hostile text, tell a cut from a break, and name every repair; json5 and dirtyjson recurse and
do not repair, json-repair guesses at what is missing and rescans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import NamedTuple

from gridwars.canonical import replace_lone_surrogates

MAX_DEPTH = 64
"""Containers inside each other; deeper is no answer to anything that is asked."""


class JsonRepair(StrEnum):
    TRAILING_COMMA = "trailing comma"
    MISSING_COMMA = "missing comma"
    RAW_BREAK = "raw line break or tab in a string"
    INVALID_ESCAPE = "invalid escape in a string"
    SINGLE_QUOTES = "single quotes"
    TYPOGRAPHIC_QUOTES = "typographic quotes"
    BARE_KEY = "key without quotes"
    LITERAL = "literal of another language"
    COMMENT = "comment in JSON"
    SURROGATE = "lone surrogate"


class Bare(NamedTuple):
    """A value without quotes as it stands: a number, true, false or null."""

    text: str

    @property
    def is_null(self) -> bool:
        return self.text in _NULLS


Value = str | Bare | list["Value"] | dict[str, "Value"]


class Ending(Enum):
    WHOLE = "whole"
    BROKEN = "broken"
    CUT_SHORT = "cut short"


@dataclass(frozen=True, slots=True)
class Scan:
    """What reading from one place came to.

    Attributes:
        value: the value, where it is whole.
        end: the position after it, or where reading stopped.
        objects: every object that was closed on the way, in order of closing, the outermost last.
        open_keys: keys of the objects that were still open, the one whose value was being read included.
        problem: what was expected where it broke or was cut short.
        item_count: keys and values taken.
    """

    ending: Ending
    value: Value | None
    end: int
    objects: tuple[dict[str, Value], ...]
    open_keys: frozenset[str]
    problem: str
    repairs: frozenset[JsonRepair]
    item_count: int


class _Phase(Enum):
    """What may stand next; the value is how an error says it."""

    VALUE = "a value"
    FIRST = "a first item or the closing bracket"
    AFTER_COMMA = "another item"
    COLON = '":" after the key'
    NEXT = '"," or the closing bracket'


_NULLS = frozenset({"null", "None", "undefined"})
_JSON_WORDS = frozenset({"null", "true", "false"})
_OTHER_WORDS = frozenset({"None", "True", "False", "undefined", "NaN"})
_BLANKS = re.compile(r"[\s\ufeff]*+")
_CLOSING_QUOTES = {'"': '"', "'": "'", "“": "“”", "”": "“”", "„": "“”"}
"""By the quote that opens a string; languages disagree on which typographic ones close it."""
_STRING_BODY = {
    quote: re.compile(rf"[^{closing}\\]*+(?:\\.[^{closing}\\]*+)*+", re.DOTALL)
    for quote, closing in _CLOSING_QUOTES.items()
}
_WORD = re.compile(r"[A-Za-z_$][\w$]*+")
_BARE = re.compile(r"[\w$.+-]++")
_NUMBER = re.compile(r"[-+]?\.?[0-9][0-9.eE+-]*+")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_RAW_BREAK = re.compile(r"[\x00-\x1f]")
_ESCAPED = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/",
}  # fmt: skip


def scan_value(text: str, start: int, item_limit: int) -> Scan:
    """Reads the value that begins at `start`; what follows it is not looked at.

    Args:
        item_limit: with more keys and values than this the value counts as broken.
    """
    return _Scanner(text, start, item_limit).run()


def decode_string(body: str) -> tuple[str, frozenset[JsonRepair]]:
    """The text that a string's inside stands for."""
    repairs: set[JsonRepair] = set()
    if _RAW_BREAK.search(body):
        repairs.add(JsonRepair.RAW_BREAK)
    if "\\" not in body:
        return body, frozenset(repairs)

    def decode(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) > 1 and escape[0] in "ux":
            if escape[0] == "x":
                repairs.add(JsonRepair.INVALID_ESCAPE)
            return chr(int(escape[1:], 16))
        if escape not in _ESCAPED or escape == "'":
            repairs.add(JsonRepair.INVALID_ESCAPE)
        return _ESCAPED.get(escape, escape)

    decoded = _ESCAPE.sub(decode, body)
    value = replace_lone_surrogates(decoded)
    if value.count("\ufffd") > decoded.count("\ufffd"):
        repairs.add(JsonRepair.SURROGATE)
    return value, frozenset(repairs)


class _Scanner:
    """One pass over the text with its own stack of open containers."""

    def __init__(self, text: str, start: int, item_limit: int) -> None:
        self._text = text
        self._position = start
        self._item_limit = item_limit
        self._item_count = 0
        self._phase = _Phase.VALUE
        self._open: list[list[Value] | dict[str, Value]] = []
        self._keys: list[str] = []
        self._objects: list[dict[str, Value]] = []
        self._repairs: set[JsonRepair] = set()
        self._value: Value | None = None

    def run(self) -> Scan:
        while self._value is None:
            if not self._skip_blanks():
                return self._stop(Ending.CUT_SHORT, self._phase.value)
            character = self._text[self._position]
            if character in "]}":
                problem = self._close(character)
            elif self._phase is _Phase.COLON or character in ",:":
                problem = self._take_separator(character)
            else:
                problem = self._take_item(character)
            if problem is not None:
                return self._stop(Ending.BROKEN, problem)
            if self._position > len(self._text):
                return self._stop(Ending.CUT_SHORT, "the rest of a text or word")
        return self._stop(Ending.WHOLE, "")

    def _stop(self, ending: Ending, problem: str) -> Scan:
        open_keys = {key for container in self._open if isinstance(container, dict) for key in container}
        return Scan(
            ending=ending,
            value=self._value if ending is Ending.WHOLE else None,
            end=min(self._position, len(self._text)),
            objects=tuple(self._objects),
            open_keys=frozenset(open_keys | set(self._keys)),
            problem=problem,
            repairs=frozenset(self._repairs),
            item_count=self._item_count,
        )

    def _skip_blanks(self) -> bool:
        """Moves to the next character that means something; False where there is none."""
        text = self._text
        while (match := _BLANKS.match(text, self._position)) is not None:
            self._position = match.end()
            if text.startswith(("//", "#"), self._position):
                end = text.find("\n", self._position)
            elif text.startswith("/*", self._position):
                end = text.find("*/", self._position + 2)
                end += 2 if end >= 0 else 0
            else:
                break
            self._repairs.add(JsonRepair.COMMENT)
            self._position = end if end >= 0 else len(text)
        return self._position < len(text)

    def _close(self, character: str) -> str | None:
        container = self._open[-1] if self._open else None
        if self._phase in (_Phase.VALUE, _Phase.COLON) or container is None:
            return self._phase.value
        if (character == "}") != isinstance(container, dict):
            return '"}"' if isinstance(container, dict) else '"]"'
        if self._phase is _Phase.AFTER_COMMA:
            self._repairs.add(JsonRepair.TRAILING_COMMA)
        self._open.pop()
        self._position += 1
        if isinstance(container, dict):
            self._objects.append(container)
        self._deliver(container)
        return None

    def _take_separator(self, character: str) -> str | None:
        match self._phase, character:
            case _Phase.COLON, ":":
                self._phase = _Phase.VALUE
            case _Phase.NEXT, ",":
                self._phase = _Phase.AFTER_COMMA
            case _:
                return self._phase.value
        self._position += 1
        return None

    def _take_item(self, character: str) -> str | None:
        """Takes a key or the start of a value."""
        if self._item_count == self._item_limit:
            return f"no more than {self._item_limit} keys and values"
        self._item_count += 1
        if self._phase is _Phase.NEXT:
            if character not in _CLOSING_QUOTES:
                return str(self._phase.value)
            self._repairs.add(JsonRepair.MISSING_COMMA)
        if self._phase is not _Phase.VALUE and self._open and isinstance(self._open[-1], dict):
            return self._take_key(character)
        if character in "[{":
            if len(self._open) == MAX_DEPTH:
                return f"no more than {MAX_DEPTH} brackets inside each other"
            self._open.append([] if character == "[" else {})
            self._phase = _Phase.FIRST
            self._position += 1
            return None
        value = self._take_string(character) if character in _CLOSING_QUOTES else self._take_bare()
        if value is None:
            return self._phase.value
        self._deliver(value)
        return None

    def _take_key(self, character: str) -> str | None:
        if character in _CLOSING_QUOTES:
            key = self._take_string(character)
        else:
            match = _WORD.match(self._text, self._position)
            if match is None:
                return "a key in quotes"
            key = str(match[0])
            self._position = match.end()
            self._repairs.add(JsonRepair.BARE_KEY)
        self._keys.append(key)
        self._phase = _Phase.COLON
        return None

    def _take_string(self, quote: str) -> str:
        """The string at the position, which moves past the end of the text where no quote closes it."""
        match = _STRING_BODY[quote].match(self._text, self._position + 1)
        assert match is not None
        if match.end() == len(self._text) or self._text[match.end()] not in _CLOSING_QUOTES[quote]:
            self._position = len(self._text) + 1
            return ""
        if quote != '"':
            is_single = quote == "'"
            self._repairs.add(JsonRepair.SINGLE_QUOTES if is_single else JsonRepair.TYPOGRAPHIC_QUOTES)
        self._position = match.end() + 1
        value, repairs = decode_string(match[0])
        self._repairs |= repairs
        return value

    def _take_bare(self) -> Bare | None:
        match = _BARE.match(self._text, self._position)
        if match is None:
            return None
        word = str(match[0])
        if self._open and match.end() == len(self._text):
            # Perhaps the beginning of another word.
            self._position = len(self._text) + 1
            return Bare(word)
        if word in _OTHER_WORDS:
            self._repairs.add(JsonRepair.LITERAL)
        elif word not in _JSON_WORDS and _NUMBER.fullmatch(word) is None:
            return None
        self._position = match.end()
        return Bare(word)

    def _deliver(self, value: Value) -> None:
        """Puts a finished value where it belongs."""
        if not self._open:
            self._value = value
            return
        container = self._open[-1]
        if isinstance(container, dict):
            container[self._keys.pop()] = value
        else:
            container.append(value)
        self._phase = _Phase.NEXT
