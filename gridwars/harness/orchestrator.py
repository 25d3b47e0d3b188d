"""Plays one episode: asks its batches, logs everything first, hands the decisions back.

A resumed run plays the episode again from its start, taking every decision that the log has sealed and
every reply that it holds, and checks each event it derives against the one that stands there; where
the log ends it goes on by asking. So there is one path for both, and no state but the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

import gridwars
from gridwars.benchmarks.contract import Batch, Benchmark, Decision, Episode, Event, Results
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.registry import BENCHMARKS, find_package
from gridwars.canonical import hash_text
from gridwars.clock import Clock
from gridwars.harness.batch import Desk, Memory, decide_at_once, decide_batch
from gridwars.harness.budget import Treasury
from gridwars.harness.folder import RunFolder
from gridwars.harness.recorder import Recorder
from gridwars.harness.stopping import Stopping
from gridwars.log.events import (
    HARNESS_EVENTS,
    Budgeted,
    Judged,
    Limits,
    RunRecord,
    Start,
    Text,
    find_budget,
    find_voids,
    is_end,
    kind_of,
    list_texts,
)
from gridwars.log.reader import read_log
from gridwars.log.spending import Account
from gridwars.log.writer import LogWriter
from gridwars.policies.policy import (
    AnswersAtOnce,
    Phase,
    Policy,
    Progress,
    StandsBy,
    Watcher,
    ignore_progress,
    list_template_texts,
)
from gridwars.policies.registry import restore_policies

Observer = Callable[[Event, bool], None]
"""Told of every event once it is durable, and whether it was in the log before (a resumed run).

Of what was, the harness's own events come first, and then the benchmark's, as they are derived again.
"""


class ResumeError(ValueError):
    """A log that cannot be gone on with; the message says why and what can be done."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a run came to.

    Attributes:
        head: SHA-256 of the log's last line.
        voids: requests that nobody answered by no fault of the policy; with one the episode is void.
        account: what it cost, from the log.
    """

    path: Path
    results: Results
    head: str
    voids: tuple[Judged, ...]
    account: Account


@dataclass(frozen=True, slots=True)
class Terms:
    """What the episodes of one run share.

    Attributes:
        treasury: the run's budget; by default the one of the episode's own limits.
    """

    stopping: Stopping = field(default_factory=Stopping)
    treasury: Treasury | None = None


async def play_episode(
    benchmark: Benchmark,
    config: msgspec.Struct,
    policies: Sequence[Policy],
    path: Path,
    *,
    clock: Clock,
    limits: Limits,
    observe: Observer,
    watch: Watcher = ignore_progress,
    run: RunRecord | None = None,
    terms: Terms | None = None,
) -> Played:
    """Plays a new episode into a new log.

    Raises:
        LogError: where the log cannot be written; what it holds stays valid.
        PlayStopped: before a batch, by a wish to stop or because going on is no use; can be resumed.
    """
    episode = benchmark.start(config)
    start = Start(
        protocol=gridwars.LOG_PROTOCOL,
        benchmark=benchmark.name,
        rules_version=benchmark.rules_version,
        dialogue_version=benchmark.dialogue_version,
        software_version=gridwars.__version__,
        package=find_package(benchmark.name),
        config=msgspec.to_builtins(config),
        seats=tuple(policy.record for policy in policies),
        limits=limits,
        run=run,
    )
    with LogWriter.create(path, clock=clock) as writer:
        play = _Play(benchmark, episode, start, policies, writer, clock, observe, watch, terms)
        return await play.run(start, *_list_lacking([start], policies, terms))


async def resume_episode(
    path: Path,
    *,
    clock: Clock,
    observe: Observer,
    watch: Watcher = ignore_progress,
    terms: Terms | None = None,
    benchmarks: Mapping[str, Benchmark] = BENCHMARKS,
    texts: Sequence[str] = (),
) -> Played:
    """Goes on with a log that was cut, to the results an uninterrupted run would have had.

    A log that has ended is played through without asking or writing anything.

    Args:
        texts: among them the templates of prompts, where the log was cut before it held them.

    Raises:
        LogError: where the log cannot be read or written, or is damaged.
        ResumeError: where it does not follow from its own decisions, or holds no start.
        PolicyError: where a seat cannot be filled again.
        PlayStopped: as `play_episode`.
    """
    with LogWriter.open(path, clock=clock) as writer:
        log = read_log(path, benchmarks=benchmarks).require_sound()
        if log.start is None:
            raise ResumeError(f"{path}: the log was cut before its start; remove it and play anew")
        benchmark = benchmarks[log.start.benchmark]
        episode = benchmark.start(benchmark.configure(log.start.config))
        # An imported episode has seats that nobody can fill again, and needs nobody.
        texts = (*texts, *list_texts(log.events))
        policies = () if log.ended else restore_policies(log.start.seats, benchmark, texts)
        for event in log.events:
            if isinstance(event, HARNESS_EVENTS):
                observe(event, True)
        play = _Play(
            benchmark, episode, log.start, policies, writer, clock, observe, watch, terms, log.events[1:]
        )
        return await play.run(*(() if log.ended else _list_lacking(log.events, policies, terms)))


def _list_lacking(recorded: Sequence[Event], policies: Sequence[Policy], terms: Terms | None) -> list[Event]:
    """What a log must hold before anybody is asked, and does not: a new budget, templates of prompts."""
    treasury = None if terms is None else terms.treasury
    budgets = (
        []
        if treasury is None or treasury.budget == find_budget(recorded)
        else [Budgeted(budget=treasury.budget)]
    )
    known = {event.digest for event in recorded if isinstance(event, Text)}
    events = [Text(digest=hash_text(text), text=text) for text in list_template_texts(policies)]
    return [*budgets, *(event for event in events if event.digest not in known)]


_OUT_OF_TIME = "the episode's time is used up"


class _Play:
    """One episode being played, with what the log held before."""

    def __init__(
        self,
        benchmark: Benchmark,
        episode: Episode,
        start: Start,
        policies: Sequence[Policy],
        writer: LogWriter,
        clock: Clock,
        observe: Observer,
        watch: Watcher,
        terms: Terms | None,
        recorded: Sequence[Event] = (),
    ) -> None:
        terms = terms or Terms()
        self._plays_on = benchmark.pace.plays_on
        self._is_quick = benchmark.pace.is_quick
        self._instant = [policy for policy in policies if isinstance(policy, AnswersAtOnce)]
        self._is_among_scripts = self._is_quick and 0 < len(self._instant) == len(policies)
        self._unwritten: list[Event] = []
        self._can_stand_by = any(isinstance(policy, StandsBy) for policy in policies)
        self._episode = episode
        self._writer = writer
        self._clock = clock
        self._limits = start.limits
        self._observe = observe
        self._stopping = terms.stopping
        treasury = terms.treasury or Treasury(start.limits.budget)
        self._till = treasury.open_till(writer.path, start.seats)
        self._till.recall(recorded)
        self._voids = find_voids(recorded)
        memory = Memory.recall(recorded)
        self._recorder = Recorder(writer, self._note)
        record = self._recorder.record
        folder = RunFolder(writer.path.parent)
        hidden = folder.path if folder.is_begun else writer.path
        self._desk = Desk(episode, policies, memory, record, watch, clock, self._till, terms.stopping, hidden)
        own = [event for event in recorded if not isinstance(event, HARNESS_EVENTS)]
        self._following = Following(episode, own)
        self._started = clock.monotonic()

    async def run(self, *first: Event) -> Played:
        """Plays to the end.

        Args:
            first: what is recorded before anything is asked.
        """
        try:
            if first:
                await self._recorder.record(first)
            try:
                await self._play_batches()
            finally:
                self._write_rest()
        finally:
            await self._recorder.finish()
            self._till.release_all()
        if self._following.next_event is not None:
            raise ResumeError(
                f"{self._writer.path}: the log goes on after the episode's end; run an audit to see where"
            )
        return Played(
            path=self._writer.path,
            results=self._episode.results(),
            head=self._writer.head,
            voids=tuple(self._voids),
            account=self._till.accounts.total,
        )

    async def _play_batches(self) -> None:
        batch_count = 0
        while (opened := self._following.open()) is not None:
            decisions = opened.decisions
            recorded = self._following.next_event
            if recorded is not None and is_end(recorded):
                await self._take(self._episode.stop_early(recorded))
                break
            if decisions is None:
                self._stopping.require_going_on()
                if self._can_stand_by:
                    await self._stopping.lend_grace(self._stand_by(), seconds=0)
                out_of_time = self._is_out_of_time()
                if out_of_time and batch_count > 0 and not self._plays_on:
                    await self._take(self._episode.stop_early())
                    break
                decisions = await self._decide(opened.batch, closed=_OUT_OF_TIME if out_of_time else "")
            await self._take(self._episode.advance(decisions))
            batch_count += 1

    def _note(self, event: Event) -> None:
        """Tells the till and the observer of an event that is durable."""
        self._till.take(event)
        self._observe(event, False)
        self._voids += find_voids([event])

    async def _decide(self, batch: Batch, closed: str) -> tuple[Decision, ...]:
        if self._is_among_scripts:
            await asyncio.sleep(0)  # Other episodes, and whoever stops this one, have their turn.
            return decide_at_once(batch, self._episode, self._instant)
        timeout_seconds = self._limits.batch_milliseconds / 1000
        return await self._stopping.lend_grace(
            decide_batch(batch, self._desk, timeout_seconds=timeout_seconds, closed=closed)
        )

    async def _stand_by(self) -> None:
        """Waits while somebody's provider is known to be down, as long as the episode's clock lets it."""
        waits = [
            policy.stand_by(functools.partial(self._tell_of_wait, seat))
            for seat, policy in enumerate(self._desk.policies)
            if isinstance(policy, StandsBy)
        ]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._find_time_left()):
                await asyncio.gather(*waits)

    def _tell_of_wait(self, seat: int, reason: str) -> None:
        self._desk.watch(Progress(seat, 1, Phase.WAITING, reason))

    async def _take(self, groups: Iterator[Sequence[Event]]) -> None:
        """Appends what the log does not hold yet; what it holds must be the same.

        Unless that is quick, groups are computed in a thread: a battle must not keep other episodes'
        replies waiting.

        Decisions are durable before anything follows from them. So is what followed before anybody is asked;
        where scripts of this process answer for all seats, it becomes so together with the next decisions.
        """
        pairs = self._following.compare(groups)
        is_sealed = False
        while (
            pair := next(pairs, None) if self._is_quick else await asyncio.to_thread(next, pairs, None)
        ) is not None:
            group, known = pair
            for event, recorded in zip(group, known, strict=False):
                if event != recorded:
                    raise ResumeError(
                        f"{self._writer.path}: a recorded {kind_of(recorded)} event does not follow from the "
                        f"lines before it; run an audit to see where"
                    )
                self._observe(event, True)
            new = group[len(known) :]
            if self._is_among_scripts:
                self._unwritten += new
                if not is_sealed:
                    self._write_rest()
            elif new:
                await self._recorder.record(new)
            is_sealed = True

    def _write_rest(self) -> None:
        events, self._unwritten = self._unwritten, []
        if events:
            self._recorder.record_here(events)

    def _is_out_of_time(self) -> bool:
        time_left = self._find_time_left()
        return time_left is not None and time_left <= 0

    def _find_time_left(self) -> float | None:
        """Seconds within which another batch may be opened; None without a limit."""
        limits = self._limits
        if limits.episode_milliseconds == 0:
            return None
        end = (limits.episode_milliseconds - limits.reserve_milliseconds) / 1000
        return self._started + end - self._clock.monotonic()
