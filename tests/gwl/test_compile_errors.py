"""What an error says, where it points, and how reading goes on after it."""

from __future__ import annotations

import pytest

from gwl import CompileError, Diagnostic, ErrorCode, compile_source
from gwl import checks as checks_module
from gwl.parser import MAX_DIAGNOSTICS


def _errors(*lines: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(CompileError) as caught:
        compile_source(lines)
    return caught.value.diagnostics


def _places(*lines: str) -> list[tuple[int, int, str]]:
    return [(error.line, error.column, error.code) for error in _errors(*lines)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("var", 'expected a variable name after "var", found the end of the line'),
        (
            "var if = 1",
            'expected a variable name after "var", found the keyword "if", which can never be a name',
        ),
        ("var a", 'expected "=" and a value after "var a", found the end of the line'),
        ("var a =", 'expected a value after "=", found the end of the line'),
        ("var a = 1 2", "expected the end of the line after this statement, found the number 2"),
        ("var a = (1, 2)", 'expected ")" to close the "(" opened at 1:9, found ","'),
        ("var a = [1 2]", 'expected "," or "]" in the array opened at 1:9, found the number 2'),
        ("var a = b[1 2]", 'expected "]" after the index opened at 1:10, found the number 2'),
        ("var a = f(1 2)", 'expected "," or ")" in the arguments of "f" opened at 1:10, found the number 2'),
        (
            "var a = mod(1 2)",
            'expected "," or ")" in the arguments of "mod" opened at 1:12, found the number 2',
        ),
        ("var a = b mod (1 2)", 'expected ")" to close the "(" opened at 1:15, found the number 2'),
        ("var a = -(1 2)", 'expected ")" to close the "(" opened at 1:10, found the number 2'),
        ("var a = else", 'there is no "if" at this indentation that the "else" could belong to'),
        ("var a = while", 'expected a value, found the keyword "while"'),
        ("var a = mod 3", '"mod" stands between two values, or before "(" and two arguments'),
        ("a = )", 'expected a value after "=", found ")"'),
        ("1 = 2", "a statement begins with a name or a keyword, not with the number 1"),
        ("f(1) = 2", 'the left side of "=" must be a name or an element such as a[i]'),
        ("f(1) g", 'expected the end of the line after this call, found "g"'),
        ("let a = 1", 'no statement begins with the name "let" and "a"'),
        ("pass", 'the name "pass" alone is no statement'),
        ("a + b", "this expression is no statement: nothing is done with its value"),
        ("if a = 1:", 'expected ":" at the end of the "if" condition, found "="'),
        ("while a", 'expected ":" at the end of the "while" condition, found the end of the line'),
        ("for", 'expected a variable name after "for", found the end of the line'),
        ("for i = 0:", 'expected "in" after "for i", found "="'),
        ("for i in a b:", 'expected ":", ".." or "..<" in the "for" header, found "b"'),
        ("for i in 0 .. 1 .. 2:", 'expected ":" at the end of the "for" header, found ".."'),
        ("proc", 'expected the name of the proc after "proc", found the end of the line'),
        ("proc f", 'expected "(" after "proc f", found the end of the line'),
        ("proc f(1) =", "expected a parameter name, found the number 1"),
        ("proc f(a b) =", 'expected "," or ")" in the parameters opened at 1:7, found "b"'),
        ("proc f() :", 'expected "=" at the end of the "proc" header, found ":"'),
        ("proc f() = g()", 'the block must stand on lines of its own, found "g"'),
        ("if a: g()", 'the block must stand on lines of its own, found "g"'),
        ("move 1", 'expected "(" after "move", found the number 1'),
        ("move(1, 2) x", 'expected the end of the line after this statement, found "x"'),
        ("move(1)", '"move(dx, dy)" takes 2 arguments, found 1'),
        ("place(1)", '"place()" takes no arguments, found 1'),
        ("break", '"break" stands outside of any loop'),
        ("f(", 'expected a value after "(", found the end of the script'),
        ("a = 99999999999999999999", "the number 99999999999999999999 is greater than 9223372036854775807"),
        ("a = 1 @ 2", 'GWL has no character "@"'),
        ('a = "b"', "GWL has no character '\"'"),
        ("a = é", 'GWL has no character "é" (U+00E9 LATIN SMALL LETTER E WITH ACUTE)'),
        ("a =\u0301 1", "GWL has no character U+0301 COMBINING ACUTE ACCENT"),
        ("a = \U0001f600", 'GWL has no character "\U0001f600" (U+1F600 GRINNING FACE)'),
        ("a =\xa01", "GWL has no character U+00A0 NO-BREAK SPACE"),
        ("a = \ud800", "GWL has no character U+D800"),
        ("a = \x00", "GWL has no character U+0000"),
        ("  a = 1", "the line is indented, but no block opens here"),
        (" a = 1", "the indentation is 1 spaces wide; it must be a multiple of 2"),
    ],
)
def test_a_message_names_what_was_expected_and_what_was_found(line: str, message: str) -> None:
    assert _errors(line)[0].message == message


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        (["if a:", "    place()", "  bomb()"], (3, 3, "bad-dedent")),
        (["if a:", "  place()", "    bomb()"], (3, 5, "bad-statement")),
        (["if a:", "place()"], (2, 1, "expected-block")),
        (["if a:", "  # nothing", ""], (3, 1, "expected-block")),
        (["if a:"], (1, 6, "expected-block")),
        (["f(1,", "", "# c"], (3, 4, "bad-expression")),
        (["x = 1 +", "2 3"], (2, 3, "trailing-tokens")),
        (["x = a +", "b ="], (2, 3, "trailing-tokens")),
        (["\tif\t\ta =", "\t"], (1, 2, "unexpected-indent")),
        (["if a:", "  proc f() =", "    place()"], (2, 3, "proc-nested")),
        (["x =", "y = 1"], (1, 4, "bad-expression")),
        (["x = # what", "y = 1"], (1, 4, "bad-expression")),
        (["div # c", "x = 1"], (1, 1, "not-an-expression")),
    ],
)
def test_an_error_points_at_the_token_that_does_not_fit(
    lines: list[str], place: tuple[int, int, str]
) -> None:
    assert _places(*lines)[0] == place


def test_every_damaged_line_is_reported_once_and_nothing_that_follows_from_it() -> None:
    assert _places(
        "proc f(a):",
        "  return a",
        "if x = 1:",
        "  place()",
        "else if y:",
        "  bomb()",
        "else",
        "  wait()",
        "while a {",
        "  break",
        "}",
        "def g(x):",
        "  return 1",
        "for i = 0 to 3:",
        "  continue",
        "switch x:",
        "  break",
        "place()",
    ) == [
        (9, 9, "bad-character"),
        (11, 1, "bad-character"),
        (1, 10, "expected-token"),
        (3, 6, "expected-token"),
        (5, 6, "expected-token"),
        (7, 5, "expected-token"),
        (12, 1, "expression-statement"),
        (14, 7, "expected-token"),
        (16, 1, "expression-statement"),
    ]


def test_one_line_bodies_keep_their_chain_together() -> None:
    assert _places("if a: place()", "elif b: bomb()", "else: wait()", "place()") == [
        (1, 7, "trailing-tokens"),
        (2, 9, "trailing-tokens"),
        (3, 7, "trailing-tokens"),
    ]


def test_an_unclosed_bracket_does_not_hide_the_rest() -> None:
    lines = ["var r = f(1, 2", "place()", "var s = [1,", "while true", "  x ==", "  break 1", "bomb("]
    assert _places(*lines) == [
        (2, 1, "expected-token"),
        (4, 1, "not-an-expression"),
        (4, 11, "expected-token"),
        (6, 3, "not-an-expression"),
        (6, 9, "trailing-tokens"),
        (7, 6, "bad-expression"),
    ]


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        (["x = f(1,", "while true:", "  place()"], 'the "(" at 1:6 is not closed'),
        (["x = f(1", "y = 2"], 'the "(" at 1:6 is not closed'),
        (["if (a and [b:", "  place()"], 'the "[" at 1:11 is not closed'),
        (["place("], 'the "(" at 1:6 is not closed'),
        (["x = a[f(1)"], 'the "[" at 1:6 is not closed'),
    ],
)
def test_an_unclosed_bracket_is_named(lines: list[str], hint: str) -> None:
    assert _errors(*lines)[0].hint == hint


def test_a_statement_with_a_syntax_error_is_not_searched_for_others() -> None:
    assert _places("return 1 2", "break x") == [(1, 10, "trailing-tokens"), (2, 7, "trailing-tokens")]


def test_errors_in_a_damaged_block_are_found() -> None:
    assert _places("proc f(:", "  return 1", "  x +", "while a b:", "  if c", "    break") == [
        (1, 8, "expected-name"),
        (4, 1, "not-an-expression"),
        (4, 9, "expected-token"),
        (5, 7, "expected-token"),
    ]


def test_no_more_is_reported_than_anybody_reads() -> None:
    assert len(_errors(*["@"] * 120)) == MAX_DIAGNOSTICS


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["place()"] * 121, ErrorCode.TOO_MANY_LINES),
        (["place()", "@" * 101], ErrorCode.LINE_TOO_LONG),
        (["#" * 99] * 41, ErrorCode.SOURCE_TOO_LONG),
        (["#" * 1000] * 200_000, ErrorCode.TOO_MANY_LINES),
    ],
)
def test_size_limits_come_before_everything(lines: list[str], code: ErrorCode) -> None:
    assert _errors(*lines)[0].code == code


def test_lines_may_be_anything() -> None:
    assert _places("place()\nbomb()") == [(1, 8, "bad-character")]
    assert _places("place()", "\udfff\x00") == [(2, 1, "bad-character")]


def _chain(depth: int) -> list[str]:
    return ["  " * level + "if a:" for level in range(depth)] + ["  " * depth + "place()"]


def test_blocks_nest_eight_deep() -> None:
    compile_source(_chain(8))
    assert _places(*_chain(9)) == [(10, 19, "nesting")]


def test_procs_are_counted_and_named_once() -> None:
    procs = [line for number in range(33) for line in (f"proc p{number}() =", "  place()")]
    compile_source(procs[:64])
    assert _places(*procs) == [(65, 1, "too-many-procs")]
    assert _places("proc f() =", "  place()", "proc f(a) =", "  place()") == [(3, 1, "duplicate-proc")]


NODES = {
    "var a = 1": 3,
    "a = 1": 4,
    "a[1] = 2": 6,
    "f()": 3,
    "f(1, a)": 5,
    "discard [1, 2]": 5,
    "discard -a[0]": 6,
    "discard true and not b": 6,
    "move(1, 2)": 4,
    "place()": 2,
}


@pytest.mark.parametrize("line", NODES)
def test_nodes_are_counted_by_the_table(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks_module, "MAX_NODES", NODES[line])
    compile_source([line])
    monkeypatch.setattr(checks_module, "MAX_NODES", NODES[line] - 1)
    assert _places(line) == [(1, 1, "too-many-nodes")]


def test_blocks_are_nodes_and_the_statement_that_is_one_too_many_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = ["proc f(a) =", "  if a:", "    return", "  else:", "    for i in 0 .. 1:", "      break"]
    count = 1 + 1 + 1 + (1 + 1 + 1 + 1) + 1 + (1 + 2 + 1) + 1
    monkeypatch.setattr(checks_module, "MAX_NODES", count)
    compile_source(lines)
    monkeypatch.setattr(checks_module, "MAX_NODES", count - 1)
    assert _places(*lines) == [(6, 7, "too-many-nodes")]
    monkeypatch.setattr(checks_module, "MAX_NODES", count - 2)
    assert _places(*lines) == [(5, 5, "too-many-nodes")]
