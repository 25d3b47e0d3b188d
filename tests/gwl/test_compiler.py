"""What the compiler makes of a tree: prices, slots, and no limit of its own."""

from __future__ import annotations

import pytest

from gwl import compile_source, syntax
from gwl.compiler import compile_program
from gwl.program import Instruction, Op, Program, Scope
from gwl.syntax import BinaryOperator, UnaryOperator

JUMP_AND_HALT = 2


@pytest.mark.parametrize(
    ("statements", "price"),
    [
        ([], 0),
        (["var a = 1"], 2),
        (["var a = gridSize"], 2),
        (["var a = ID"], 2),
        (["var a = [1, 2]"], 4),
        (["var a = [1][0]"], 5),
        (["var a = -1"], 3),
        (["var a = not true"], 3),
        (["var a = 1 + 2"], 4),
        (["var a = true and false"], 7),
        (["var a = true or false"], 7),
        (["var a = max(1, 2)"], 4),
        (["discard 1"], 2),
        (["x()"], 2),
        (["var a = 1", "a = 2"], 4),
        (["var a = [1]", "a[0] = 2"], 7),
        (["place()"], 1),
        (["move(1, 0)"], 3),
        (["if true:", "  place()"], 4),
        (["if true:", "  place()", "else:", "  place()"], 5),
        (["if true:", "  place()", "elif true:", "  place()"], 8),
        (["while true:", "  place()"], 4),
        (["while true:", "  break"], 4),
        (["for i in 0 ..< 3:", "  place()"], 14),
        (["for i in [1]:", "  place()"], 20),
        (["proc f() =", "  place()"], 4),
        (["proc f() =", "  return"], 5),
        (["proc f() =", "  return 1", "f()"], 7),
    ],
)
def test_a_construct_has_as_many_instructions_as_the_language_prices_it_at(
    statements: list[str], price: int
) -> None:
    assert len(compile_source(statements).instructions) == price + JUMP_AND_HALT


def test_instructions_carry_the_line_of_the_token_that_made_them() -> None:
    program = compile_source(["var a = 1 +", "  2", "if a ==", "  3:", "  a = [7][", "    0]"])
    lines = {op: line for op, _, _, line in program.instructions}
    assert [line for op, _, _, line in program.instructions if op is Op.BINARY] == [1, 3]
    assert lines[Op.JUMP_FALSE] == 3
    assert lines[Op.INDEX] == 5
    assert lines[Op.STORE] == 5
    assert lines[Op.HALT] == 6


def test_constants_are_pooled_in_the_order_the_procs_and_then_the_rest_use_them() -> None:
    program = compile_source(["var a = 5", "proc f() =", "  return 7", "a = 7"])
    assert program.constants == (7, 0, 5)


def test_a_global_is_one_slot_wherever_it_is_declared() -> None:
    program = compile_source(["if true:", "  var a = 1", "for a in 0 .. 1:", "  var b = a", "var a = b"])
    assert program.global_names == ("a", "b", "")


def test_a_proc_sees_a_global_that_is_declared_below_it() -> None:
    program = compile_source(["proc f() =", "  return late", "var late = 1"])
    assert _slots(program, Op.LOAD) == [(0, Scope.GLOBAL)]


def test_a_local_is_known_from_its_var_on_to_the_end_of_its_block() -> None:
    program = compile_source(
        ["var a = 1", "proc f() =", "  if a == 1:", "    var a = a", "    a = 2", "  return a"]
    )
    assert _slots(program, Op.LOAD) == [(0, Scope.GLOBAL), (0, Scope.GLOBAL), (0, Scope.GLOBAL)]
    assert _slots(program, Op.STORE) == [(0, Scope.LOCAL), (0, Scope.LOCAL), (0, Scope.GLOBAL)]


def test_a_var_of_a_parameter_name_is_another_slot() -> None:
    program = compile_source(["proc f(a) =", "  var a = a", "  return a"])
    assert _slots(program, Op.LOAD) == [(0, Scope.LOCAL), (1, Scope.LOCAL)]


def test_a_second_var_of_a_block_is_the_same_slot_and_one_of_an_inner_block_is_not() -> None:
    program = compile_source(["proc f() =", "  var a = 1", "  var a = 2", "  if true:", "    var a = 3"])
    assert [number for number, _ in _slots(program, Op.STORE)] == [0, 0, 1]
    assert program.procs[0].local_count == 2


def test_a_loop_variable_of_a_proc_is_in_scope_in_its_own_bounds() -> None:
    program = compile_source(["proc f(i) =", "  for i in i .. 2:", "    wait()"])
    assert _slots(program, Op.LOAD)[0] == (1, Scope.LOCAL)


def test_a_name_that_is_found_nowhere_compiles() -> None:
    program = compile_source(["a = b", "ghost()"])
    assert program.names == ("b", "a", "ghost")
    assert Instruction(Op.CALL, -3, 0, 2) in program.instructions


def test_a_builtin_wins_over_a_proc_and_a_constant_over_a_variable() -> None:
    program = compile_source(["proc check(EMPTY) =", "  return EMPTY", "check(1, 2)"])
    assert Instruction(Op.CALL, 0, 2, 3) in program.instructions
    assert _slots(program, Op.LOAD) == []


@pytest.mark.slow
def test_nesting_costs_no_recursion() -> None:
    depth = 100_000
    expression: syntax.Expression = syntax.Boolean(1, 1, True)
    for _ in range(depth):
        expression = syntax.Unary(1, 1, UnaryOperator.NOT, expression)
        expression = syntax.Binary(1, 1, BinaryOperator.AND, syntax.Boolean(1, 1, True), expression)
    program = compile_program(syntax.Program((syntax.Var(1, 1, "a", expression),), 1))
    assert len(program.instructions) == 6 * depth + 2 + JUMP_AND_HALT


def test_two_compilations_of_one_source_are_equal() -> None:
    source = ["proc f(a) =", "  return a", "while f(1) == 1:", "  place()"]
    assert compile_source(source) == compile_source(source)
    assert len({compile_source(source), compile_source(source)}) == 1


def _slots(program: Program, op: Op) -> list[tuple[int, int]]:
    return [(a, b) for kind, a, b, _ in program.instructions if kind is op]
