r"""Reads a model's reply into a script, notes and a banner, tolerantly and by fixed rules.

Asked for is one JSON object `{"script": [lines] or "text", "notes": "...", "banner": "..."}`. What else is
taken, case by case; each repair is recorded by its name, and anything else is a `Rejection`, never a guess.

- Thoughts, prose, fences or a byte-order mark around the object, the object inside another one or inside a
  JSON string, the object given twice, cut short or broken, lone surrogates: see `gridwars.answer`.
- Trailing and missing commas, raw line breaks and tabs in strings, other quotes, bare keys, Python's
  literals, comments, invalid escapes: see `gridwars.tolerant_json`.
- `script` is one text, or a list of texts: a line break begins a new line in either, one at the end of an
  item says nothing new, and null is an empty line. Any other item is rejected by its number.
- `script` is the JSON text of such a list, or of an answer: it is read once more.
- A byte-order mark at the start of `script`, and a fence as its first and last line: dropped.
- Line numbers before all lines of the script: dropped, with the blanks that they all have behind them. No GWL
  program begins with a number.
- `\n`, `\r` and `\t` written out (escaped twice): read as what they stand for in all of the script, where
  one stands outside a comment or the script is a single line; GWL itself knows no backslash.
- Carriage returns end a line, with a line feed or alone.
- Notes or banner that are a list of texts are joined by line breaks; a number or truth value is written
  out; anything else is none.
- No object, and exactly one fenced block: it is the script. Several are rejected, and a block whose fence
  is never closed counts as cut short.
- No object and no fence, and the first line that is not a comment begins a GWL statement: all of it is the
  script if it compiles.

White space and the limits of the script, the notes and the banner are `submission`'s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from gridwars.answer import ITEM_LIMIT, Answer, Missing, NoAnswer, find_answer
from gridwars.benchmarks.contract import Rejection
from gridwars.benchmarks.grid_wars.submission import split_script
from gridwars.tolerant_json import Bare, Ending, Value, scan_value

ASKED_FOR = 'answer with one JSON object {"script": [lines], "notes": "...", "banner": "..."}'


class Repair(StrEnum):
    PROGRAM_IN_FENCE = "program in a code fence instead of JSON"
    BARE_PROGRAM = "bare program instead of JSON"
    SCRIPT_FENCE = "code fence inside the script"
    SCRIPT_JSON = "JSON inside the script"
    BYTE_ORDER_MARK = "byte-order mark inside the script"
    ESCAPED_BREAKS = "line breaks escaped twice"
    BROKEN_ITEM = "line break inside a line of the script"
    NULL_ITEM = "null for an empty line"
    LINE_ENDS = "carriage returns"
    LINE_NUMBERS = "line numbers before the script's lines"
    NOT_TEXT = "notes or banner that are no text"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        script: lines as given, before any limit.
        otherwise: what to say if the script does not compile and was never marked as one; else "".
    """

    script: tuple[str, ...]
    notes: str
    banner: str
    repairs: tuple[str, ...]
    otherwise: str = ""


def read_reply(text: str) -> Reading | Rejection:
    """Reads any text; takes time linear in its length."""
    answer = find_answer(text, "script", frozenset({"notes", "banner"}))
    if isinstance(answer, Answer):
        return _read_object(answer)
    if answer.missing is Missing.NO_OBJECT:
        return _read_program(answer)
    return _reject(answer.message)


def _reject(message: str) -> Rejection:
    return Rejection(f"{message}; {ASKED_FOR}")


def _read_object(answer: Answer) -> Reading | Rejection:
    repairs = dict.fromkeys(answer.repairs)
    value = _unwrap_script(answer.value["script"], repairs)
    source = _join_lines(value, repairs)
    if isinstance(source, Rejection):
        return source
    return Reading(
        script=_clean_source(source, repairs),
        notes=_read_text(answer.value.get("notes"), repairs),
        banner=_read_text(answer.value.get("banner"), repairs),
        repairs=tuple(repairs),
    )


def _unwrap_script(value: Value, repairs: dict[str, None]) -> Value:
    """The list that a script's text encodes, where it does: no GWL line begins with a bracket."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    text = value.strip()
    scan = scan_value(text, 0, ITEM_LIMIT)
    if scan.ending is not Ending.WHOLE or scan.end != len(text):
        return value
    inner = scan.value
    if isinstance(inner, dict):
        inner = inner.get("script")
    if not isinstance(inner, str | list):
        return value
    repairs.update(dict.fromkeys([Repair.SCRIPT_JSON, *sorted(scan.repairs)]))
    return inner


def _join_lines(value: Value, repairs: dict[str, None]) -> str | Rejection:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return _reject(f'"script" is {_describe(value)}; it must be a list of lines or one text')
    lines: list[str] = []
    for number, item in enumerate(value, start=1):
        if isinstance(item, Bare) and item.is_null:
            repairs[Repair.NULL_ITEM] = None
            lines.append("")
        elif not isinstance(item, str):
            return _reject(
                f'item {number} of "script" is {_describe(item)}; every item must be one line of text'
            )
        else:
            line, ends = _ITEM_END.subn("", item)
            if ends and item.endswith("\\n"):
                repairs[Repair.ESCAPED_BREAKS] = None
            if "\n" in line:
                repairs[Repair.BROKEN_ITEM] = None
            lines.append(line)
    return "\n".join(lines)


def _describe(value: Value) -> str:
    match value:
        case Bare():
            return value.text[:40]
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return "a text"


_ITEM_END = re.compile(r"(?:\r?\n|(?:\\r)?\\n)\Z")
_WRITTEN_BREAK = re.compile(r"\\r\\n|\\[nr]")
_NUMBERED_LINE = re.compile(r"[ \t]*(?P<number>[0-9]{1,4})(?:[ \t]*[|:.)]|(?=[ \t])|$)(?P<rest>.*)")
_ESCAPE_IN_CODE = re.compile(r"^[^#\n]*?\\[nrt]", re.MULTILINE)
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^`]*")


def _clean_source(source: str, repairs: dict[str, None]) -> tuple[str, ...]:
    if source.startswith("\ufeff"):
        repairs[Repair.BYTE_ORDER_MARK] = None
    if _is_escaped_twice(source):
        repairs[Repair.ESCAPED_BREAKS] = None
        source = _WRITTEN_BREAK.sub("\n", source).replace("\\t", "\t")
    if "\r" in source:
        repairs[Repair.LINE_ENDS] = None
    lines = split_script(source)
    filled = [index for index, line in enumerate(lines) if line.strip()]
    if len(filled) >= 2 and all(_FENCE_LINE.fullmatch(lines[index]) for index in (filled[0], filled[-1])):
        repairs[Repair.SCRIPT_FENCE] = None
        lines = lines[filled[0] + 1 : filled[-1]]
    plain = _take_off_numbers(lines)
    if plain is not None:
        repairs[Repair.LINE_NUMBERS] = None
    return plain or lines


def _take_off_numbers(lines: tuple[str, ...]) -> tuple[str, ...] | None:
    """The lines without their numbers; None where they have none."""
    matches = [_NUMBERED_LINE.fullmatch(line) for line in lines]
    numbers = [int(match["number"]) for match in matches if match is not None]
    if sum(bool(line.strip()) for line in lines) != len(numbers) or len(numbers) < 2:
        return None
    counts_filled = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] in (0, 1)
    counts_all = all(match is None or int(match["number"]) == n for n, match in enumerate(matches, 1))
    if not (counts_filled or counts_all):
        return None
    rests = [match["rest"].replace("\t", "  ") if match is not None else "" for match in matches]
    common = min((len(rest) - len(rest.lstrip()) for rest in rests if rest.strip()), default=0)
    return tuple(rest[common:] for rest in rests)


def _is_escaped_twice(source: str) -> bool:
    single_line = "\n" not in source.strip()
    return "\\n" in source and (single_line or _ESCAPE_IN_CODE.search(source) is not None)


def _read_text(value: Value | None, repairs: dict[str, None]) -> str:
    match value:
        case None:
            return ""
        case str():
            return value.replace("\r\n", "\n").replace("\r", "\n")
        case Bare():
            repairs[Repair.NOT_TEXT] = None
            return "" if value.is_null else value.text
        case list():
            repairs[Repair.NOT_TEXT] = None
            return "\n".join(item for item in value if isinstance(item, str))
        case dict():
            repairs[Repair.NOT_TEXT] = None
            return ""


_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})(?P<tag>[^`\n]*)$", re.MULTILINE)
_PROGRAM_START = re.compile(
    r"(?:[^\S\n]*+(?:#[^\n]*+)?+\n)*+[ \t]*+"
    r"(?:(?:while|for|if)\b[^\n]*:[ \t]*(?:#|$)|(?:var|proc)[ ]+[A-Za-z_]|discard\b|[A-Za-z_]\w*+[ ]*+[(=])",
    re.MULTILINE,
)


def _read_program(answer: NoAnswer) -> Reading | Rejection:
    """A reply without JSON that is a program, in a fence or bare."""
    visible = answer.visible
    fences = [match for _, match in zip(range(3), _FENCE.finditer(visible), strict=False)]
    if not fences:
        if _PROGRAM_START.match(visible) is None:
            return _reject(answer.message)
        repairs = dict.fromkeys([*answer.repairs, Repair.BARE_PROGRAM])
        script = _clean_source(visible.strip("\n"), repairs)
        return Reading(script, "", "", tuple(repairs), otherwise=f"{answer.message}; {ASKED_FOR}")
    if len(fences) > 2:
        return _reject(f"{answer.message}, and more than one fenced block, so no one can say which to play")
    content = visible[fences[0].end() :]
    if len(fences) == 2:
        content = visible[fences[0].end() : fences[1].start()]
    elif content.rstrip().endswith(fences[0]["mark"]):
        content = content.rstrip().removesuffix(fences[0]["mark"])
    else:
        return _reject("the reply is cut short: its code fence is never closed")
    if content.lstrip().startswith(("{", "[")):
        return _reject(answer.message)
    repairs = dict.fromkeys([*answer.repairs, Repair.PROGRAM_IN_FENCE])
    return Reading(_clean_source(content.strip("\n"), repairs), "", "", tuple(repairs))
