"""How strong each built-in is over all fields: `python -m tests.benchmarks.ladder [STARTS]`."""

from __future__ import annotations

import sys

from gridwars.benchmarks.grid_wars.warriors import LADDER
from tests.gridwars.benchmarks.grid_wars.ladder import measure_strengths, play_duel

SEED_COUNT = 30


def main(starts_each: int = 1) -> None:
    """Prints the mean of every rung's scores, in the ladder's order, then all against all."""
    strengths = measure_strengths(LADDER, starts_each)
    print(
        f"points a round: duels in all seatings and starts, fours in all seatings, starts each: {starts_each}"
    )
    for name in LADDER:
        strength = strengths[name]
        print(
            f"{name:>10} duels {float(strength.duels):7.1f}  fours {float(strength.fours):7.1f}"
            f"  both {float(strength.mean):7.1f}"
        )
    in_order = sorted(LADDER, key=lambda name: strengths[name].mean) == list(LADDER)
    print("the ladder is in this order" if in_order else "THE LADDER IS NOT IN THIS ORDER")
    print(f"\nall against all: the row's margin over the column, {SEED_COUNT} seeds")
    print(" " * 10 + "".join(f"{name:>9}" for name in LADDER))
    for row in LADDER:
        margins = [
            play_duel(row, column, range(SEED_COUNT)).margin.mean for column in LADDER if row != column
        ]
        margins.insert(LADDER.index(row), 0.0)
        print(f"{row:>10}" + "".join(f"{margin:>9.1f}" for margin in margins))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
