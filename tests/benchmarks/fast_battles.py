"""How fast the fast engine plays: `python -m tests.benchmarks.fast_battles`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.rules import draw_spawn
from gwl.program import Program
from tests.benchmarks.battles import CONFIG, make_casts

SEEDS = range(1, 65)
REPEATS = 5
"""Of these the fastest counts: everything else is noise of the machine."""

FIRST_BATTLE = """
from gridwars.benchmarks.grid_wars.battle import compile_seats
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
programs = compile_seats([["while true:", "  place()", "  move(1, 0)"]] * 4)
FastEngine.start().run_battle(programs, seed=1, spawn=(1, 2, 3, 4), ticks=400, bomb_cost=12)
"""
NO_BATTLE = """
from gridwars.benchmarks.grid_wars.battle import compile_seats
compile_seats([["while true:", "  place()", "  move(1, 0)"]] * 4)
"""

TELL = """
import time
print(time.monotonic())
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def main() -> None:
    """Prints a line for each cast, then what starting and a second thread bring."""
    fast = FastEngine.start()
    casts = make_casts()
    print(
        f"{len(SEEDS)} battles of {CONFIG.ticks} ticks at most in one batch, best of {REPEATS}; milliseconds"
    )
    print(f"{'cast':<22} {'battle':>8} {'+ digests':>9} {'M instr/s':>9}")
    for name, programs in casts.items():
        jobs = _make_jobs(programs)
        seconds = _time(partial(fast.run_battles, jobs)) / len(jobs)
        watched = [replace(job, tick_digests=True) for job in jobs]
        with_digests = _time(partial(fast.run_battles, watched)) / len(jobs)
        instructions = sum(seat.spent for job in jobs for seat in fast.record_battle(job).seats) / len(jobs)
        speed = instructions / seconds / 1e6
        print(f"{name:<22} {seconds * 1e3:>8.3f} {with_digests * 1e3:>9.3f} {speed:>9.0f}")
    _show_batches(fast, casts["built-in mix"])
    _show_start()


def _make_jobs(programs: Sequence[Program | None]) -> list[BattleJob]:
    return [BattleJob(programs, seed, draw_spawn(seed), CONFIG.ticks, CONFIG.bomb_cost) for seed in SEEDS]


def _show_batches(fast: FastEngine, programs: Sequence[Program | None]) -> None:
    jobs = _make_jobs(programs) * 16
    single = jobs[: len(SEEDS)]
    each = _time(lambda: [fast.record_battle(job) for job in single]) / len(single)
    print(f"built-in mix, one call a battle: {each * 1e3:.3f} ms")
    for threads in (1, 2):
        seconds = _time(partial(fast.run_battles, jobs, threads=threads), time.perf_counter)
        print(f"built-in mix, {len(jobs)} battles, {threads} threads: {len(jobs) / seconds:.0f} battles/s")


def _show_start() -> None:
    programs = {"nothing": "", "compiling": NO_BATTLE, "a first battle": FIRST_BATTLE}
    starts = {name: min(_run_anew(program) for _ in range(REPEATS)) for name, program in programs.items()}
    text = ", ".join(f"{name} {start.seconds * 1e3:.0f} ms" for name, start in starts.items())
    memory = starts["a first battle"].kilobytes / 1024
    print(f"from the start of a process to the end of {text}; then it has taken {memory:.0f} MiB at most")


class _Start(NamedTuple):
    seconds: float
    kilobytes: int


def _run_anew(program: str) -> _Start:
    """What a new process takes until it has done this."""
    command = [sys.executable, "-c", program + TELL]
    begun = time.monotonic()  # The clock of the whole system, not of a process.
    ended, kilobytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return _Start(float(ended) - begun, int(kilobytes))


def _time(play: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    """Seconds for one call; by the usual clock, those that this thread was running."""
    best = float("inf")
    for _ in range(REPEATS):
        begun = clock()
        play()
        best = min(best, clock() - begun)
    return best


if __name__ == "__main__":
    main()
