"""How far a run has come, for whoever shows it: every seat's state, what was spent, what is still to come."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from gridwars.benchmarks.contract import Event, Outcome, View
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import make_plain
from gridwars.clock import Clock
from gridwars.harness.budget import render_dollars
from gridwars.harness.run import EpisodeReport, Status
from gridwars.log.events import HARNESS_EVENTS, Answered, Asked, Judged, Start
from gridwars.log.spending import Account, Accounts
from gridwars.policies.policy import Phase, Progress

_REASON_LENGTH = 100


class Sign(StrEnum):
    """How a seat's state looks: what is well, what takes time, what went wrong."""

    QUIET = "quiet"
    BUSY = "busy"
    GOOD = "good"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class SeatState:
    """Where a seat stands, in words.

    Attributes:
        is_pending: something is under way that takes time.
        is_waiting: it waits for its turn, and the words say for what.
    """

    words: str = ""
    sign: Sign = Sign.QUIET
    is_pending: bool = field(default=False, compare=False)
    is_waiting: bool = field(default=False, compare=False)


@dataclass(slots=True)
class EpisodeTracker:
    """One episode, as its events and its seats' progress come by.

    Attributes:
        was_asked: whether anybody was asked anything.
        batch_count: how many batches have been played.
        most_batches: how many there will be at most.
        new_batch_count: of those played, how many in this run of the program.
        editing: seats whose player has the terminal.
        since: by seat, when its state began, on the clock's monotonic scale.
        asked_at: by seat, when it was first asked in this batch.
    """

    start: Start
    states: list[SeatState]
    accounts: Accounts
    view: View
    most_batches: int
    was_asked: bool = False
    batch_count: int = 0
    new_batch_count: int = 0
    editing: set[int] = field(default_factory=set)
    since: list[float] = field(default_factory=list)
    asked_at: dict[int, float] = field(default_factory=dict)

    @property
    def batch_number(self) -> int:
        """Of the batch that is open, from 1; of the last one at the end."""
        return min(self.batch_count + 1, self.most_batches)

    @classmethod
    def begin(cls, start: Start) -> EpisodeTracker:
        benchmark = get_benchmark(start.benchmark)
        most = benchmark.count_most_batches(benchmark.configure(start.config))
        return cls(
            start, [SeatState() for _ in start.seats], Accounts(start.seats), benchmark.make_view(), most
        )

    def take(self, event: Event, was_known: bool) -> None:
        self.accounts.take(event)
        if was_known and isinstance(event, HARNESS_EVENTS):
            return
        match event:
            case Asked():
                self.was_asked = True
                self.states[event.seat] = SeatState("asked", Sign.BUSY, is_pending=True)
            case Answered() if event.text is not None:
                self.states[event.seat] = SeatState("replied", Sign.BUSY)
            case Judged():
                self.states[event.seat] = _describe_outcome(event)
            case _ if self.view.ends_batch(event):
                self.batch_count += 1
                self.new_batch_count += not was_known
                self.states = [SeatState() for _ in self.states]
            case _:
                pass

    def watch(self, progress: Progress) -> None:
        if progress.phase is Phase.EDITING:
            self.editing.add(progress.seat)
        else:
            self.editing.discard(progress.seat)
        if progress.phase is not Phase.DONE:
            self.states[progress.seat] = _describe_progress(progress)


@dataclass(slots=True)
class RunTracker:
    """All episodes of a run.

    Attributes:
        episode_count: of the run.
        budget_microdollars: of the run; None where there is none in dollars.
        running: those being played, by number.
        reports: of those that are done.
    """

    clock: Clock
    episode_count: int
    budget_microdollars: int | None = None
    running: dict[int, EpisodeTracker] = field(default_factory=dict)
    reports: list[EpisodeReport] = field(default_factory=list)
    _started: float = field(init=False)
    _most_batches: int = 0
    _played_batches: int = 0

    def __post_init__(self) -> None:
        self._started = self.clock.monotonic()

    def take(self, number: int, event: Event, was_known: bool) -> None:
        if isinstance(event, Start):
            self.running[number] = episode = EpisodeTracker.begin(event)
            episode.since = [self.clock.monotonic()] * len(episode.states)
            self._most_batches = self.running[number].most_batches
            return
        episode = self.running[number]
        before, states = episode.new_batch_count, list(episode.states)
        episode.take(event, was_known)
        self._played_batches += episode.new_batch_count - before
        self._note_times(episode, states)
        if isinstance(event, Asked) and not was_known and event.attempt == 1:
            episode.asked_at[event.seat] = self.clock.monotonic()

    def watch(self, number: int, progress: Progress) -> None:
        episode = self.running[number]
        states = list(episode.states)
        episode.watch(progress)
        self._note_times(episode, states)

    def _note_times(self, episode: EpisodeTracker, before: Sequence[SeatState]) -> None:
        """A state begins where its kind changes; what is counted in it may change."""
        for seat, (old, new) in enumerate(zip(before, episode.states, strict=True)):
            if new.words.split(" ", 1)[0] != old.words.split(" ", 1)[0]:
                episode.since[seat] = self.clock.monotonic()

    def finish(self, report: EpisodeReport) -> None:
        self.running.pop(report.number, None)
        self.reports.append(report)

    @property
    def account(self) -> Account:
        accounts = [
            *(report.account for report in self.reports),
            *(episode.accounts.total for episode in self.running.values()),
        ]
        return functools.reduce(Account.plus, accounts, Account())

    @property
    def elapsed_seconds(self) -> float:
        return self.clock.monotonic() - self._started

    def estimate_seconds_left(self) -> float | None:
        """At the pace so far; None while there is none."""
        if not self._played_batches:
            return None
        return self.elapsed_seconds / self._played_batches * (self._all_batches - self._done_batches)

    def estimate_microdollars(self) -> int | None:
        """What the run will have cost at its end, at the rate so far; None while that is not known."""
        microdollars = self.account.microdollars
        if microdollars is None or not self._done_batches:
            return None
        return microdollars * self._all_batches // self._done_batches

    @property
    def _all_batches(self) -> int:
        return self._most_batches * self.episode_count

    @property
    def _done_batches(self) -> int:
        begun = sum(episode.batch_count for episode in self.running.values())
        return begun + self._most_batches * len(self.reports)


def describe_pending(tracker: RunTracker, episode: EpisodeTracker, seat: int) -> str:
    """What a seat is at, for how long, and when that ends at the latest."""
    now = tracker.clock.monotonic()
    state = episode.states[seat]
    text = f"{state.words}; {render_duration(now - episode.since[seat])} so far"
    asked_at = episode.asked_at.get(seat)
    if state.is_waiting or asked_at is None:
        return text
    left = asked_at + episode.start.limits.batch_milliseconds / 1000 - now
    return f"{text}, at most {render_duration(max(0.0, left))} more"


def describe_run(tracker: RunTracker) -> str:
    """The run in one line: episodes, money, time."""
    parts = []
    if tracker.episode_count > 1:
        counts = Counter(report.status for report in tracker.reports)
        done = counts[Status.FINISHED] + counts[Status.VOID]
        others = (Status.VOID, Status.STOPPED, Status.FAILED)
        besides = "".join(f", {counts[status]} {status.value}" for status in others if counts[status])
        parts.append(f"{done} of {tracker.episode_count} episodes done{besides}")
    if was_paid(tracker.account) or tracker.budget_microdollars is not None:
        parts.append(describe_spend(tracker.account, tracker.budget_microdollars))
    expected = tracker.estimate_microdollars()
    if expected:
        parts.append(f"about {render_dollars(expected)} in the end")
    left = tracker.estimate_seconds_left()
    parts.append(f"{render_duration(tracker.elapsed_seconds)} gone")
    if left is not None:
        parts.append(f"about {render_duration(left)} left")
    return " · ".join(parts)


def was_paid(account: Account) -> bool:
    """Whether anything was, or may have been, paid for."""
    return account.spend.calls + account.lost_calls > 0


def describe_spend(account: Account, budget_microdollars: int | None = None) -> str:
    """What was spent, with what nobody knows the price of."""
    spend = account.spend
    text = f"{render_cost(account) or render_dollars(0)} spent"
    if account.unpriced_calls and not spend.microdollars:
        text = "cost not known"
    if budget_microdollars is not None:
        text = f"{text.removesuffix(' spent')} of {render_dollars(budget_microdollars)} spent"
    text += f", {spend.tokens:,} tokens, {spend.calls:,} call{'s' if spend.calls != 1 else ''}"
    if account.unpriced_calls:
        text += f", {account.unpriced_calls:,} of them at a cost that is not known"
    if account.lost_calls:
        text += f", and {account.lost_calls:,} more perhaps made and paid for when the program was stopped"
    return text


def render_cost(account: Account) -> str:
    """What calls cost, as far as it is known; "" where there were none."""
    if not account.spend.calls:
        return ""
    amount = render_dollars(account.spend.microdollars)
    if not account.unpriced_calls:
        return amount
    return f"over {amount}" if account.spend.microdollars else "not known"


def render_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def _describe_progress(progress: Progress) -> SeatState:
    again = "repair, " if progress.attempt > 1 else ""
    detail = f" {make_plain(progress.detail)}" if progress.detail else ""
    match progress.phase:
        case Phase.WAITING:
            return SeatState(f"{again}waiting{detail}", Sign.BUSY, is_pending=True, is_waiting=True)
        case Phase.ASKED:
            return SeatState(f"{again}asked{detail}", Sign.BUSY, is_pending=True)
        case Phase.STREAMING:
            words = f"{again}streaming, {progress.token_count:,} tokens"
            return SeatState(words, Sign.BUSY, is_pending=True)
        case Phase.EDITING:
            return SeatState(f"{again}being edited", Sign.BUSY)
        case Phase.RETRYING:
            return SeatState(f"{again}retry{detail}", Sign.TROUBLE, is_pending=True)
        case Phase.DONE:
            return SeatState(f"{again}replied", Sign.BUSY)
        case _:
            assert_never(progress.phase)


def _describe_outcome(event: Judged) -> SeatState:
    reason = make_plain(event.reason.split("\n")[0])[:_REASON_LENGTH]
    match event.outcome:
        case Outcome.VALID:
            return SeatState("sealed", Sign.GOOD)
        case Outcome.REPAIRED:
            return SeatState(f"sealed, {', '.join(event.repairs)} put right", Sign.GOOD)
        case outcome:
            word = Outcome.VOID if outcome.is_void else outcome
            return SeatState(f"{word.value}: {reason}", Sign.TROUBLE)
