"""What compiling a warrior takes, stage by stage: `python -m tests.benchmarks.compiling`.

The built-ins are compiled one after another, many times over. Of each stage the best time is kept, as what
else runs on a machine only ever adds to it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TypeVar

from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gwl import compile_source
from gwl.checks import check_statements
from gwl.compiler import compile_program
from gwl.parser import parse_source
from gwl.reader import Reader

Given = TypeVar("Given")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    times = parser.parse_args().times
    scripts = [warrior.source.splitlines() for warrior in load_warriors().values()]
    whole = [time_best(compile_source, script, times) for script in scripts]
    parsed = [parse_source(script) for script in scripts]
    stages = {
        "lines and tokens": [time_best(Reader, script, times) for script in scripts],
        "parsing, those included": [time_best(parse_source, script, times) for script in scripts],
        "the rules beside the grammar": [
            time_best(lambda tree: list(check_statements(tree.statements, most_nodes=0)), tree, times)
            for tree in parsed
        ],
        "instructions": [time_best(compile_program, tree, times) for tree in parsed],
    }
    lines = sum(map(len, scripts))
    print(f"{len(scripts)} built-ins of {lines} lines, the best of {times}")
    print_row("all", whole)
    for name, seconds in stages.items():
        print_row(f"  {name}", seconds)


def print_row(name: str, seconds: Sequence[float]) -> None:
    milliseconds = [1000 * each for each in seconds]
    print(
        f"{name:<32} {sum(milliseconds):6.2f} ms together, {min(milliseconds):5.2f} to "
        f"{max(milliseconds):5.2f} a warrior, {fmean(milliseconds):5.2f} in the mean"
    )


def time_best(work: Callable[[Given], object], given: Given, times: int) -> float:
    """Seconds of processor time."""

    def once() -> float:
        began = time.process_time()
        work(given)
        return time.process_time() - began

    return min(once() for _ in range(times))


if __name__ == "__main__":
    main()
