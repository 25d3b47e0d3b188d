"""How a benchmark shows an episode without knowing who draws it: tables, sections and pictures as data.

Texts of models come as they are; whoever prints to a terminal makes them plain first.
"""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """Rows of cells under headings.

    Attributes:
        columns: their headings, the first wanted first: where there is little room, the last go below.
        key: the column that names the rows, which is repeated there.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: int = 0


class Section(NamedTuple):
    """Lines of text under a title, to be shown as they stand."""

    title: str
    lines: tuple[str, ...]


class Span(NamedTuple):
    """A piece of a picture's line.

    Attributes:
        style: a rich style such as `bold white on red`; "" for plain. Pictures must be readable without.
    """

    text: str
    style: str = ""


class Picture(NamedTuple):
    """The board at one moment.

    Attributes:
        moment: number of the tick or turn that has just passed; -1 before the first.
        happenings: what happened in it, in plain English.
    """

    title: str
    moment: int
    lines: tuple[tuple[Span, ...], ...]
    happenings: tuple[str, ...]


Block = Table | Section
