"""The editors' grammar colours warriors as the Pygments lexer does, which knows the language's tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import gwl
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gwl.highlight import GwlLexer
from tests.gwl.vector_files import compile_cases

EXTENSION = Path(gwl.__file__).parent / "editors" / "vscode"
GRAMMAR = json.loads((EXTENSION / "syntaxes" / "gwl.tmLanguage.json").read_text(encoding="utf-8"))
PATTERNS = [(re.compile(pattern["match"], re.ASCII), pattern) for pattern in GRAMMAR["patterns"]]
TOKENS = {
    "comment.line.number-sign.gwl": "Token.Comment.Single",
    "keyword.control.gwl": "Token.Keyword",
    "entity.name.function.gwl": "Token.Name.Function",
    "support.function.action.gwl": "Token.Keyword.Pseudo",
    "keyword.operator.word.gwl": "Token.Operator.Word",
    "constant.language.boolean.gwl": "Token.Keyword.Constant",
    "constant.language.gwl": "Token.Name.Constant",
    "support.function.builtin.gwl": "Token.Name.Builtin",
    "entity.name.function.call.gwl": "Token.Name.Function",
    "variable.other.gwl": "Token.Name",
    "constant.numeric.integer.gwl": "Token.Literal.Number.Integer",
    "keyword.operator.gwl": "Token.Operator",
    "punctuation.gwl": "Token.Punctuation",
    "invalid.illegal.gwl": "Token.Error",
}


def colour(line: str) -> Iterator[tuple[str, str]]:
    """As an editor does: from the left, the match that begins first, of several the first pattern's."""
    place = 0
    while True:
        found = [
            (match.start(), order)
            for order, (regex, _) in enumerate(PATTERNS)
            if (match := regex.search(line, place)) and match.end() > place
        ]
        if not found:
            return
        _, order = min(found)
        regex, pattern = PATTERNS[order]
        match = regex.search(line, place)
        assert match is not None
        if "name" in pattern:
            yield match.group(), TOKENS[pattern["name"]]
        for group, capture in pattern.get("captures", {}).items():
            yield match.group(int(group)), TOKENS[capture["name"]]
        place = match.end()


def colour_by_lexer(line: str) -> list[tuple[str, str]]:
    tokens = ((text.strip("\n"), str(kind)) for kind, text in GwlLexer().get_tokens(line))
    return [(text, kind) for text, kind in tokens if text and not kind.startswith("Token.Text")]


def test_every_line_of_warriors_and_golden_programs_has_the_colours_of_the_lexer() -> None:
    lines = {line for warrior in load_warriors().values() for line in warrior.lines}
    lines |= {line for case in compile_cases()[:300] for line in case["script"]}
    plain = [line for line in lines if line.strip() and line.isascii()]
    assert len(plain) > 100
    for line in plain:
        assert list(colour(line)) == colour_by_lexer(line), line


def test_the_extension_names_files_that_it_has() -> None:
    contributed = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))["contributes"]
    paths = [contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"]]
    assert all((EXTENSION / path).is_file() for path in paths)
    assert contributed["grammars"][0]["scopeName"] == GRAMMAR["scopeName"]
