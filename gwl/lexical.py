"""The errors of a script that can be told without its grammar: size, characters, numbers and indentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gwl.errors import ErrorCode, Problem
from gwl.layout import Indentation, LogicalLine
from gwl.limits import MAX_INTEGER, MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH
from gwl.tokens import Token, TokenKind
from gwl.wording import describe_character, shorten


def find_limit_problems(lines: Sequence[str]) -> Iterator[Problem]:
    """Finds the size limits that a source breaks. Nothing else is looked at in a source that is too big."""
    if len(lines) > MAX_LINES:
        message = f"the script has {len(lines)} lines; at most {MAX_LINES} are allowed"
        yield Problem(ErrorCode.TOO_MANY_LINES, len(lines), 1, message)
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE_LENGTH:
            message = f"the line has {len(line)} characters; at most {MAX_LINE_LENGTH} are allowed"
            yield Problem(ErrorCode.LINE_TOO_LONG, number, MAX_LINE_LENGTH + 1, message)
    length = sum(len(line) + 1 for line in lines)
    if length > MAX_SOURCE_LENGTH:
        message = (
            f"the script has {length} characters, each line counting its length + 1; "
            f"at most {MAX_SOURCE_LENGTH} are allowed"
        )
        yield Problem(ErrorCode.SOURCE_TOO_LONG, len(lines), 1, message)


def find_lexical_problems(lines: Iterable[LogicalLine]) -> Iterator[Problem]:
    """Finds at most one error of indentation and one of characters or numbers in each line, in order."""
    indentation = Indentation()
    for line in lines:
        open_widths = indentation.open_widths
        _, fits = indentation.enter(line.width)
        first = line.lines[0].tokens[0]
        if line.width % 2:
            message = f"the indentation is {line.width} spaces wide; it must be a multiple of 2"
            yield Problem(ErrorCode.ODD_INDENT, first.line, first.column, message)
        elif not fits:
            levels = " or ".join(map(str, open_widths))
            message = f"the indentation is {line.width} spaces wide; the blocks open here have {levels}"
            yield Problem(ErrorCode.BAD_DEDENT, first.line, first.column, message)
        for part in line.lines:
            if part.bad is not None:
                yield _describe_token(part.bad)


def _describe_token(token: Token) -> Problem:
    if token.kind is TokenKind.INTEGER:
        message = f"the number {shorten(token.text)} is greater than {MAX_INTEGER}"
        return Problem(ErrorCode.INT_RANGE, token.line, token.column, message)
    message = f"GWL has no character {describe_character(token.text)}"
    return Problem(ErrorCode.BAD_CHARACTER, token.line, token.column, message)
