"""The formatter gives every program its canonical layout and never another meaning."""

from __future__ import annotations

import pytest
from hypothesis import given

from gwl import CompileError, compile_source, format_source
from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH
from gwl.program import Program
from tests.gwl.strategies import scripts
from tests.gwl.vector_files import compile_cases


def _forget_lines(program: Program) -> tuple[object, ...]:
    instructions = [instruction._replace(line=0) for instruction in program.instructions]
    return instructions, program.constants, program.names, program.global_names, program.procs


def _require_sound(lines: list[str]) -> None:
    formatted = format_source(lines)
    assert _forget_lines(compile_source(formatted)) == _forget_lines(compile_source(lines))
    assert format_source(formatted) == formatted
    assert len(formatted) <= MAX_LINES
    assert max(map(len, formatted), default=0) <= MAX_LINE_LENGTH
    assert sum(len(line) + 1 for line in formatted) <= MAX_SOURCE_LENGTH


@pytest.mark.slow
def test_every_golden_program_keeps_its_meaning_and_its_size() -> None:
    cases = compile_cases()
    assert len(cases) > 900
    for case in cases:
        _require_sound(case["script"])


@given(scripts())
def test_every_program_keeps_its_meaning_and_its_size(lines: list[str]) -> None:
    _require_sound(lines)


@pytest.mark.parametrize(
    ("line", "formatted"),
    [
        ("var  a=1", "var a = 1"),
        ("a=b+c*-d", "a = b + c * -d"),
        ("a = - - 1 - - 2", "a = --1 - -2"),
        ("a=not  not b", "a = not not b"),
        ("a[ 0 ] [1]=f ( 1 ,2 ) [ 3 ]", "a[0][1] = f(1, 2)[3]"),
        ("a=[ 1,2 ] [0]", "a = [1, 2][0]"),
        ("a=( b )", "a = (b)"),
        ("a=b mod(2)", "a = b mod (2)"),
        ("a=mod (b,2)mod 3", "a = mod(b, 2) mod 3"),
        ("a=b<c==(d>=e)", "a = b < c == (d >= e)"),
        ("move ( 1,-1 )", "move(1, -1)"),
        ("f ( )", "f()"),
        ("discard(1)", "discard (1)"),
        ("a = -(1)-(2)", "a = -(1) - (2)"),
        ("a=true and[1]==b", "a = true and [1] == b"),
        ("place()#now", "place()  #now"),
        ("place()\t # now \t", "place()  # now"),
    ],
)
def test_a_statement_has_one_spacing(line: str, formatted: str) -> None:
    assert format_source([line]) == [formatted]


def test_blocks_are_indented_by_two_spaces() -> None:
    lines = [
        "if a :",
        "\t\tif b:",
        "\t\t      place()",
        "\t\telse :",
        "\t\t\tbomb()",
        "for i in 0..<3:",
        "      wait()",
    ]
    assert format_source(lines) == [
        "if a:",
        "  if b:",
        "    place()",
        "  else:",
        "    bomb()",
        "for i in 0 ..< 3:",
        "  wait()",
    ]


def test_line_breaks_stay_where_they_are() -> None:
    lines = ["if a and", "b or", "    c:", "  var d=f(1,", "2 ", "  )", "  place()"]
    assert format_source(lines) == [
        "if a and",
        "    b or",
        "    c:",
        "  var d = f(1,",
        "      2",
        "  )",
        "  place()",
    ]


def test_comments_keep_their_words_and_take_the_indentation_of_their_block() -> None:
    lines = [
        "#top",
        "if a:  ",
        "      # of the block",
        "    place()",
        "    # still of the block",
        "# of what follows",
        "bomb()",
        "var c = (1 +",
        "# inside",
        "  2)  # end",
        "  # last",
    ]
    assert format_source(lines) == [
        "#top",
        "if a:",
        "  # of the block",
        "  place()",
        "  # still of the block",
        "# of what follows",
        "bomb()",
        "var c = (1 +",
        "    # inside",
        "    2)  # end",
        "# last",
    ]


def test_one_blank_line_of_each_run_stays() -> None:
    lines = ["", "", "place()", "", "\xa0", "", "bomb()", "", "# c", "", "", ""]
    assert format_source(lines) == ["place()", "", "bomb()", "", "# c"]
    assert format_source([]) == format_source(["", " "]) == []


TIGHT = "a=" + "+".join(["1"] * 31)
"""63 characters, 123 in canonical spacing."""


def _measure(lines: list[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def test_a_line_that_would_be_too_long_keeps_its_spacing() -> None:
    lines = ["if a :", "    " + TIGHT + "  #c", "    b=1"]
    assert format_source(lines) == ["if a:", "  " + TIGHT + "  #c", "  b = 1"]


def test_a_script_that_would_be_too_long_keeps_its_spacing() -> None:
    text = "b=1+1+1+1+1+1+1+1+1+1+1+1+1+1"
    lines = ["if a :", *["    " + text] * 116]
    assert MAX_SOURCE_LENGTH - 100 < _measure(lines) <= MAX_SOURCE_LENGTH
    assert format_source(lines) == ["if a :", *["  " + text] * 116]


def test_a_script_with_no_room_at_all_is_indented_by_tabs() -> None:
    lines = ["if a:", *["\t" + TIGHT] * 61]
    lines.append("#" * (MAX_SOURCE_LENGTH - _measure(lines) - 1))
    assert _measure(lines) == MAX_SOURCE_LENGTH
    assert format_source(lines) == lines


def test_what_does_not_compile_is_not_formatted() -> None:
    with pytest.raises(CompileError):
        format_source(["var a ="])
