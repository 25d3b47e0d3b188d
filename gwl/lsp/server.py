"""The protocol: an editor's requests over standard input and output; the only importer of pygls."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.metadata import version

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from gwl import Severity
from gwl.lsp.answers import (
    ItemKind,
    find_declaration,
    find_hover,
    list_completions,
    list_findings,
    render_formatted,
)
from gwl.lsp.document import Document, Place, Position
from gwl.lsp.meanings import Meaning
from gwl.lsp.names import NameKind, Names

_ITEM_KINDS = {
    ItemKind.KEYWORD: types.CompletionItemKind.Keyword,
    ItemKind.ACTION: types.CompletionItemKind.Event,
    ItemKind.BUILTIN: types.CompletionItemKind.Function,
    ItemKind.CONSTANT: types.CompletionItemKind.Constant,
    ItemKind.VARIABLE: types.CompletionItemKind.Variable,
    ItemKind.PROC: types.CompletionItemKind.Function,
}
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}


def serve(meanings: Mapping[str, Meaning]) -> None:
    """Serves one editor until it goes away.

    Args:
        meanings: what is said of the names of the language.
    """
    # pygls closes what it writes to, and the process flushes its own output at its end.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        make_server(meanings).start_io(stdout=output)


def make_server(meanings: Mapping[str, Meaning]) -> LanguageServer:
    """A server that keeps nothing but the open texts; each change sends a whole one, which is short."""
    server = LanguageServer("gwl", version("gridwars"), types.TextDocumentSyncKind.Full)

    def open_document(uri: str) -> Document:
        text = server.workspace.get_text_document(uri)
        return Document(text.source, text.position_codec.client_num_units)

    def publish(uri: str) -> None:
        document = open_document(uri)
        diagnostics = [
            types.Diagnostic(
                _make_range(document, Place(found.diagnostic.line, found.diagnostic.column), found.end),
                "\nhint: ".join(filter(None, (found.diagnostic.message, found.diagnostic.hint))),
                severity=_SEVERITIES[found.diagnostic.severity],
                code=found.diagnostic.code.value,
                source="gwl",
            )
            for found in list_findings(document)
        ]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def opened(params: types.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    def changed(params: types.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    def hover(params: types.HoverParams) -> types.Hover | None:
        document = open_document(params.text_document.uri)
        found = find_hover(document, _read_position(document, params.position), meanings)
        if found is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(content, _make_range(document, found.start, found.end))

    def complete(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = open_document(params.text_document.uri)
        return [
            types.CompletionItem(
                item.label,
                kind=_ITEM_KINDS[item.kind],
                detail=item.detail,
                documentation=types.MarkupContent(types.MarkupKind.Markdown, item.text),
            )
            for item in list_completions(document, _read_position(document, params.position), meanings)
        ]

    def format_document(params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        text = server.workspace.get_text_document(params.text_document.uri).source
        document = open_document(params.text_document.uri)
        formatted = render_formatted(document)
        if formatted is None:
            return None
        whole = types.Range(types.Position(0, 0), types.Position(*document.end))
        return [] if formatted == text else [types.TextEdit(whole, formatted)]

    def find_definition(params: types.DefinitionParams) -> types.Location | None:
        document = open_document(params.text_document.uri)
        found = find_declaration(document, _read_position(document, params.position))
        if found is None:
            return None
        token = found.token
        place, end = Place(token.line, token.column), Place(token.line, token.end_column)
        return types.Location(params.text_document.uri, _make_range(document, place, end))

    def list_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = open_document(params.text_document.uri)
        symbols: dict[tuple[NameKind, str], types.DocumentSymbol] = {}
        for found in Names(document.lines).declarations:
            if not found.is_everywhere:
                continue
            token, is_proc = found.token, found.kind is NameKind.PROC
            name = _make_range(document, Place(token.line, token.column), Place(token.line, token.end_column))
            block = _make_range(document, Place(found.first_line, 1), Place(found.last_line + 1, 1))
            symbol = types.DocumentSymbol(
                found.name,
                types.SymbolKind.Function if is_proc else types.SymbolKind.Variable,
                block,
                name,
                detail=f"({', '.join(found.parameters)})" if is_proc else None,
            )
            symbols.setdefault((found.kind, found.name), symbol)
        return list(symbols.values())

    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(changed)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)
    server.feature(types.TEXT_DOCUMENT_COMPLETION)(complete)
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(format_document)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(find_definition)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(list_symbols)
    return server


def _read_position(document: Document, position: types.Position) -> Place:
    return document.to_place(Position(position.line, position.character))


def _make_range(document: Document, start: Place, end: Place) -> types.Range:
    first, last = document.to_position(start), document.to_position(end)
    return types.Range(types.Position(*first), types.Position(*last))
