"""Looks up what a mistake was probably meant to be."""

from __future__ import annotations

from gwl.errors import ErrorCode, WarningCode
from gwl.hint_table import HINTS, Hint


def find_hint(code: ErrorCode | WarningCode, source: str, column: int) -> str:
    """The hint for an error at a column of a source line, "" where nothing is likely."""
    found = find_entry(code, source, column)
    return "" if found is None else found[1]


def find_entry(code: ErrorCode | WarningCode, source: str, column: int) -> tuple[Hint, str] | None:
    """The first entry of the table that fits, and its text for this place."""
    for hint in HINTS:
        if hint.codes and code not in hint.codes:
            continue
        pattern = hint.pattern
        match = pattern.match(source, column - 1) if hint.anchored else pattern.search(source)
        if match is None:
            continue
        text = hint.text.format(**match.groupdict()) if isinstance(hint.text, str) else hint.text(match)
        if text:
            return hint, text
    return None
