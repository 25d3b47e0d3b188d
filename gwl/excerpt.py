"""A source line as it is shown to its author, with a caret under one column."""

from __future__ import annotations

import unicodedata

from gwl.tokens import TAB_WIDTH

MAX_WIDTH = 100
_MARGIN = "    "
_CUT = "..."
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def render_excerpt(source: str, column: int) -> list[str]:
    """The line and the caret line below it, as text that any terminal and encoding takes.

    Args:
        column: from 1, in code points of `source`; one past its end is allowed.
    """
    cells = [_render_character(character) for character in source[: MAX_WIDTH * 100]]
    caret = min(column - 1, len(cells))
    start, end = _choose_window(cells, caret)
    head = _CUT if start > 0 else ""
    tail = _CUT if end < len(cells) else ""
    shown = head + "".join(cells[start:end]) + tail
    before = len(head) + sum(_count_cells(text) for text in cells[start:caret])
    if caret < len(cells) and cells[caret] and _count_cells(cells[caret]) == 0:
        before = max(0, before - 1)  # A combining mark is seen on the character before it.
    return [(_MARGIN + shown).rstrip(), _MARGIN + " " * before + "^"]


def _choose_window(cells: list[str], caret: int) -> tuple[int, int]:
    """The part of a long line that is shown, with the caret well inside."""
    if len(cells) <= MAX_WIDTH:
        return 0, len(cells)
    width = MAX_WIDTH - 2 * len(_CUT)
    start = min(max(0, caret - width * 2 // 3), len(cells) - width)
    return start, start + width


def _render_character(character: str) -> str:
    if character == "\t":
        return " " * TAB_WIDTH
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    return _REPLACEMENT if category[0] in "CZ" else character


def _count_cells(text: str) -> int:
    """Columns that a rendered character takes in a terminal."""
    if len(text) != 1:
        return len(text)
    if unicodedata.category(text) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(text) in "WF" else 1
