"""From source lines to logical lines: joining and indentation (GWL v1 section 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gwl.tokens import CLOSERS, OPENERS, PhysicalLine, Token, TokenKind

JOINING = frozenset(
    {
        TokenKind.PLUS,
        TokenKind.MINUS,
        TokenKind.TIMES,
        TokenKind.EQUAL,
        TokenKind.UNEQUAL,
        TokenKind.LESS,
        TokenKind.LESS_EQUAL,
        TokenKind.GREATER,
        TokenKind.GREATER_EQUAL,
        TokenKind.COMMA,
        TokenKind.UPTO,
        TokenKind.UNTIL,
        TokenKind.AND,
        TokenKind.OR,
        TokenKind.NOT,
        TokenKind.DIV,
        TokenKind.MOD,
        TokenKind.IN,
    }
)
"""A line whose last token is one of these runs on to the next."""


class LogicalLine(NamedTuple):
    """What one statement or block header stands on: a physical line and those that it runs on to.

    Attributes:
        closed: false where the source ends while a bracket is open or an operator waits for its operand.
    """

    lines: tuple[PhysicalLine, ...]
    closed: bool

    @property
    def width(self) -> int:
        return self.lines[0].width

    @property
    def tokens(self) -> Sequence[Token]:
        if len(self.lines) == 1:
            return self.lines[0].tokens
        return [token for line in self.lines for token in line.tokens]


class Indentation:
    """The open indentation levels while going down the logical lines."""

    def __init__(self) -> None:
        self._open = [0]

    @property
    def open_widths(self) -> tuple[int, ...]:
        return tuple(self._open)

    def enter(self, width: int) -> tuple[int, bool]:
        """Goes to the level of the next line.

        Returns:
            How many blocks open (1) or close (negative), and whether `width` is an open level or deeper than
            the innermost one; where it is neither, the next outer open level is taken.
        """
        if width > self._open[-1]:
            self._open.append(width)
            return 1, True
        change = 0
        while width < self._open[-1]:
            self._open.pop()
            change -= 1
        return change, width == self._open[-1]


def split_source(text: str) -> list[str]:
    """The lines of a script given as one text; a final line end opens no further line."""
    lines = re.split(r"\r?\n", text)
    if lines[-1] == "":
        lines.pop()
    return lines


def join_lines(lines: Iterable[PhysicalLine]) -> list[LogicalLine]:
    """Groups physical lines into logical ones; lines without tokens are dropped."""
    logical: list[LogicalLine] = []
    pending: list[PhysicalLine] = []
    depth = 0
    for line in lines:
        if not line.tokens:
            continue
        pending.append(line)
        for token in line.tokens:
            kind = token.kind
            if kind in OPENERS:
                depth += 1
            elif depth > 0 and kind in CLOSERS:
                depth -= 1
        if depth == 0 and kind not in JOINING:
            logical.append(LogicalLine(tuple(pending), closed=True))
            pending = []
    if pending:
        logical.append(LogicalLine(tuple(pending), closed=False))
    return logical
