"""How a benchmark shows an episode without knowing who draws it: tables, sections and pictures as data.

Texts of models come as they are; whoever prints to a terminal makes them plain first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from gridwars.benchmarks.contract import Event


class Table(NamedTuple):
    """Rows of cells under headings."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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


class Recording(NamedTuple):
    """What an episode's log says, as a view needs it.

    Attributes:
        seat_names: by seat, the policy's name.
        events: those of the benchmark, in order.
    """

    config: msgspec.Struct
    seat_names: Sequence[str]
    events: Sequence[Event]


class View(Protocol):
    """The pictures and tables of one benchmark."""

    part_noun: str
    """What a part is called: `round`, `match`."""
    moment_noun: str
    """What a part is played in: `tick`, `turn`."""

    def ends_part(self, event: Event) -> bool:
        """Whether a part has been played once this event is recorded."""
        ...

    def count_parts(self, recording: Recording) -> int:
        """How many parts have begun; they are numbered from 1."""
        ...

    def render_summary(self, recording: Recording) -> Sequence[Block]:
        """Who stands where and why: standings first, one row for every part."""
        ...

    def tell_result(self, recording: Recording) -> Sequence[str]:
        """Who won and why, in sentences; none before anything was played."""
        ...

    def render_part(self, recording: Recording, part: int) -> Sequence[Block]:
        """One part in full, every seat's diagnostics with it."""
        ...

    def iterate_pictures(self, recording: Recording, part: int) -> Iterator[Picture]:
        """One part from before its first moment to its end, derived again; none where it was not played."""
        ...
