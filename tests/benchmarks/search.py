"""Whether the search beats every built-in, and at what cost: `python -m tests.benchmarks.search [BUDGET]`."""

from __future__ import annotations

import sys
import time

from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.search import DEFAULT_BUDGET, make_search
from gridwars.benchmarks.grid_wars.warriors import LADDER
from gridwars.compare.contestants import Contestant, make_contestants
from gridwars.compare.tournament import run_tournament
from gridwars.policies.search import LEAST_BUDGET
from tests.gridwars.benchmarks.grid_wars.searched import observe_round, play_head_to_head

SEEDS = range(1, 21)
ROUNDS = 5
SEEDS_TOGETHER = range(1, 7)


def main(budget: int = DEFAULT_BUDGET) -> None:
    """Prints how the scripts of the first rounds do against every built-in, then a field of them all."""
    decide = make_search(budget)
    make_search(LEAST_BUDGET)(observe_round(1))  # starts the engine and reads the grammar
    scripts = [""]
    for number in range(1, ROUNDS + 1):
        started = time.process_time()
        scripts.append(decide(observe_round(number, scripts[-1])))
        seconds = time.process_time() - started
        print(f"round {number}: one script for {budget} battles took {seconds:.1f} s of processor time")
        if scripts[-1] == scripts[-2]:
            print("  the script of the round before")
            continue
        print(f"  points a round over each, two seats each, all seatings, {len(SEEDS)} seeds, 95 % interval")
        for name in LADDER:
            (rival,) = make_contestants([name], GridWars())
            print(f"  {name:<16} {play_head_to_head(scripts[-1], rival.player, SEEDS).render():>13}")
        if number > 1:
            before = play_head_to_head(scripts[-1], make_player(scripts[-2]), SEEDS)
            print(f"  {'the round before':<16} {before.render():>13}")
    benchmark = GridWars()
    contestants = [
        Contestant("the last script", make_player(scripts[-1])),
        *make_contestants(LADDER, benchmark),
    ]
    tournament = run_tournament(benchmark, benchmark.configure({}), contestants, SEEDS_TOGETHER)
    print(f"all together, {len(SEEDS_TOGETHER)} seeds")
    for standing in tournament.standings:
        print(f"  {tournament.names[standing.contestant]:<16} {standing.score.render():>13}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
