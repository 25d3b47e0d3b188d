"""How the parser goes on after an error: what stands in for a damaged line, and where to start again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gwl.layout import LogicalLine
from gwl.tokens import ACTIONS, Token, TokenKind

EMPTY_BLOCK = (TokenKind.INDENT, TokenKind.DISCARD, TokenKind.TRUE, TokenKind.NEWLINE, TokenKind.DEDENT)
"""Stands in for a block that is missing."""

_STATEMENT = (TokenKind.DISCARD, TokenKind.TRUE, TokenKind.NEWLINE)
_PROC_WORDS = frozenset({"def", "function", "func", "fn", "fun", "sub", "method", "void", "int"})
_ELIF_WORDS = frozenset({"elseif", "elsif", "elsei", "elif"})

_RESTART_KINDS = frozenset(
    {
        TokenKind.VAR,
        TokenKind.IF,
        TokenKind.ELIF,
        TokenKind.ELSE,
        TokenKind.WHILE,
        TokenKind.FOR,
        TokenKind.PROC,
        TokenKind.RETURN,
        TokenKind.BREAK,
        TokenKind.CONTINUE,
        TokenKind.DISCARD,
    }
)


def stand_in(
    tokens: Sequence[Token], accepts: Callable[[TokenKind], bool], opens_block: bool
) -> list[TokenKind]:
    """Token kinds that the parser takes in the place of a damaged line.

    Args:
        tokens: of the damaged line.
        accepts: whether the parser takes a kind at the beginning of that line.
        opens_block: whether the next line is indented deeper, so that the line was meant as a header.
    """
    header = _stand_in_header(tokens, accepts, opens_block)
    if header is None:
        return [*_STATEMENT]
    return [*header, TokenKind.NEWLINE] if opens_block else [*header, TokenKind.NEWLINE, *EMPTY_BLOCK]


def find_restart(line: LogicalLine, problem_line: int) -> int | None:
    """The number of a physical line that was joined to a damaged one, but begins a statement of its own.

    An unclosed bracket would else hide the rest of the script.
    """
    for part in line.lines[1:]:
        if part.number < problem_line:
            continue
        first, *rest = part.tokens
        follower = rest[0].kind if rest else None
        if first.kind in _RESTART_KINDS or (first.kind == TokenKind.NAME and follower == TokenKind.ASSIGN):
            return part.number
        # An action's name may stand for a proc inside brackets, so it takes more to tell.
        suspicious = part.number == problem_line or not line.closed
        if suspicious and first.text in ACTIONS and follower == TokenKind.LPAR:
            return part.number
    return None


def _stand_in_header(
    tokens: Sequence[Token], accepts: Callable[[TokenKind], bool], opens_block: bool
) -> tuple[TokenKind, ...] | None:
    first = tokens[0]
    kind = first.kind
    continues_if = accepts(TokenKind.ELIF)
    is_else_if = kind == TokenKind.ELSE and len(tokens) > 1 and tokens[1].kind == TokenKind.IF
    if continues_if and (kind == TokenKind.ELIF or is_else_if or first.text.lower() in _ELIF_WORDS):
        return TokenKind.ELIF, TokenKind.TRUE, TokenKind.COLON
    if continues_if and kind == TokenKind.ELSE:
        return TokenKind.ELSE, TokenKind.COLON
    if kind in (TokenKind.IF, TokenKind.ELIF, TokenKind.ELSE):
        return TokenKind.IF, TokenKind.TRUE, TokenKind.COLON
    is_proc = kind == TokenKind.PROC or (opens_block and first.text in _PROC_WORDS)
    if is_proc and accepts(TokenKind.PROC):
        return TokenKind.PROC, TokenKind.NAME, TokenKind.LPAR, TokenKind.RPAR, TokenKind.ASSIGN
    if opens_block or kind in (TokenKind.WHILE, TokenKind.FOR, TokenKind.PROC):
        return TokenKind.WHILE, TokenKind.TRUE, TokenKind.COLON
    return None
