"""How fast both engines play: `python -m tests.benchmarks.battles`.

The reference is measured here, the fast engine in `fast_battles`, which this runs too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from gridwars.benchmarks.grid_wars.battle import Battle, compile_seats, run_battle
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig, draw_spawn
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gwl.limits import INSTRUCTIONS_PER_TICK
from gwl.machine import Machine, Sensors, Step
from gwl.program import Program

CONFIG = GridWarsConfig()
SEEDS = range(1, 9)
REPEATS = 3
"""Of these the fastest counts: everything else is noise of the machine."""

HEAVY_BODIES = {
    "sums": ("s = s + k", 152),
    "scans": ("s = check(k mod 9 - 4, k mod 7 - 3)", 93),
    "calls": ("s = next(k)", 115),
    "arrays": ("a[k mod 5] = a[4] + k", 103),
    "recursion": ("s = fib(10)", 1),
    "deep calls": ("s = down(53)", 3),
    "mutual calls": ("s = even(63)", 3),
    "nested calls": ("s = ack(2, 2)", 5),
    "locals in calls": ("s = tree(4, k)", 3),
}
"""What a heavy warrior does in its loop, and how often it can before the tick's budget ends."""

HEAVY_SCRIPT = """\
var s = 0
var a = [1, 2, 3, 4, 5]
proc next(n) =
  return n + 1
proc fib(n) =
  if n < 2:
    return n
  return fib(n - 1) + fib(n - 2)
proc down(n) =
  if n == 0:
    return 0
  return 1 + down(n - 1)
proc even(n) =
  if n == 0:
    return 1
  return odd(n - 1)
proc odd(n) =
  if n == 0:
    return 0
  return even(n - 1)
proc ack(m, n) =
  if m == 0:
    return n + 1
  if n == 0:
    return ack(m - 1, 1)
  return ack(m - 1, ack(m, n - 1))
proc tree(n, width) =
  if n == 0:
    return width
  var left = n - 1
  var span = width + left
  var first = tree(left, span)
  var second = tree(left, span + first mod 3)
  return left + span + first - second
while true:
  for k in 0 ..< {rounds}:
    {body}
  move(1, 1)"""


class CountingMachine(Machine):
    """Counts the instructions it executes."""

    __slots__ = ("executed",)

    def __init__(self, program: Program, *, seat: int, seed: int, bomb_cost: int) -> None:
        super().__init__(program, seat=seat, seed=seed, bomb_cost=bomb_cost)
        self.executed = 0

    def resume(self, sensors: Sensors, budget: int = INSTRUCTIONS_PER_TICK) -> Step:
        step = super().resume(sensors, budget)
        self.executed += step.spent
        return step


@dataclass(frozen=True, slots=True)
class Speed:
    """Averages over one battle of each seed.

    Attributes:
        ticks, instructions: of one battle, all seats together.
        seconds, seconds_with_digests: for one battle.
    """

    ticks: float
    instructions: float
    seconds: float
    seconds_with_digests: float


def main() -> None:
    """Prints a line for each cast."""
    version = sys.version.split()[0]
    print(f"python {version}, {CONFIG.ticks} ticks at most, {len(SEEDS)} seeds, best of {REPEATS}")
    print(f"{'cast':<22} {'ticks':>6} {'instr/tick':>10} {'ms/battle':>9} {'battles/s':>9} ", end="")
    print(f"{'M instr/s':>9} {'ms + digests':>12} {'ratio':>6}")
    for name, programs in make_casts().items():
        speed = measure(programs)
        print(
            f"{name:<22} {speed.ticks:>6.0f} {speed.instructions / speed.ticks:>10.0f} "
            f"{speed.seconds * 1e3:>9.1f} {1 / speed.seconds:>9.1f} "
            f"{speed.instructions / speed.seconds / 1e6:>9.2f} {speed.seconds_with_digests * 1e3:>12.1f} "
            f"{speed.seconds_with_digests / speed.seconds:>6.2f}"
        )


def measure(programs: Sequence[Program | None]) -> Speed:
    ticks, instructions = _count(programs)
    return Speed(
        ticks=ticks / len(SEEDS),
        instructions=instructions / len(SEEDS),
        seconds=_time(programs, tick_digests=False) / len(SEEDS),
        seconds_with_digests=_time(programs, tick_digests=True) / len(SEEDS),
    )


def make_casts() -> dict[str, Sequence[Program | None]]:
    builtin = {name: warrior.lines for name, warrior in load_warriors().items()}
    casts: dict[str, list[Sequence[str]]] = {
        "built-in mix": [builtin[name] for name in ("painter", "bomber", "sentry", "painter")],
        **{f"four of {name}": [lines] * 4 for name, lines in builtin.items()},
        "nothing but moves": [["while true:", "  move(1, 1)"]] * 4,
    }
    for name, (body, rounds) in HEAVY_BODIES.items():
        casts[f"heavy {name}"] = [HEAVY_SCRIPT.format(body=body, rounds=rounds).split("\n")] * 4
    return {name: compile_seats(scripts) for name, scripts in casts.items()}


def _count(programs: Sequence[Program | None]) -> tuple[int, int]:
    """Ticks and instructions of one battle of each seed."""
    ticks = instructions = 0
    for seed in SEEDS:
        battle = _start(programs, seed)
        machines = tuple(
            CountingMachine(machine.program, seat=seat, seed=seed, bomb_cost=CONFIG.bomb_cost)
            for seat, machine in enumerate(battle.state.machines)
        )
        battle.state.machines = machines
        ticks += battle.run().ticks_played
        instructions += sum(machine.executed for machine in machines)
    return ticks, instructions


def _start(programs: Sequence[Program | None], seed: int) -> Battle:
    return Battle.start(
        programs, seed=seed, spawn=draw_spawn(seed), ticks=CONFIG.ticks, bomb_cost=CONFIG.bomb_cost
    )


def _time(programs: Sequence[Program | None], *, tick_digests: bool) -> float:
    """Seconds for one battle of each seed."""
    best = float("inf")
    for _ in range(REPEATS):
        begun = time.perf_counter()
        for seed in SEEDS:
            run_battle(
                programs,
                seed=seed,
                spawn=draw_spawn(seed),
                ticks=CONFIG.ticks,
                bomb_cost=CONFIG.bomb_cost,
                tick_digests=tick_digests,
            )
        best = min(best, time.perf_counter() - begun)
    return best


if __name__ == "__main__":
    from tests.benchmarks import fast_battles

    print("the reference engine")
    main()
    print("\nthe fast engine")
    fast_battles.main()
