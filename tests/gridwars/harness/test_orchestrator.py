"""Playing and resuming, with the toy benchmark and policies that answer, fail, hang and lie."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gridwars.audit import audit_log
from gridwars.benchmarks import contract
from gridwars.benchmarks.contract import Benchmark, Event, Origin, Reply, Request
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.events import Directive
from gridwars.benchmarks.snake_royale.orders import FallbackCause
from gridwars.canonical import Json
from gridwars.clock import Clock, SystemClock
from gridwars.harness.orchestrator import Played, ResumeError, play_episode, resume_episode
from gridwars.log.errors import LogDamagedError
from gridwars.log.events import Answered, Asked, Judged, Limits, Message, SeatRecord
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.policy import Answer, Asking, Policy
from gridwars.policies.registry import make_policies
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY, Bid, End, Outcome

Say = Callable[[Request], str | None]


class ManualClock:
    """Time that moves only when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self) -> float:
        return self.seconds


class ScriptedTalker:
    """A policy that is asked like a model: it answers what it is told to and counts the questions."""

    scripted = False

    def __init__(self, answer: Say) -> None:
        self.record = SeatRecord(policy="talker", kind="talker", alias="Ada")
        self.asked: list[tuple[int, int, int]] = []
        self._answer = answer

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        self.asked.append(request.key)
        await asyncio.sleep(0)
        text = self._answer(request)
        if text is None:
            return Answer(Reply(text=None, failure="the model refused", outcome=contract.Outcome.REFUSED))
        return Answer(Reply(text))


class SilentTalker(ScriptedTalker):
    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets the event")


def play(
    path: Path,
    policies: Sequence[Policy],
    *,
    limits: Limits | None = None,
    clock: Clock | None = None,
    observe: Callable[[Event, bool], None] = lambda event, known: None,
    game: Benchmark = TOY,
    options: Mapping[str, Json] | None = None,
) -> Played:
    return asyncio.run(
        play_episode(
            game,
            game.configure(options or {}),
            policies,
            path,
            clock=clock or SystemClock(),
            limits=limits or Limits(),
            observe=observe,
        )
    )


def resume(path: Path, observe: Callable[[Event, bool], None] = lambda event, known: None) -> Played:
    return asyncio.run(
        resume_episode(path, clock=SystemClock(), observe=observe, benchmarks=BENCHMARKS),
    )


def read_events(path: Path) -> tuple[Event, ...]:
    return read_log(path, benchmarks=BENCHMARKS).require_sound().events


def find(path: Path, kind: type[Event]) -> list[Event]:
    return [event for event in read_events(path) if isinstance(event, kind)]


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    return tmp_path / "episode.jsonl"


def make_builtins(*names: str) -> tuple[Policy, ...]:
    return make_policies(names, ("Ada", "Bob", "Cyd"), TOY)


def with_talker(talker: Policy) -> tuple[Policy, ...]:
    return (talker, *make_builtins("fair", "miser", "miser")[1:])


def test_an_episode_of_builtins_is_played_logged_and_audited(log_path: Path) -> None:
    played = play(log_path, make_builtins("rash", "fair", "miser"))
    assert played.results.reason == "complete"
    assert played.head == read_log(log_path, benchmarks=BENCHMARKS).lines[-1].digest
    assert len(find(log_path, Bid)) == 9
    assert not find(log_path, Asked)
    assert audit_log(log_path, benchmarks=BENCHMARKS).finding is None


def test_a_bad_reply_is_asked_for_once_more_with_the_error(log_path: Path) -> None:
    seen: list[str] = []

    def answer(request: Request) -> str:
        seen.append(request.rejection.reason if request.rejection else "")
        return "7" if request.attempt == 2 else "seven"

    play(log_path, with_talker(ScriptedTalker(answer)))
    assert seen[:2] == ["", "not a whole number from 0 to 9: 'seven'"]
    bids = [event for event in find(log_path, Bid) if isinstance(event, Bid) and event.seat == 0]
    assert [bid.origin for bid in bids] == [Origin.RETRY] * 3


def test_a_seat_that_fails_twice_plays_the_fallback_with_the_last_reason(log_path: Path) -> None:
    talker = ScriptedTalker(lambda request: f"bad {request.attempt}")
    play(log_path, with_talker(talker))
    first = next(e for e in find(log_path, Bid) if isinstance(e, Bid) and e.seat == 0)
    assert (first.origin, first.reason) == (Origin.FALLBACK, "not a whole number from 0 to 9: 'bad 2'")
    assert talker.asked == [(part, 0, attempt) for part in (1, 2, 3) for attempt in (1, 2)]


def test_the_outcome_of_every_reply_is_recorded(log_path: Path) -> None:
    def answer(request: Request) -> str | None:
        return None if request.part == 3 else "seven" if request.part == 2 else "7"

    play(log_path, with_talker(ScriptedTalker(answer)))
    outcomes = {
        (event.part, event.attempt): event.outcome
        for event in find(log_path, Judged)
        if isinstance(event, Judged)
    }
    assert outcomes == {
        (1, 1): contract.Outcome.VALID,
        (2, 1): contract.Outcome.INVALID,
        (2, 2): contract.Outcome.INVALID,
        (3, 1): contract.Outcome.REFUSED,
    }


def test_no_reply_is_a_fallback_without_a_second_question(log_path: Path) -> None:
    talker = ScriptedTalker(lambda request: None)
    play(log_path, with_talker(talker))
    assert len(talker.asked) == 3
    first = next(e for e in find(log_path, Bid) if isinstance(e, Bid) and e.seat == 0)
    assert (first.origin, first.reason) == (Origin.FALLBACK, "the model refused")


def test_a_seat_that_never_answers_cannot_hold_the_batch(log_path: Path) -> None:
    talker = SilentTalker(lambda request: "")
    play(log_path, with_talker(talker), limits=Limits(batch_milliseconds=20))
    answers = [event for event in find(log_path, Answered) if isinstance(event, Answered)]
    assert [answer.failure for answer in answers] == ["no reply before the batch's deadline"] * 3
    assert {answer.outcome for answer in answers} == {contract.Outcome.LATE}


def test_a_question_is_logged_before_it_leaves(log_path: Path) -> None:
    def answer(request: Request) -> str:
        asked = [e for e in read_events(log_path) if isinstance(e, Asked)]
        assert (asked[-1].part, asked[-1].seat, asked[-1].attempt) == request.key
        return "1"

    play(log_path, with_talker(ScriptedTalker(answer)))


def test_the_episode_clock_ends_play_between_rounds(log_path: Path) -> None:
    clock = ManualClock()

    def answer(request: Request) -> str:
        clock.seconds += 4
        return "1"

    limits = Limits(batch_milliseconds=60_000, episode_milliseconds=10_000, reserve_milliseconds=3_000)
    played = play(log_path, with_talker(ScriptedTalker(answer)), limits=limits, clock=clock)
    assert played.results.reason == "deadline"
    assert len(find(log_path, Outcome)) == 2
    assert audit_log(log_path, benchmarks=BENCHMARKS).finding is None
    content = log_path.read_bytes()
    assert resume(log_path) == played
    assert log_path.read_bytes() == content


def test_without_any_time_one_round_is_played_with_fallbacks(log_path: Path) -> None:
    talker = SilentTalker(lambda request: "")
    limits = Limits(episode_milliseconds=1_000, reserve_milliseconds=1_000)
    played = play(log_path, with_talker(talker), limits=limits)
    origins = [event.origin for event in find(log_path, Bid) if isinstance(event, Bid)]
    assert origins == [Origin.FALLBACK, Origin.SCRIPTED, Origin.SCRIPTED]
    assert [void.outcome for void in played.voids] == [contract.Outcome.BUDGET]
    assert talker.asked == []
    assert played.results.reason == "deadline"


def test_a_game_that_plays_on_has_all_its_turns_when_its_time_is_used_up(log_path: Path) -> None:
    clock = ManualClock()

    def answer(request: Request) -> str:
        clock.seconds += 4
        return '{"dir": "up"}'

    talker = ScriptedTalker(answer)
    game = SnakeRoyale()
    first, *others = game.start(game.configure({})).aliases
    talker.record = SeatRecord(policy="talker", kind="talker", alias=first)
    policies = (talker, *make_policies(["coil"] * len(others), others, game))
    limits = Limits(batch_milliseconds=60_000, episode_milliseconds=10_000, reserve_milliseconds=3_000)
    played = play(
        log_path,
        policies,
        limits=limits,
        clock=clock,
        game=game,
        options={"max_turns": 12, "module": "geese"},
    )
    events = read_log(log_path).require_sound().events
    orders = [event for event in events if isinstance(event, Directive) and event.seat == 0]
    assert [order.cause for order in orders[:2]] == [FallbackCause.NONE] * 2
    assert len(talker.asked) == 2
    assert {order.cause for order in orders[2:]} == {FallbackCause.BUDGET_GUARD}
    assert len(orders) == len(played.voids) + 2 > 3
    assert played.results.reason == "complete"
    assert audit_log(log_path).finding is None


@pytest.fixture
def talkers_restored(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedTalker]:
    """Lets a resumed run make its talkers again; gives the ones it made."""
    made: list[ScriptedTalker] = []

    def restore(record: SeatRecord, benchmark: object) -> ScriptedTalker:
        made.append(ScriptedTalker(answer_by_part))
        return made[-1]

    monkeypatch.setitem(registry.KINDS, "talker", restore)
    return made


def answer_by_part(request: Request) -> str:
    return "x" if request.part == 2 and request.attempt == 1 else str(request.part)


@pytest.mark.slow
def test_a_log_cut_after_any_byte_resumes_to_the_same_events_and_asks_nothing_twice(
    log_path: Path, tmp_path: Path, talkers_restored: list[ScriptedTalker]
) -> None:
    first = ScriptedTalker(answer_by_part)
    whole = play(log_path, with_talker(first))
    expected = read_events(log_path)
    content = log_path.read_bytes()
    start_length = content.index(b"\n") + 1
    cuts = range(start_length, len(content), 37)
    assert len(cuts) > 50
    for cut in cuts:
        path = tmp_path / f"cut-{cut}.jsonl"
        path.write_bytes(content[:cut])
        answered = {event.key for event in read_events(path) if isinstance(event, Answered)}
        talkers_restored.clear()
        played = resume(path)
        assert played.results == whole.results
        assert strip_times(read_events(path)) == strip_times(expected)
        assert not answered & set(talkers_restored[0].asked)


def strip_times(events: Sequence[Event]) -> list[Event]:
    """The events without what a clock wrote, and without questions: one cut off is asked again."""
    kept = []
    for event in events:
        if isinstance(event, Answered):
            event = Answered(event.part, event.seat, event.attempt, event.text, event.outcome, event.failure)
        if not isinstance(event, Asked):
            kept.append(event)
    return kept


def test_an_ended_log_is_resumed_without_a_write(log_path: Path) -> None:
    played = play(log_path, make_builtins("rash", "fair", "miser"))
    content = log_path.read_bytes()
    known: list[bool] = []
    assert resume(log_path, observe=lambda event, was_known: known.append(was_known)) == played
    assert log_path.read_bytes() == content
    assert known
    assert all(known)


def test_a_log_that_does_not_follow_from_its_decisions_is_not_gone_on_with(
    log_path: Path, tmp_path: Path
) -> None:
    from gridwars.log.writer import LogWriter

    play(log_path, make_builtins("rash", "fair", "miser"))
    events = read_events(log_path)
    forged = tmp_path / "forged.jsonl"
    with LogWriter.create(forged, clock=SystemClock()) as writer:
        for event in events[:-1]:
            is_first = isinstance(event, Outcome) and event.round == 1
            writer.append([Outcome(1, 1, 2, (0, 0, 9)) if is_first else event])
    with pytest.raises(ResumeError, match="a recorded outcome event"):
        resume(forged)


def test_a_changed_log_is_not_gone_on_with(log_path: Path) -> None:
    play(log_path, make_builtins("rash", "fair", "miser"))
    content = log_path.read_bytes()
    log_path.write_bytes(content.replace(b'"amount":9', b'"amount":8', 1))
    with pytest.raises(LogDamagedError):
        resume(log_path)


def test_results_end_the_log(log_path: Path) -> None:
    play(log_path, make_builtins("rash", "fair", "miser"))
    assert isinstance(read_events(log_path)[-1], End)


class WaitingTalker(ScriptedTalker):
    """Depends on something that is down for a while."""

    def __init__(self, answer: Say, wait: Callable[[], Awaitable[None]]) -> None:
        super().__init__(answer)
        self._wait = wait

    async def stand_by(self, tell: Callable[[str], None]) -> None:
        tell("for the provider")
        await self._wait()


def test_a_batch_is_put_off_while_a_provider_is_down_and_loses_no_time_by_it(log_path: Path) -> None:
    async def wait() -> None:
        await asyncio.sleep(0.05)

    limits = Limits(batch_milliseconds=40)
    played = play(log_path, with_talker(WaitingTalker(lambda request: "1", wait)), limits=limits)
    assert played.results.reason == "complete"
    assert not played.voids


def test_the_episode_clock_ends_the_wait_for_a_provider(log_path: Path) -> None:
    async def wait() -> None:
        await asyncio.Event().wait()

    limits = Limits(episode_milliseconds=60, reserve_milliseconds=10)
    played = play(log_path, with_talker(WaitingTalker(lambda request: "1", wait)), limits=limits)
    assert played.results.reason == "deadline"
