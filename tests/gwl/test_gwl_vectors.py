"""Compiler and machine agree with every golden vector."""

from __future__ import annotations

from gwl import compile_source
from gwl.machine import Step
from gwl.program import Op, Program
from tests.gwl.vector_files import (
    Case,
    FixedBoard,
    compile_cases,
    describe_end,
    machine_cases,
    start_machine,
)

OP_NAMES = {
    Op.PUSH: "opPush",
    Op.LOAD: "opLoad",
    Op.STORE: "opStore",
    Op.INDEX: "opIndex",
    Op.BINARY: "opBin",
    Op.UNARY: "opUn",
    Op.CALL: "opCall",
    Op.JUMP: "opJump",
    Op.JUMP_FALSE: "opJumpFalse",
    Op.ENTER: "opEnter",
    Op.RETURN: "opReturn",
    Op.LEAVE: "opLeave",
    Op.ACTION: "opAction",
    Op.HALT: "opHalt",
}


def test_every_program_compiles_to_the_expected_listing() -> None:
    cases = compile_cases()
    assert len(cases) > 900
    wrong = [case["id"] for case in cases if _describe(compile_source(case["script"])) != case["expect"]]
    assert wrong == []


def _describe(program: Program) -> Case:
    return {
        "ok": True,
        "ops": len(program.instructions),
        "listing": [[OP_NAMES[op], a, b, line] for op, a, b, line in program.instructions],
        "consts": list(program.constants),
        "names": list(program.names),
        "globals": program.global_count,
        "procs": [
            {"name": proc.name, "entry": proc.entry, "arity": proc.arity, "locals": proc.local_count}
            for proc in program.procs
        ],
    }


def test_every_machine_acts_and_ends_as_expected() -> None:
    cases = machine_cases()
    assert len(cases) > 4000
    wrong = [case["id"] for case in cases if _run(case) != case["expect"]]
    assert wrong == []


def _run(case: Case) -> Case:
    machine = start_machine(case, compile_source(case["script"]))
    board = FixedBoard(case["view"])
    actions = []
    while board.now < case["ticks"] and not machine.halted and machine.fault is None:
        actions.append(_describe_step(machine.resume(board, case["budget"])))
        board.now += 1
    return {"actions": actions, **describe_end(machine)}


def _describe_step(step: Step) -> list[object]:
    return [step.kind.name.lower(), step.dx, step.dy, step.line, step.stalled]
