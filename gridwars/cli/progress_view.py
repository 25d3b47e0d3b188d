"""Shows a run while it is played: a table drawn anew on a terminal, a line for each change elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

from gridwars.benchmarks.contract import Event
from gridwars.cli.console import make_plain, open_console
from gridwars.cli.tracking import (
    EpisodeTracker,
    RunTracker,
    Sign,
    describe_pending,
    describe_run,
    render_cost,
    render_duration,
)
from gridwars.harness.run import EpisodeReport
from gridwars.log.events import Start
from gridwars.policies.policy import Phase, Progress
from gridwars.policies.seats import name_seat

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

_FRAMES_PER_SECOND = 8
_STYLES = {Sign.QUIET: "dim", Sign.BUSY: "", Sign.GOOD: "green", Sign.TROUBLE: "yellow"}
_YIELDING = frozenset({"who", "state"})
"""Columns that give way where there is little room; numbers are never cut."""
_ROWS_KEPT_FREE = 6
_REMINDER_CHECK_SECONDS = 1
_REMINDER_SECONDS = 30
"""Between two lines that say that a seat still is at the same thing."""
_MOST_REMINDERS = 4
_LONG_SECONDS = 5
"""From which a live view says for how long."""


class ProgressView(Protocol):
    """Sees what a `RunObserver` sees, and speaks besides."""

    def observe(self, number: int, event: Event, was_known: bool) -> None: ...
    def watch(self, number: int, progress: Progress) -> None: ...
    def finish(self, report: EpisodeReport) -> None: ...

    def tell(self, message: str) -> None:
        """Shows a message of this program without spoiling what is drawn."""
        ...


@contextmanager
def show_run(tracker: RunTracker, *, shown: bool) -> Iterator[ProgressView]:
    """What shows a run, for as long as it is played.

    Args:
        shown: False where the operator wants no progress; messages are told all the same.
    """
    if not shown:
        yield SilentView()
    elif sys.stderr.isatty():
        live = LiveView(tracker)
        try:
            live.resume()
            yield live
        finally:
            live.pause()
    else:
        lines = LineView(tracker)
        with _reminding(lines):
            yield lines


@contextmanager
def _reminding(view: LineView) -> Iterator[None]:
    """Lets a view say now and then what is waited for, from a thread of its own."""
    ended = threading.Event()

    def remind() -> None:
        while not ended.wait(_REMINDER_CHECK_SECONDS):
            with contextlib.suppress(OSError):  # whoever read stderr may have gone
                view.remind()

    thread = threading.Thread(target=remind, name="reminder", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class SilentView:
    """Shows nothing but messages."""

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        pass

    def watch(self, number: int, progress: Progress) -> None:
        pass

    def finish(self, report: EpisodeReport) -> None:
        pass

    def tell(self, message: str) -> None:
        click.echo(message, err=True)


class LineView:
    """A line on stderr for each change of a seat's state that lasts, and for each batch played.

    What takes long is told of again from time to time, so that nobody wonders what is waited for.
    """

    def __init__(self, tracker: RunTracker) -> None:
        self._tracker = tracker
        self._lock = threading.RLock()
        self._told: dict[tuple[int, int], float] = {}

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        with self._lock:
            self._observe(number, event, was_known)

    def _observe(self, number: int, event: Event, was_known: bool) -> None:
        episode = self._tracker.running.get(number)
        before = [] if episode is None else list(episode.states)
        batches = 0 if episode is None else episode.batch_count
        self._tracker.take(number, event, was_known)
        episode = self._tracker.running[number]
        if was_known or isinstance(event, Start):
            return
        if episode.batch_count > batches:
            if episode.was_asked:
                noun = episode.view.batch_noun
                self.tell(f"{self._name(number, episode)} {noun} {episode.batch_count} played".lstrip())
            return
        for seat, (old, new) in enumerate(zip(before, episode.states, strict=True)):
            if new != old and new.sign in (Sign.GOOD, Sign.TROUBLE):
                self._tell_state(number, episode, seat, new.words)

    def watch(self, number: int, progress: Progress) -> None:
        with self._lock:
            self._tracker.watch(number, progress)
            if progress.phase is Phase.RETRYING:
                episode = self._tracker.running[number]
                self._tell_state(number, episode, progress.seat, episode.states[progress.seat].words)

    def remind(self) -> None:
        """Says what is waited for: a wait soon after it began, and whatever goes on for long again."""
        with self._lock:
            now = self._tracker.clock.monotonic()
            due = [
                (number, episode, seat)
                for number, episode in self._tracker.running.items()
                for seat, state in enumerate(episode.states)
                if state.is_pending and now >= self._find_reminder(number, episode, seat)
            ]
            for number, episode, seat in due[:_MOST_REMINDERS]:
                self._tell_state(number, episode, seat, describe_pending(self._tracker, episode, seat))
            for number, _, seat in due:
                self._told[number, seat] = now
            if len(due) > _MOST_REMINDERS:
                self.tell(f"and {len(due) - _MOST_REMINDERS} seats more")

    def finish(self, report: EpisodeReport) -> None:
        with self._lock:
            was_played = report.number in self._tracker.running
            self._tracker.finish(report)
            if was_played and self._tracker.episode_count > 1:
                self.tell(f"episode {report.number} {report.status.value}: {describe_run(self._tracker)}")

    def tell(self, message: str) -> None:
        with self._lock:
            click.echo(f"{render_duration(self._tracker.elapsed_seconds):>12}  {message}", err=True)

    def _find_reminder(self, number: int, episode: EpisodeTracker, seat: int) -> float:
        """When a seat's state is to be told of next."""
        since, told = episode.since[seat], self._told.get((number, seat), float("-inf"))
        if episode.states[seat].is_waiting and told < since:
            return since + _REMINDER_CHECK_SECONDS
        return max(since, told) + _REMINDER_SECONDS

    def _tell_state(self, number: int, episode: EpisodeTracker, seat: int, words: str) -> None:
        batch = f"{episode.view.batch_noun} {episode.batch_number}"
        place = f"{self._name(number, episode)} {batch}, seat {name_seat(seat)}"
        self.tell(f"{place} {make_plain(episode.start.seats[seat].policy)}: {words}".lstrip())

    def _name(self, number: int, episode: EpisodeTracker) -> str:
        return f"episode {number}," if self._tracker.episode_count > 1 else ""


class LiveView:
    """A table on stderr of all that is being played, drawn anew several times a second."""

    def __init__(self, tracker: RunTracker) -> None:
        self._tracker = tracker
        self._lock = threading.Lock()
        self._console = open_console(stderr=True)
        self._live: Live | None = None

    def resume(self) -> None:
        from rich.live import Live

        # A new one each time: one that is started again would first wipe what stands above it.
        self._live = Live(
            console=self._console,
            get_renderable=self._render,
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def pause(self) -> None:
        if self._live is not None:
            self._live.stop()

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        with self._lock:
            self._tracker.take(number, event, was_known)

    def watch(self, number: int, progress: Progress) -> None:
        with self._lock:
            was_editing = self._is_editing()
            self._tracker.watch(number, progress)
        if self._is_editing() and not was_editing:
            self.pause()
        elif was_editing and not self._is_editing():
            self.resume()

    def finish(self, report: EpisodeReport) -> None:
        with self._lock:
            self._tracker.finish(report)

    def tell(self, message: str) -> None:
        self._console.print(message)

    def _is_editing(self) -> bool:
        return any(episode.editing for episode in self._tracker.running.values())

    def _render(self) -> Group:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False)
        noun = next((episode.view.batch_noun for episode in self._tracker.running.values()), "batch")
        for column in ("episode", noun, "seat", "who", "state", "tokens", "cost"):
            table.add_column(
                column,
                justify="right" if column in ("tokens", "cost") else "left",
                no_wrap=column not in _YIELDING,
            )
        with self._lock:
            rows = [
                row
                for number, each in self._tracker.running.items()
                for row in _render_rows(self._tracker, number, each)
            ]
            waits = _list_waits(self._tracker)
            heading = describe_run(self._tracker)
        room = max(4, self._console.height - _ROWS_KEPT_FREE - 2 * len(waits))
        for cells, style in rows[:room]:
            # A row is a line: of what yields, the end is not shown, which the log and the results have.
            table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in cells), style=style)
        more = [Text(f"and {len(rows) - room} seats more", style="dim")] if len(rows) > room else []
        lines = [Text(wait, style="yellow") for wait in waits]
        return Group(table, *more, *lines, Text(heading, style="bold"))


def _list_waits(tracker: RunTracker) -> list[str]:
    """What seats wait for, each thing once with the first that does."""
    found: dict[str, str] = {}
    for number, episode in tracker.running.items():
        for seat, state in enumerate(episode.states):
            if state.is_waiting and state.words not in found:
                place = f"episode {number}, seat {name_seat(seat)}"
                found[state.words] = f"{place}: {describe_pending(tracker, episode, seat)}"
    return list(found.values())[:_MOST_REMINDERS]


def _render_rows(
    tracker: RunTracker, number: int, episode: EpisodeTracker
) -> list[tuple[tuple[str, ...], str]]:
    """A row of cells with its style for each seat that is asked, or one for an episode without any."""
    batch = f"{episode.batch_number} of {episode.most_batches}"
    rows: list[tuple[tuple[str, ...], str]] = []
    for seat, record in enumerate(episode.start.seats):
        state, account = episode.states[seat], episode.accounts.by_seat[seat]
        spend = account.spend
        if not state.words and not spend.calls:
            continue
        cost = render_cost(account)
        tokens = f"{spend.tokens:,}" if spend.tokens else ""
        who = make_plain(record.policy)
        words = "waiting, see below" if state.is_waiting else state.words or "playing"
        age = tracker.clock.monotonic() - episode.since[seat]
        if state.is_pending and age >= _LONG_SECONDS:
            words += f", {render_duration(age)}"
        cells = (str(number), batch, name_seat(seat), who, words, tokens, cost)
        rows.append((cells, _STYLES[state.sign]))
    return rows or [((str(number), batch, "", "", "playing", "", ""), _STYLES[Sign.QUIET])]
