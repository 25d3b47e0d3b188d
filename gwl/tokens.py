"""The tokens of one source line (GWL v1 section 1)."""

from __future__ import annotations

import re
import string
from enum import StrEnum
from functools import partial
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

    MOVE = "MOVE"
    PLACE = "PLACE"
    BOMB = "BOMB"
    WAIT = "WAIT"

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

    NEWLINE = "_NEWLINE"
    INDENT = "_INDENT"
    DEDENT = "_DEDENT"
    END = "$END"
    WRONG = "_WRONG"
    """Stands before a line that is no statement, where the parser looks how far it is an expression."""
    BAD = "BAD"
    """A character that GWL does not have; no terminal of the grammar."""


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

ACTIONS = {kind.lower(): kind for kind in (TokenKind.MOVE, TokenKind.PLACE, TokenKind.BOMB, TokenKind.WAIT)}
"""Special only as the first token of a statement; elsewhere, and from `scan_line`, they are names."""

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
OPERAND_ENDS = CLOSERS | {TokenKind.NAME, TokenKind.INTEGER, TokenKind.TRUE, TokenKind.FALSE}
"""The last token of an operand is one of these, and a token that is not ends none."""

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What Unicode calls white space (`str.isspace` would also take U+001C to U+001F)."""

TAB_WIDTH = 2
"""A tab reads as so many spaces."""

_INDENTATION = re.compile(r"[ \t]*")
_TOKEN = re.compile(r"([ \t]*)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.<|\.\.|[=!<>]=|[()\[\],:=<>+*-]|[^ \t])")
"""Blanks and a token: a name, an integer, an operator, or a character that is none of these."""
_FIXED = {**KEYWORDS, **OPERATORS}
_BEGINNINGS = {
    **dict.fromkeys(string.ascii_letters + "_", TokenKind.NAME),
    **dict.fromkeys(string.digits, TokenKind.INTEGER),
}
_MAX_INTEGER_DIGITS = len(str(MAX_INTEGER))


class Token(NamedTuple):
    """One token; `line` and `column` count from 1, the column in code points of the line as written."""

    kind: TokenKind
    text: str
    line: int
    column: int

    @property
    def type(self) -> TokenKind:
        """The kind, by the name that the parser library looks for."""
        return self.kind

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)


_make_token = partial(tuple.__new__, Token)
"""Of a tuple of its fields; `Token(...)` itself takes three times as long."""


class PhysicalLine(NamedTuple):
    """One source line, split.

    Attributes:
        width: of the indentation in spaces.
        tokens: empty where the line holds nothing but white space and a comment.
        comment: from its `#` on without trailing white space, "" without one.
        bad: the first token that stands in no program: a character that GWL does not have, or a number
            that is too great.
    """

    number: int
    width: int
    tokens: tuple[Token, ...]
    comment: str
    bad: Token | None = None


def scan_line(number: int, text: str) -> PhysicalLine:
    """Splits one source line; characters that GWL does not have become `BAD` tokens."""
    code, mark, remark = text.partition("#")
    comment = (mark + remark).rstrip(WHITE_SPACE)
    indentation = _INDENTATION.match(code)
    assert indentation is not None, "the pattern matches the empty string"
    width = indentation.end() + indentation.group().count("\t") * (TAB_WIDTH - 1)
    if not code.strip(WHITE_SPACE):
        return PhysicalLine(number, width, (), comment)
    tokens = []
    bad = None
    column = indentation.end() + 1
    for blanks, found in _TOKEN.findall(code, indentation.end()):
        column += len(blanks)
        kind = _FIXED.get(found)
        if kind is None:
            kind = _BEGINNINGS.get(found[0], TokenKind.BAD)
            if bad is None and kind is not TokenKind.NAME and _is_bad(kind, found):
                bad = Token(kind, found, number, column)
        tokens.append(_make_token((kind, found, number, column)))
        column += len(found)
    return PhysicalLine(number, width, tuple(tokens), comment, bad)


def _is_bad(kind: TokenKind, text: str) -> bool:
    return kind is TokenKind.BAD or (len(text) >= _MAX_INTEGER_DIGITS and not is_integer_in_range(text))


def is_integer_in_range(digits: str) -> bool:
    """Whether a literal is at most 2^63-1, without building a number of any size."""
    significant = digits.lstrip("0")
    return len(significant) <= _MAX_INTEGER_DIGITS and int(significant or "0") <= MAX_INTEGER
