"""Colours for GWL source, as a Pygments lexer; it takes any text, wrong or not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from pygments import token  # type: ignore[import-untyped]  # Pygments has no types.
from pygments.lexer import RegexLexer, bygroups, words  # type: ignore[import-untyped]

from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.tokens import ACTIONS, KEYWORDS

_OPERATOR_WORDS = frozenset({"and", "or", "not", "div", "mod"})
_VALUE_WORDS = frozenset({"true", "false"})
_OTHER_WORDS = frozenset(KEYWORDS) - _OPERATOR_WORDS - _VALUE_WORDS


def _any_of(names: Iterable[str], suffix: str = r"\b") -> words:
    return words(sorted(names), prefix=r"\b", suffix=suffix)


class GwlLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types.
    """The lexer of the alias "gwl" and of files named `*.gwl`."""

    name = "GWL"
    aliases: ClassVar = ["gwl"]
    filenames: ClassVar = ["*.gwl"]
    mimetypes: ClassVar = ["text/x-gwl"]
    flags = re.ASCII | re.MULTILINE

    tokens: ClassVar = {
        "root": [
            (r"#.*", token.Comment.Single),
            (
                r"\b(proc)([ \t]+)([A-Za-z_]\w*)",
                bygroups(token.Keyword, token.Whitespace, token.Name.Function),
            ),
            # An action is special only where a statement begins; a continuation line is taken for one.
            (rf"^([ \t]*)({'|'.join(ACTIONS)})\b", bygroups(token.Whitespace, token.Keyword.Pseudo)),
            (r"\n|[^\S\n]+", token.Whitespace),
            (_any_of(_OTHER_WORDS), token.Keyword),
            (_any_of(_OPERATOR_WORDS), token.Operator.Word),
            (_any_of(_VALUE_WORDS), token.Keyword.Constant),
            (_any_of({*CONSTANTS, *CALLED_WHEN_READ}), token.Name.Constant),
            (_any_of(BUILTINS, suffix=r"(?=\s*\()"), token.Name.Builtin),
            (r"[A-Za-z_]\w*(?=\s*\()", token.Name.Function),
            (r"[A-Za-z_]\w*", token.Name),
            (r"[0-9]+", token.Number.Integer),
            (r"\.\.<|\.\.|[=!<>]=|[=<>+*-]", token.Operator),
            (r"[()\[\],:]", token.Punctuation),
            (r".", token.Error),
        ]
    }
