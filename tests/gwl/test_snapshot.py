"""A machine's state survives JSON between any two instructions, and a damaged one is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl import compile_source
from gwl.limits import MAX_CALL_DEPTH
from gwl.machine import Machine
from gwl.program import Program
from tests.gwl.strategies import scripts
from tests.gwl.vector_files import Case, FixedBoard, describe_end, machine_cases, start_machine

CASES = [case for case in machine_cases() if case["group"] in ("program", "budget", "generated", "types")]


def through_json(program: Program, machine: Machine) -> Machine:
    return Machine.restore(program, json.loads(json.dumps(machine.save())))


@pytest.mark.slow
@pytest.mark.parametrize("group", ["program", "budget", "types"])
def test_a_machine_saved_and_restored_before_every_resume_runs_like_an_uninterrupted_one(group: str) -> None:
    cases = [case for case in CASES if case["group"] == group]
    assert len(cases) > 40
    for case in cases[:150]:
        program = compile_source(case["script"])
        machine, board = start_machine(case, program), FixedBoard(case["view"])
        actions = []
        while board.now < case["ticks"] and not machine.halted and machine.fault is None:
            machine = through_json(program, machine)
            step = machine.resume(board, case["budget"])
            actions.append([step.kind.name.lower(), *step[1:5]])
            board.now += 1
        assert {"actions": actions, **describe_end(through_json(program, machine))} == case["expect"], case[
            "id"
        ]


BUDGETS = st.lists(st.integers(1, 40), max_size=30)


@given(st.sampled_from([case for case in CASES if case["group"] == "generated"]), BUDGETS)
def test_a_machine_can_be_cut_between_any_two_instructions(case: Case, budgets: list[int]) -> None:
    check_cuts(case, case["script"], budgets)


@given(st.sampled_from(CASES), scripts(), BUDGETS)
def test_so_can_one_of_any_legal_program(case: Case, script: list[str], budgets: list[int]) -> None:
    check_cuts(case, script, budgets)


def check_cuts(case: Case, script: list[str], budgets: list[int]) -> None:
    program, board = compile_source(script), FixedBoard(case["view"])
    whole, cut = start_machine(case, program), start_machine(case, program)
    for budget in budgets:
        step = whole.resume(board, budget)
        cut = through_json(program, cut)
        assert cut.resume(board, budget) == step
        assert cut.save() == whole.save()


def save_inside_calls() -> tuple[Program, dict[str, Any]]:
    program = compile_source(
        [
            "proc inner(a, n) =",
            "  var b = n > 1",
            "  a[0] = n",
            "  wait()",
            "  return a[0]",
            "proc outer(n) =",
            "  return 10 + inner([n, 2], n)",
            "var r = 5 * outer(3)",
            "var late = [1]",
        ]
    )
    machine = Machine(program, seat=2, seed=4, bomb_cost=9)
    machine.resume(FixedBoard(CASES[0]["view"]))
    return program, json.loads(json.dumps(machine.save()))


def test_a_saved_machine_holds_everything_in_plain_words() -> None:
    _, saved = save_inside_calls()
    assert saved == {
        "seat": 2,
        "bomb_cost": 9,
        "rng": 6,
        "line": 4,
        "halted": False,
        "fault": None,
        "address": 11,
        "stack": [5, 10],
        "globals": [0, 0],
        "locals": [{"array": 0}, 3, True],
        "callers": [{"address": 31, "locals": []}, {"address": 24, "locals": [3]}],
        "arrays": [{"site": 21, "items": [3, 2]}],
    }


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (["seat"], 4, "Expected `int` <= 3"),
        (["line"], "x", "Expected `int`, got `str` - at `$.line`"),
        (["line"], 10, "line 10 is beyond the program"),
        (["rng"], 2**64, "not a 64-bit word"),
        (["rng"], -1, "Expected `int` >= 0"),
        (["stack", 0], 2**63, "stack"),
        (["stack", 0], 1.5, "stack"),
        (["stack", 0], None, "stack"),
        (["stack", 0], {"array": 1}, "array 1 of 1"),
        (["callers", 1, "locals", 0], {"array": 1}, "array 1 of 1"),
        (["stack"], [5], "1 values on the stack instead of 2"),
        (["globals"], [0], "1 globals instead of 2"),
        (["locals"], [0, 0], '2 locals at address 11 of proc "inner"'),
        (["address"], 24, 'proc "inner" never comes to address 24'),
        (["address"], 99, "address 99 is beyond the program"),
        (["callers", 0, "address"], 32, "no call of the top level returns to address 32"),
        (["callers", 0, "address"], 99, "no call of the top level returns to address 99"),
        (["callers", 0, "address"], 0, "no call of the top level returns to address 0"),
        (["callers", 0, "address"], 24, "no call of the top level returns to address 24"),
        (["callers", 0, "locals"], [1], "1 locals at address 31 of the top level"),
        (["callers"], [], "the top level never comes to address 11"),
        (["arrays", 0, "site"], 22, "no literal at address 22"),
        (["arrays", 0, "items"], [1], "1 items, but its literal has 2"),
        (["extra"], 1, "unknown field `extra`"),
    ],
)
def test_a_state_that_does_not_fit_is_refused_by_name(
    path: list[str | int], value: object, complaint: str
) -> None:
    program, saved = save_inside_calls()
    place: Any = saved
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match="saved machine") as refusal:
        Machine.restore(program, saved)
    assert complaint in str(refusal.value)


def test_as_many_calls_may_be_open_as_the_machine_opens_and_not_one_more() -> None:
    depth = MAX_CALL_DEPTH
    source = ["proc f(n) =", "  if n == 1:", "    wait()", "    return 0", "  return f(n - 1)", f"f({depth})"]
    program = compile_source(source)
    machine = Machine(program, seat=0, seed=0, bomb_cost=12)
    machine.resume(FixedBoard(CASES[0]["view"]))
    saved: dict[str, Any] = machine.save()
    assert (saved["fault"], len(saved["callers"])) == (None, depth)
    Machine.restore(program, saved)
    saved["callers"].insert(1, saved["callers"][1])
    with pytest.raises(ValueError, match=f"{depth + 1} open calls, more than {depth}"):
        Machine.restore(program, saved)


def test_a_caller_cannot_wait_for_a_call_that_is_refused() -> None:
    program = compile_source(["proc f(n) =", "  wait()", "f(1)", "f()"])
    machine = Machine(program, seat=0, seed=0, bomb_cost=12)
    machine.resume(FixedBoard(CASES[0]["view"]))
    saved: dict[str, Any] = machine.save()
    assert saved["callers"] == [{"address": 7, "locals": []}]
    saved["callers"][0]["address"] = 9
    with pytest.raises(ValueError, match="no call of the top level returns to address 9"):
        Machine.restore(program, saved)


def test_a_machine_that_ended_is_saved_at_its_last_instruction() -> None:
    for source, address in ((["place()"], 2), (["var a = 1 div 0"], 3)):
        program = compile_source(source)
        machine = Machine(program, seat=0, seed=0, bomb_cost=12)
        for _ in range(2):
            machine.resume(FixedBoard(CASES[0]["view"]))
        saved = machine.save()
        assert saved["address"] == address
        assert Machine.restore(program, saved).save() == saved
        with pytest.raises(ValueError, match="address 9 is beyond the program"):
            Machine.restore(program, {**saved, "address": 9})


def test_two_arrays_of_one_literal_are_refused() -> None:
    program, saved = save_inside_calls()
    saved["arrays"].append(saved["arrays"][0])
    with pytest.raises(ValueError, match="one that owns another array"):
        Machine.restore(program, saved)


def test_a_state_without_one_of_its_fields_is_refused() -> None:
    program, saved = save_inside_calls()
    for field in saved:
        damaged = {name: value for name, value in saved.items() if name != field}
        with pytest.raises(ValueError, match=f"missing required field `{field}`"):
            Machine.restore(program, damaged)


WRONG_VALUES = st.one_of(
    st.integers(-2, 60),
    st.booleans(),
    st.none(),
    st.lists(st.integers(0, 3), max_size=3),
    st.just({"array": 0}),
)


@given(st.sampled_from(CASES), st.integers(1, 60), st.data())
def test_a_damaged_state_is_refused_or_runs_without_an_error_of_ours(
    case: Case, budget: int, data: st.DataObject
) -> None:
    program, board = compile_source(case["script"]), FixedBoard(case["view"])
    machine = start_machine(case, program)
    for _ in range(3):
        machine.resume(board, budget)
    saved = json.loads(json.dumps(machine.save()))
    place: Any = saved
    keys = sorted(saved)
    while True:
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], list | dict) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
    place[key] = data.draw(WRONG_VALUES)
    try:
        restored = Machine.restore(program, copy.deepcopy(saved))
    except ValueError:
        return
    for _ in range(5):
        restored.resume(board, 200)
