"""What a turn of Snake Royale costs from the request to the disk: whole games of baselines, each logged."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from gridwars.benchmarks.registry import get_benchmark
from gridwars.log.reader import read_log
from tests.gridwars.playing import play_seats

SEATS = ("coil", "forager", "coil", "forager")
GAMES = 20


def main() -> None:
    benchmark = get_benchmark("snake-royale")
    costs = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(GAMES):
            path = Path(folder) / f"{seed}.jsonl"
            began = time.process_time()
            play_seats(path, benchmark, benchmark.configure({"seed": seed}), SEATS)
            spent = time.process_time() - began
            turns = sum(type(event).__name__ == "TurnPlayed" for event in read_log(path).events)
            costs.append(spent / turns)
    costs.sort()
    print(
        f"processor time of a logged turn: {costs[0] * 1e3:.2f} ms at the least, "
        f"{costs[GAMES // 2] * 1e3:.2f} ms in the middle of {GAMES} games"
    )


if __name__ == "__main__":
    main()
