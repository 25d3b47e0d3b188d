"""kill -9 at random moments of a series: the log reads, audits and resumes to the same results."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Benchmark, Event, Reply, Request
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import Played, resume_episode
from gridwars.log.events import Answered, Asked, Message, SeatRecord
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.policy import Answer, Asking, Policy
from gridwars.policies.registry import make_policies
from tests.gridwars.playing import play_policies

KILL_COUNT = 50
OPTIONS: dict[str, int] = {"seed": 11, "rounds": 4, "ticks": 60}
GARBLED_ROUND = 2

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked player")


class Parrot:
    """Answers like a model after a moment: a fenced program, once something unreadable."""

    scripted = False

    def __init__(self, record: SeatRecord) -> None:
        self.record = record

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return (Message("system", "the rules " * 200), Message("user", f"round {request.part}"))

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        await asyncio.sleep(0.002 * (request.seat + 1))
        if request.part == GARBLED_ROUND and request.attempt == 1:
            return Answer(Reply("I would rather not say."))
        steps = "\n".join("  place()\n  move(1, 0)" for _ in range(request.part))
        return Answer(Reply(f"Here it is:\n```gwl\nwhile true:\n{steps}\n```"))


def restore_parrot(record: SeatRecord, benchmark: Benchmark) -> Parrot:
    return Parrot(record)


def make_seats(benchmark: GridWars) -> tuple[Policy, ...]:
    aliases = benchmark.start(benchmark.configure(OPTIONS)).aliases
    builtins = make_policies(["painter"] * 4, aliases, benchmark)
    parrots = [Parrot(SeatRecord("parrot", "parrot", alias)) for alias in aliases[1:3]]
    return (builtins[0], *parrots, builtins[3])


def play(path: Path) -> Played:
    benchmark = GridWars()
    return play_policies(path, benchmark, benchmark.configure(OPTIONS), make_seats(benchmark))


def resume(path: Path) -> Played:
    return asyncio.run(resume_episode(path, clock=SystemClock(), observe=lambda event, known: None))


def play_and_kill(path: Path, size: int, pause: float, *, resumed: bool) -> None:
    """Plays in a forked process that is killed once its log has grown so long, however fast the machine is.

    Args:
        size: of the log, in bytes, from which on it is killed; one that is never reached lets it end.
        pause: seconds from then to the kill, so that it comes between writes as well as within them.
    """
    child = os.fork()
    if child == 0:
        try:
            (resume if resumed else play)(path)
        finally:
            os._exit(0)
    while not (path.exists() and path.stat().st_size >= size):
        if os.waitpid(child, os.WNOHANG) != (0, 0):
            return
        time.sleep(0.0005)
    time.sleep(pause)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def read_record(path: Path) -> list[Event]:
    """All events but questions and durations: what a resumed run must have in common with a whole one."""
    events = read_log(path).require_sound().events
    return [
        Answered(e.part, e.seat, e.attempt, e.text, e.outcome, e.failure) if isinstance(e, Answered) else e
        for e in events
        if not isinstance(e, Asked)
    ]


@pytest.mark.slow
def test_a_killed_series_resumes_to_the_same_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "parrot", restore_parrot)
    whole_path = tmp_path / "whole.jsonl"
    whole = play(whole_path)
    size = whole_path.stat().st_size
    draw = random.Random(20260401)
    cut_lengths = set()
    for number in range(KILL_COUNT):
        path = tmp_path / f"killed-{number}.jsonl"
        play_and_kill(path, draw.randint(1, size), draw.uniform(0, 0.01), resumed=False)
        if not path.exists() or not path.read_bytes().count(b"\n"):
            continue  # killed before its first line: nothing was played, nothing is lost
        before = read_log(path)
        assert before.problem is None
        assert audit_log(path).status is AuditStatus.INTACT
        cut_lengths.add(len(before.lines))
        if draw.random() < 0.5:
            grown = path.stat().st_size
            play_and_kill(path, draw.randint(grown, size), draw.uniform(0, 0.01), resumed=True)
        assert resume(path).results == whole.results
        assert read_record(path) == read_record(whole_path)
        after = read_log(path)
        assert after.lines[: len(before.lines)] == before.lines
        assert audit_log(path).status is AuditStatus.INTACT
    assert len(cut_lengths) >= 5, "the kills must have hit different moments"


def test_the_command_resumes_what_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gridwars"]
    options = ["--seed", "5", "--rounds", "12", "--ticks", "300", "--json"]
    whole = subprocess.run(
        [*command, "play", *options, "--out", "whole.jsonl"], cwd=tmp_path, check=True, capture_output=True
    )
    killed = subprocess.Popen(
        [*command, "play", *options, "--out", "killed.jsonl"], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    path = tmp_path / "killed.jsonl"
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < 10:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    killed.kill()
    killed.wait()
    assert not read_log(path).ended
    resumed = subprocess.run(
        [*command, "resume", "--json", "killed.jsonl"], cwd=tmp_path, check=True, capture_output=True
    )
    assert json.loads(resumed.stdout)["results"] == json.loads(whole.stdout)["results"]
