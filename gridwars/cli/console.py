"""How verbs speak: text for people on a terminal or in a file, JSON for programs, progress on stderr."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

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
    import msgspec  # Only here: a verb's help does without it.

    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def print_warnings(warnings: Iterable[str]) -> None:
    """Tells on stderr what should be looked at, and keeps nothing from being played."""
    for warning in warnings:
        click.echo(f"gridwars: {warning}", err=True)


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


class Bar(Protocol):
    """Is told how many are done, of how many."""

    def __call__(self, done: int, total: int) -> None: ...

    def say(self, text: str) -> None:
        """Prints lines to stdout, above what is drawn."""
        ...


@contextmanager
def show_progress(label: str) -> Iterator[Bar]:
    """A bar on a terminal's stderr for as long as something takes; elsewhere nothing is drawn."""
    if not sys.stderr.isatty():
        yield _NoBar()
        return
    from rich.progress import Progress

    with Progress(console=open_console(stderr=True), transient=True, redirect_stdout=False) as progress:
        yield _DrawnBar(progress, progress.add_task(label, total=None))


class _NoBar:
    def __call__(self, done: int, total: int) -> None:
        pass

    def say(self, text: str) -> None:
        click.echo(text)


class _DrawnBar:
    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def __call__(self, done: int, total: int) -> None:
        self._progress.update(self._task, completed=done, total=total)

    def say(self, text: str) -> None:
        self._progress.stop()  # takes the bar off the line, where its lines would otherwise begin
        click.echo(text)
        self._progress.start()
