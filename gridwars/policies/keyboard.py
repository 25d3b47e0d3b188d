"""A terminal lent to a person for single keys: read beside the event loop, drawn on, always given back.

Keys are read from stdin, and stderr is drawn on, as all progress is. While the terminal is lent, what is
typed is not shown, and Ctrl-C is a key as any other.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import re
import sys
from collections.abc import Iterator, Sequence

from gridwars.benchmarks.contract import Key
from gridwars.benchmarks.presentation import Span

CTRL_C = "\x03"

ESCAPE_SECONDS = 0.1
"""After which an Esc alone is no beginning of a longer sequence."""

HANG_UP = ""
"""What is read in place of a key once the terminal is gone."""

IS_SUPPORTED = sys.platform != "win32"
"""Whether this system's terminals can be read key by key."""

_ARROWS = {"A": Key.UP, "B": Key.DOWN, "C": Key.RIGHT, "D": Key.LEFT}
_NAMES = {
    **dict.fromkeys("\r\n", Key.ENTER),
    **dict.fromkeys("\x08\x7f", Key.BACKSPACE),
    " ": Key.SPACE,
    "\x1b": Key.ESCAPE,
}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)([@-~])")
_BEGUN_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")

_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_ATTRIBUTES = {"bold": 1, "dim": 2}
_HIDE_CURSOR, _SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
_CUT_LINES, _WRAP_LINES = "\x1b[?7l", "\x1b[?7h"
_CLEAR_LINE, _CLEAR_BELOW = "\x1b[K", "\x1b[J"


def find_lack() -> str:
    """Why there is no terminal to be lent, in words; "" where there is one."""
    streams = {"stdin": sys.stdin, "stderr": sys.stderr}
    # A stream that was closed before this program began is None.
    lacking = [name for name, stream in streams.items() if stream is None or not stream.isatty()]
    return f"no terminal on {' and '.join(lacking)}" if lacking else ""


@contextlib.contextmanager
def lend_terminal() -> Iterator[Terminal]:
    """The terminal, until the context is left, however that is. What was typed before is dropped."""
    terminal = Terminal(sys.stdin.fileno())
    with _read_single_keys(terminal.descriptor), terminal.open():
        yield terminal


class Terminal:
    """What a person types, key by key, and a picture that is drawn in place.

    Attributes:
        descriptor: of what keys are read from.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._keys: asyncio.Queue[str] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self._timer: asyncio.TimerHandle | None = None
        self._shown: list[str] = []

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_reader(self.descriptor, self._read)
        try:
            self._write(_HIDE_CURSOR + _CUT_LINES)
            yield
        finally:
            loop.remove_reader(self.descriptor)
            self._drop_timer()
            self._write(self._go_to_top() + _CLEAR_BELOW + _WRAP_LINES + _SHOW_CURSOR)

    async def read_key(self, seconds: float) -> str | None:
        """A `Key`, a character, `HANG_UP`, or what a key without a name sends; None for none in time."""
        try:
            async with asyncio.timeout(seconds):
                return await self._keys.get()
        except TimeoutError:
            return None

    def find_height(self) -> int:
        """How many lines can be shown."""
        try:
            return os.get_terminal_size(sys.stderr.fileno()).lines or 24
        except OSError:
            return 24

    def show(self, lines: Sequence[Sequence[Span]]) -> None:
        """Puts a picture in the place of the last one; of what is too high, its end."""
        shown = [
            "".join(map(_render, spans)) + _CLEAR_LINE for spans in lines[-max(1, self.find_height() - 1) :]
        ]
        if shown != self._shown:
            self._write(self._go_to_top() + "\n".join(shown) + _CLEAR_BELOW)
            self._shown = shown

    def _go_to_top(self) -> str:
        above = len(self._shown) - 1
        return f"\r\x1b[{above}A" if above > 0 else "\r"

    def _write(self, text: str) -> None:
        # Of a terminal that is gone, reading tells.
        with contextlib.suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()

    def _read(self) -> None:
        try:
            data = os.read(self.descriptor, 1024)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self.descriptor)
            self._keys.put_nowait(HANG_UP)
            return
        self._drop_timer()
        self._take(self._begun + self._decoder.decode(data), is_whole=False)
        if self._begun:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(ESCAPE_SECONDS, lambda: self._take(self._begun, is_whole=True))

    def _take(self, text: str, *, is_whole: bool) -> None:
        keys, self._begun = split_keys(text, is_whole=is_whole)
        for key in keys:
            self._keys.put_nowait(key)

    def _drop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def split_keys(text: str, *, is_whole: bool) -> tuple[list[str], str]:
    """The keys that a terminal sends as this text, and what of it is only the beginning of one.

    Args:
        is_whole: nothing more belongs to it, so that an Esc at its end is that key.
    """
    keys: list[str] = []
    position = 0
    while position < len(text):
        sequence = _SEQUENCE.match(text, position)
        if sequence is not None:
            keys.append(_ARROWS.get(sequence[1], sequence[0]))
            position = sequence.end()
        elif not is_whole and _BEGUN_SEQUENCE.match(text, position):
            break
        else:
            keys.append(_NAMES.get(text[position], text[position]))
            position += 1
    return keys, text[position:]


@contextlib.contextmanager
def _read_single_keys(descriptor: int) -> Iterator[None]:
    import termios

    before = termios.tcgetattr(descriptor)
    now = termios.tcgetattr(descriptor)
    now[0] &= ~(termios.IXON | termios.ICRNL)  # Ctrl-S must not stop what is drawn, and with it the loop
    now[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    try:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, now)
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _render(span: Span) -> str:
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in span.text)
    codes = ";".join(map(str, _list_codes(span.style)))
    return f"\x1b[{codes}m{text}\x1b[m" if codes else text


def _list_codes(style: str) -> Iterator[int]:
    """The terminal's codes of a span's style."""
    ground = 30
    for word in style.split():
        if word == "on":
            ground = 40
        elif word in _ATTRIBUTES:
            yield _ATTRIBUTES[word]
        elif word != "default":
            is_bright = word.startswith("bright_")
            yield ground + 60 * is_bright + _COLOURS.index(word.removeprefix("bright_"))
