"""Finds the one JSON object that a reply gives as its answer, whatever stands around it.

Which object is the answer, in a reply from any model:

- Any object that holds the required key, at any depth: the outermost of those inside each other.
- Given twice, the last one counts: whoever corrects himself means the correction. Where the last one is
  cut short the reply is, and nothing earlier is played in its place.
- A thought (`<think>` to `</think>` and their like) is no answer. A closing tag that was never opened
  ends a thought that began with the reply, and one that is never closed goes on to the reply's end: what
  stands in it is a draft.
- A tool call counts as what it is called with, also where its arguments are the JSON text of an object.
- A reply that is a JSON string, or the inside of one, is read as the text that it stands for.
- A broken object is no answer, and never completed; what is said is where it broke.

Time is linear in the reply's length, and JSON is read up to `ITEM_LIMIT` keys and values.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from gridwars.canonical import holds_escaped_bytes, replace_lone_surrogates
from gridwars.tolerant_json import (
    Ending,
    Scan,
    Value,
    decode_string,
    scan_value,
)

ITEM_LIMIT = 100_000


class AnswerRepair(StrEnum):
    BYTE_ORDER_MARK = "byte-order mark"
    SURROGATE = "lone surrogate"
    DOUBLE_ENCODED = "JSON inside a JSON string"
    THOUGHT = "thought before the answer"
    FENCE = "code fence"
    SURROUNDINGS = "text around the answer"
    NESTED = "answer inside another object"
    REPEATED = "answer given more than once"
    TOOL_CALL = "answer as the JSON text of a tool call's arguments"
    NOT_UTF8 = "bytes that are no UTF-8"


class Missing(Enum):
    """Why there is no answer."""

    EMPTY = "empty"
    CUT_SHORT = "cut short"
    BROKEN = "broken"
    WITHOUT_KEY = "without the key"
    NO_OBJECT = "no object"


@dataclass(frozen=True, slots=True)
class Answer:
    value: dict[str, Value]
    repairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why a reply holds no answer.

    Attributes:
        message: for the reply's author.
        visible: the reply without thoughts.
        repairs: what was needed to get at `visible`.
    """

    missing: Missing
    message: str
    visible: str
    repairs: tuple[str, ...]


_OBJECT_START = (
    r"\{\s*+(?:(?://|#)[^\n]{0,200}\n\s*+)?+"
    r"""(?:"[^"\\\n]{0,64}"|'[^'\\\n]{0,64}'|[“”„][^“”\\\n]{0,64}[“”]|[A-Za-z_]\w{0,63})\s*+:"""
)
_THOUGHT_TAG = r"<(?P<close>/?)(?:think|thinking|thought|thoughts|reasoning|scratchpad)>"
_LANDMARK = re.compile(rf"(?P<object>{_OBJECT_START})|{_THOUGHT_TAG}", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|thoughts|reasoning|scratchpad)>", re.IGNORECASE)
_ESCAPED_START = re.compile(r"\{\s*+\\\"")
_FENCE_BEFORE = re.compile(r"\s*+(?:`{3,}|~{3,})[^\n`]*+\n\s*+")
_ARGUMENTS = ("arguments", "input", "parameters")
"""Under which of its keys a tool call holds what it is called with, by provider."""
_FENCE_AFTER = re.compile(r"\s*+(?:`{3,}|~{3,})?+\s*+")


def find_answer(reply: str, required: str, optional: Set[str] = frozenset()) -> Answer | NoAnswer:
    """The reply's answer: the object that holds the key `required`.

    Args:
        optional: other keys of an answer; they tell an answer from an object that means something else.
    """
    repairs: dict[str, None] = {}
    text = replace_lone_surrogates(reply)
    if text != reply:
        repairs[AnswerRepair.NOT_UTF8 if holds_escaped_bytes(reply) else AnswerRepair.SURROGATE] = None
    if text.startswith("\ufeff"):
        text = text.lstrip("\ufeff")
        repairs[AnswerRepair.BYTE_ORDER_MARK] = None
    inner = _unwrap_string(text)
    if inner is not None:
        text = inner
        repairs[AnswerRepair.DOUBLE_ENCODED] = None
    return _Search(text, required, optional | {required}, repairs).run()


def _unwrap_string(text: str) -> str | None:
    """What the text stands for, where it is the inside of a JSON string, with or without its quotes."""
    stripped = text.strip()
    if _ESCAPED_START.match(stripped):
        return decode_string(stripped)[0]
    if not stripped.startswith('"'):
        return None
    scan = scan_value(stripped, 0, item_limit=1)
    if scan.end != len(stripped) or not isinstance(scan.value, str):
        return None
    return scan.value


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An object that holds the required key.

    Attributes:
        start, end: of the outermost object around it.
        visible_from: where the last thought before it ended.
    """

    value: dict[str, Value]
    start: int
    end: int
    visible_from: int
    scan: Scan


@dataclass(slots=True)
class _Search:
    """One walk over the reply from landmark to landmark: thought tags, and braces that open an object."""

    text: str
    required: str
    keys: Set[str]
    repairs: dict[str, None]
    candidates: list[_Candidate] = field(default_factory=list)
    visible: list[str] = field(default_factory=list)
    visible_from: int = 0
    is_thought_endless: bool = False
    item_count: int = 0
    cut: Scan | None = None
    broken: Scan | None = None
    other: dict[str, Value] | None = None

    def run(self) -> Answer | NoAnswer:
        position = 0
        while self.item_count < ITEM_LIMIT and (landmark := _LANDMARK.search(self.text, position)):
            if landmark["object"] is not None:
                position = self._take_object(landmark.start())
            elif landmark["close"]:
                self._end_unopened_thought(landmark.end())
                position = landmark.end()
            else:
                position = self._skip_thought(landmark)
        if not self.is_thought_endless:
            self.visible.append(self.text[self.visible_from :])
        return self._conclude()

    def _take_object(self, start: int) -> int:
        """Reads one object; returns where to go on, which is never before what has been read."""
        scan = scan_value(self.text, start, ITEM_LIMIT - self.item_count)
        self.item_count += scan.item_count
        answers = [value for value in scan.objects if self.required in value]
        if not answers:
            answers = [value for value in map(self._read_arguments, scan.objects) if value is not None]
        if answers:
            candidate = _Candidate(answers[-1], start, scan.end, self.visible_from, scan)
            self.candidates.append(candidate)
        elif scan.ending is Ending.BROKEN and scan.open_keys & self.keys:
            self.broken = scan
        elif scan.objects and (scan.objects[-1].keys() & self.keys or self.other is None):
            self.other = scan.objects[-1]
        if scan.ending is Ending.CUT_SHORT and (scan.open_keys & self.keys or not self.candidates):
            self.cut = scan
        return max(scan.end, start + 1)

    def _read_arguments(self, call: dict[str, Value]) -> dict[str, Value] | None:
        """The answer that a tool call's arguments hold as JSON text."""
        for name in _ARGUMENTS:
            text = call.get(name)
            # A bare value is a text to Python.
            if not isinstance(text, str) or not text.lstrip().startswith("{"):
                continue
            text = text.strip()
            scan = scan_value(text, 0, ITEM_LIMIT - self.item_count)
            self.item_count += scan.item_count
            if scan.end == len(text) and isinstance(scan.value, dict) and self.required in scan.value:
                self.repairs[AnswerRepair.TOOL_CALL] = None
                return scan.value
        return None

    def _end_unopened_thought(self, end: int) -> None:
        self.candidates.clear()
        self.visible.clear()
        self.visible_from = end
        self.broken = self.other = None
        self.repairs[AnswerRepair.THOUGHT] = None

    def _skip_thought(self, tag: re.Match[str]) -> int:
        end = _THOUGHT_END.search(self.text, tag.end())
        self.repairs[AnswerRepair.THOUGHT] = None
        self.visible.append(self.text[self.visible_from : tag.start()])
        if end is None:
            self.is_thought_endless = True
            return len(self.text)
        self.visible_from = end.end()
        return end.end()

    def _conclude(self) -> Answer | NoAnswer:
        if self.item_count >= ITEM_LIMIT:
            return self._refuse(
                Missing.BROKEN, f"the reply holds more than {ITEM_LIMIT} JSON keys and values"
            )
        if self.cut is not None:
            return self._refuse(
                Missing.CUT_SHORT, f"the reply is cut short: it ends where {self.cut.problem} must stand"
            )
        if self.candidates:
            return self._accept(self.candidates[-1])
        if self.broken is not None:
            return self._refuse(Missing.BROKEN, _render_break(self.text, self.broken))
        visible = "".join(self.visible)
        if not visible.strip():
            if not self.is_thought_endless:
                return self._refuse(Missing.EMPTY, "the reply is empty")
            return self._refuse(Missing.EMPTY, "the reply holds nothing but an unfinished thought")
        if self.other is not None and (self.other.keys() & self.keys or visible.lstrip().startswith("{")):
            present = ", ".join(f'"{key[:40]}"' for key in list(self.other)[:8])
            message = f'the JSON object of the reply has no "{self.required}"; it has {present or "nothing"}'
            return self._refuse(Missing.WITHOUT_KEY, message)
        where = ", the thought that it never ends aside" if self.is_thought_endless else ""
        return self._refuse(
            Missing.NO_OBJECT, f'the reply holds no JSON object with "{self.required}"{where}'
        )

    def _accept(self, found: _Candidate) -> Answer:
        before = self.text[found.visible_from : found.start]
        after = self.text[found.end :]
        if not _FENCE_AFTER.fullmatch(after) or (before.strip() and not _FENCE_BEFORE.fullmatch(before)):
            self.repairs[AnswerRepair.SURROUNDINGS] = None
        elif before.strip() or after.strip():
            self.repairs[AnswerRepair.FENCE] = None
        if found.scan.value is not found.value:
            self.repairs[AnswerRepair.NESTED] = None
        if len(self.candidates) > 1:
            self.repairs[AnswerRepair.REPEATED] = None
        return Answer(found.value, (*self.repairs, *sorted(found.scan.repairs)))

    def _refuse(self, missing: Missing, message: str) -> NoAnswer:
        return NoAnswer(missing, message, "".join(self.visible), tuple(self.repairs))


def _render_break(text: str, scan: Scan) -> str:
    line_number = text.count("\n", 0, scan.end) + 1
    column = scan.end - (text.rfind("\n", 0, scan.end) + 1) + 1
    found = text[scan.end : scan.end + 20].split("\n")[0]
    return (
        f"the JSON of the reply breaks off at line {line_number}, column {column}: "
        f"expected {scan.problem}, found {found!r}"
    )
