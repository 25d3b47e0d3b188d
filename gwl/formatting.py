"""The canonical layout of a warrior, made from its tokens so that brackets, comments and line breaks stay.

Blocks are indented by 2 spaces and continuation lines by 4 more, infix operators have a space on either side,
and runs of blank lines become one. A line that this would make too long keeps its own spacing, and so do all
lines of a script that would grow too long: what keeps to the size limits still does when formatted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from gwl.layout import Indentation, join_lines
from gwl.limits import MAX_LINE_LENGTH, MAX_SOURCE_LENGTH
from gwl.parser import parse_source
from gwl.tokens import CLOSERS, OPENERS, OPERAND_ENDS, WHITE_SPACE, PhysicalLine, Token, TokenKind, scan_line

INDENT = 2
CONTINUATION_INDENT = 4

_CALLABLE_WORDS = frozenset({TokenKind.DIV, TokenKind.MOD})


class _Style(IntEnum):
    """How much of the canonical layout there is room for."""

    CANONICAL = 0
    OWN_SPACING = 1
    """Canonical indentation; inside the line the author's spacing."""
    SHORTEST = 2
    """The author's spacing, and blocks indented by tabs, which are one character each."""


class _Row(NamedTuple):
    """One line of the result.

    Attributes:
        indents: indentations to try in order, in spaces.
        text: in canonical spacing, "" for a blank line.
        own_text: in the author's spacing.
        shortest: the whole line, at most as long as in the source.
    """

    indents: tuple[int, ...]
    text: str
    own_text: str
    shortest: str


_BLANK = _Row((0,), "", "", "")


def format_source(lines: Sequence[str]) -> list[str]:
    """Formats a warrior without changing its meaning; formatting the result again changes nothing.

    Raises:
        CompileError: where it does not compile.
    """
    parse_source(lines)
    rows = list(_collapse_blanks(_make_rows(lines)))
    for style in _Style:
        result = [_render(row, style) for row in rows]
        if sum(len(line) + 1 for line in result) <= MAX_SOURCE_LENGTH:
            return result
    raise AssertionError("the shortest style is not longer than the source")


def _render(row: _Row, style: _Style) -> str:
    """The row in this style, or in the next one that fits into a line."""
    if style is _Style.SHORTEST:
        return row.shortest
    text = row.text if style is _Style.CANONICAL else row.own_text
    for indent in row.indents:
        if indent + len(text) <= MAX_LINE_LENGTH:
            return " " * indent + text
    return _render(row, _Style(style + 1))


def _collapse_blanks(rows: Iterable[_Row]) -> Iterator[_Row]:
    """Keeps one blank line of each run between others, none at the beginning and the end."""
    was_blank, is_first = False, True
    for row in rows:
        if not row.text:
            was_blank = True
            continue
        if was_blank and not is_first:
            yield _BLANK
        was_blank, is_first = False, False
        yield row


def _make_rows(lines: Sequence[str]) -> Iterator[_Row]:
    physical = [scan_line(number, text) for number, text in enumerate(lines, 1)]
    indentation = Indentation()
    done = 0
    for line in join_lines(physical):
        outer_widths = indentation.open_widths
        indentation.enter(line.width)
        level = len(indentation.open_widths) - 1
        start, end = line.lines[0].number - 1, line.lines[-1].number
        yield from _make_remark_rows(physical[done:start], lines, outer_widths, level)
        yield from _make_code_rows(physical[start:end], lines, level)
        done = end
    yield from _make_remark_rows(physical[done:], lines, indentation.open_widths, 0)


def _make_remark_rows(
    remarks: Iterable[PhysicalLine], lines: Sequence[str], outer_widths: Sequence[int], level: int
) -> Iterator[_Row]:
    """Comments and blank lines before a line at `level`, after one in the blocks of `outer_widths`."""
    for remark in remarks:
        # A comment belongs to the innermost block ending here that it is indented for, or to what follows.
        deepest = max(index for index, width in enumerate(outer_widths) if width <= remark.width)
        levels = range(max(deepest, level), level - 1, -1)
        source = lines[remark.number - 1].rstrip(WHITE_SPACE)
        yield _Row(tuple(INDENT * at for at in levels), remark.comment, remark.comment, source)


def _make_code_rows(parts: Iterable[PhysicalLine], lines: Sequence[str], level: int) -> Iterator[_Row]:
    """The lines of one statement or header, with the comments in between."""
    before: list[Token] = []
    for part in parts:
        source = lines[part.number - 1]
        if not part.tokens:
            if part.comment:
                indents = (INDENT * level + CONTINUATION_INDENT, 0)
                yield _Row(indents, part.comment, part.comment, source.rstrip(WHITE_SPACE))
            continue
        indent = INDENT * level
        if before and part.tokens[0].kind not in CLOSERS:
            indent += CONTINUATION_INDENT
        code, _, _ = source.partition("#")
        own_code = code[part.tokens[0].column - 1 :].replace("\t", " ")
        own_text = (own_code + part.comment).rstrip(WHITE_SPACE)
        text = _space_tokens(part.tokens, before)
        if part.comment:
            text += "  " + part.comment
        yield _Row((indent,), text, own_text, own_text if before else "\t" * level + own_text)
        before += part.tokens


def _space_tokens(tokens: Sequence[Token], before: Sequence[Token]) -> str:
    """Tokens of one line in canonical spacing; `before` are those of the statement's lines above."""
    texts: list[str] = []
    known: list[Token | None] = [None, None, *before]
    for token in tokens:
        if texts and _needs_space(known[-2], known[-1], token):
            texts.append(" ")
        texts.append(token.text)
        known.append(token)
    return "".join(texts)


def _needs_space(earlier: Token | None, previous: Token | None, token: Token) -> bool:
    assert previous is not None, "the first token of a line needs no space"
    follows_operand = previous.kind in OPERAND_ENDS
    if previous.kind in OPENERS or token.kind in CLOSERS or token.kind in (TokenKind.COMMA, TokenKind.COLON):
        return False
    if previous.kind == TokenKind.MINUS:
        return earlier is not None and earlier.kind in OPERAND_ENDS
    if token.kind == TokenKind.LSQB:
        return not follows_operand
    if token.kind == TokenKind.LPAR:
        is_prefix = previous.kind in _CALLABLE_WORDS and (earlier is None or earlier.kind not in OPERAND_ENDS)
        return not (previous.kind == TokenKind.NAME or is_prefix)
    return True
