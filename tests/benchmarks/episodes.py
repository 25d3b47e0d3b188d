"""How many episodes of models one process plays at once: `python -m tests.benchmarks.episodes`.

Every seat is a model behind the real SDKs, whose servers live in a process of their own and answer after a
fixed time. Ideal is the time in which the calls of one episode come back one after another, and then the
processor's time of all episodes: what one processor needs if it never waits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from gridwars.benchmarks.contract import Event
from gridwars.benchmarks.engines import ENGINE_VARIABLE, EngineChoice
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.benchmarks.registry import get_benchmark
from gridwars.clock import SystemClock
from gridwars.harness.folder import RunFolder
from gridwars.harness.plan import RunPlan, SeatChoice, make_plan
from gridwars.harness.run import EpisodeReport, Stage, Status, play_run
from gridwars.log.events import Limits
from gridwars.policies.policy import Progress
from gridwars.policies.prices import PriceTable
from tests.servers.dialects import DIALECTS
from tests.servers.faulty import Behaviour, Exchange, serve

LATENCY_SECONDS = 0.05
ROUNDS = 5
KINDS = ("openai", "anthropic", "openai-chat", "anthropic")


@dataclass(frozen=True, slots=True)
class Measures:
    """Of all episodes together.

    Attributes:
        queued_seconds: for which the event loop could run and did not, as others had the processors; 0
            where the system does not tell.
        cpu_seconds: of this process, all its threads.
        peak_megabytes: of this process, whatever it holds besides episodes.
    """

    episode_count: int
    wall_seconds: float
    queued_seconds: float
    cpu_seconds: float
    peak_megabytes: float

    @property
    def ideal_seconds(self) -> float:
        return ROUNDS * LATENCY_SECONDS + self.cpu_seconds

    @property
    def ratio(self) -> float:
        return (self.wall_seconds - self.queued_seconds) / self.ideal_seconds

    @property
    def cpu_milliseconds_per_episode(self) -> float:
        return 1000 * self.cpu_seconds / self.episode_count


class Nobody:
    """A run's observer that keeps nothing."""

    def observe(self, number: int, event: Event, was_known: bool) -> None: ...
    def watch(self, number: int, progress: Progress) -> None: ...
    def finish(self, report: EpisodeReport) -> None: ...


def measure(episode_count: int) -> Measures:
    """Plays the episodes, all at once, into a folder that is thrown away.

    Raises:
        AssertionError: where one was not played to its end, or a model did not answer in it.
    """
    os.environ["BENCHMARK_KEY"] = "a-key-for-benchmarks"
    with run_servers() as addresses, tempfile.TemporaryDirectory() as folder:
        plan = plan_run(addresses, episode_count)
        asyncio.run(play(plan_run(addresses, 1), Path(folder) / "warm"))
        wall, queued, cpu = time.perf_counter(), read_queued_seconds(), time.process_time()
        reports = asyncio.run(play(plan, Path(folder) / "run"))
        measures = Measures(
            episode_count,
            time.perf_counter() - wall,
            read_queued_seconds() - queued,
            time.process_time() - cpu,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        )
    assert [report.status for report in reports] == [Status.FINISHED] * episode_count
    assert sum(report.account.spend.calls for report in reports) == episode_count * ROUNDS * len(KINDS)
    return measures


def read_queued_seconds() -> float:
    """For how long this thread has waited for a processor."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0.0


def plan_run(addresses: dict[str, str], episode_count: int) -> RunPlan:
    seats = {
        seat: SeatChoice(f"{kind}:model", {"base_url": addresses[kind], "key_variable": "BENCHMARK_KEY"})
        for seat, kind in enumerate(KINDS)
    }
    options = {"rounds": ROUNDS}
    return make_plan(
        get_benchmark("grid-wars"),
        dict(options),
        seats,
        prices=PriceTable(),
        limits=Limits(),
        episode_count=episode_count,
    )


async def play(plan: RunPlan, folder: Path) -> Sequence[EpisodeReport]:
    folder.mkdir()
    stage = Stage(SystemClock(), Nobody(), parallel_count=plan.episode_count)
    return await play_run(plan, RunFolder(folder), stage)


@contextmanager
def run_servers() -> Iterator[dict[str, str]]:
    """The address of a server for each kind, all in one process beside this one."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join()


def _serve(pipe: Connection) -> None:
    asyncio.run(_serve_until_told(pipe))


async def _serve_until_told(pipe: Connection) -> None:
    reply = json.dumps({"script": load_warriors()["painter"].source, "notes": "n", "banner": "b"})
    behaviours: dict[str, Behaviour] = {}
    for dialect in DIALECTS:
        behaviours[dialect.kind] = _answering(dialect.render_whole(dialect.answer(reply)))
    openai, chat, anthropic = DIALECTS
    async with (
        serve(openai, behaviours[openai.kind]) as first,
        serve(chat, behaviours[chat.kind]) as second,
        serve(anthropic, behaviours[anthropic.kind]) as third,
    ):
        pipe.send({server.dialect.kind: server.base_url for server in (first, second, third)})
        await asyncio.to_thread(pipe.recv)


def _answering(data: bytes) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        await asyncio.sleep(LATENCY_SECONDS)
        exchange.send_whole(data, content_type="text/event-stream")

    return behave


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--engine", type=EngineChoice, default=EngineChoice.AUTO)
    arguments = parser.parse_args()
    os.environ[ENGINE_VARIABLE] = arguments.engine
    measures = measure(arguments.episodes)
    print(
        f"{measures.episode_count} episodes at once, {ROUNDS} rounds, engine {arguments.engine}: "
        f"{measures.wall_seconds:.1f} s, for {measures.queued_seconds:.1f} s of them others had the "
        f"processors; the rest is {measures.ratio:.2f} of the ideal; "
        f"{measures.cpu_milliseconds_per_episode:.0f} ms of processor time an episode; "
        f"at most {measures.peak_megabytes:.0f} MB"
    )


if __name__ == "__main__":
    main()
