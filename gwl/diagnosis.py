"""What is wrong where the parser got stuck: the error code, the place and the words (GWL v1 section 6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gwl import syntax
from gwl.errors import ErrorCode, Problem
from gwl.layout import CLOSERS, OPENERS
from gwl.tokens import ACTIONS, KEYWORDS, Token, TokenKind
from gwl.wording import describe, shorten

OPERAND_KEYWORDS = frozenset({TokenKind.TRUE, TokenKind.FALSE, TokenKind.NOT})
NOT_OPERANDS = frozenset(KEYWORDS.values()) - OPERAND_KEYWORDS
"""Keywords that cannot stand where an operand must."""

BLOCK_WORDS = frozenset(
    {TokenKind.IF, TokenKind.ELIF, TokenKind.ELSE, TokenKind.WHILE, TokenKind.FOR, TokenKind.PROC}
)


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
    def needs_operand(self) -> bool:
        return TokenKind.INTEGER in self.expected

    @property
    def ends_expression(self) -> bool:
        """Whether the expression after a `WRONG` token is whole before the unexpected token."""
        if self.needs_operand or not self.read or _is_pending_call(self.read[-1]):
            return False
        opener = self.read[find_opener(self.read)]
        return opener is not None and opener.kind == TokenKind.WRONG

    @property
    def begins_statement(self) -> bool:
        return TokenKind.VAR in self.expected


def diagnose(impasse: Impasse) -> Problem:
    """Names the error of a line in which a statement, header or operand went wrong."""
    token = impasse.token
    if impasse.begins_statement:
        if token.kind == TokenKind.PROC:
            return _problem(
                ErrorCode.PROC_NESTED, token, 'a "proc" can stand at the top level only, never inside a block'
            )
        return _problem(
            ErrorCode.BAD_STATEMENT,
            token,
            f"expected a statement, which begins with a name or a keyword, found {describe(token)}",
        )
    if impasse.needs_operand:
        return _diagnose_operand(impasse)
    last = impasse.read[-1]
    if last is not None and _is_pending_call(last):
        return _not_an_operand(last)
    if TokenKind.NAME in impasse.expected:
        return _diagnose_name(impasse)
    return _diagnose_rest(impasse)


def diagnose_expression(expression: syntax.Expression, first: Token, follower: Token) -> Problem:
    """Names the error of a line that begins with a whole expression and is no statement.

    Args:
        first: the first token of the line.
        follower: the token after the expression.
    """
    if follower.kind == TokenKind.ASSIGN:
        return _problem(ErrorCode.NOT_ASSIGNABLE, first, 'cannot assign to what stands before the "="')
    if isinstance(expression, syntax.Call):
        message = f"expected the end of the line after this call, found {describe(follower)}"
        return _problem(ErrorCode.TRAILING_TOKENS, follower, message)
    return _problem(ErrorCode.EXPRESSION_STATEMENT, first, "the value of this expression is not used")


def _problem(code: ErrorCode, token: Token, message: str) -> Problem:
    return Problem(code, token.line, token.column, message)


def _diagnose_operand(impasse: Impasse) -> Problem:
    token = impasse.token
    if token.kind in NOT_OPERANDS:
        return _not_an_operand(token)
    before = next((item for item in reversed(impasse.read) if item is not None), None)
    where = f" after {describe(before)}" if before is not None and before is impasse.read[-1] else ""
    return _problem(ErrorCode.BAD_EXPRESSION, token, f"expected a value{where}, found {describe(token)}")


def _not_an_operand(token: Token) -> Problem:
    message = f'the keyword "{token.text}" is no value'
    if token.kind in (TokenKind.ELIF, TokenKind.ELSE):
        message = f'"{token.text}" does not belong to an "if" here'
    elif token.kind in (TokenKind.DIV, TokenKind.MOD):
        message = f'"{token.text}" needs a value on its left, or "(" and two arguments on its right'
    return _problem(ErrorCode.NOT_AN_EXPRESSION, token, message)


def _diagnose_name(impasse: Impasse) -> Problem:
    token = impasse.token
    words = {item.kind for item in impasse.read if item is not None}
    if TokenKind.VAR in words:
        wanted = 'a variable name after "var"'
    elif TokenKind.FOR in words:
        wanted = 'a variable name after "for"'
    elif TokenKind.LPAR in words:
        wanted = "a parameter name"
    else:
        wanted = 'a name after "proc"'
    found = describe(token)
    if token.kind in KEYWORDS.values():
        found += ", which cannot be used as a name"
    return _problem(ErrorCode.EXPECTED_NAME, token, f"expected {wanted}, found {found}")


def _diagnose_rest(impasse: Impasse) -> Problem:
    """What a whole operand, name or bracket is followed by, where that cannot stand."""
    token, read = impasse.token, impasse.read
    position = find_opener(read)
    opener = read[position]
    assert opener is not None, "an opener is a token"
    found = describe(token)

    def expect(wanted: str) -> Problem:
        return _problem(ErrorCode.EXPECTED_TOKEN, token, f"expected {wanted}, found {found}")

    match opener.kind:
        case TokenKind.LPAR | TokenKind.LSQB:
            return expect(_describe_closing(read, position))
        case TokenKind.VAR:
            return expect(f'"=" and a value after "var {_text(read[-1])}"')
        case TokenKind.IF | TokenKind.ELIF | TokenKind.WHILE:
            return expect(f'":" at the end of the "{opener.text}" condition')
        case TokenKind.ELSE:
            return expect('":" after "else"')
        case TokenKind.FOR:
            return expect(f'"in" after "for {_text(read[-1])}"')
        case TokenKind.IN:
            return expect('":" or a range ("..<" or "..") in the "for" header')
        case TokenKind.UNTIL | TokenKind.UPTO:
            return expect('":" at the end of the "for" header')
        case TokenKind.PROC if len(read) == position + 2:
            return expect(f'"(" after "proc {_text(read[-1])}"')
        case TokenKind.PROC:
            return expect('"=" at the end of the "proc" header')
        case TokenKind.MOVE | TokenKind.PLACE | TokenKind.BOMB | TokenKind.WAIT if len(read) == position + 1:
            return expect(f'"(" after "{opener.text}"')
        case TokenKind.COLON:
            message = f'the block after ":" must stand on lines of its own, found {found}'
        case TokenKind.ASSIGN if read[0] is not None and read[0].kind == TokenKind.PROC:
            message = f'the body after "=" must stand on lines of its own, found {found}'
        case _:
            message = f"expected the end of the line after this statement, found {found}"
    return _problem(ErrorCode.TRAILING_TOKENS, token, message)


def find_opener(read: Sequence[Token | None]) -> int:
    """The position of the innermost token that still waits for something."""
    depth = 0
    for position in range(len(read) - 1, -1, -1):
        item = read[position]
        if item is None:
            continue
        if item.kind in CLOSERS:
            depth += 1
        elif item.kind in OPENERS:
            if depth == 0:
                return position
            depth -= 1
        elif depth == 0 and item.kind in _WAITING:
            return position
    raise AssertionError("a line that is no expression begins with a word that stays on the stack")


_WAITING = (
    BLOCK_WORDS
    | frozenset(ACTIONS.values())
    | {
        TokenKind.VAR,
        TokenKind.IN,
        TokenKind.UNTIL,
        TokenKind.UPTO,
        TokenKind.RETURN,
        TokenKind.BREAK,
        TokenKind.CONTINUE,
        TokenKind.DISCARD,
        TokenKind.COLON,
        TokenKind.ASSIGN,
        TokenKind.WRONG,
    }
)


def _describe_closing(read: Sequence[Token | None], position: int) -> str:
    opener = read[position]
    assert opener is not None, "an opener is a token"
    before = read[position - 1] if position > 0 else None
    place = f"opened at {opener.line}:{opener.column}"
    if opener.kind == TokenKind.LSQB:
        # An index follows a whole part, a literal an operator or another bracket.
        if position > 0 and (before is None or before.kind in CLOSERS or before.kind == TokenKind.NAME):
            return f'"]" to close the index {place}'
        return f'"," or "]" in the array {place}'
    if before is not None and (before.kind in _CALLABLE):
        return f'"," or ")" in the arguments of "{before.text}" {place}'
    return f'")" to close the "(" {place}'


_CALLABLE = frozenset(ACTIONS.values()) | {TokenKind.NAME, TokenKind.DIV, TokenKind.MOD}


def _is_pending_call(item: Token | None) -> bool:
    """Whether it is a `div` or `mod` where an operand stands, which only a call could be."""
    return item is not None and item.kind in (TokenKind.DIV, TokenKind.MOD)


def _text(item: Token | None) -> str:
    return "" if item is None else shorten(item.text)
