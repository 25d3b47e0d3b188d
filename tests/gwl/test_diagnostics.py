"""How an error is shown: message, source line, caret and hint, in text that any terminal takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl import CompileError, Diagnostic, ErrorCode, Severity, WarningCode, compile_source
from gwl.excerpt import MAX_WIDTH, render_excerpt


def test_an_error_is_shown_with_its_line_a_caret_and_a_hint() -> None:
    with pytest.raises(CompileError) as caught:
        compile_source(["while true:", "  if x() = 3:", "    place()"])
    assert str(caught.value) == "\n".join(
        [
            '2:10: expected-token: expected ":" at the end of the "if" condition, found "="',
            "      if x() = 3:",
            "             ^",
            'hint: "=" assigns; to compare write "=="',
        ]
    )


def test_an_error_on_a_blank_line_is_shown_without_one() -> None:
    with pytest.raises(CompileError) as caught:
        compile_source(["if true:", ""])
    assert caught.value.first.render().splitlines()[0] == (
        '2:1: expected-block: expected an indented block after the "if" of line 1'
    )
    assert "^" not in str(caught.value)


def test_a_warning_says_that_it_is_one() -> None:
    warning = Diagnostic(WarningCode.UNREACHABLE, 3, 1, "this line is never reached", "bomb()")
    assert warning.severity is Severity.WARNING
    assert warning.render().startswith("3:1: warning: unreachable: ")
    assert Diagnostic(ErrorCode.NESTING, 1, 1, "", "").severity is Severity.ERROR


def test_all_errors_or_the_first_few_can_be_shown() -> None:
    with pytest.raises(CompileError) as caught:
        compile_source(["break", "continue", "return"])
    error = caught.value
    assert [line.split(":")[0] for line in error.render().splitlines() if "-outside" in line] == [
        "1",
        "2",
        "3",
    ]
    assert error.render(limit=1) == f"{error.first.render()}\n(2 more)"
    assert error.render(limit=3) == error.render()


@pytest.mark.parametrize(
    ("source", "column", "shown", "caret"),
    [
        ("x = @", 5, "x = @", "    ^"),
        ("\tx = @", 6, "  x = @", "      ^"),
        ("a\tb @", 5, "a  b @", "     ^"),
        ("日本 @", 4, "日本 @", "     ^"),
        ("e\u0301 @", 4, "e\u0301 @", "  ^"),
        ("e\u0301", 2, "e\u0301", "^"),
        ("\x1b[2J", 1, "\ufffd[2J", "^"),
        ("\ud800 x", 3, "\ufffd x", "  ^"),
        ("a\u2028b\u202e", 3, "a\ufffdb\ufffd", "  ^"),
        ("a\xa0b", 2, "a b", " ^"),
        ("x =", 4, "x =", "   ^"),
    ],
)
def test_the_caret_stands_under_the_column(source: str, column: int, shown: str, caret: str) -> None:
    assert render_excerpt(source, column) == ["    " + shown, "    " + caret]


@pytest.mark.parametrize("column", [1, 50, 101, 150, 300, 301])
def test_a_long_line_is_cut_to_what_stands_around_the_caret(column: int) -> None:
    source = "".join(chr(ord("a") + position % 26) for position in range(300))
    shown, caret = render_excerpt(source, column)
    assert len(shown) <= MAX_WIDTH + 4
    position = caret.index("^")
    assert shown[position : position + 1] == source[column - 1 : column]


@given(st.text(st.characters(), max_size=300), st.data())
def test_whatever_a_line_holds_can_be_shown(source: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(1, len(source) + 1))
    text = Diagnostic(ErrorCode.BAD_CHARACTER, 1, column, "message", source).render()
    text.encode()
    assert all(character == "\n" or character.isprintable() or character == "\xad" for character in text)
