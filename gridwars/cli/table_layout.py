"""Where a table's columns go when the terminal is narrow: below each other, prose in lines, no word cut.

A table that fits stands as it is. Else its prose is set in narrower columns, and the columns that still
find no room go below, in order, behind the column that names the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

GAP = 2
"""Between two columns."""

_SHORT = 24
"""A cell up to this wide is never set in several lines."""

_MOST_LINES = 4
"""About as many a longer one may take before its column goes below, where there is more room."""


class Placed(NamedTuple):
    """A column in its place.

    Attributes:
        column: from 0, in the table.
        width: in terminal cells; where it is less than a text needs, the text is set in lines.
    """

    column: int
    width: int


def lay_out(
    headings: Sequence[str], rows: Sequence[Sequence[str]], room: int, *, key: int = 0
) -> list[list[Placed]]:
    """The pieces that a table is drawn in, each its columns from left to right.

    Args:
        rows: plain text, a cell for each heading.
        room: how wide a piece may be.
        key: the column that names the rows, which begins every piece but the first.
    """
    texts = [[heading, *(row[index] for row in rows)] for index, heading in enumerate(headings)]
    full = [max(map(cell_len, column)) for column in texts]
    least = [_find_least(column, width) for column, width in zip(texts, full, strict=True)]
    least = [min(width, _find_room(index, key, least, room)) for index, width in enumerate(least)]
    pieces: list[list[int]] = [[]]
    for index in range(len(headings)):
        if index in pieces[-1]:
            continue
        piece = [*pieces[-1], index]
        if pieces[-1] and _add_up(piece, least) > room:
            pieces.append([key, index] if index != key else [index])
        else:
            pieces[-1] = piece
    return [_widen(piece, least, full, room) for piece in pieces]


def _find_least(column: Sequence[str], full: int) -> int:
    """The narrowest that a column may be: no word is parted, no short cell set in lines."""
    heading, *cells = column
    longest_word = max((cell_len(word) for text in column for word in text.split()), default=0)
    widest = max(map(cell_len, cells), default=cell_len(heading))
    return max(longest_word, min(widest, max(_SHORT, full // _MOST_LINES)))


def _find_room(index: int, key: int, least: Sequence[int], room: int) -> int:
    """The most that a column can have: beside it stands the one that names the rows, at most half as wide."""
    half = max(1, (room - GAP) // 2)
    return half if index == key else max(1, room - GAP - min(least[key], half))


def _add_up(piece: Sequence[int], widths: Sequence[int]) -> int:
    return sum(widths[index] for index in piece) + GAP * (len(piece) - 1)


def _widen(piece: Sequence[int], least: Sequence[int], full: Sequence[int], room: int) -> list[Placed]:
    """Gives away the room that is left, first to the columns that lack least."""
    widths = {index: least[index] for index in piece}
    spare = room - _add_up(piece, least)
    lacking = sorted(piece, key=lambda index: full[index] - least[index])
    for position, index in enumerate(lacking):
        more = min(full[index] - least[index], max(0, spare) // (len(lacking) - position))
        widths[index] += more
        spare -= more
    return [Placed(index, widths[index]) for index in piece]
