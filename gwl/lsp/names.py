"""What a script declares and where each name is visible, as far as can be told while it is being written.

The compiler's scopes need a script that compiles; this goes by first words and indentation alone, so that a
statement half typed hides nothing (GWL v1 section 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gwl.layout import join_lines
from gwl.tokens import KEYWORDS, PhysicalLine, Token, TokenKind, scan_line

_EXPRESSION_WORDS = frozenset({"in", "true", "false", "and", "or", "not", "div", "mod"})
_STATEMENT_WORDS = frozenset(kind for word, kind in KEYWORDS.items() if word not in _EXPRESSION_WORDS)


class NameKind(StrEnum):
    PROC = "proc"
    GLOBAL = "global variable"
    LOCAL = "local variable"
    LOOP = "loop variable"
    """Of a proc; at top level it is a global."""
    PARAMETER = "parameter"


@dataclass(frozen=True, slots=True)
class Declaration:
    """One name where it is declared.

    Attributes:
        token: the name.
        first_line, last_line: of a local name where it is visible, of a proc where it stands.
        parameters: of a proc.
        owner: the proc that a local name belongs to, "" for others.
    """

    kind: NameKind
    token: Token
    first_line: int
    last_line: int
    parameters: tuple[str, ...] = ()
    owner: str = ""

    @property
    def name(self) -> str:
        return self.token.text

    @property
    def is_everywhere(self) -> bool:
        return self.kind in (NameKind.PROC, NameKind.GLOBAL)


class Names:
    """The declarations of a script, in order of the source."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.declarations = _find_declarations(lines)

    def list_visible(self, line: int) -> list[Declaration]:
        """What can be named in a line: of each name the proc and the innermost variable."""
        visible: dict[tuple[bool, str], Declaration] = {}
        for found in self.declarations:
            key = found.kind is NameKind.PROC, found.name
            known = visible.get(key)
            if found.is_everywhere:
                visible.setdefault(key, found)
            elif found.first_line <= line <= found.last_line and (known is None or _is_inner(found, known)):
                visible[key] = found
        return list(visible.values())

    def resolve(self, name: str, line: int, *, is_proc: bool) -> Declaration | None:
        """The declaration that a name in a line means, as a proc or as a variable."""
        for found in self.list_visible(line):
            if found.name == name and (found.kind is NameKind.PROC) == is_proc:
                return found
        return None


def _is_inner(found: Declaration, known: Declaration) -> bool:
    return known.is_everywhere or found.first_line >= known.first_line


def _find_declarations(lines: Sequence[str]) -> list[Declaration]:
    found: list[Declaration] = []
    open_: list[tuple[int, int]] = []  # least width that keeps it open, and index in `found`
    proc = ""
    for width, line, tokens in _list_statements(lines):
        while open_ and width < open_[-1][0]:
            _, index = open_.pop()
            found[index] = replace(found[index], last_line=line - 1)
        if width == 0:
            proc = ""
        for declaration in _read_statement(width, tokens, proc):
            kind = declaration.kind
            if kind is NameKind.PROC:
                proc = declaration.name
            if kind is not NameKind.GLOBAL:
                open_.append((width if kind is NameKind.LOCAL else width + 1, len(found)))
                declaration = replace(declaration, last_line=len(lines) + 1)
            found.append(declaration)
    return found


def _list_statements(lines: Sequence[str]) -> Iterator[tuple[int, int, Iterator[Token]]]:
    """Indentation, line and tokens of what begins a statement; an open bracket above hides none."""
    for logical in join_lines(scan_line(number, text) for number, text in enumerate(lines, 1)):
        for index, part in enumerate(logical.lines):
            if index == 0 or part.tokens[0].kind in _STATEMENT_WORDS:
                yield part.width, part.number, _chain_tokens(logical.lines, index)


def _chain_tokens(parts: tuple[PhysicalLine, ...], index: int) -> Iterator[Token]:
    while index < len(parts):
        yield from parts[index].tokens
        index += 1


def _read_statement(width: int, tokens: Iterator[Token], proc: str) -> Iterator[Declaration]:
    first = next(tokens)
    if first.kind not in (TokenKind.VAR, TokenKind.FOR, TokenKind.PROC):
        return
    name = next(tokens, None)
    if name is None or name.kind is not TokenKind.NAME:
        return
    if first.kind is TokenKind.PROC:
        parameters = list(_read_parameters(tokens)) if width == 0 else []
        texts = tuple(parameter.text for parameter in parameters)
        yield Declaration(NameKind.PROC, name, first.line, first.line, texts)
        for parameter in parameters:
            yield Declaration(NameKind.PARAMETER, parameter, first.line, first.line, owner=name.text)
    elif not proc:
        yield Declaration(NameKind.GLOBAL, name, first.line, first.line)
    else:
        kind = NameKind.LOCAL if first.kind is TokenKind.VAR else NameKind.LOOP
        yield Declaration(kind, name, first.line, first.line, owner=proc)


def _read_parameters(tokens: Iterator[Token]) -> Iterator[Token]:
    """The names between the brackets, as far as they are there."""
    opening = next(tokens, None)
    if opening is None or opening.kind is not TokenKind.LPAR:
        return
    for token in tokens:
        if token.kind is TokenKind.NAME:
            yield token
        elif token.kind is not TokenKind.COMMA:
            return
