"""Whether the search beats every built-in, and what it takes: `python -m tests.benchmarks.search`."""

from __future__ import annotations

import sys
import time

from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.search import DEFAULT_BUDGET, make_search
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.compare.contestants import make_contestants
from gridwars.compare.tournament import run_tournament

SEEDS = range(1, 7)


def main() -> None:
    budget = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_BUDGET
    benchmark = GridWars()
    batch = benchmark.start(benchmark.configure({})).open()
    assert batch is not None
    observation = batch.requests[0].observation
    assert isinstance(observation, GridWarsObservation)
    started = time.process_time()
    make_search(budget)(observation)
    print(f"one script for {budget} battles: {time.process_time() - started:.1f} s of processor time")
    names = list(load_warriors())
    print(f"search:{budget} against each built-in, two seats each, all seatings, {len(SEEDS)} seeds")
    for name in names:
        contestants = make_contestants([f"search:{budget}", name], benchmark)
        tournament = run_tournament(benchmark, benchmark.configure({}), contestants, SEEDS)
        (duel,) = tournament.duels
        assert duel.margin is not None
        print(f"  {name:<16} wins {100 * duel.win_share:3.0f} %  margin {duel.margin.render()} points")
    contestants = make_contestants([f"search:{budget}", *names], benchmark)
    tournament = run_tournament(benchmark, benchmark.configure({}), contestants, SEEDS)
    print("all together")
    for standing in tournament.standings:
        print(f"  {tournament.names[standing.contestant]:<16} {standing.score.render()}")


if __name__ == "__main__":
    main()
