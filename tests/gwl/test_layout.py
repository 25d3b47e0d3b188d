"""Lines, tokens, joining and indentation before any grammar (GWL v1 section 1)."""

from __future__ import annotations

import pytest

from gwl import split_source
from gwl.layout import Indentation, join_lines
from gwl.tokens import TokenKind, is_integer_in_range, scan_line

WORDS = ("and", "or", "not", "div", "mod", "in")


def _texts(line: str) -> list[str]:
    return [token.text for token in scan_line(1, line).tokens]


def _join(*lines: str) -> list[list[int]]:
    """The numbers of the physical lines of each logical one."""
    physical = [scan_line(number, text) for number, text in enumerate(lines, 1)]
    return [[part.number for part in line.lines] for line in join_lines(physical)]


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("a..b", ["a", "..", "b"]),
        ("0..<n", ["0", "..<", "n"]),
        ("a<=b>=c!=d==e", ["a", "<=", "b", ">=", "c", "!=", "d", "==", "e"]),
        ("===", ["==", "="]),
        ("x=-1", ["x", "=", "-", "1"]),
        ("12ab_3", ["12", "ab_3"]),
        ("\tif\tx:", ["if", "x", ":"]),
        ("f(1)#g(2)", ["f", "(", "1", ")"]),
        ("...", ["..", "."]),
    ],
)
def test_the_longest_token_is_taken(line: str, texts: list[str]) -> None:
    assert _texts(line) == texts


def test_keywords_are_no_names_and_actions_are() -> None:
    assert [token.kind for token in scan_line(1, "while whilex move True").tokens] == [
        TokenKind.WHILE,
        TokenKind.NAME,
        TokenKind.NAME,
        TokenKind.NAME,
    ]


def test_columns_count_code_points_and_a_tab_is_one_of_them() -> None:
    line = scan_line(7, "\t\U0001f600 é x")
    assert [(token.text, token.column, token.kind == TokenKind.BAD) for token in line.tokens] == [
        ("\U0001f600", 2, True),
        ("é", 4, True),
        ("x", 6, False),
    ]
    assert {token.line for token in line.tokens} == {7}


def test_a_tab_is_two_spaces_wide() -> None:
    assert [scan_line(1, line).width for line in ("x", "  x", "\tx", " \tx", "\t\t  x", "\t# x")] == [
        0,
        2,
        2,
        3,
        6,
        2,
    ]


@pytest.mark.parametrize(
    "blank", ["", " ", "\t", "\r", "\xa0", "\u2028", "\x0b\x0c", "\n", "\u3000 \x85", "\xa0# x"]
)
def test_any_unicode_white_space_makes_a_blank_line(blank: str) -> None:
    assert scan_line(1, blank).tokens == ()


@pytest.mark.parametrize(
    "character", ["\x00", "\x1c", "\x1f", "\ufeff", "\u200b", "\x7f", "\ud800", "é", "!", "."]
)
def test_every_other_character_is_a_bad_token(character: str) -> None:
    (token,) = scan_line(1, character).tokens
    assert (token.kind, token.text) == (TokenKind.BAD, character)


def test_white_space_other_than_blanks_and_tabs_is_bad_beside_a_token() -> None:
    assert [token.kind for token in scan_line(1, "x\xa0").tokens] == [TokenKind.NAME, TokenKind.BAD]


def test_a_comment_is_kept_without_the_white_space_after_it() -> None:
    assert scan_line(1, "x = 1  # one # two \t\r").comment == "# one # two"
    assert scan_line(1, "x = 1").comment == ""


@pytest.mark.parametrize(
    ("digits", "fits"),
    [
        ("0", True),
        ("9223372036854775807", True),
        ("9223372036854775808", False),
        ("0" * 5000 + "1", True),
        ("9" * 100_000, False),
    ],
)
def test_literals_go_up_to_the_greatest_int64(digits: str, fits: bool) -> None:
    assert is_integer_in_range(digits) is fits


@pytest.mark.parametrize(
    "operator",
    [*("+", "-", "*", "==", "!=", "<", "<=", ">", ">=", ",", "..", "..<"), *WORDS],
)
def test_a_line_runs_on_after_an_operator(operator: str) -> None:
    assert _join(f"x {operator}", "y", "z") == [[1, 2], [3]]


@pytest.mark.parametrize("last", ["=", ":", ")", "]", "x", "1", "true", "!", "if"])
def test_a_line_does_not_run_on_after_anything_else(last: str) -> None:
    assert _join(f"x {last}", "y") == [[1], [2]]


def test_a_line_runs_on_while_a_bracket_is_open() -> None:
    assert _join("f(", "[", "1", "])", "x") == [[1, 2, 3, 4], [5]]


def test_a_surplus_closer_does_not_make_up_for_an_opener() -> None:
    assert _join(")) (", "x", ")", "y") == [[1, 2, 3], [4]]


def test_blank_lines_and_comments_do_not_end_a_joined_line() -> None:
    assert _join("x = 1 +", "", "# c", "2", "", "y") == [[1, 4], [6]]


def test_the_line_that_the_source_ends_in_may_be_open() -> None:
    (line,) = join_lines([scan_line(1, "f(1,")])
    assert not line.closed


def test_indentation_opens_at_any_deeper_level_and_closes_to_an_open_one() -> None:
    indentation = Indentation()
    assert [indentation.enter(width) for width in (0, 4, 6, 6, 0)] == [
        (0, True),
        (1, True),
        (1, True),
        (0, True),
        (-2, True),
    ]


def test_indentation_that_was_never_opened_counts_as_the_next_outer_level() -> None:
    indentation = Indentation()
    indentation.enter(4)
    assert indentation.enter(2) == (-1, False)
    assert indentation.enter(0) == (0, True)


def test_a_text_is_split_at_line_ends_of_both_kinds() -> None:
    assert split_source("a\r\nb\n\nc") == ["a", "b", "", "c"]
    assert split_source("a\n") == ["a"]
    assert split_source("") == []
