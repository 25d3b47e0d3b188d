"""A text as an editor holds it: where a place as GWL counts is as the editor counts, and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from gwl.layout import split_source
from gwl.limits import MAX_SOURCE_LENGTH

MAX_LENGTH = 10 * MAX_SOURCE_LENGTH
"""Characters of a text that is looked into; of a longer one is said that it is too long, and nothing else."""

_BYTE_ORDER_MARK = "\ufeff"
_EDITOR_LINE_END = re.compile(r"\r\n|\n|\r")
_SOURCE_LINE_END = re.compile(r"\r?\n")


class Position(NamedTuple):
    """A place as editors count: lines from 0, and within one the code units before it."""

    line: int
    character: int


class Place(NamedTuple):
    """A place as GWL counts: lines and columns from 1, in code points."""

    line: int
    column: int


def count_utf16_units(text: str) -> int:
    """How long a text is to an editor that agreed on nothing else."""
    return len(text) + sum(character > "\uffff" for character in text)


class Document:
    """A text, whatever is in it, as lines of GWL; a byte order mark belongs to none of them.

    An editor begins a new line at a lone carriage return too, and GWL does not.

    Attributes:
        lines: empty where the text is too long to be looked into.
    """

    def __init__(self, text: str, count_units: Callable[[str], int] = count_utf16_units) -> None:
        self.length = len(text)
        self.is_too_long = self.length > MAX_LENGTH
        self._text = "" if self.is_too_long else text
        self._count_units = count_units
        start = len(_BYTE_ORDER_MARK) if self._text.startswith(_BYTE_ORDER_MARK) else 0
        self.lines = split_source(self._text[start:])
        ends = _SOURCE_LINE_END.finditer(self._text, start)
        self._source_starts = [start, *(end.end() for end in ends)]
        self._editor_starts = [0, *(end.end() for end in _EDITOR_LINE_END.finditer(self._text))]

    @property
    def line_end(self) -> str:
        """What the text ends its lines with."""
        return "\r\n" if "\r\n" in self._text else "\n"

    @property
    def end(self) -> Position:
        return self._locate(len(self._text))

    def to_position(self, place: Place) -> Position:
        """Where a place is to the editor; one behind the last line is the text's end."""
        if place.line > len(self._source_starts):
            return self.end
        return self._locate(min(self._source_starts[place.line - 1] + place.column - 1, len(self._text)))

    def to_place(self, position: Position) -> Place:
        """The place at a position; one that the text does not have becomes the nearest before it."""
        if position.line >= len(self._editor_starts):
            offset = len(self._text)
        else:
            offset = self._editor_starts[position.line]
            last = (*self._editor_starts[position.line + 1 : position.line + 2], len(self._text))[0]
            units = 0
            while offset < last and self._text[offset] not in "\r\n":
                units += self._count_units(self._text[offset])
                if units > position.character:
                    break
                offset += 1
        line = max(1, bisect_right(self._source_starts, offset))
        return Place(line, max(1, offset - self._source_starts[line - 1] + 1))

    def _locate(self, offset: int) -> Position:
        line = bisect_right(self._editor_starts, offset) - 1
        return Position(line, self._count_units(self._text[self._editor_starts[line] : offset]))
