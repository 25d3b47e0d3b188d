"""One pass over a script, line by line: layout, errors and recovery around a parser of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from gwl import syntax
from gwl.diagnosis import Impasse, diagnose, diagnose_expression
from gwl.errors import ErrorCode, Problem
from gwl.layout import Indentation, LogicalLine, join_lines
from gwl.lexical import find_lexical_problems
from gwl.recovery import EMPTY_BLOCK, find_restart, stand_in
from gwl.tokens import ACTIONS, Token, TokenKind, scan_line


class Automaton(Protocol):
    """A parser that takes tokens one by one and can be copied in the middle."""

    def copy(self) -> Self: ...

    def accepts(self, kind: TokenKind) -> bool:
        """Whether a token of this kind may come next."""

    def offer(self, tokens: Iterable[Token]) -> Impasse | None:
        """Takes tokens up to the first that no rule takes."""

    def complete_expression(self) -> syntax.Expression:
        """Ends the expression after a `WRONG` token and returns it; the automaton is spent."""

    def finish(self) -> tuple[syntax.Statement, ...]:
        """Ends the program."""


class Reader:
    """Feeds a parser with a script, and with stand-ins for the lines that it refuses.

    Attributes:
        lexical_problems: those that need no grammar, in order of the source.
        problems: the others, in the order found.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._physical = [scan_line(number, text) for number, text in enumerate(lines, 1)]
        self._logical = join_lines(self._physical)
        self.lexical_problems = list(find_lexical_problems(self._logical))
        self.problems: list[Problem] = []
        end_column = len(lines[-1].rstrip()) + 1 if lines else 1
        self._end = Token(TokenKind.END, "", max(1, len(lines)), end_column)
        self._indentation = Indentation()
        self._levels: list[bool] = []
        """For each open indentation level, whether the parser has a block for it."""
        self._header: Token | None = None
        """The first token of the line before, where that waits for its block."""
        self._damaged = {problem.line for problem in self.lexical_problems}
        """Numbers of lines with a lexical error, whose other errors are its consequences."""

    def list_tokens(self) -> list[Token]:
        """The whole script; no program to any grammar if it is laid out wrong."""
        tokens: list[Token] = []
        indentation = Indentation()
        for line in self._logical:
            change, _ = indentation.enter(line.width)
            if change:
                tokens += [_INDENT] if change > 0 else [_DEDENT] * -change
            tokens += _mark_action(line.tokens)
            if line.closed:
                tokens.append(_NEWLINE)
        tokens += [_DEDENT] * (len(indentation.open_widths) - 1)
        tokens.append(self._end)
        return tokens

    def read(self, automaton: Automaton) -> tuple[syntax.Statement, ...]:
        """The script's statements, and stand-ins for those that the automaton refuses."""
        self._automaton = automaton
        pending = self._logical[::-1]
        while pending:
            line = pending.pop()
            self._enter_level(line)
            before = self._automaton.copy()
            problem_line = self._read_line(line)
            if problem_line:
                restart = find_restart(line, problem_line)
                if restart is not None:
                    pending = join_lines(self._physical[restart - 1 :])[::-1]
                self._automaton = before
                self._stand_in(line, opens_block=bool(pending) and pending[-1].width > line.width)
        if self._header is not None:
            self._expect_block(self._end)
        for has_block in reversed(self._levels):
            if has_block:
                self._feed([TokenKind.DEDENT])
        return self._automaton.finish()

    def _enter_level(self, line: LogicalLine) -> None:
        """Opens and closes blocks by the indentation of a line."""
        first = line.tokens[0]
        change, fits = self._indentation.enter(line.width)
        if not fits or line.width % 2:
            self._damaged.add(first.line)
        if self._header is not None and change > 0:
            self._feed([TokenKind.INDENT])
            self._levels.append(True)
            self._header = None
        elif self._header is not None:
            self._expect_block(first)
        elif change > 0:
            if first.line not in self._damaged:
                self._report_indent(first)
            self._levels.append(False)
        for _ in range(-change):
            if self._levels.pop():
                self._feed([TokenKind.DEDENT])

    def _report_indent(self, token: Token) -> None:
        if any(self._levels):
            code, message = ErrorCode.BAD_STATEMENT, "the line is indented deeper than its block"
        else:
            code, message = ErrorCode.UNEXPECTED_INDENT, "the line is indented, but no block opens here"
        self.problems.append(Problem(code, token.line, token.column, message))

    def _expect_block(self, token: Token) -> None:
        """Reports that the block of the header before is missing, and puts one in its place."""
        assert self._header is not None, "a header came before"
        if token.line not in self._damaged:
            message = (
                f'expected an indented block after the "{self._header.text}" of line {self._header.line}'
            )
            self.problems.append(Problem(ErrorCode.EXPECTED_BLOCK, token.line, token.column, message))
        self._feed(EMPTY_BLOCK)
        self._header = None

    def _read_line(self, line: LogicalLine) -> int:
        """Feeds a line; returns the number of the physical line that is damaged, 0 where none is."""
        for part in line.lines:
            if part.number in self._damaged:
                return part.number
        tokens = _mark_action(line.tokens)
        end = Token(TokenKind.NEWLINE, "", tokens[-1].line, tokens[-1].end_column)
        problem = self._try_line([*tokens, end if line.closed else self._end])
        if problem is not None:
            self.problems.append(problem)
            return problem.line
        if self._automaton.accepts(TokenKind.INDENT):
            self._header = tokens[0]
        return 0

    def _stand_in(self, line: LogicalLine, *, opens_block: bool) -> None:
        tokens = _mark_action(line.tokens)
        self._feed(stand_in(tokens, self._automaton.accepts, opens_block))
        if opens_block:
            self._header = tokens[0]

    def _try_line(self, tokens: Sequence[Token]) -> Problem | None:
        """Feeds a whole line; what remains of the automaton after a problem is of no use."""
        saved = self._automaton.copy()
        impasse = self._automaton.offer(tokens)
        if impasse is None:
            return None
        first = tokens[0]
        if first.kind not in _EXPRESSION_WORDS and (first.kind not in _ELSE_WORDS or impasse.token != first):
            return diagnose(impasse)
        broken = saved.offer([Token(TokenKind.WRONG, "", first.line, first.column), *tokens])
        if broken is not None and not broken.ends_expression:
            return diagnose(broken)
        expression = saved.complete_expression()
        follower = tokens[-1] if broken is None else broken.token
        if follower.kind == TokenKind.ASSIGN and isinstance(expression, syntax.Name | syntax.Index):
            return diagnose(impasse)
        return diagnose_expression(expression, first, follower)

    def _feed(self, kinds: Iterable[TokenKind]) -> None:
        """Feeds what is not in the source; nodes made of it are at column 0."""
        impasse = self._automaton.offer(Token(kind, "", 0, 0) for kind in kinds)
        assert impasse is None, "what stands in for source is always taken"


_INDENT, _DEDENT, _NEWLINE = (
    Token(kind, "", 0, 0) for kind in (TokenKind.INDENT, TokenKind.DEDENT, TokenKind.NEWLINE)
)


def _mark_action(tokens: Sequence[Token]) -> Sequence[Token]:
    """Tells the parser that the first token of a statement is an action, not a name."""
    first = tokens[0]
    kind = ACTIONS.get(first.text)
    return tokens if kind is None else [Token(kind, first.text, first.line, first.column), *tokens[1:]]


_EXPRESSION_WORDS = frozenset(
    {
        TokenKind.NAME,
        TokenKind.TRUE,
        TokenKind.FALSE,
        TokenKind.NOT,
        TokenKind.DIV,
        TokenKind.MOD,
        TokenKind.IN,
        TokenKind.AND,
        TokenKind.OR,
    }
)
_ELSE_WORDS = frozenset({TokenKind.ELIF, TokenKind.ELSE})
