"""The golden vectors of Grid Wars, run: each kind's cases against what we make of them.

The kinds are those of the vectors' README: `compile`, `vm`, `battles`, `setup` and `episodes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, assert_never

import msgspec

from gridwars.benchmarks.grid_wars.conformance_battles import run_battle_cases
from gridwars.benchmarks.grid_wars.conformance_episodes import run_episode_cases
from gridwars.benchmarks.grid_wars.conformance_types import (
    Answer,
    Cell,
    Coordinate,
    Count,
    Seat,
    Seed,
    WarriorId,
    name_action,
)
from gridwars.benchmarks.grid_wars.rules import (
    SEAT_COUNT,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
)
from gridwars.benchmarks.grid_wars.sensors import WarriorSensors
from gridwars.benchmarks.grid_wars.state import BattleState, Bomb, Warrior
from gridwars.vectors import CaseResult, Difference, Runner, VectorLine, first_difference
from gwl import compile_source
from gwl.errors import CompileError
from gwl.machine import Machine
from gwl.program import Op, Program
from gwl.values import Array, Value


class CompileCase(msgspec.Struct, frozen=True):
    id: str
    group: str
    script: list[str]
    expect: Answer


class View(msgspec.Struct, frozen=True, rename="camel"):
    """A board that does not change, and the warrior that looks at it."""

    x: Coordinate
    y: Coordinate
    id: WarriorId
    energy: int
    tiles: int
    bomb_cost: int
    owner: list[tuple[Cell, WarriorId]]
    occupant: list[tuple[Cell, WarriorId]]
    corpse: list[Cell]
    bomb: list[Cell]
    alive: list[WarriorId]


class Views(msgspec.Struct, frozen=True):
    views: list[View]


class VmCase(msgspec.Struct, frozen=True):
    id: str
    script: list[str]
    ticks: Count
    budget: Count
    seat: Seat
    seed: Seed
    view: Annotated[int, msgspec.Meta(ge=0)]
    expect: Answer


class SetupCase(msgspec.Struct, frozen=True):
    seed: Seed
    rounds: Count
    expect: Answer


def run_compile_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(CompileCase)
        yield CaseResult(case.id, first_difference(case.expect, compute_compile_answer(case)))


def run_vm_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    views: list[View] = []
    for index, line in enumerate(lines):
        if index == 0:
            views = line.decode(Views).views
            continue
        case = line.decode(VmCase)
        if case.view >= len(views):
            raise line.error(f"view: {case.view} is none of the {len(views)} views on the first line")
        try:
            program = compile_source(case.script)
        except CompileError as error:
            yield CaseResult(case.id, Difference("script", "a program", str(error)))
            continue
        answer = compute_vm_answer(case, program, views[case.view])
        yield CaseResult(case.id, first_difference(case.expect, answer))


def run_setup_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(SetupCase)
        yield CaseResult(f"seed {case.seed}", first_difference(case.expect, compute_setup_answer(case)))


KINDS: Mapping[str, Runner] = {
    "compile": run_compile_cases,
    "vm": run_vm_cases,
    "battles": run_battle_cases,
    "setup": run_setup_cases,
    "episodes": run_episode_cases,
}
"""The runner of each kind."""


def compute_compile_answer(case: CompileCase) -> Answer:
    try:
        program = compile_source(case.script)
    except CompileError as error:
        # Only whether such a script compiles is fixed, not which of its errors comes first.
        if case.group == "error_order":
            return {"ok": False}
        return {"ok": False, "line": error.first.line, "code": error.first.code.value}
    return {
        "ok": True,
        "ops": len(program.instructions),
        "listing": [[_OP_NAMES[op], a, b, line] for op, a, b, line in program.instructions],
        "consts": list(program.constants),
        "names": list(program.names),
        "globals": program.global_count,
        "procs": [
            {"name": proc.name, "entry": proc.entry, "arity": proc.arity, "locals": proc.local_count}
            for proc in program.procs
        ],
    }


_OP_NAMES = {
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


def compute_vm_answer(case: VmCase, program: Program, view: View) -> Answer:
    # The id is the view's and the stream of `rand` the case's: only the sum of seed and seat counts for it.
    viewer = view.id - 1
    state = _build_view_state(view)
    sensors = WarriorSensors(state, state.warriors[viewer])
    machine = Machine(program, seat=viewer, seed=case.seed + case.seat - viewer, bomb_cost=view.bomb_cost)
    actions: list[list[object]] = []
    for tick in range(case.ticks):
        state.tick = tick
        step = machine.resume(sensors, case.budget)
        actions.append([name_action(step.kind), step.dx, step.dy, step.line, step.stalled])
        if machine.halted or machine.fault is not None:
            break
    return {
        "actions": actions,
        "halted": machine.halted,
        "fault": None if machine.fault is None else [machine.fault.line, machine.fault.code.value],
        "rng": f"{machine.rng:016x}",
        "frames": machine.open_calls,
        "stack": machine.stack_size,
        "globals": {name: _describe_value(value) for name, value in machine.globals().items()},
    }


def _describe_value(value: Value) -> list[object]:
    match value:
        case bool():
            return ["bool", value]
        case int():
            return ["int", value]
        case Array():
            return ["array", value.number, value.items]
        case _:
            assert_never(value)


def _build_view_state(view: View) -> BattleState:
    """A battle that looks like the view to the view's warrior; the others' places are not known."""
    state = BattleState(
        bomb_cost=view.bomb_cost,
        ticks=1,
        warriors=tuple(
            Warrior(seat, view.x, view.y, alive=seat + 1 in view.alive, energy=view.energy, tiles=view.tiles)
            for seat in range(SEAT_COUNT)
        ),
        machines=(),
    )
    for board, marks in ((state.owner, view.owner), (state.occupant, view.occupant)):
        board[:] = bytes(len(board))
        for cell, warrior_id in marks:
            board[cell] = warrior_id
    for cell in view.corpse:
        state.corpse[cell] = 1
    for cell in view.bomb:
        state.bombs[cell] = Bomb(seat=0, fuse=1)
    return state


def compute_setup_answer(case: SetupCase) -> Answer:
    round_seeds = [compute_round_seed(case.seed, number) for number in range(1, case.rounds + 1)]
    return {
        "aliases": list(draw_aliases(case.seed)),
        "rounds": [
            {"round": number, "roundSeed": round_seed, "spawn": list(draw_spawn(round_seed))}
            for number, round_seed in enumerate(round_seeds, start=1)
        ],
    }
