"""One warrior alone on an empty board: enough to try a script without an opponent.

The board follows the rules as far as a single warrior can meet them: it wraps, paint is income, bombs
cost energy and kill, and standing still kills in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gwl.builtins import CONSTANTS
from gwl.errors import Fault
from gwl.machine import Machine, Step
from gwl.program import ActionKind, Program

BOARD_SIZE = CONSTANTS["gridSize"]
FUSE = CONSTANTS["MAXFUSE"]
SIGHT = 4
START_ENERGY = 12
MAX_ENERGY = 60
TILES_PER_INCOME = 60
MAX_IDLE = 50
CORNERS = ((4, 4), (25, 4), (4, 25), (25, 25))
"""Where the warrior of each seat begins."""


class Outcome(StrEnum):
    """What a tick came to besides the action itself."""

    DONE = "done"
    ILLEGAL = "illegal move"
    BLOCKED = "blocked by a bomb"
    REFUSED = "bomb refused"
    STALLED = "stalled"
    HALTED = "halted"
    FAULTED = "faulted"
    BLASTED = "killed by its bomb"
    STARVED = "killed for standing still"

    @property
    def is_end(self) -> bool:
        return self in (Outcome.HALTED, Outcome.FAULTED, Outcome.BLASTED, Outcome.STARVED)


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One tick: what the warrior did, and its state at the tick's end.

    Attributes:
        line: of the action, stall or fault; 0 where there was none.
        spent: instructions.
        fault: only on the tick of the fault.
    """

    tick: int
    line: int
    action: str
    outcome: Outcome
    spent: int
    x: int
    y: int
    energy: int
    tiles: int
    fault: Fault | None


def run_solo(program: Program, *, seat: int, seed: int, bomb_cost: int, ticks: int) -> Iterator[TraceLine]:
    """Runs at most `ticks` ticks; the last line tells whether the warrior ended before.

    Args:
        seed: of the round, as in the arena: it decides what `rand` gives.
    """
    machine = Machine(program, seat=seat, seed=seed, bomb_cost=bomb_cost)
    board = _Board(seat, bomb_cost)
    for tick in range(ticks):
        step = machine.resume(board)
        outcome = board.play(step)
        if machine.halted:
            outcome = Outcome.HALTED
        elif machine.fault is not None and not outcome.is_end:
            outcome = Outcome.FAULTED
        yield TraceLine(
            tick=tick,
            line=step.line if machine.fault is None else machine.fault.line,
            action=_render_action(step),
            outcome=outcome,
            spent=step.spent,
            x=board.x(),
            y=board.y(),
            energy=board.energy(),
            tiles=board.tiles(),
            fault=machine.fault,
        )
        if outcome.is_end:
            return


def _render_action(step: Step) -> str:
    match step.kind:
        case ActionKind.NONE:
            return "-"
        case ActionKind.MOVE:
            return f"move({step.dx}, {step.dy})"
        case _:
            return f"{step.kind.name.lower()}()"


class _Board:
    """The warrior's sensors and the tick's passes in the order of the rules."""

    def __init__(self, seat: int, bomb_cost: int) -> None:
        self._position = CORNERS[seat]
        self._warrior_id = seat + 1
        self._bomb_cost = bomb_cost
        self._painted: set[tuple[int, int]] = set()
        self._fuses: dict[tuple[int, int], int] = {}
        self._energy = START_ENERGY
        self._idle = 0
        self._tick = 0

    def check(self, dx: int, dy: int) -> int:
        if max(abs(dx), abs(dy)) > SIGHT:
            return CONSTANTS["FOG"]
        cell = self._neighbour(dx, dy)
        if cell in self._fuses:
            return CONSTANTS["BOMB"]
        return self._warrior_id if cell in self._painted else CONSTANTS["EMPTY"]

    def who(self, dx: int, dy: int) -> int:
        if max(abs(dx), abs(dy)) > SIGHT:
            return CONSTANTS["FOG"]
        return self._warrior_id if dx == dy == 0 else 0

    def x(self) -> int:
        return self._position[0]

    def y(self) -> int:
        return self._position[1]

    def tiles(self) -> int:
        return len(self._painted)

    def energy(self) -> int:
        return self._energy

    def tick(self) -> int:
        return self._tick

    def alive(self, warrior_id: int) -> int:
        return int(warrior_id == self._warrior_id)

    def play(self, step: Step) -> Outcome:
        before = self._position
        outcome = Outcome.STALLED if step.stalled else self._act(step)
        if self._detonate():
            return Outcome.BLASTED
        self._idle = self._idle + 1 if self._position == before else 0
        if self._idle == MAX_IDLE:
            return Outcome.STARVED
        self._energy = min(self._energy + 1 + self.tiles() // TILES_PER_INCOME, MAX_ENERGY)
        self._tick += 1
        return outcome

    def _act(self, step: Step) -> Outcome:
        match step.kind:
            case ActionKind.MOVE:
                if max(abs(step.dx), abs(step.dy)) != 1:
                    return Outcome.ILLEGAL
                target = self._neighbour(step.dx, step.dy)
                if target in self._fuses:
                    return Outcome.BLOCKED
                self._position = target
            case ActionKind.PLACE:
                self._painted.add(self._position)
            case ActionKind.BOMB:
                if self._energy < self._bomb_cost or self._position in self._fuses:
                    return Outcome.REFUSED
                self._energy -= self._bomb_cost
                self._fuses[self._position] = FUSE
            case _:
                pass  # Waiting, like a warrior that is no longer running, leaves the board as it is.
        return Outcome.DONE

    def _detonate(self) -> bool:
        """Burns every fuse down by one and tells whether a blast killed the warrior."""
        self._fuses = {cell: fuse - 1 for cell, fuse in self._fuses.items()}
        scorched: set[tuple[int, int]] = set()
        ready = [cell for cell, fuse in self._fuses.items() if fuse == 0]
        while ready:
            bomb = ready.pop()
            if self._fuses.pop(bomb, None) is not None:
                blast = _compute_blast(bomb)
                scorched |= blast
                ready += [cell for cell in blast if cell in self._fuses]
        self._painted -= scorched
        return self._position in scorched

    def _neighbour(self, dx: int, dy: int) -> tuple[int, int]:
        return _wrap(self._position[0] + dx, self._position[1] + dy)


def _compute_blast(bomb: tuple[int, int]) -> set[tuple[int, int]]:
    x, y = bomb
    return {_wrap(x + dx, y + dy) for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))}


def _wrap(x: int, y: int) -> tuple[int, int]:
    return x % BOARD_SIZE, y % BOARD_SIZE
