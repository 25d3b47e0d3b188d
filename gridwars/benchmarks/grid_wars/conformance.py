"""The golden vectors of Grid Wars, run: each kind's cases against the reference engine.

The kinds are those of the vectors' README: `compile`, `vm`, `battles`, `setup` and `episodes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, assert_never

import msgspec

from gridwars.benchmarks.grid_wars.battle import Battle, compile_seats
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.conformance_episodes import run_episode_cases
from gridwars.benchmarks.grid_wars.rules import (
    BOARD_SIZE,
    SEAT_COUNT,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
)
from gridwars.benchmarks.grid_wars.sensors import WarriorSensors
from gridwars.benchmarks.grid_wars.state import BattleState, Bomb, Warrior
from gridwars.benchmarks.grid_wars.stats import stats_to_vector
from gridwars.vectors import CaseResult, Difference, Runner, VectorLine, first_difference
from gwl import compile_source
from gwl.errors import CompileError
from gwl.machine import Machine
from gwl.program import ActionKind, Op, Program
from gwl.values import Array, Value

Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]
WarriorId = Annotated[int, msgspec.Meta(ge=1, le=SEAT_COUNT)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE)]
Cell = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE * BOARD_SIZE)]
Count = Annotated[int, msgspec.Meta(ge=1)]
BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
Answer = dict[str, object]


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


class BattleCase(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    scripts: Annotated[list[list[str]], BySeat]
    seed: Seed
    spawn: Annotated[list[Cell], BySeat]
    ticks: Count
    bomb_cost: int
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


def run_battle_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(BattleCase)
        if len(set(case.spawn)) < SEAT_COUNT:
            raise line.error(f"spawn: {case.spawn} has two seats on one cell")
        yield CaseResult(case.id, first_difference(case.expect, compute_battle_answer(case)))


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
        actions.append([_action_name(step.kind), step.dx, step.dy, step.line, step.stalled])
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


def compute_battle_answer(case: BattleCase) -> Answer:
    battle = Battle.start(
        compile_seats(case.scripts),
        seed=case.seed,
        spawn=case.spawn,
        ticks=case.ticks,
        bomb_cost=case.bomb_cost,
        tick_digests=True,
    )
    acts: list[list[int]] = []
    while not battle.is_over:
        battle.step()
        acts.append(_list_acts(battle.state))
    result = battle.result()
    answer: Answer = {
        "digest": result.digest,
        "reason": result.reason.value,
        "ticksPlayed": result.ticks_played,
        "stats": [_without_text(stats_to_vector(stats)) for stats in result.stats],
        "curve": result.curve,
        "ascii": render_board(battle.state),
        "bombs": [
            [cell % BOARD_SIZE, cell // BOARD_SIZE, bomb.fuse, bomb.seat]
            for cell, bomb in sorted(battle.state.bombs.items())
        ],
        "final": [
            {
                "x": warrior.x,
                "y": warrior.y,
                "energy": warrior.energy,
                "idle": warrior.idle,
                "line": machine.line,
                "action": _action_name(warrior.action),
                "halted": machine.halted,
                "rng": f"{machine.rng:016x}",
            }
            for warrior, machine in zip(battle.state.warriors, battle.state.machines, strict=True)
        ],
        "tickDigests": result.tick_digests,
    }
    if "acts" in case.expect:
        answer["acts"] = acts
    return answer


def _list_acts(state: BattleState) -> list[int]:
    acts: list[int] = []
    for warrior, machine in zip(state.warriors, state.machines, strict=True):
        acts += (warrior.action.value, machine.line)
    return acts


def _without_text(stats: Answer) -> Answer:
    """Vectors say faults by their code alone."""
    return {name: value for name, value in stats.items() if name != "faultText"}


def compute_setup_answer(case: SetupCase) -> Answer:
    round_seeds = [compute_round_seed(case.seed, number) for number in range(1, case.rounds + 1)]
    return {
        "aliases": list(draw_aliases(case.seed)),
        "rounds": [
            {"round": number, "roundSeed": round_seed, "spawn": list(draw_spawn(round_seed))}
            for number, round_seed in enumerate(round_seeds, start=1)
        ],
    }


def _action_name(kind: ActionKind) -> str:
    return kind.name.lower()
