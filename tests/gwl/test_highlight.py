"""The Pygments lexer is found by name and colours words by what they mean in their place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename  # type: ignore[import-untyped]
from pygments.token import Token  # type: ignore[import-untyped]

from gwl.highlight import GwlLexer
from tests.gwl.vector_files import compile_cases


def _words(text: str) -> list[tuple[str, str]]:
    found = GwlLexer().get_tokens(text)
    return [(str(kind).removeprefix("Token."), word) for kind, word in found if word.strip()]


def test_the_lexer_is_found_by_its_alias_and_by_file_name() -> None:
    assert isinstance(get_lexer_by_name("gwl"), GwlLexer)
    assert isinstance(get_lexer_for_filename("warrior.gwl"), GwlLexer)


def test_an_action_is_special_at_the_beginning_of_a_statement_only() -> None:
    assert _words("  move(move, 1)\nvar wait = bomb") == [
        ("Keyword.Pseudo", "move"),
        ("Punctuation", "("),
        ("Name", "move"),
        ("Punctuation", ","),
        ("Literal.Number.Integer", "1"),
        ("Punctuation", ")"),
        ("Keyword", "var"),
        ("Name", "wait"),
        ("Operator", "="),
        ("Name", "bomb"),
    ]


def test_words_are_coloured_by_their_kind() -> None:
    assert _words("proc go(a) = # now\n  if not true and x() ..< BOMB div go(check):") == [
        ("Keyword", "proc"),
        ("Name.Function", "go"),
        ("Punctuation", "("),
        ("Name", "a"),
        ("Punctuation", ")"),
        ("Operator", "="),
        ("Comment.Single", "# now"),
        ("Keyword", "if"),
        ("Operator.Word", "not"),
        ("Keyword.Constant", "true"),
        ("Operator.Word", "and"),
        ("Name.Builtin", "x"),
        ("Punctuation", "("),
        ("Punctuation", ")"),
        ("Operator", "..<"),
        ("Name.Constant", "BOMB"),
        ("Operator.Word", "div"),
        ("Name.Function", "go"),
        ("Punctuation", "("),
        ("Name", "check"),
        ("Punctuation", ")"),
        ("Punctuation", ":"),
    ]


def test_characters_that_gwl_does_not_have_are_errors() -> None:
    assert [word for kind, word in _words("a = b ! é @") if kind == "Error"] == ["!", "é", "@"]


def test_programs_that_compile_have_no_error_tokens() -> None:
    scripts = [
        "\n".join(case["script"]) for case in compile_cases() if case["group"] in ("warrior", "statement")
    ]
    assert len(scripts) > 200
    for script in scripts:
        assert Token.Error not in {kind for kind, _ in GwlLexer().get_tokens(script)}


@given(st.text())
def test_nothing_is_lost_of_any_text(text: str) -> None:
    lexer = GwlLexer(stripnl=False, ensurenl=False)
    assert "".join(word for _, word in lexer.get_tokens(text)) == text.replace("\r\n", "\n").replace(
        "\r", "\n"
    )
