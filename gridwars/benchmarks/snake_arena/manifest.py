"""`bots.json`, the list of bots, and everything that can be wrong with it (arena spec section 11)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gridwars.benchmarks.snake_arena.keys import PERSONS

MOST_BYTES = 262_144
_MOST_ID_LENGTH = 64
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")
_COLOUR = re.compile(r"#?[0-9A-Fa-f]{6}")
_TEXT_FIELDS = ("name", "botName", "lab")
_REQUIRED = ("id", *_TEXT_FIELDS, "color", "file", "bytes")
_FIELDS = (*_REQUIRED, "note")


class ProblemCode(StrEnum):
    JSON = "json"
    DUPLICATE_KEY = "duplicate-key"
    TYPE = "type"
    REQUIRED = "required"
    PATTERN = "pattern"
    DOT_DOT = "dotdot"
    RESERVED = "reserved"
    DUPLICATE = "duplicate"
    EMPTY = "empty"
    MISMATCH = "mismatch"
    MISSING = "missing"
    TOO_LARGE = "too-large"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong.

    Attributes:
        index: of the entry, from 0; None where it is the whole.
        field: None where it is the whole entry.
    """

    index: int | None
    field: str | None
    code: ProblemCode


class _DuplicateKeyError(ValueError):
    pass


def check_manifest(text: str, sizes: Mapping[str, int]) -> list[Problem]:
    """Everything that is wrong, entry by entry in the order of the fields.

    Args:
        sizes: of the files that there are, in bytes, by path such as `bots/viper.js`.
    """
    try:
        entries = json.loads(text, object_pairs_hook=_require_single_keys, parse_int=_read_integer)
    except _DuplicateKeyError:
        return [Problem(None, None, ProblemCode.DUPLICATE_KEY)]
    except (ValueError, RecursionError):
        return [Problem(None, None, ProblemCode.JSON)]
    if not isinstance(entries, list):
        return [Problem(None, None, ProblemCode.TYPE)]
    return list(_check_entries(entries, sizes))


def _check_entries(entries: Sequence[object], sizes: Mapping[str, int]) -> Iterator[Problem]:
    ids: set[str] = set()
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            yield Problem(index, None, ProblemCode.TYPE)
            continue
        for field, code in _check_entry(entry, ids, sizes):
            yield Problem(index, field, code)
        if isinstance(entry.get("id"), str):
            ids.add(entry["id"])


def _check_entry(
    entry: Mapping[str, object], ids: set[str], sizes: Mapping[str, int]
) -> Iterator[tuple[str, ProblemCode]]:
    problems = {field: code for field in _FIELDS if (code := _check_presence(entry, field)) is not None}
    if "id" not in problems and (code := _check_id(str(entry["id"]), ids)) is not None:
        problems["id"] = code
    for field in _TEXT_FIELDS:
        if field not in problems and not str(entry[field]).strip():
            problems[field] = ProblemCode.EMPTY
    if "color" not in problems and _COLOUR.fullmatch(str(entry["color"])) is None:
        problems["color"] = ProblemCode.PATTERN
    if problems.get("id", ProblemCode.DUPLICATE) is ProblemCode.DUPLICATE:
        _check_file(entry, sizes, problems)
    yield from ((field, problems[field]) for field in _FIELDS if field in problems)
    yield from ((field, ProblemCode.UNKNOWN) for field in sorted(entry) if field not in _FIELDS)


def _check_presence(entry: Mapping[str, object], field: str) -> ProblemCode | None:
    if field not in entry:
        return ProblemCode.REQUIRED if field in _REQUIRED else None
    value = entry[field]
    if field == "bytes":
        is_right = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    else:
        is_right = isinstance(value, str)
    return None if is_right else ProblemCode.TYPE


def _check_id(text: str, ids: set[str]) -> ProblemCode | None:
    if len(text) > _MOST_ID_LENGTH or _ID.fullmatch(text) is None:
        return ProblemCode.PATTERN
    if ".." in text:
        return ProblemCode.DOT_DOT
    if text in PERSONS:
        return ProblemCode.RESERVED
    return ProblemCode.DUPLICATE if text in ids else None


def _check_file(
    entry: Mapping[str, object], sizes: Mapping[str, int], problems: dict[str, ProblemCode]
) -> None:
    """File and size; a file that is not right has no size to check."""
    if "file" not in problems:
        path = f"bots/{entry['id']}.js"
        if entry["file"] != path:
            problems["file"] = ProblemCode.MISMATCH
        elif path not in sizes:
            problems["file"] = ProblemCode.MISSING
        elif sizes[path] > MOST_BYTES:
            problems.setdefault("bytes", ProblemCode.TOO_LARGE)
        elif "bytes" not in problems and entry["bytes"] != sizes[path]:
            problems["bytes"] = ProblemCode.MISMATCH


def _require_single_keys(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        raise _DuplicateKeyError
    return entry


_MOST_DIGITS = 18


def _read_integer(digits: str) -> int:
    """A longer number is above every limit here, and Python reads none of any length."""
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
