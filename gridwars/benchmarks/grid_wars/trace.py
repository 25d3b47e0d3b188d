"""One warrior of a battle watched from inside: what its program did in every tick, and why it stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.grid_wars.battle import Battle
from gridwars.benchmarks.grid_wars.frames import FrameEvent, Happening, iterate_frames
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT
from gridwars.benchmarks.grid_wars.state import BattleState
from gwl.limits import INSTRUCTIONS_PER_TICK
from gwl.machine import Machine, Sensors, Step
from gwl.program import ActionKind, Program
from gwl.values import Array, Value


@dataclass(frozen=True, slots=True)
class TraceTick:
    """One tick of the watched warrior.

    Attributes:
        line: of the action, stall or fault; 0 where the program no longer runs.
        action: as a script writes it; "-" for none.
        spent: instructions, of 2000.
        x, y, energy, tiles: at the tick's end.
        variables: every global, as it was when the program stopped.
        remarks: what became of the action and of the warrior, where that was not as planned.
    """

    tick: int
    line: int
    action: str
    spent: int
    x: int
    y: int
    energy: int
    tiles: int
    variables: dict[str, int | bool | list[int]]
    remarks: tuple[str, ...]


def trace_battle(job: BattleJob, seat: int) -> Iterator[TraceTick]:
    """Plays a battle up to its end, or to that of the seat's warrior, in the reference engine."""
    program = job.programs[seat]
    assert program is not None, "what does not compile does nothing"
    machine = _WatchedMachine(program, seat=seat, seed=job.seed, bomb_cost=job.bomb_cost)
    state = BattleState.start(
        job.programs, seed=job.seed, spawn=job.spawn, ticks=job.ticks, bomb_cost=job.bomb_cost
    )
    state.machines = tuple(machine if each == seat else state.machines[each] for each in range(SEAT_COUNT))
    for frame in iterate_frames(Battle(state)):
        if frame.tick < 0:
            continue
        warrior = frame.warriors[seat]
        yield TraceTick(
            tick=frame.tick,
            line=machine.fault.line if machine.fault is not None else machine.step.line,
            action=_render_action(machine.step),
            spent=machine.step.spent,
            x=warrior.cell % BOARD_SIZE,
            y=warrior.cell // BOARD_SIZE,
            energy=warrior.energy,
            tiles=warrior.tiles,
            variables={name: _plain(value) for name, value in machine.globals().items()},
            remarks=tuple(_explain(frame.events, seat, machine)),
        )
        if not warrior.alive:
            return


class _WatchedMachine(Machine):
    """Keeps what its last tick came to.

    Attributes:
        step: of the last tick.
    """

    __slots__ = ("step",)

    def __init__(self, program: Program, *, seat: int, seed: int, bomb_cost: int) -> None:
        super().__init__(program, seat=seat, seed=seed, bomb_cost=bomb_cost)
        self.step = _NOTHING

    def resume(self, sensors: Sensors, budget: int = INSTRUCTIONS_PER_TICK) -> Step:
        self.step = super().resume(sensors, budget)
        return self.step


_NOTHING = Step(ActionKind.NONE, 0, 0, 0, False, 0)


def _render_action(step: Step) -> str:
    match step.kind:
        case ActionKind.NONE:
            return "-"
        case ActionKind.MOVE:
            return f"move({step.dx}, {step.dy})"
        case _ if step.stalled:
            return "(stalled)"
        case _:
            return f"{step.kind.name.lower()}()"


def _plain(value: Value) -> int | bool | list[int]:
    return list(value.items) if isinstance(value, Array) else value


def _explain(events: Sequence[FrameEvent], seat: int, machine: _WatchedMachine) -> Iterator[str]:
    if machine.halted:
        yield "the program has ended: the warrior stands still"
    for event in events:
        if event.seat != seat:
            continue
        match event.what:
            case Happening.STALL:
                yield f"stalled: {machine.step.spent} instructions without an action; goes on next tick"
            case Happening.ILLEGAL:
                yield "illegal: dx and dy must be -1, 0 or 1, and not both 0; counts as a wait"
            case Happening.BLOCKED:
                yield "blocked by a bomb, a corpse or a warrior"
            case Happening.REFUSED:
                yield "refused: too little energy, or a bomb is here already"
            case Happening.BLAST:
                yield f"own bomb went off at ({event.cell % BOARD_SIZE}, {event.cell // BOARD_SIZE})"
            case Happening.BOMB_DEATH:
                killer = "its own bomb" if event.killer == seat else f"a bomb of seat {_letter(event.killer)}"
                yield f"killed by {killer}"
            case Happening.IDLE_DEATH:
                yield "killed for standing still"
            case Happening.FAULT_DEATH:
                assert machine.fault is not None, "it died of one"
                yield f"fault in line {machine.fault.line}: {machine.fault.message} [{machine.fault.code}]"
            case Happening.PLANT:
                pass


def _letter(seat: int | None) -> str:
    return "?" if seat is None else chr(ord("a") + seat)
