"""What an editor is told of a script: findings with their extent, and what stands or may stand at a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from gwl import CompileError, Diagnostic, ErrorCode, check_source, format_source
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.limits import MAX_SOURCE_LENGTH
from gwl.lsp.document import Document, Place
from gwl.lsp.meanings import Meaning
from gwl.lsp.names import Declaration, NameKind, Names
from gwl.tokens import ACTIONS, KEYWORDS, Token, TokenKind, scan_line

_SIZE_CODES = (ErrorCode.TOO_MANY_LINES, ErrorCode.LINE_TOO_LONG, ErrorCode.SOURCE_TOO_LONG)
_DECLARING = (TokenKind.VAR, TokenKind.FOR, TokenKind.PROC)


class ItemKind(Enum):
    """What a completion stands for."""

    KEYWORD = auto()
    ACTION = auto()
    BUILTIN = auto()
    CONSTANT = auto()
    VARIABLE = auto()
    PROC = auto()


@dataclass(frozen=True, slots=True)
class Item:
    """One completion: the word, and what the editor shows beside it."""

    label: str
    kind: ItemKind
    detail: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Hover:
    """What the editor shows of the word that begins at `start`: Markdown."""

    start: Place
    end: Place
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic and where its extent ends."""

    diagnostic: Diagnostic
    end: Place


def list_findings(document: Document) -> Iterator[Finding]:
    """What `gwl check` says."""
    if document.is_too_long:
        message = f"the script has {document.length} characters; at most {MAX_SOURCE_LENGTH} are allowed"
        yield Finding(Diagnostic(ErrorCode.SOURCE_TOO_LONG, 1, 1, message, ""), Place(1, 1))
        return
    for diagnostic in check_source(document.lines):
        yield Finding(diagnostic, Place(diagnostic.line, _find_end(diagnostic)))


def _find_end(diagnostic: Diagnostic) -> int:
    """The column behind the token that a diagnostic points at, or behind a line whose size is wrong."""
    line_end = len(diagnostic.source) + 1
    if diagnostic.code in _SIZE_CODES:
        return max(diagnostic.column, line_end)
    for token in scan_line(diagnostic.line, diagnostic.source).tokens:
        if token.column <= diagnostic.column < token.end_column:
            return token.end_column
    return max(diagnostic.column, min(diagnostic.column + 1, line_end))


def render_formatted(document: Document) -> str | None:
    """The whole text as `gwl fmt` lays it out, in its own line ends; None where it does not compile."""
    if document.is_too_long:
        return None
    try:
        lines = format_source(document.lines)
    except CompileError:
        return None
    return "".join(line + document.line_end for line in lines)


def find_hover(document: Document, place: Place, meanings: Mapping[str, Meaning]) -> Hover | None:
    """What the word at a place is."""
    word = _find_word(document, place)
    if word is None:
        return None
    token, follower, is_first = word
    text = _explain(token.text, meanings, is_call=follower == TokenKind.LPAR, begins_line=is_first)
    if text is None and token.kind is TokenKind.NAME:
        declared = find_declaration(document, place)
        text = None if declared is None else _describe(declared)
    if text is None:
        return None
    return Hover(Place(token.line, token.column), Place(token.line, token.end_column), text)


def _explain(name: str, meanings: Mapping[str, Meaning], *, is_call: bool, begins_line: bool) -> str | None:
    """A name of the language, where it stands as what it means."""
    if name in ACTIONS and begins_line:
        kind = "action, ends the tick"
    elif name in CONSTANTS or name in CALLED_WHEN_READ:
        kind = "constant"
    elif name in BUILTINS and (is_call or name in KEYWORDS):
        kind = "builtin"
    else:
        return None
    meaning = meanings.get(name, Meaning(name, ""))
    return f"```gwl\n{meaning.signature}\n```\n*{kind}*\n\n{meaning.text}".rstrip()


def _describe(declared: Declaration) -> str:
    owner = f" of {declared.owner}" if declared.owner else ""
    return f"```gwl\n{_render_signature(declared)}\n```\n*{declared.kind}{owner}*, line {declared.token.line}"


def _render_signature(declared: Declaration) -> str:
    if declared.kind is NameKind.PROC:
        return f"proc {declared.name}({', '.join(declared.parameters)})"
    return declared.name


def find_declaration(document: Document, place: Place) -> Declaration | None:
    """Where the name at a place is declared, if the script itself does."""
    word = _find_word(document, place)
    if word is None or word[0].kind is not TokenKind.NAME:
        return None
    token, follower, _ = word
    return Names(document.lines).resolve(token.text, token.line, is_proc=follower == TokenKind.LPAR)


def _find_word(document: Document, place: Place) -> tuple[Token, TokenKind | None, bool] | None:
    """The name or keyword at a place or before it, the kind after it, and whether it begins its line."""
    if place.line > len(document.lines):
        return None
    tokens = scan_line(place.line, document.lines[place.line - 1]).tokens
    for index, token in enumerate(tokens):
        is_word = token.kind is TokenKind.NAME or token.text in KEYWORDS
        if is_word and token.column <= place.column <= token.end_column:
            follower = tokens[index + 1].kind if index + 1 < len(tokens) else None
            return token, follower, index == 0
    return None


def list_completions(document: Document, place: Place, meanings: Mapping[str, Meaning]) -> list[Item]:
    """What may be written at a place; nothing in a comment, or where a name is being declared."""
    if document.is_too_long:
        return []
    line = document.lines[place.line - 1] if place.line <= len(document.lines) else ""
    before = line[: place.column - 1]
    tokens = [token for token in scan_line(place.line, before).tokens if token.end_column < place.column]
    if "#" in before or (tokens and tokens[-1].kind in _DECLARING):
        return []
    items = {item.label: item for item in _list_declared(document, place.line)}
    items.update((item.label, item) for item in _list_language(meanings, begins_line=not tokens))
    return list(items.values())


def _list_declared(document: Document, line: int) -> Iterator[Item]:
    for declared in Names(document.lines).list_visible(line):
        kind = ItemKind.PROC if declared.kind is NameKind.PROC else ItemKind.VARIABLE
        yield Item(declared.name, kind, f"{_render_signature(declared)}  ({declared.kind})")


def _list_language(meanings: Mapping[str, Meaning], *, begins_line: bool) -> Iterator[Item]:
    for name in KEYWORDS:
        yield Item(name, ItemKind.KEYWORD, "keyword")
    kinds = {name: ItemKind.BUILTIN for name in BUILTINS if name not in KEYWORDS}
    kinds |= dict.fromkeys((*CONSTANTS, *CALLED_WHEN_READ), ItemKind.CONSTANT)
    kinds |= dict.fromkeys(ACTIONS, ItemKind.ACTION) if begins_line else {}
    for name, kind in kinds.items():
        meaning = meanings.get(name, Meaning(name, ""))
        yield Item(name, kind, meaning.signature, meaning.text)
