"""Plays random battles on both engines and compares: `python -m tests.benchmarks.differential --ticks N`.

The long run's figure stands in this folder's README; it is to be made anew when the kernel changes.
"""

from __future__ import annotations

import argparse
import time
from multiprocessing import get_context
from random import Random

from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from tests.gridwars.benchmarks.grid_wars.kernel.comparing import compare_engines, make_jobs

TICKS_PER_PART = 20_000
"""Ticks after which a part, a random stream of its own, ends."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ticks", type=int, default=20_000_000, help="ticks to play on each engine")
    parser.add_argument("--seed", type=int, default=0, help="number of the first part")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    begun = time.monotonic()
    played = battles = 0
    parts = range(options.seed, options.seed - -options.ticks // TICKS_PER_PART)
    with get_context("spawn").Pool(options.processes) as pool:
        for part, part_ticks, part_battles in pool.imap_unordered(play_part, parts):
            played += part_ticks
            battles += part_battles
            seconds = time.monotonic() - begun
            print(f"part {part}: {played} ticks, {battles} battles, {seconds:.0f} s", flush=True)
    print(f"no difference in {played} ticks of {battles} battles")


def play_part(part: int) -> tuple[int, int, int]:
    """Plays one part; its number, its ticks and its battles.

    Raises:
        AssertionError: for a difference, naming the part and the battle.
    """
    fast = FastEngine.start()
    ticks = 0
    for number, job in enumerate(make_jobs(Random(part))):
        try:
            ticks += compare_engines(fast, job)
        except AssertionError as error:
            raise AssertionError(f"part {part}, battle {number}: {error}") from error
        if ticks >= TICKS_PER_PART:
            return part, ticks, number + 1
    raise AssertionError("make_jobs never ends")


if __name__ == "__main__":
    main()
