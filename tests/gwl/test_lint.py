"""Warnings name what is certain to fault or cannot be meant, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given

from gwl import FaultCode, Severity, check_source
from tests.gwl.strategies import scripts
from tests.gwl.vector_files import compile_cases, machine_cases


def _warnings(*lines: str) -> list[tuple[int, int, str, str, str]]:
    found = check_source(lines)
    assert all(warning.severity is Severity.WARNING for warning in found)
    return [(warning.line, warning.column, warning.code, warning.message, warning.hint) for warning in found]


def test_a_script_that_does_not_compile_has_errors_alone() -> None:
    found = check_source(["x = y", "z ="])
    assert [(error.line, error.code) for error in found] == [(2, "bad-expression")]


@pytest.mark.parametrize(
    ("lines", "warning"),
    [
        (
            ["var tiles2 = titles2"],
            (1, 14, "unknown-name", 'unknown name "titles2"; reading it faults', 'did you mean "tiles2"?'),
        ),
        (["move(True, 0)"], (1, 6, "unknown-name", 'unknown name "True"; reading it faults', 'write "true"')),
        (
            ["var a = None"],
            (
                1,
                9,
                "unknown-name",
                'unknown name "None"; reading it faults',
                "GWL has no empty value; use an integer that means nothing",
            ),
        ),
        (
            ["var a = tick"],
            (1, 9, "unknown-name", 'unknown name "tick"; reading it faults', 'to call it write "tick()"'),
        ),
        (
            ["var a = min"],
            (1, 9, "unknown-name", 'unknown name "min"; reading it faults', 'to call it write "min(a, b)"'),
        ),
        (
            ["proc go() =", "  wait()", "var a = go"],
            (3, 9, "unknown-name", 'unknown name "go"; reading it faults', 'to call it write "go()"'),
        ),
        (
            ["x = 1"],
            (
                1,
                1,
                "unknown-name",
                'nothing declares the variable "x"; this assignment faults',
                'declare it first: "var x = ..."',
            ),
        ),
        (
            ["proc f() =", "  if true:", "    var q = 1", "  return q"],
            (
                4,
                10,
                "unknown-name",
                'unknown name "q"; reading it faults',
                "its declaration at line 3 does not reach here",
            ),
        ),
        (
            ["BOMB = 1"],
            (
                1,
                1,
                "unknown-name",
                'nothing declares the variable "BOMB"; this assignment faults',
                "a constant cannot be changed",
            ),
        ),
        (
            ["for i in range(3):", "  place()"],
            (1, 10, "unknown-proc", 'unknown proc "range"; calling it faults', 'write "for i in 0 ..< n:"'),
        ),
        (
            ["chek(1, 0)"],
            (1, 1, "unknown-proc", 'unknown proc "chek"; calling it faults', 'did you mean "check"?'),
        ),
        (
            ["var a = bomb()"],
            (
                1,
                9,
                "unknown-proc",
                'unknown proc "bomb"; calling it faults',
                "an action stands alone as a statement and has no value",
            ),
        ),
        (
            ["var a = [1]", "var b = a(0)"],
            (
                2,
                9,
                "unknown-proc",
                'unknown proc "a"; calling it faults',
                '"a" is a variable; an element is read as a[i]',
            ),
        ),
        (
            ["var a = FOG()"],
            (
                1,
                9,
                "unknown-proc",
                'unknown proc "FOG"; calling it faults',
                "a constant is read without brackets",
            ),
        ),
        (["check(1)"], (1, 1, "argument-count", '"check" takes 2 arguments, found 1; this call faults', "")),
        (
            ["f(1)", "proc f() =", "  wait()"],
            (1, 1, "argument-count", '"f" takes 0 arguments, found 1; this call faults', ""),
        ),
        (
            ["var ID = 3"],
            (
                1,
                1,
                "constant-name",
                '"ID" always reads as the constant, whatever is stored in it',
                "choose another name",
            ),
        ),
        (["while true:", "  place()", "bomb()"], (3, 1, "unreachable", "this line is never reached", "")),
        (["proc f() =", "  return", "  bomb()"], (3, 3, "unreachable", "this line is never reached", "")),
        (
            ["proc f() =", "  if x() == 1:", "    return", "  else:", "    return 1", "  bomb()"],
            (6, 3, "unreachable", "this line is never reached", ""),
        ),
        (
            ["var a = 0", "while true:", "  a = a + x()"],
            (
                2,
                1,
                "endless-stall",
                "this loop neither acts nor ends: from here on the warrior only waits",
                "",
            ),
        ),
    ],
)
def test_what_cannot_be_meant_gets_a_warning(
    lines: list[str], warning: tuple[int, int, str, str, str]
) -> None:
    assert _warnings(*lines) == [warning]


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        ("var a = 1 + true", 13, FaultCode.ARITH_TYPES),
        ("var a = [1] * 3", 9, FaultCode.ARITH_TYPES),
        ("var a = x() < true", 15, FaultCode.ORDER_TYPES),
        ("var a = x() < y() < 3", 13, FaultCode.ORDER_TYPES),
        ("var a = 1 == true", 11, FaultCode.COMPARE_TYPES),
        ("var a = [1] == [1]", 13, FaultCode.COMPARE_TYPES),
        ("var a = -true", 10, FaultCode.NEG_TYPE),
        ("var a = not x() == 3", 13, FaultCode.NOT_TYPE),
        ("var a = x() and true", 9, FaultCode.CONDITION_TYPE),
        ("var a = true or x()", 17, FaultCode.LOGIC_TYPE),
        ("var a = abs(true)", 13, FaultCode.BOOL_ARGUMENT),
        ("var a = who([1], 0)", 13, FaultCode.INT_ARGUMENT),
        ("var a = len(3)", 13, FaultCode.LEN_TYPE),
        ("var a = BOMB[0]", 9, FaultCode.NOT_AN_ARRAY),
        ("var a = [1][true]", 13, FaultCode.INDEX_TYPE),
        ("var a = [1, true]", 13, FaultCode.LITERAL_TYPE),
        ("move(0, true)", 9, FaultCode.MOVE_TYPE),
        ("ID[0] = 1", 1, FaultCode.NOT_AN_ARRAY),
    ],
)
def test_an_operand_of_a_certain_wrong_type_gets_a_warning(line: str, column: int, code: FaultCode) -> None:
    (warning,) = _warnings(line)
    assert warning[:3] == (1, column, "wrong-type")
    assert f"({code})" in warning[3]


@pytest.mark.parametrize(
    ("header", "column", "code"),
    [
        ("if alive(2):", 4, FaultCode.CONDITION_TYPE),
        ("while 1:", 7, FaultCode.CONDITION_TYPE),
        ("for i in 10:", 10, FaultCode.LEN_TYPE),
        ("for i in true:", 10, FaultCode.BOOL_ARGUMENT),
        ("for i in 0 .. true:", 15, FaultCode.ORDER_TYPES),
    ],
)
def test_a_header_of_a_certain_wrong_type_gets_a_warning(header: str, column: int, code: FaultCode) -> None:
    (warning,) = _warnings(header, "  place()")
    assert warning[:3] == (1, column, "wrong-type")
    assert f"({code})" in warning[3]


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("var a = 1 div 0", 11, "(div-zero)"),
        ("var a = x() mod (3 - 3)", 13, "(mod-zero)"),
        ("var a = div(x(), 0)", 9, "(div-zero)"),
        ("var a = mod(1, EMPTY)", 9, "(mod-zero)"),
        ("var a = [1, 2][5]", 15, "(index-range)"),
        ("var a = [1, 2][-1]", 15, "(index-range)"),
        ("var a = [0] [2 - 1]", 13, "(index-range)"),
        ("var a = rand(0)", 9, "(rand-range)"),
        ("var a = shl(1, 63)", 9, "(shift-range)"),
        ("var a = 9223372036854775807 + 1", 29, "(overflow)"),
        ("var a = check(5, 0)", 9, "always FOG"),
        ("var a = who(x(), -gridSize)", 9, "always FOG"),
        ("var a = alive(0)", 9, "always 0"),
        ("move(0, 0)", 1, "illegal"),
        ("move(2, 0)", 1, "move(2, 0) leads to no neighbour"),
        ("move(x(), -2)", 1, "move(?, -2) leads to no neighbour"),
    ],
)
def test_a_certain_value_that_faults_or_does_nothing_gets_a_warning(
    line: str, column: int, said: str
) -> None:
    (warning,) = _warnings(line)
    assert warning[:3] == (1, column, "wrong-value")
    assert said in warning[3]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["var n = 3", "while n:", "  place()"], 2),
        (["var n = 3", "var m = n", "n = m + 1", "if not m:", "  place()"], 4),
        (["for i in 0 ..< 3:", "  if i:", "    place()"], 2),
        (["for i in [1, 2]:", "  place()", "var a = i[0]"], 3),
    ],
)
def test_a_variable_that_only_holds_integers_is_one(lines: list[str], line: int) -> None:
    (warning,) = _warnings(*lines)
    assert (warning[0], warning[2]) == (line, "wrong-type")


@pytest.mark.parametrize(
    "lines",
    [
        ["var n = 3", "n = true", "while n:", "  place()"],
        ["var n = 3", "n = f()", "proc f() =", "  return true", "while n:", "  place()"],
        ["var n = 3", "proc f(n) =", "  while n:", "    place()", "f(true)"],
        ["var n = 3", "var m = [n]", "n = m", "move(n[0], 0)"],
        ["var a = 1 div ID", "var b = [1, 2][1]", "move(-1, 1)", "a = check(-4, 4)", "b = alive(4)"],
        ["var a = [1]", "a[0] = 7 mod 2", "a = shl(1, 62)", "a = rand(1)", "move(x(), 0)"],
    ],
)
def test_what_may_be_right_gets_no_warning_of_a_value(lines: list[str]) -> None:
    assert _warnings(*lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        [
            "var a = 0",
            "proc f(b) =",
            "  if b:",
            "    return a",
            "  a = a + 1",
            "  return f(a)[0]",
            "a = f(a)",
        ],
        ["while true:", "  if x() == 3:", "    break", "place()"],
        ["while true:", "  while true:", "    place()", "proc f() =", "  wait()"],
        ["while true:", "  for i in [1]:", "    f()", "proc f() =", "  move(1, 0)"],
        ["var a = true", "while a and not (x() == 3):", "  place()"],
        ["var a = ID + BOMBCOST + ID() + gridSize", "var b = mod(a, 2) == 1 == true"],
        ["while true:", "  if x() == 1:", "    continue", "  place()"],
    ],
)
def test_what_may_be_meant_gets_none(lines: list[str]) -> None:
    assert _warnings(*lines) == []


EARLIER = {FaultCode.UNDEFINED_VARIABLE, FaultCode.CONDITION_TYPE, FaultCode.NOT_AN_ARRAY}
"""Faults of a variable on the same line that a machine may come upon first."""


@pytest.mark.slow
def test_machines_fault_as_the_warnings_of_their_line_say() -> None:
    agreed = 0
    for case in machine_cases():
        line, code = case["expect"]["fault"] or (0, "")
        warned = [
            warning.message
            for warning in check_source(case["script"])
            if warning.code in ("wrong-type", "wrong-value")
            and "this faults" in warning.message
            and warning.line == line
        ]
        if warned and code not in EARLIER:
            assert any(f"({code})" in message for message in warned), case["id"]
            agreed += 1
    assert agreed > 150


@pytest.mark.slow
def test_every_golden_program_can_be_checked() -> None:
    for case in compile_cases():
        for warning in check_source(case["script"]):
            assert warning.render()


@given(scripts())
def test_every_program_can_be_checked(lines: list[str]) -> None:
    found = check_source(lines)
    assert list(found) == sorted(found, key=lambda warning: (warning.line, warning.column))
    assert all(warning.severity is Severity.WARNING for warning in found)
