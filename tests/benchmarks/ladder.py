"""How much stronger each rung of the ladder is: `python -m tests.benchmarks.ladder [SEEDS]`."""

from __future__ import annotations

import sys
from itertools import pairwise

from gridwars.benchmarks.grid_wars.warriors import LADDER
from tests.gridwars.benchmarks.grid_wars.ladder import play_duel

SEED_COUNT = 200


def main(seed_count: int = SEED_COUNT) -> None:
    """Prints every rung against the one below it, then all against all."""
    seeds = range(seed_count)
    print(f"points a round by which the first beats the second, 95 % interval over {seed_count} seeds")
    for below, rung in pairwise(LADDER):
        duel = play_duel(rung, below, seeds)
        print(f"{rung:>9} v {below:<9} {duel.margin.render():>15}  wins {duel.won}, losses {duel.lost}")
    print("\nall against all: the row's margin over the column")
    print(" " * 10 + "".join(f"{name:>9}" for name in LADDER))
    for row in LADDER:
        cells = (
            "" if row == column else f"{play_duel(row, column, seeds).margin.mean:.1f}" for column in LADDER
        )
        print(f"{row:>10}" + "".join(f"{cell:>9}" for cell in cells))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
