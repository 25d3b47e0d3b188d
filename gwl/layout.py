"""From source lines to logical lines of tokens: limits, comments, joining and indentation (GWL v1 section 1).

Nothing here knows the grammar. Every lexical error is recorded and read past, so that the parser can go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gwl.limits import MAX_INTEGER


class TokenKind(StrEnum):
    """Token kinds; the values are the terminals of `grammar.lark`."""

    NAME = "NAME"
    INTEGER = "INTEGER"
    VAR = "VAR"
    IF = "IF"
    ELIF = "ELIF"
    ELSE = "ELSE"
    WHILE = "WHILE"
    FOR = "FOR"
    IN = "IN"
    PROC = "PROC"
    RETURN = "RETURN"
    BREAK = "BREAK"
    CONTINUE = "CONTINUE"
    DISCARD = "DISCARD"
    TRUE = "TRUE"
    FALSE = "FALSE"
    AND = "AND"
    OR = "OR"
    NOT = "NOT"
    DIV = "DIV"
    MOD = "MOD"
    UNTIL = "UNTIL"
    UPTO = "UPTO"
    EQUAL = "EQUAL"
    UNEQUAL = "UNEQUAL"
    LESS_EQUAL = "LESS_EQUAL"
    GREATER_EQUAL = "GREATER_EQUAL"
    LPAR = "LPAR"
    RPAR = "RPAR"
    LSQB = "LSQB"
    RSQB = "RSQB"
    COMMA = "COMMA"
    COLON = "COLON"
    ASSIGN = "ASSIGN"
    LESS = "LESS"
    GREATER = "GREATER"
    PLUS = "PLUS"
    MINUS = "MINUS"
    TIMES = "TIMES"
    BAD = "BAD"
    """A character that GWL does not have; no rule of the grammar takes it."""


KEYWORDS = {
    kind.lower(): kind
    for kind in (
        TokenKind.VAR,
        TokenKind.IF,
        TokenKind.ELIF,
        TokenKind.ELSE,
        TokenKind.WHILE,
        TokenKind.FOR,
        TokenKind.IN,
        TokenKind.PROC,
        TokenKind.RETURN,
        TokenKind.BREAK,
        TokenKind.CONTINUE,
        TokenKind.DISCARD,
        TokenKind.TRUE,
        TokenKind.FALSE,
        TokenKind.AND,
        TokenKind.OR,
        TokenKind.NOT,
        TokenKind.DIV,
        TokenKind.MOD,
    )
}

OPERATORS = {
    "..<": TokenKind.UNTIL,
    "..": TokenKind.UPTO,
    "==": TokenKind.EQUAL,
    "!=": TokenKind.UNEQUAL,
    "<=": TokenKind.LESS_EQUAL,
    ">=": TokenKind.GREATER_EQUAL,
    "(": TokenKind.LPAR,
    ")": TokenKind.RPAR,
    "[": TokenKind.LSQB,
    "]": TokenKind.RSQB,
    ",": TokenKind.COMMA,
    ":": TokenKind.COLON,
    "=": TokenKind.ASSIGN,
    "<": TokenKind.LESS,
    ">": TokenKind.GREATER,
    "+": TokenKind.PLUS,
    "-": TokenKind.MINUS,
    "*": TokenKind.TIMES,
}

OPENERS = frozenset({TokenKind.LPAR, TokenKind.LSQB})
CLOSERS = frozenset({TokenKind.RPAR, TokenKind.RSQB})

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

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What Unicode calls white space (`str.isspace` also takes U+001C to U+001F)."""

_INDENTATION = re.compile(r"[ \t]*")
_TOKEN = re.compile(
    r"(?P<space>[ \t]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<integer>[0-9]+)"
    r"|(?P<operator>\.\.<|\.\.|[=!<>]=|[()\[\],:=<>+*-])|(?P<bad>.)",
    re.DOTALL,
)
_MAX_INTEGER_DIGITS = len(str(MAX_INTEGER))


class Token(NamedTuple):
    """One token; `line` and `column` count from 1, the column in code points of the line as written."""

    kind: TokenKind
    text: str
    line: int
    column: int

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)


@dataclass(frozen=True, slots=True)
class PhysicalLine:
    """One source line that holds something.

    Attributes:
        width: of the indentation in spaces, a tab counting as two.
        tokens: empty where there is only a comment.
        comment: from its `#` on without trailing white space, "" without one.
    """

    number: int
    width: int
    tokens: tuple[Token, ...]
    comment: str


@dataclass(frozen=True, slots=True)
class LogicalLine:
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
    def tokens(self) -> list[Token]:
        return [token for line in self.lines for token in line.tokens]


def scan_line(number: int, text: str) -> PhysicalLine:
    """Splits one source line into tokens; characters that GWL does not have become `BAD` tokens."""
    code, mark, comment = text.partition("#")
    if not code.strip(WHITE_SPACE):
        return PhysicalLine(number, 0, (), (mark + comment).rstrip(WHITE_SPACE))
    indentation = _INDENTATION.match(code)
    assert indentation is not None, "the pattern matches the empty string"
    tokens = []
    for match in _TOKEN.finditer(code, indentation.end()):
        found = match.group()
        match match.lastgroup:
            case "space":
                continue
            case "name":
                kind = KEYWORDS.get(found, TokenKind.NAME)
            case "integer":
                kind = TokenKind.INTEGER
            case "operator":
                kind = OPERATORS[found]
            case _:
                kind = TokenKind.BAD
        tokens.append(Token(kind, found, number, match.start() + 1))
    width = indentation.end() + indentation.group().count("\t")
    return PhysicalLine(number, width, tuple(tokens), (mark + comment).rstrip(WHITE_SPACE))


def is_integer_in_range(digits: str) -> bool:
    """Whether a literal is at most 2^63-1, without building a number of any size."""
    significant = digits.lstrip("0")
    return len(significant) <= _MAX_INTEGER_DIGITS and int(significant or "0") <= MAX_INTEGER


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
            if token.kind in OPENERS:
                depth += 1
            elif token.kind in CLOSERS and depth > 0:
                depth -= 1
        if depth == 0 and line.tokens[-1].kind not in JOINING:
            logical.append(LogicalLine(tuple(pending), closed=True))
            pending = []
    if pending:
        logical.append(LogicalLine(tuple(pending), closed=False))
    return logical


class Indentation:
    """The open indentation levels while going down the logical lines."""

    def __init__(self) -> None:
        self._open = [0]

    @property
    def width(self) -> int:
        return self._open[-1]

    def enter(self, width: int) -> tuple[int, bool]:
        """Goes to the level of the next line.

        Returns:
            How many blocks open (1) or close (negative), and whether `width` is a level that was open or
            is deeper than the innermost one; where it is neither, the next outer open level is taken.
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
    lines = re.split(r"\r\n|\n|\r", text)
    if lines[-1] == "":
        lines.pop()
    return lines


def count_source_length(lines: Sequence[str]) -> int:
    """Code points in all, each line counting its length plus one."""
    return sum(len(line) + 1 for line in lines)
