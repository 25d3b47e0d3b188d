"""How verbs speak: text for people on a terminal or in a file, JSON for programs, progress on stderr."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

if TYPE_CHECKING:
    from rich.console import Console

Function = TypeVar("Function", bound=Callable[..., object])

FILE_WIDTH = 200
"""Columns where there is no terminal: nothing that is read by a program is wrapped."""


def json_option(function: Function) -> Function:
    """Gives a verb its `--json` switch, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")(
        function
    )


def examples(*lines: str) -> str:
    """The end of a verb's help; lines are shown as they stand."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def print_json(value: object) -> None:
    """Prints structs and plain values as one JSON document; ASCII, so any byte of text survives any pipe."""
    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def open_console(*, stderr: bool = False) -> Console:
    """A rich console that colours only a terminal and takes no text for markup."""
    from rich.console import Console

    class HonestConsole(Console):
        def on_broken_pipe(self) -> None:
            """Says so to whoever prints, where rich would end the process with code 1."""
            raise BrokenPipeError

    stream = sys.stderr if stderr else sys.stdout
    return HonestConsole(
        file=stream,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if stream.isatty() else FILE_WIDTH,
    )


def make_plain(text: str) -> str:
    """Foreign text with everything that could command a terminal, or can't be printed, shown as escapes."""
    return "".join(_escape(c) if unicodedata.category(c) in _UNPRINTABLE else c for c in text)


def make_plain_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(make_plain, text.split("\n")))


_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


@contextmanager
def show_progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Yields what is to be told how many are done, of how many; the bar is drawn on a terminal's stderr."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import Progress

    console = open_console(stderr=True)
    with Progress(console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
