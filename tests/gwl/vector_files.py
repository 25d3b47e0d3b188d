"""The golden vectors of the language, and the board that does not change that machine vectors look at."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from gwl.machine import Machine
from gwl.program import Program
from gwl.values import Array, Value

Case: TypeAlias = dict[str, Any]
"""One decoded line of a vector file, of the shape that the vectors' README describes."""

FOLDER = Path(__file__).parents[1] / "golden" / "gridwars"
SIZE = 30


@cache
def read_cases(name: str) -> tuple[Case, ...]:
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        cases = tuple(json.loads(line) for line in lines)
    assert cases, f"no cases in {name}"
    return cases


def compile_cases() -> list[Case]:
    return [case for case in read_cases("compile") if case["expect"]["ok"]]


def machine_cases() -> list[Case]:
    """The cases, each with its view in place of the view's index."""
    first, *cases = read_cases("vm")
    return [{**case, "view": first["views"][case["view"]]} for case in cases]


class FixedBoard:
    """Sensors over a view; only its clock moves."""

    def __init__(self, view: Case) -> None:
        self._view = view
        self._owner: dict[int, int] = dict(view["owner"])
        self._occupant: dict[int, int] = dict(view["occupant"])
        self.now = 0

    def check(self, dx: int, dy: int) -> int:
        if max(abs(dx), abs(dy)) > 4:
            return -3
        cell = self._cell(dx, dy)
        if cell in self._view["bomb"]:
            return -1
        return -2 if cell in self._view["corpse"] else self._owner.get(cell, 0)

    def who(self, dx: int, dy: int) -> int:
        if max(abs(dx), abs(dy)) > 4:
            return -3
        return self._occupant.get(self._cell(dx, dy), 0)

    def x(self) -> int:
        return int(self._view["x"])

    def y(self) -> int:
        return int(self._view["y"])

    def tiles(self) -> int:
        return int(self._view["tiles"])

    def energy(self) -> int:
        return int(self._view["energy"])

    def tick(self) -> int:
        return self.now

    def alive(self, warrior_id: int) -> int:
        return int(warrior_id in self._view["alive"])

    def _cell(self, dx: int, dy: int) -> int:
        return (self.y() + dy) % SIZE * SIZE + (self.x() + dx) % SIZE


def start_machine(case: Case, program: Program) -> Machine:
    """A vector's `seat` only shifts the random stream; the warrior's id is that of its view."""
    seat = case["view"]["id"] - 1
    seed = case["seed"] + case["seat"] - seat
    return Machine(program, seat=seat, seed=seed, bomb_cost=case["view"]["bombCost"])


def describe_end(machine: Machine) -> Case:
    """What a vector expects of a machine after its last step."""
    return {
        "halted": machine.halted,
        "fault": None if machine.fault is None else [machine.fault.line, machine.fault.code],
        "rng": f"{machine.rng:016x}",
        "frames": machine.open_calls,
        "stack": machine.stack_size,
        "globals": {name: _describe_value(value) for name, value in machine.globals().items()},
    }


def _describe_value(value: Value) -> list[object]:
    if isinstance(value, Array):
        return ["array", value.number, value.items]
    return ["bool" if isinstance(value, bool) else "int", value]
