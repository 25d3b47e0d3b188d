"""What auditing many logs takes: `python -m tests.benchmarks.audits`.

Two runs are played: of built-ins, and of seats that hand in a script of their own in every round, mutated
built-ins no two of which are the same. Then each is audited as `gridwars audit` does it. Beside the time
stands what compiling each script once would take alone: less no audit can come to.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from gridwars.audit import AuditStatus, audit_many
from gridwars.benchmarks.contract import Reply, Request
from gridwars.benchmarks.grid_wars.edits import draw_edit
from gridwars.benchmarks.grid_wars.events import Submit
from gridwars.benchmarks.grid_wars.grafts import Script
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.benchmarks.registry import get_benchmark
from gridwars.log.events import Message, SeatRecord
from gridwars.log.reader import read_log
from gridwars.policies.policy import Answer, Asking
from gridwars.rng import NimRand
from gwl import CompileError, compile_source
from tests.gridwars.playing import play_policies, play_seats

EDITS = 3
"""Of each script, so that its length is that of a good one."""


class Author:
    """Hands in one script after another; what it says is logged, and read again, as a program's is."""

    scripted = False

    def __init__(self, alias: str, scripts: Iterator[Script]) -> None:
        self.record = SeatRecord(policy="author", kind="command", alias=alias)
        self._scripts = scripts

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        script = next(self._scripts)
        return Answer(Reply(json.dumps({"script": script, "notes": "As before.", "banner": "Ahoy!"})))


def write_builtin_logs(folder: Path, count: int) -> None:
    names = cycle(load_warriors())
    benchmark = get_benchmark("grid-wars")
    for seed in range(count):
        config = benchmark.configure({"seed": seed})
        play_seats(folder / f"{seed}.jsonl", benchmark, config, list(islice(names, 4)))


def write_distinct_logs(folder: Path, count: int) -> None:
    scripts = mutate()
    benchmark = get_benchmark("grid-wars")
    for seed in range(count):
        config = benchmark.configure({"seed": seed})
        authors = [Author(alias, scripts) for alias in benchmark.start(config).aliases]
        play_policies(folder / f"{seed}.jsonl", benchmark, config, authors)


def mutate() -> Iterator[Script]:
    """Scripts that compile, no two of them the same."""
    rand = NimRand(1)
    seen = set()
    for warrior in cycle(load_warriors().values()):
        script: Script = tuple(warrior.source.splitlines())
        for _ in range(EDITS):
            script = draw_edit(script, rand)
        if script not in seen and compiles(script):
            seen.add(script)
            yield script


def compiles(script: Script) -> bool:
    try:
        compile_source(script)
    except CompileError:
        return False
    return True


def measure(name: str, folder: Path, processes: int) -> None:
    paths = sorted(folder.iterdir())
    logs = [path for path in paths if path.suffix == ".jsonl"]
    wall, cpu = time.perf_counter(), read_cpu_seconds()
    reports = list(audit_many([folder], processes=processes))
    wall, cpu = time.perf_counter() - wall, read_cpu_seconds() - cpu
    bad = [report for report in reports if report.status is not AuditStatus.INTACT]
    assert not bad, bad[0]
    assert len(reports) == len(logs)
    scripts = {event.script for path in logs for event in read_log(path).events if isinstance(event, Submit)}
    compiling = time_compiling(scripts)
    milliseconds = 1000 * wall / len(logs), 1000 * cpu / len(logs)
    print(
        f"{len(logs)} logs of {name} by {processes} processes: {wall:.1f} s, {milliseconds[0]:.1f} ms a log; "
        f"{milliseconds[1]:.1f} ms of processor time a log, {cpu / compiling:.1f} times what compiling "
        f"the {len(scripts)} scripts once takes ({compiling:.2f} s)"
    )


def read_cpu_seconds() -> float:
    """Of this process and of all that it has started and that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def time_compiling(scripts: Iterable[Script]) -> float:
    began = time.process_time()
    for script in scripts:
        if script:
            compile_source(script)
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=500, help="of each kind")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--keep", type=Path, help="a folder for the logs, which are used again where they are"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as thrown_away:
        place = arguments.keep or Path(thrown_away)
        for name, write in (("built-ins", write_builtin_logs), ("distinct scripts", write_distinct_logs)):
            folder = place / f"{name.replace(' ', '-')}-{arguments.logs}"
            if not folder.exists():
                folder.mkdir(parents=True)
                write(folder, arguments.logs)
            measure(name, folder, arguments.processes)


if __name__ == "__main__":
    main()
