"""What a running warrior does, and what it is told when it faults."""

from __future__ import annotations

import pytest

from gwl import Fault, FaultCode, compile_source
from gwl.machine import Machine, Step
from gwl.program import ActionKind
from tests.gwl.vector_files import FixedBoard, machine_cases

VIEW = {
    "x": 3,
    "y": 29,
    "energy": 7,
    "tiles": 11,
    "owner": [],
    "occupant": [[29 * 30 + 3, 2]],
    "corpse": [],
    "bomb": [],
    "alive": [1, 2],
}


def start(*lines: str) -> Machine:
    return Machine(compile_source(lines), seat=1, seed=1, bomb_cost=12)


def resume(machine: Machine, budget: int = 2000) -> Step:
    return machine.resume(FixedBoard(VIEW), budget)


def fault_of(*lines: str) -> Fault:
    machine = start(*lines)
    resume(machine)
    assert machine.fault is not None, "nothing faulted"
    return machine.fault


def test_a_machine_goes_on_behind_its_action() -> None:
    machine = start("var n = 0", "while true:", "  move(n, -n)", "  n = n + 1", "  place()")
    steps = [resume(machine) for _ in range(3)]
    assert steps == [
        Step(ActionKind.MOVE, 0, 0, 3, False, 9),
        Step(ActionKind.PLACE, 0, 0, 5, False, 5),
        Step(ActionKind.MOVE, 1, -1, 3, False, 7),
    ]


def test_an_action_inside_an_expression_leaves_the_stack_for_the_next_tick() -> None:
    machine = start("proc f() =", "  bomb()", "  return 4", "var r = 10 * 10 + f()")
    assert resume(machine).kind is ActionKind.BOMB
    assert (machine.open_calls, machine.stack_size) == (1, 1)
    resume(machine)
    assert machine.globals() == {"r": 104}


def test_a_stall_waits_at_the_next_instruction_and_loses_nothing() -> None:
    machine = start("var n = 0", "while true:", "  n = n + 1")
    assert resume(machine, 6) == Step(ActionKind.WAIT, 0, 0, 3, True, 6)
    assert machine.line == 3
    assert (machine.stack_size, machine.globals()) == (1, {"n": 0})
    resume(machine, 3)
    assert machine.globals() == {"n": 1}


def test_the_line_of_the_last_action_outlives_a_halt_and_a_fault() -> None:
    for last in ("var a = 1", "var a = ghost"):
        machine = start("", "place()", last)
        resume(machine)
        assert resume(machine).line == 0
        assert machine.line == 2


def test_a_program_that_ends_halts_without_a_fault_and_does_nothing_from_then_on() -> None:
    machine = start("place()")
    resume(machine)
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 1)
    assert machine.halted
    assert machine.fault is None
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 0)


def test_a_faulted_machine_has_not_halted_and_does_nothing_from_then_on() -> None:
    machine = start("discard 1 div 0")
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 4)
    fault = machine.fault
    assert fault is not None
    assert not machine.halted
    assert resume(machine) == Step(ActionKind.NONE, 0, 0, 0, False, 0)
    assert machine.fault == fault


def test_machines_of_one_program_share_no_state() -> None:
    program = compile_source(["var a = [0]", "while true:", "  a[0] = a[0] + 1", "  place()"])
    first, second = (Machine(program, seat=0, seed=1, bomb_cost=12) for _ in range(2))
    for _ in range(3):
        resume(first)
    resume(second)
    arrays = [machine.globals()["a"] for machine in (first, second)]
    assert [array.items for array in arrays if not isinstance(array, int)] == [[3], [1]]


def test_every_literal_owns_one_array_that_running_it_again_overwrites() -> None:
    machine = start("proc g(v) =", "  return [v]", "var a = g(1)", "var b = g(2)", "var c = [2]")
    resume(machine)
    named = machine.globals()
    assert named["a"] is named["b"]
    assert named["a"] is not named["c"]


def test_an_array_counts_as_its_number_where_a_builtin_wants_an_integer() -> None:
    machine = start("var a = [5]", "var b = [6]", "var r = max(b, a) * 10 + abs(b)")
    resume(machine)
    assert machine.globals()["r"] == 11


def test_the_random_stream_begins_at_the_seed_plus_the_seat() -> None:
    program = compile_source(["var r = rand(9223372036854775807)"])
    streams = {}
    for seat, seed in ((0, 5), (2, 3), (3, -3), (0, 2**64), (1, -1), (1, 2**64 - 1)):
        machine = Machine(program, seat=seat, seed=seed, bomb_cost=12)
        resume(machine)
        streams[seat, seed] = machine.rng
    assert streams[0, 5] == streams[2, 3]
    assert streams[3, -3] == streams[0, 2**64] == streams[1, -1] == streams[1, 2**64 - 1]
    assert streams[0, 5] != streams[3, -3]


FAULTS = [
    (
        ["var a = b"],
        FaultCode.UNDEFINED_VARIABLE,
        'no variable "b" is in scope here; declare it first with "var b = ..."',
    ),
    (
        ["b = 1"],
        FaultCode.UNDEFINED_VARIABLE,
        'no variable "b" is in scope here; declare it first with "var b = ..."',
    ),
    (["scan(1)"], FaultCode.UNDEFINED_PROC, 'there is no proc or builtin named "scan"'),
    (["proc f(a) =", "  return a", "f()"], FaultCode.PROC_ARITY, '"f" takes 1 argument, got 0'),
    (["discard check(1)"], FaultCode.BUILTIN_ARITY, '"check" takes 2 arguments, got 1'),
    (["discard ID(1)"], FaultCode.BUILTIN_ARITY, '"ID" takes no arguments, got 1'),
    (
        ["proc f() =", "  f()", "f()"],
        FaultCode.CALL_DEPTH,
        'calling "f" would make 65 open calls; at most 64 are allowed',
    ),
    (["discard 5[0]"], FaultCode.NOT_AN_ARRAY, "only an array has elements, this is an integer"),
    (["discard [1][true]"], FaultCode.INDEX_TYPE, "an array index must be an integer, got a boolean"),
    (
        ["var a = [1]", "a[0] = a"],
        FaultCode.ITEM_TYPE,
        "an array holds only integers, it cannot store an array",
    ),
    (["var a = [1]", "a[a] = 1"], FaultCode.ITEM_TYPE, "an array index must be an integer, got an array"),
    (
        ["discard [1, 2, 3][7]"],
        FaultCode.INDEX_RANGE,
        "index 7 is out of range for an array of 3 (valid: 0 to 2)",
    ),
    (
        ["discard [1][-1]"],
        FaultCode.INDEX_RANGE,
        "index -1 is out of range for an array of 1 (valid: 0 to 0)",
    ),
    (["discard [][0]"], FaultCode.INDEX_RANGE, "index 0 is out of range: the array is empty"),
    (
        ["discard [1, true]"],
        FaultCode.LITERAL_TYPE,
        "an array holds only integers, but the element at index 1 is a boolean",
    ),
    (
        ["discard 1 == true"],
        FaultCode.COMPARE_TYPES,
        '"==" compares two integers or two booleans, got an integer and a boolean',
    ),
    (["discard 1 < [2]"], FaultCode.ORDER_TYPES, '"<" needs two integers, got an integer and an array'),
    (
        ["discard 1 < 2 < 3"],
        FaultCode.ORDER_TYPES,
        (
            '"<" needs two integers, got a boolean and an integer; '
            'comparisons do not chain: write "a < b and b < c"'
        ),
    ),
    (["discard 1 + [2]"], FaultCode.ARITH_TYPES, '"+" needs two integers, got an integer and an array'),
    (["discard 7 div 0"], FaultCode.DIV_ZERO, '"div" by zero: 7 div 0 has no value'),
    (["discard div(-7, 0)"], FaultCode.DIV_ZERO, '"div" by zero: -7 div 0 has no value'),
    (["discard 7 mod 0"], FaultCode.MOD_ZERO, '"mod" by zero: 7 mod 0 has no value'),
    (
        ["discard 9223372036854775807 + 1"],
        FaultCode.OVERFLOW,
        "9223372036854775807 + 1 does not fit in a 64-bit integer",
    ),
    (
        ["discard div(-9223372036854775807 - 1, -1)"],
        FaultCode.OVERFLOW,
        "-9223372036854775808 div (-1) does not fit in a 64-bit integer",
    ),
    (
        ["discard -(-9223372036854775807 - 1)"],
        FaultCode.OVERFLOW,
        "-(-9223372036854775808) does not fit in a 64-bit integer",
    ),
    (
        ["discard abs(-9223372036854775807 - 1)"],
        FaultCode.OVERFLOW,
        "abs(-9223372036854775808) does not fit in a 64-bit integer",
    ),
    (["discard -true"], FaultCode.NEG_TYPE, '"-" needs an integer, got a boolean'),
    (
        ["discard not 1 == 2"],
        FaultCode.NOT_TYPE,
        '"not" needs a boolean, got an integer; it binds tighter than a comparison: write "not (a == b)"',
    ),
    (
        ["discard true and 1"],
        FaultCode.LOGIC_TYPE,
        '"and" and "or" need booleans, got an integer on the right; compare, as in "n != 0"',
    ),
    (
        ["if 1:", "  wait()"],
        FaultCode.CONDITION_TYPE,
        (
            'a condition or the left side of "and" or "or" must be a boolean, got an integer; '
            'compare, as in "n != 0"'
        ),
    ),
    (["discard min(1, true)"], FaultCode.BOOL_ARGUMENT, '"min" takes no booleans, but argument 2 is one'),
    (
        ["discard check([1], true)"],
        FaultCode.BOOL_ARGUMENT,
        '"check" takes no booleans, but argument 2 is one',
    ),
    (["discard len(true)"], FaultCode.BOOL_ARGUMENT, '"len" takes no booleans, but argument 1 is one'),
    (["discard check(1, [1])"], FaultCode.INT_ARGUMENT, '"check" needs integers, but argument 2 is an array'),
    (["discard rand(0)"], FaultCode.RAND_RANGE, '"rand" needs an integer of at least 1, got 0'),
    (["discard len(3)"], FaultCode.LEN_TYPE, '"len" needs an array, got an integer'),
    (["discard shl(1, 63)"], FaultCode.SHIFT_RANGE, '"shl" shifts by 0 to 62, got 63'),
    (["discard shr(1, -1)"], FaultCode.SHIFT_RANGE, '"shr" shifts by 0 to 62, got -1'),
    (["move(1, true)"], FaultCode.MOVE_TYPE, '"move" needs two integers, but argument 2 is a boolean'),
    (["move([1], true)"], FaultCode.MOVE_TYPE, '"move" needs two integers, but argument 1 is an array'),
]


@pytest.mark.parametrize(
    ("lines", "code", "message"), FAULTS, ids=[" / ".join(lines) for lines, _, _ in FAULTS]
)
def test_a_fault_tells_code_line_and_what_was_wrong(lines: list[str], code: FaultCode, message: str) -> None:
    fault = fault_of("", *lines)
    assert (fault.code, fault.message) == (code, message)
    assert fault.line >= 2


def test_every_fault_that_a_program_within_the_limits_can_reach_is_shown_above() -> None:
    assert {code for _, code, _ in FAULTS} == set(FaultCode) - {FaultCode.ALLOCATION}


def test_a_fault_has_the_line_of_its_instruction() -> None:
    assert fault_of("var a = 1 +", "  2 *", "  true").line == 2


def test_a_call_refused_for_its_name_keeps_its_arguments_and_a_store_does_not_keep_its_value() -> None:
    for lines, stack_size in (("ghost(1, 2)", 2), ("check(1)", 1), ("ghost = 1", 0), ("discard 1 + true", 0)):
        machine = start(lines)
        resume(machine)
        assert machine.fault is not None
        assert machine.stack_size == stack_size


def test_actions_do_not_depend_on_how_ticks_are_sliced() -> None:
    """On a board that stands still, stalls only part the same actions from each other."""
    cases = [case for case in machine_cases() if case["group"] == "budget"]
    assert len(cases) > 100
    for case in cases:
        program = compile_source(case["script"])
        runs = []
        for budget in (1, 7, 100_000):
            machine = Machine(program, seat=0, seed=case["seed"], bomb_cost=12)
            board, spent, actions = FixedBoard(case["view"]), 0, []
            while spent < 5000 and machine.fault is None and not machine.halted:
                step = machine.resume(board, min(budget, 5000 - spent))
                spent += step.spent
                if not step.stalled:
                    actions.append(step[:4])
            runs.append((actions, machine.save()["stack"], machine.rng, machine.fault))
        assert runs[0] == runs[1] == runs[2], case["id"]
