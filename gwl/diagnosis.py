"""What is wrong where the parser got stuck: the error code, the place and the words (GWL v1 section 6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gwl import syntax
from gwl.errors import ErrorCode, Problem
from gwl.tokens import ACTIONS, CLOSERS, KEYWORDS, OPENERS, OPERAND_ENDS, Token, TokenKind
from gwl.wording import describe, shorten

_ACTION_KINDS = frozenset(ACTIONS.values())
_INFIX_WORDS = frozenset({TokenKind.DIV, TokenKind.MOD})
_OPERAND_WORDS = frozenset({TokenKind.TRUE, TokenKind.FALSE, TokenKind.NOT})

_WAITING = _ACTION_KINDS | {
    TokenKind.VAR,
    TokenKind.IF,
    TokenKind.ELIF,
    TokenKind.ELSE,
    TokenKind.WHILE,
    TokenKind.FOR,
    TokenKind.IN,
    TokenKind.UNTIL,
    TokenKind.UPTO,
    TokenKind.PROC,
    TokenKind.RETURN,
    TokenKind.BREAK,
    TokenKind.CONTINUE,
    TokenKind.DISCARD,
    TokenKind.COLON,
    TokenKind.ASSIGN,
    TokenKind.WRONG,
}
"""Tokens that something must follow, or that a statement stands on, the brackets aside."""


_CONDITION_WORDS = frozenset({TokenKind.IF, TokenKind.ELIF, TokenKind.WHILE, TokenKind.FOR})
_STATEMENT_WORDS = frozenset(KEYWORDS.values()) - _OPERAND_WORDS - _INFIX_WORDS - {TokenKind.IN} | {
    TokenKind.NAME
}


@dataclass(frozen=True, slots=True)
class Impasse:
    """A token that no rule takes.

    Attributes:
        token: the unexpected one.
        expected: kinds that the parser could have taken, and more (LALR lookaheads are merged).
        read: what the parser holds of this line, in order: tokens, and None for each whole part.
    """

    token: Token
    expected: Collection[str]
    read: Sequence[Token | None]

    @property
    def begins_statement(self) -> bool:
        return TokenKind.VAR in self.expected

    @property
    def needs_operand(self) -> bool:
        return TokenKind.INTEGER in self.expected

    @property
    def ends_expression(self) -> bool:
        """Whether the expression after a `WRONG` token is whole before the unexpected token."""
        if self.needs_operand or _kind(self.read[-1]) in _INFIX_WORDS:
            return False
        return _kind(self.read[_find_waiting(self.read)]) == TokenKind.WRONG


def diagnose(impasse: Impasse) -> Problem:
    """Names the error of a line in which a statement, a header or an expression went wrong."""
    token = impasse.token
    if impasse.begins_statement and token.kind == TokenKind.PROC:
        return _problem(
            ErrorCode.PROC_NESTED, token, 'a "proc" stands at the top level, never inside a block'
        )
    if impasse.begins_statement:
        message = f"a statement begins with a name or a keyword, not with {describe(token)}"
        return _problem(ErrorCode.BAD_STATEMENT, token, message)
    last = impasse.read[-1]
    if impasse.needs_operand and token.kind in KEYWORDS.values():
        return _refuse_word(token)._replace(hint=_hint_unclosed(impasse))
    if impasse.needs_operand:
        after = "" if last is None else f" after {describe(last)}"
        message = f"expected a value{after}, found {describe(token)}"
        return Problem(ErrorCode.BAD_EXPRESSION, token.line, token.column, message, _hint_unclosed(impasse))
    if last is not None and last.kind in _INFIX_WORDS:
        return _refuse_word(last)
    if TokenKind.NAME in impasse.expected:
        return _diagnose_name(impasse)
    return _diagnose_sequel(impasse)


def diagnose_expression(expression: syntax.Expression, first: Token, follower: Token) -> Problem:
    """Names the error of a line that begins with a whole expression and is no statement.

    Args:
        first: the first token of the line.
        follower: the token after the expression.
    """
    if follower.kind == TokenKind.ASSIGN:
        message = 'the left side of "=" must be a name or an element such as a[i]'
        return _problem(ErrorCode.NOT_ASSIGNABLE, first, message)
    if isinstance(expression, syntax.Call):
        message = f"expected the end of the line after this call, found {describe(follower)}"
        return _problem(ErrorCode.TRAILING_TOKENS, follower, message)
    if not isinstance(expression, syntax.Name):
        message = "this expression is no statement: nothing is done with its value"
    elif follower.kind in (TokenKind.NEWLINE, TokenKind.END):
        message = f'the name "{shorten(first.text)}" alone is no statement'
    else:
        message = f'no statement begins with the name "{shorten(first.text)}" and {describe(follower)}'
    return _problem(ErrorCode.EXPRESSION_STATEMENT, first, message)


def _problem(code: ErrorCode, token: Token, message: str) -> Problem:
    return Problem(code, token.line, token.column, message)


def _kind(item: Token | None) -> TokenKind | None:
    return None if item is None else item.kind


def _refuse_word(token: Token) -> Problem:
    """A keyword where an operand must stand."""
    if token.kind in (TokenKind.ELIF, TokenKind.ELSE):
        message = f'there is no "if" at this indentation that the "{token.text}" could belong to'
    elif token.kind in _INFIX_WORDS:
        message = f'"{token.text}" stands between two values, or before "(" and two arguments'
    else:
        message = f'expected a value, found the keyword "{token.text}"'
    return _problem(ErrorCode.NOT_AN_EXPRESSION, token, message)


def _diagnose_name(impasse: Impasse) -> Problem:
    token, read = impasse.token, impasse.read
    last = read[-1]
    assert last is not None, "a name follows a token"
    if last.kind in (TokenKind.VAR, TokenKind.FOR):
        wanted = f'a variable name after "{last.text}"'
    elif last.kind == TokenKind.PROC:
        wanted = 'the name of the proc after "proc"'
    else:
        wanted = "a parameter name"
    found = describe(token)
    if token.kind in KEYWORDS.values():
        found += ", which can never be a name"
    return _problem(ErrorCode.EXPECTED_NAME, token, f"expected {wanted}, found {found}")


def _diagnose_sequel(impasse: Impasse) -> Problem:
    """A whole operand, name or bracket, and what cannot stand after it."""
    token, read = impasse.token, impasse.read
    wanted = _describe_wanted(read)
    if wanted:
        message = f"expected {wanted}, found {describe(token)}"
        return Problem(ErrorCode.EXPECTED_TOKEN, token.line, token.column, message, _hint_unclosed(impasse))
    waiting = read[_find_waiting(read)]
    if _kind(waiting) == TokenKind.COLON or _kind(read[0]) == TokenKind.PROC:
        message = f"the block must stand on lines of its own, found {describe(token)}"
    else:
        message = f"expected the end of the line after this statement, found {describe(token)}"
    return _problem(ErrorCode.TRAILING_TOKENS, token, message)


def _describe_wanted(read: Sequence[Token | None]) -> str:
    """What must stand next to go on, "" after a whole statement or header."""
    position = _find_waiting(read)
    waiting, last = read[position], read[-1]
    assert waiting is not None, "only tokens wait"
    name = "" if last is None else shorten(last.text)
    is_last = position == len(read) - 1
    match waiting.kind:
        case TokenKind.LPAR | TokenKind.LSQB:
            return _describe_closer(read, position)
        case TokenKind.VAR:
            return f'"=" and a value after "var {name}"'
        case TokenKind.IF | TokenKind.ELIF | TokenKind.WHILE:
            return f'":" at the end of the "{waiting.text}" condition'
        case TokenKind.ELSE:
            return '":" after "else"'
        case TokenKind.FOR:
            return f'"in" after "for {name}"'
        case TokenKind.IN:
            return '":", ".." or "..<" in the "for" header'
        case TokenKind.UNTIL | TokenKind.UPTO:
            return '":" at the end of the "for" header'
        case TokenKind.PROC if position == len(read) - 2:
            return f'"(" after "proc {name}"'
        case TokenKind.PROC:
            return '"=" at the end of the "proc" header'
        case kind if kind in _ACTION_KINDS and is_last:
            return f'"(" after "{name}"'
        case _:
            return ""


def _describe_closer(read: Sequence[Token | None], position: int) -> str:
    bracket = read[position]
    assert bracket is not None, "brackets are tokens"
    before = read[position - 1]
    follows_operand = before is None or before.kind in OPERAND_ENDS
    place = f"opened at {bracket.line}:{bracket.column}"
    if bracket.kind == TokenKind.LSQB:
        return f'"]" after the index {place}' if follows_operand else f'"," or "]" in the array {place}'
    if position == 2 and _kind(read[0]) == TokenKind.PROC:
        return f'"," or ")" in the parameters {place}'
    earlier = read[position - 2]
    is_prefix_word = (
        _kind(before) in _INFIX_WORDS and earlier is not None and earlier.kind not in OPERAND_ENDS
    )
    if before is not None and (before.kind in _ACTION_KINDS or follows_operand or is_prefix_word):
        return f'"," or ")" in the arguments of "{shorten(before.text)}" {place}'
    return f'")" to close the "(" {place}'


def _hint_unclosed(impasse: Impasse) -> str:
    """A hint at an open bracket where its line, its statement or the script is over."""
    token = impasse.token
    bracket = impasse.read[_find_waiting(impasse.read)] if impasse.read else None
    if bracket is None or bracket.kind not in OPENERS:
        return ""
    is_over = (
        token.kind in (TokenKind.NEWLINE, TokenKind.END)
        or (token.kind == TokenKind.COLON and _kind(impasse.read[0]) in _CONDITION_WORDS)
        or (token.line > bracket.line and token.kind in _STATEMENT_WORDS)
    )
    return f'the "{bracket.text}" at {bracket.line}:{bracket.column} is not closed' if is_over else ""


def _find_waiting(read: Sequence[Token | None]) -> int:
    """The position of the innermost token that something must follow, or of the statement's word."""
    depth = 0
    for position in range(len(read) - 1, -1, -1):
        kind = _kind(read[position])
        if kind in CLOSERS:
            depth += 1
        elif kind in OPENERS and depth > 0:
            depth -= 1
        elif depth == 0 and (kind in OPENERS or kind in _WAITING):
            return position
    raise AssertionError("a line begins with a word that the parser holds to its end")
