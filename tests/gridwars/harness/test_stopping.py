"""A stop begins nothing new, keeps what is under way for a while, and leaves a log that can be resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Event, Reply, Request
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import Played, Terms, play_episode, resume_episode
from gridwars.harness.stopping import Stopping
from gridwars.log.events import Answered, Asked, Limits, Message
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.policy import Answer, Asking, PlayStopped
from gridwars.policies.registry import make_policies
from tests.gridwars.paid_talker import KIND, PaidTalker, Talkers, make_record
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY, Bid, Outcome

ALIASES = ("Ada", "Bob", "Cyd")


class SlowTalker(PaidTalker):
    """Waits for a test's word before it answers, for ever without one."""

    def __init__(self, alias: str, say: str = "7") -> None:
        super().__init__(make_record(alias), lambda request: say)
        self.word = asyncio.Event()
        self.was_cancelled = False

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        self.asked.append(request.key)
        try:
            await self.word.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        return Answer(Reply(self.say(request)))


async def play(path: Path, talkers: Sequence[PaidTalker], stopping: Stopping) -> Played:
    fillers = make_policies(["miser"] * (3 - len(talkers)), ALIASES[len(talkers) :], TOY)
    return await play_episode(
        TOY,
        TOY.configure({}),
        [*talkers, *fillers],
        path,
        clock=SystemClock(),
        limits=Limits(),
        observe=lambda event, known: None,
        terms=Terms(stopping),
    )


def read(path: Path, kind: type[Event]) -> list[Event]:
    return [
        event
        for event in read_log(path, benchmarks=BENCHMARKS).require_sound().events
        if isinstance(event, kind)
    ]


def resume(path: Path, talkers: Talkers, monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setitem(registry.KINDS, KIND, talkers.restore)
    return asyncio.run(
        resume_episode(path, clock=SystemClock(), observe=lambda event, known: None, benchmarks=BENCHMARKS)
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "episode.jsonl"


async def until_asked(*talkers: PaidTalker) -> None:
    while not all(talker.asked for talker in talkers):
        await asyncio.sleep(0)


def test_replies_that_come_within_the_grace_are_sealed_and_played(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> SlowTalker:
        talker, stopping = SlowTalker("Ada"), Stopping(grace_seconds=60)
        task = asyncio.create_task(play(path, [talker], stopping))
        await until_asked(talker)
        stopping.request("interrupted")
        talker.word.set()
        with pytest.raises(PlayStopped, match="interrupted"):
            await task
        return talker

    talker = asyncio.run(run())
    assert talker.asked == [(1, 0, 1)]
    assert len(read(path, Outcome)) == 1
    talkers = Talkers()
    played = resume(path, talkers, monkeypatch)
    assert talkers.asked == [(2, 0, 1), (3, 0, 1)]
    assert played.results.reason == "complete"


def test_after_the_grace_what_is_under_way_is_cut_off_and_what_came_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> tuple[SlowTalker, SlowTalker]:
        quick, slow = SlowTalker("Ada"), SlowTalker("Bob")
        stopping = Stopping(grace_seconds=0.05)
        task = asyncio.create_task(play(path, [quick, slow], stopping))
        await until_asked(quick, slow)
        stopping.request("interrupted")
        quick.word.set()
        with pytest.raises(PlayStopped):
            await task
        return quick, slow

    quick, slow = asyncio.run(run())
    assert (quick.was_cancelled, slow.was_cancelled) == (False, True)
    assert [event.seat for event in read(path, Answered) if isinstance(event, Answered)] == [0]
    assert not read(path, Bid)
    talkers = Talkers()
    resume(path, talkers, monkeypatch)
    assert (1, 0, 1) not in talkers.asked
    assert (1, 1, 1) in talkers.asked


def test_no_repair_is_begun_once_a_stop_was_asked_for(path: Path) -> None:
    async def run() -> SlowTalker:
        talker, stopping = SlowTalker("Ada", say="seven"), Stopping(grace_seconds=60)
        task = asyncio.create_task(play(path, [talker], stopping))
        await until_asked(talker)
        stopping.request("interrupted")
        talker.word.set()
        with pytest.raises(PlayStopped):
            await task
        return talker

    assert asyncio.run(run()).asked == [(1, 0, 1)]


def test_a_policy_that_stops_play_does_not_cost_the_replies_of_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> SlowTalker:
        slow = SlowTalker("Ada")
        broke = PaidTalker(make_record("Bob"), lambda request: "7", stops=frozenset({(1, 1, 1)}))
        task = asyncio.create_task(play(path, [slow, broke], Stopping(grace_seconds=60)))
        await until_asked(slow, broke)
        await asyncio.sleep(0.01)
        slow.word.set()
        with pytest.raises(PlayStopped, match="nobody pays"):
            await task
        return slow

    assert not asyncio.run(run()).was_cancelled
    assert [event.seat for event in read(path, Answered) if isinstance(event, Answered)] == [0]
    talkers = Talkers()
    resume(path, talkers, monkeypatch)
    assert (1, 0, 1) not in talkers.asked


def test_a_second_stop_cancels_at_once_and_the_log_is_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> SlowTalker:
        talker, stopping = SlowTalker("Ada"), Stopping(grace_seconds=60)
        task = asyncio.create_task(play(path, [talker], stopping))
        await until_asked(talker)
        stopping.request("interrupted")
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return talker

    assert asyncio.run(run()).was_cancelled
    assert len(read(path, Asked)) == 1
    assert resume(path, Talkers(), monkeypatch).results.reason == "complete"


def test_nothing_is_begun_by_a_run_that_is_to_stop(path: Path) -> None:
    async def run() -> PaidTalker:
        talker, stopping = PaidTalker(make_record(), lambda request: "7"), Stopping()
        stopping.request("interrupted")
        with pytest.raises(PlayStopped):
            await play(path, [talker], stopping)
        return talker

    assert asyncio.run(run()).asked == []


def test_the_first_reason_stays() -> None:
    stopping = Stopping()
    stopping.require_going_on()
    stopping.request("first")
    stopping.request("second")
    with pytest.raises(PlayStopped, match="first"):
        stopping.require_going_on()


def test_work_that_ends_is_not_touched_and_its_error_is_its_own() -> None:
    async def fail() -> None:
        raise KeyError("own")

    async def run() -> None:
        stopping = Stopping(grace_seconds=0)
        assert await stopping.lend_grace(asyncio.sleep(0, "result")) == "result"
        with pytest.raises(KeyError, match="own"):
            await stopping.lend_grace(fail())

    asyncio.run(run())
