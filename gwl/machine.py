"""The resumable, metered machine of GWL v1 section 5, as plain data."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from gwl.errors import Fault
from gwl.limits import INSTRUCTIONS_PER_TICK
from gwl.program import ActionKind, Program


class Sensors(Protocol):
    """What a warrior can ask about the world; an arena supplies it. All values are integers."""

    def check(self, dx: int, dy: int) -> int: ...
    def who(self, dx: int, dy: int) -> int: ...
    def x(self) -> int: ...
    def y(self) -> int: ...
    def tiles(self) -> int: ...
    def energy(self) -> int: ...
    def tick(self) -> int: ...
    def alive(self, warrior_id: int) -> int: ...


class Step(NamedTuple):
    """What one tick's run came to.

    Attributes:
        kind: `NONE` after a fault or halt; a stall is `WAIT` with `stalled` true.
        dx, dy: the offset of a move, any int64; else 0.
        line: the line of the action or stall; 0 where `kind` is `NONE`.
        spent: instructions executed.
    """

    kind: ActionKind
    dx: int
    dy: int
    line: int
    stalled: bool
    spent: int


class Machine:
    """One warrior's machine. Not shared between threads.

    Attributes:
        program: shared and immutable.
        line: the line last reported by an action or stall, 0 at first.
        halted: true after the end of the program; stays false after a fault (as in the vectors).
        fault: set when the machine faulted; it then never runs again: `resume` gives `NONE`, 0 spent.
        rng: state of the rand stream, an unsigned 64-bit word.
    """

    program: Program
    line: int
    halted: bool
    fault: Fault | None
    rng: int

    def __init__(self, program: Program, *, seat: int, seed: int, bomb_cost: int) -> None:
        raise NotImplementedError

    def resume(self, sensors: Sensors, budget: int = INSTRUCTIONS_PER_TICK) -> Step:
        """Runs to the next action, stall, fault or halt."""
        raise NotImplementedError

    def save(self) -> dict[str, object]:
        """The whole state as JSON-ready plain data, the program aside."""
        raise NotImplementedError

    @classmethod
    def restore(cls, program: Program, saved: dict[str, object]) -> Machine:
        """The machine that `save` described; raises ValueError naming what does not fit."""
        raise NotImplementedError
