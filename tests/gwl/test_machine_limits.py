"""The machine at its limits: budget, open calls, array elements, and depth of nesting."""

from __future__ import annotations

import pytest

from gwl import FaultCode, compile_source, syntax
from gwl.compiler import compile_program
from gwl.limits import INSTRUCTIONS_PER_TICK, MAX_ARRAY_ELEMENTS, MAX_CALL_DEPTH
from gwl.machine import Machine, Step
from gwl.program import ActionKind, Program
from tests.benchmarks.machine import FlatBoard


def start(program: Program) -> Machine:
    return Machine(program, seat=0, seed=0, bomb_cost=12)


def resume(machine: Machine, budget: int = INSTRUCTIONS_PER_TICK) -> Step:
    return machine.resume(FlatBoard(), budget)


def spend(instructions: int) -> list[str]:
    """Three lines that from the start of a program run exactly so many instructions."""
    rounds, minuses = divmod(instructions - 11, 11)  # Each round costs 11, and so does all the rest.
    return [f"for i in 0 ..< {rounds}:", "  discard i", f"discard {'-' * minuses}1"]


def test_the_last_instruction_of_the_budget_counts_when_it_is_an_action() -> None:
    machine = start(compile_source([*spend(1999), "place()", "bomb()"]))
    assert resume(machine) == Step(ActionKind.PLACE, 0, 0, 4, False, 2000)
    assert resume(machine) == Step(ActionKind.BOMB, 0, 0, 5, False, 1)


def test_an_action_behind_the_budget_is_the_next_ticks() -> None:
    machine = start(compile_source([*spend(2000), "place()"]))
    assert resume(machine) == Step(ActionKind.WAIT, 0, 0, 4, True, 2000)
    assert resume(machine) == Step(ActionKind.PLACE, 0, 0, 4, False, 1)


def test_the_end_of_the_program_costs_an_instruction_like_any_other() -> None:
    machine = start(compile_source(spend(1999)))
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 2000)
    assert machine.halted
    late = start(compile_source(spend(2000)))
    assert resume(late) == Step(ActionKind.WAIT, 0, 0, 3, True, 2000)
    assert not late.halted
    assert resume(late).spent == 1
    assert late.halted


def test_a_fault_on_the_last_instruction_of_the_budget_is_no_stall() -> None:
    machine = start(compile_source([*spend(1999), "discard y"]))
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 2000)
    assert machine.fault is not None
    assert machine.fault.line == 4


def test_a_budget_of_nothing_stalls_at_once() -> None:
    machine = start(compile_source(["", "place()"]))
    assert resume(machine, 0) == Step(ActionKind.WAIT, 0, 0, 1, True, 0)
    assert resume(machine, 2).kind is ActionKind.PLACE


def test_sixty_four_calls_may_be_open() -> None:
    proc = ["proc f(n) =", "  if n > 1:", "    return f(n - 1) + 1", "  wait()", "  return 1"]
    machine = start(compile_source([*proc, f"var r = f({MAX_CALL_DEPTH})"]))
    assert resume(machine).kind is ActionKind.WAIT
    assert machine.open_calls == MAX_CALL_DEPTH
    resume(machine)
    assert machine.globals() == {"r": MAX_CALL_DEPTH}


def test_the_sixty_fifth_open_call_is_a_fault_that_has_taken_its_arguments() -> None:
    machine = start(compile_source(["proc f(n) =", "  return 1 + f(n + 1)", "var r = f(1)"]))
    resume(machine)
    assert machine.fault is not None
    assert machine.fault.code is FaultCode.CALL_DEPTH
    assert machine.open_calls == MAX_CALL_DEPTH
    assert machine.stack_size == MAX_CALL_DEPTH  # The 1 that each open call has kept.


def test_a_wrong_argument_count_is_told_before_the_depth_of_calls() -> None:
    proc = ["proc f(n) =", f"  if n == {MAX_CALL_DEPTH}:", "    f()", "  f(n + 1)"]
    machine = start(compile_source([*proc, "f(1)"]))
    resume(machine)
    assert machine.fault is not None
    assert machine.fault.code is FaultCode.PROC_ARITY


def build_literals(*counts: int) -> Program:
    """`discard [1, 1, …]` for each count: arrays no parsed program has room for."""
    one = syntax.Integer(1, 1, 1)
    statements = tuple(
        syntax.Discard(line, 1, syntax.ArrayLiteral(line, 9, (one,) * count), bare=False)
        for line, count in enumerate(counts, start=1)
    )
    loop = syntax.While(1, 1, syntax.Boolean(1, 1, True), syntax.Block(1, 1, statements))
    return compile_program(syntax.Program((loop,), len(counts)))


@pytest.mark.parametrize("counts", [(MAX_ARRAY_ELEMENTS,), (MAX_ARRAY_ELEMENTS - 1, 1, 0), (2048, 2048)])
def test_all_arrays_together_may_hold_4096_elements_however_often_their_literals_run(
    counts: tuple[int, ...],
) -> None:
    machine = start(build_literals(*counts))
    assert resume(machine, 100_000).stalled
    assert machine.fault is None


@pytest.mark.parametrize("counts", [(MAX_ARRAY_ELEMENTS + 1,), (MAX_ARRAY_ELEMENTS, 1), (0, 2048, 2048, 1)])
def test_a_literal_that_needs_more_is_a_fault_when_it_runs_first(counts: tuple[int, ...]) -> None:
    machine = start(build_literals(*counts))
    resume(machine, 100_000)
    assert machine.fault is not None
    assert machine.fault.code is FaultCode.ALLOCATION
    assert machine.fault.line == len(counts)
    assert machine.fault.message == (
        f"no room for an array of {counts[-1]}: the arrays already hold {sum(counts[:-1])} of "
        f"{MAX_ARRAY_ELEMENTS} elements"
    )
    assert machine.stack_size == 0


def test_a_program_may_nest_as_deep_as_its_size_allows() -> None:
    text = "(" * 1900 + "7" + ")" * 1900
    lines = [text[start : start + 90] for start in range(0, len(text), 90)]
    machine = start(compile_source(["var a = (", *lines, ")"]))
    resume(machine)
    assert machine.globals() == {"a": 7}


def test_thousands_of_operands_may_wait_on_the_stack() -> None:
    ones = syntax.Integer(1, 1, 1)
    expression: syntax.Expression = ones
    for _ in range(1999):
        expression = syntax.Binary(1, 1, syntax.BinaryOperator.ADD, ones, expression)
    machine = start(compile_program(syntax.Program((syntax.Var(1, 1, "a", expression),), 1)))
    assert resume(machine).stalled
    assert machine.stack_size == 1999
    resume(machine, 10_000)
    assert machine.globals() == {"a": 2000}
