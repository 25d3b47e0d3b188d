"""Draws what benchmarks show: tables, sections and pictures, with rich, on whatever stream there is."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gridwars.benchmarks.presentation import Block, Picture, Section, Table
from gridwars.cli.console import make_plain
from gridwars.cli.table_layout import GAP, lay_out

HAPPENINGS_SHOWN = 4

TALL_TERMINAL_LINES = 42
"""What a board of 30 rows needs with its legend and what happens on it."""


def print_blocks(console: Console, blocks: Iterable[Block]) -> None:
    for block in blocks:
        match block:
            case Table():
                console.print(Text(make_plain(block.title), style="italic"))
                for index, piece in enumerate(_draw_table(block, console.width)):
                    if index:
                        console.print()
                    console.print(piece)
            case Section():
                console.print(Text(make_plain(block.title), style="bold"))
                for line in block.lines:
                    console.print(
                        Padding(Text(make_plain(line), overflow="fold"), (0, 0, 0, 2), expand=False)
                    )
        console.print()


def print_sentences(console: Console, sentences: Iterable[str]) -> None:
    for sentence in sentences:
        console.print(Text(make_plain(sentence)))


def print_picture(console: Console, picture: Picture) -> None:
    console.print(_make_picture(picture, picture.happenings))


def is_low(console: Console) -> bool:
    """Whether a full picture would not fit, so that a compact one should be drawn."""
    return console.is_terminal and console.height < TALL_TERMINAL_LINES


class PictureShow:
    """Shows pictures one after another in one place, as they come, until it is closed.

    Only the last is shown where the console is no terminal. Once closed it begins anew, below; so it does
    once paused, where something else has the terminal.
    """

    def __init__(self, console: Console, *, pictures_per_second: int) -> None:
        self._console = console
        self._seconds = 1 / pictures_per_second
        self._live: Live | None = None
        self._recent: list[str] = []
        self._last: Picture | None = None

    def play(self, pictures: Iterable[Picture]) -> None:
        next_at = time.monotonic()
        for picture in pictures:
            self._last = picture
            if not self._console.is_terminal:
                continue
            if self._live is None:
                self._live = Live(console=self._console, auto_refresh=False, transient=False)
                self._live.start()
            self._recent = [*self._recent, *picture.happenings][-HAPPENINGS_SHOWN:]
            self._live.update(_make_picture(picture, self._recent, HAPPENINGS_SHOWN), refresh=True)
            next_at = max(next_at + self._seconds, time.monotonic())
            time.sleep(max(0.0, next_at - time.monotonic()))

    def pause(self) -> None:
        if self._live is not None:
            self.close()

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
        elif self._last is not None:
            print_picture(self._console, self._last)
        self._live, self._last, self._recent = None, None, []


def _draw_table(table: Table, room: int) -> Iterator[RichTable]:
    """The table in as many pieces as it takes for nothing in it to be cut."""
    headings = [make_plain(column) for column in table.columns]
    rows = [[make_plain(cell) for cell in row] for row in table.rows]
    for piece in lay_out(headings, rows, room, key=table.key):
        made = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
        for index, width in piece:
            right = _is_numeric(row[index] for row in rows)
            made.add_column(
                Text(headings[index], overflow="fold"),
                justify="right" if right else "left",
                width=width,
                overflow="fold",
            )
        for row in rows:
            made.add_row(*(Text(row[index], overflow="fold") for index, _ in piece))
        yield made


_NUMBER = re.compile(r"[-+]?\$?[\d,]+(\.\d+)?[*%]?")


def _is_numeric(cells: Iterable[str]) -> bool:
    """Whether a column holds numbers alone, and one at least."""
    said = [cell for cell in cells if cell]
    return bool(said) and all(map(_NUMBER.fullmatch, said))


def _make_picture(picture: Picture, happenings: Sequence[str], least_lines: int = 0) -> Group:
    lines = [Text(make_plain(picture.title), style="bold")]
    lines += [
        Text.assemble(*((make_plain(span.text), span.style) for span in spans)) for spans in picture.lines
    ]
    lines += [Text(make_plain(happening)) for happening in happenings]
    lines += [Text()] * (least_lines - len(happenings))
    return Group(*lines)


_THEME = TerminalTheme(
    (30, 31, 34),
    (200, 202, 204),
    [
        (30, 31, 34),
        (190, 78, 74),
        (112, 150, 66),
        (196, 160, 58),
        (74, 128, 184),
        (150, 100, 168),
        (70, 150, 156),
        (200, 202, 204),
    ],
    [
        (104, 108, 114),
        (255, 122, 114),
        (174, 220, 104),
        (255, 214, 96),
        (128, 190, 255),
        (220, 156, 240),
        (118, 216, 222),
        (255, 255, 255),
    ],
)
"""Background, foreground, the eight colours and, to stand out as rich's own do not, their bright variants."""


def render_svg(picture: Picture) -> str:
    """The picture as a self-contained SVG file; the same picture gives the same bytes."""
    width = max(sum(len(span.text) for span in spans) for spans in picture.lines)
    console = Console(
        file=io.StringIO(), record=True, width=width, force_terminal=True, color_system="truecolor"
    )
    console.print(_make_picture(picture._replace(title=""), ()))
    svg = console.export_svg(title=picture.title, theme=_THEME, unique_id="picture")
    # Rich's template would have whoever looks at it fetch a font from the network.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL) + "\n"
