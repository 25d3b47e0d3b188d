"""How fast the reference machine runs: instructions a second, beside plain Python doing the same work.

python -m tests.benchmarks.machine
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from gwl import compile_source
from gwl.machine import Machine

TICKS = 300
SHORT_TICKS = 20_000
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A script whose last statement is an endless loop, and Python that does so many rounds of it."""

    name: str
    script: str
    python: Callable[[int], object] | None = None


class FlatBoard:
    """Sensors that cost about what an arena's do."""

    def __init__(self) -> None:
        self._owner = bytearray(900)

    def check(self, dx: int, dy: int) -> int:
        if not (-4 <= dx <= 4 and -4 <= dy <= 4):
            return -3
        return self._owner[(15 + dy) % 30 * 30 + (15 + dx) % 30]

    who = check

    def x(self) -> int:
        return 15

    y = tiles = energy = tick = x

    def alive(self, warrior_id: int) -> int:
        return int(warrior_id == 1)


def _arithmetic(rounds: int) -> int:
    i = s = 0
    for _ in range(rounds):
        s = (s * 31 + i) % 1000003
        i = i + 1
        if s > 500000:
            s = s - 1
    return s


def _look_around(rounds: int) -> int:
    board, n = FlatBoard(), 0
    for _ in range(rounds):
        for dy in range(-4, 5):
            for dx in range(-4, 5):
                if board.check(dx, dy) == 0:
                    n = n + 1
    return n


def _get(a: list[int], i: int) -> int:
    return a[i] + 1


def _total(a: list[int]) -> int:
    s = 0
    for v in a:
        s = s + v
    return s


def _arrays_and_procs(rounds: int) -> int:
    a, t = [1, 2, 3, 4, 5, 6, 7, 8], 0
    for _ in range(rounds):
        for i in range(8):
            a[i] = _get(a, 7 - i) % 100
        t = max(t, _total(a))
    return t


CASES = (
    Case(
        "(a) arithmetic, while",
        """\
var i = 0
var s = 0
while true:
  s = (s * 31 + i) mod 1000003
  i = i + 1
  if s > 500000:
    s = s - 1""",
        _arithmetic,
    ),
    Case(
        "(b) check(dx, dy), for in for",
        """\
var n = 0
while true:
  for dy in -4 .. 4:
    for dx in -4 .. 4:
      if check(dx, dy) == EMPTY:
        n = n + 1""",
        _look_around,
    ),
    Case(
        "(c) arrays and procs",
        """\
proc get(a, i) =
  return a[i] + 1
proc total(a) =
  var s = 0
  for v in a:
    s = s + v
  return s
var a = [1, 2, 3, 4, 5, 6, 7, 8]
var t = 0
while true:
  for i in 0 ..< 8:
    a[i] = get(a, 7 - i) mod 100
  t = max(t, total(a))""",
        _arrays_and_procs,
    ),
    Case("worst: empty literals", "while true:\n  discard []"),
    Case("worst: rand", "while true:\n  discard rand(100)"),
    Case("worst: shl", "while true:\n  discard shl(9223372036854775807, 62)"),
    Case("worst: empty procs", "proc f() =\n  return\nwhile true:\n  f()"),
)

ACTING = "while true:\n  place()"


def main() -> None:
    print(f"{'case':30} {'M instructions/s':>17} {'times slower than Python':>25}")
    for case in CASES:
        seconds, instructions = _measure_machine(case.script, TICKS)
        ratio = ""
        if case.python is not None:
            rounds = instructions // _count_instructions_per_round(case.script)
            ratio = f"{seconds / _measure_python(case.python, rounds):.0f}"
        print(f"{case.name:30} {instructions / seconds / 1e6:17.2f} {ratio:>25}")
    seconds, _ = _measure_machine(ACTING, SHORT_TICKS)
    print(f"a tick of 4 instructions: {seconds / SHORT_TICKS * 1e6:.2f} microseconds")


def _measure_machine(script: str, ticks: int) -> tuple[float, int]:
    """Seconds of the fastest of several runs, and instructions of one."""
    program, board = compile_source(script.split("\n")), FlatBoard()
    best, instructions = float("inf"), 0
    for _ in range(REPEATS):
        machine = Machine(program, seat=0, seed=1, bomb_cost=12)
        start = time.process_time()
        instructions = sum(machine.resume(board).spent for _ in range(ticks))
        best = min(best, time.process_time() - start)
        assert machine.fault is None
    return best, instructions


def _count_instructions_per_round(script: str) -> int:
    """Measured with an action at the end of each round, in the second one: the first sets up the loop."""
    program = compile_source([*script.split("\n"), "  wait()"])
    machine, board = Machine(program, seat=0, seed=1, bomb_cost=12), FlatBoard()
    machine.resume(board, budget=100_000)
    return machine.resume(board, budget=100_000).spent - 1


def _measure_python(function: Callable[[int], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        function(rounds)
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
