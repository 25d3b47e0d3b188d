"""kill -9 at random moments of a run, again and again: the same results and sums, and nothing asked twice."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Benchmark, Event, Request
from gridwars.clock import SystemClock
from gridwars.harness.budget import Treasury
from gridwars.harness.folder import RunFolder
from gridwars.harness.orchestrator import Terms
from gridwars.harness.plan import RunPlan, SeatChoice, make_plan
from gridwars.harness.run import EpisodeReport, Stage, Status, play_run
from gridwars.harness.stopping import Stopping
from gridwars.log.events import Answered, Limits, Message, SeatRecord
from gridwars.log.metering import Budget, Spend
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.making import Making
from gridwars.policies.policy import Answer, Asking, Progress
from gridwars.policies.prices import PriceTable
from tests.gridwars.paid_talker import KIND, PaidTalker, make_record
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked player")

KILL_COUNT = 25
EPISODE_COUNT = 4
PARTS = 6
SEATS = 2
CALLS = EPISODE_COUNT * (PARTS * SEATS + 1)
"""One repair in every episode."""


class HesitantTalker(PaidTalker):
    """Thinks for a moment; once in an episode it must be asked again."""

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        await asyncio.sleep(0.002 * (request.seat + 1))
        return await super().answer(request, prompt, asking)


def restore(record: SeatRecord, benchmark: Benchmark) -> HesitantTalker:
    def say(request: Request) -> str:
        return "seven" if request.key == (2, 1, 1) else str((request.part + request.seat) % 9)

    return HesitantTalker(record, say)


class Deaf:
    def observe(self, number: int, event: Event, was_known: bool) -> None:
        pass

    def watch(self, number: int, progress: Progress) -> None:
        pass

    def finish(self, report: EpisodeReport) -> None:
        pass


def make(text: str, making: Making) -> PaidTalker:
    return PaidTalker(make_record(making.alias), lambda request: "")


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> RunPlan:
    monkeypatch.setitem(registry.KINDS, KIND, restore)
    monkeypatch.setitem(registry.MAKERS, KIND, make)
    seats = {seat: SeatChoice(f"{KIND}:", {}) for seat in range(SEATS)}
    return make_plan(
        TOY,
        {"rounds": PARTS},
        seats,
        prices=PriceTable(),
        limits=Limits(),
        episode_count=EPISODE_COUNT,
    )


def play(plan: RunPlan, folder: RunFolder) -> tuple[EpisodeReport, ...]:
    terms = Terms(Stopping(), Treasury(Budget()))
    return asyncio.run(play_run(plan, folder, Stage(SystemClock(), Deaf(), terms, 3, BENCHMARKS)))


def play_and_kill(plan: RunPlan, folder: RunFolder, draw: random.Random) -> None:
    """Plays in a forked process that is killed a moment after it has written so many bytes more."""
    target = count_bytes(folder) + draw.randrange(6000)
    child = os.fork()
    if child == 0:
        try:
            play(plan, folder)
        finally:
            os._exit(0)
    deadline = time.monotonic() + 30
    while count_bytes(folder) < target and os.waitpid(child, os.WNOHANG) == (0, 0):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    time.sleep(draw.uniform(0, 0.005))
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def count_bytes(folder: RunFolder) -> int:
    return sum(path.stat().st_size for path in folder.path.glob("*.jsonl"))


def count_answers(folder: RunFolder) -> int:
    """How many replies the folder's logs hold; none of them twice."""
    count = 0
    for path in folder.path.glob("*.jsonl"):
        keys = Counter(
            event.key for event in read_log(path, benchmarks=BENCHMARKS).events if isinstance(event, Answered)
        )
        assert not keys or max(keys.values()) == 1
        count += keys.total()
    return count


@pytest.mark.slow
def test_a_run_killed_again_and_again_comes_to_the_same_results_and_sums(
    plan: RunPlan, tmp_path: Path
) -> None:
    whole_folder = RunFolder(tmp_path / "whole")
    whole = play(plan, whole_folder)
    total = Spend()
    for report in whole:
        total = total.plus(report.account.spend)
    assert total == Spend(CALLS, 50 * CALLS, 50 * CALLS)
    folder = RunFolder(tmp_path / "killed")
    draw = random.Random(20261130)
    progress = []
    for _ in range(KILL_COUNT):
        play_and_kill(plan, folder, draw)
        progress.append(count_answers(folder))
        if progress[-1] == CALLS:
            break
    assert len(set(progress)) >= 4, "the kills must have hit different moments"
    assert progress == sorted(progress), "what was answered is never lost"
    reports = play(plan, folder)
    assert [report.results for report in reports] == [report.results for report in whole]
    assert [report.status for report in reports] == [Status.FINISHED] * EPISODE_COUNT
    assert [report.account.spend for report in reports] == [report.account.spend for report in whole]
    for report in reports:
        assert audit_log(report.path, benchmarks=BENCHMARKS).status is AuditStatus.INTACT
