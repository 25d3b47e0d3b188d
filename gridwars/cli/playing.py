"""What `play` and `resume` share: an episode or a whole run is played, shown, and told of at its end."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridwars.benchmarks.contract import Event, Painter, Recording, View
from gridwars.benchmarks.presentation import Picture
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import make_plain, make_plain_lines, open_console, print_json
from gridwars.cli.drawing import PictureShow, is_low, print_blocks, print_sentences
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.interrupts import run_interruptibly
from gridwars.cli.progress_view import ProgressView, show_run
from gridwars.cli.run_report import add_up as add_up_reports
from gridwars.cli.run_report import (
    describe_account,
    describe_report,
    describe_voids,
    find_exit_code,
    render_run,
)
from gridwars.cli.summary_report import describe_players, render_asked, render_players
from gridwars.cli.tracking import RunTracker, describe_spend, was_paid
from gridwars.clock import SystemClock
from gridwars.compare.episodes import tally_logs
from gridwars.compare.summary import summarise
from gridwars.harness.budget import Treasury
from gridwars.harness.folder import RunFolder
from gridwars.harness.orchestrator import Terms
from gridwars.harness.plan import RunPlan
from gridwars.harness.run import EpisodeReport, Stage, Status, play_run
from gridwars.harness.stopping import Stopping
from gridwars.log.events import HARNESS_EVENTS, Judged, Start
from gridwars.log.metering import Budget
from gridwars.log.spending import Key
from gridwars.policies.policy import Phase, Progress

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Manner:
    """How play is shown.

    Attributes:
        watch: whether battles are drawn, `speed` moments a second.
        quiet: whether progress is kept quiet.
    """

    watch: bool = False
    speed: int = 1
    as_json: bool = False
    quiet: bool = False

    @property
    def shows_progress(self) -> bool:
        return not (self.quiet or self.as_json or self.watch)


def follow_episode(
    play: Callable[[Stage], Coroutine[Any, Any, EpisodeReport]],  # Any: as Coroutine has it
    path: Path,
    manner: Manner,
    budget: Budget | None,
) -> ExitCode:
    """Plays one episode and tells how it ended.

    Args:
        budget: that of the log, where it is None.
    """
    clock = SystemClock()
    stopping = Stopping()
    dollars = budget.run.microdollars if budget is not None else None
    with (
        show_run(RunTracker(clock, 1, dollars), shown=manner.shows_progress) as view,
        contextlib.closing(Spectator(view, manner, stopping, path)) as spectator,
    ):
        stage = Stage(clock, spectator, Terms(stopping, Treasury(budget) if budget is not None else None))
        try:
            report = run_interruptibly(lambda: play(stage), stopping, view.tell)
        except KeyboardInterrupt:
            report = None
    if report is None or report.status is Status.STOPPED:
        return _tell_stopped(path, report)
    spectator.tell_result(report)
    return find_exit_code([report])


def follow_run(
    plan: RunPlan, folder: RunFolder, manner: Manner, *, parallel: int, rerun_void: bool
) -> ExitCode:
    """Plays what a run's folder lacks and tells how all of it ended."""
    clock = SystemClock()
    stopping = Stopping()
    budget = plan.limits.budget
    tracker = RunTracker(clock, plan.episode_count, budget.run.microdollars)
    with show_run(tracker, shown=manner.shows_progress) as view:
        stage = Stage(clock, view, Terms(stopping, Treasury(budget)), parallel)
        try:
            reports = run_interruptibly(
                lambda: play_run(plan, folder, stage, rerun_void=rerun_void), stopping, view.tell
            )
        except KeyboardInterrupt:
            return _tell_stopped(folder.path, None)
    code = find_exit_code(reports)
    games = summarise(tally_logs(folder.list_all_logs()))
    if manner.as_json:
        print_json(
            {
                "folder": str(folder.path),
                "digest": plan.digest,
                "cost": describe_account(add_up_reports(reports)),
                "players": [player for game in games for player in describe_players(game)],
                "episodes": [describe_report(plan, report) for report in reports],
            }
        )
    else:
        print_blocks(open_console(), render_run(plan, reports, render_players(games)))
    if code in (ExitCode.STOPPED, ExitCode.INTERRUPTED):
        stopped = next(report for report in reports if report.status is Status.STOPPED)
        return _tell_stopped(folder.path, stopped)
    if code is ExitCode.VOID:
        command = f"gridwars resume --rerun-void {shlex.quote(str(folder.path))}"
        click.echo(f"gridwars: some episodes are void; play them again with: {command}", err=True)
    return code


def _tell_stopped(path: Path, report: EpisodeReport | None) -> ExitCode:
    """Says why and how to go on; no report: a second interrupt."""
    message = "interrupted" if report is None else make_plain_lines(report.message)
    click.echo(
        f"gridwars: {message}; what was played is safe in {path}\n"
        f"go on with: gridwars resume {shlex.quote(str(path))}",
        err=True,
    )
    return ExitCode.INTERRUPTED if report is None else find_exit_code([report])


def print_voids(console: Console, voids: Sequence[Judged], noun: str, errors: Mapping[Key, str]) -> None:
    """Says that an episode counts for nobody, and why."""
    console.print("\nThe episode is void and counts for nobody; play it again on its seed.", style="yellow")
    for line in describe_voids(voids, noun, errors):
        console.print(make_plain(line), style="yellow")


class Spectator:
    """Sees every event of one episode as it becomes durable, draws what was played, and speaks at the end."""

    def __init__(self, view: ProgressView, manner: Manner, stopping: Stopping, path: Path) -> None:
        self._path = path
        self._view = view
        self._manner = manner
        self._stopping = stopping
        self._console = open_console()
        self._start: Start | None = None
        self._events: list[Event] = []
        self._pictures = PictureShow(self._console, pictures_per_second=manner.speed)
        self._drawn: tuple[View, Painter] | None = None

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        self._view.observe(number, event, was_known)
        if isinstance(event, Start):
            self._start = event
        elif not isinstance(event, HARNESS_EVENTS):
            self._events.append(event)
            if self._manner.watch and not self._manner.as_json:
                self._draw(event, was_known)

    def watch(self, number: int, progress: Progress) -> None:
        if progress.phase is Phase.EDITING:
            self._pictures.pause()
        self._view.watch(number, progress)

    def finish(self, report: EpisodeReport) -> None:
        self._view.finish(report)

    def close(self) -> None:
        self._pictures.close()

    def tell_result(self, report: EpisodeReport) -> None:
        if self._manner.as_json:
            self._print_json(report)
        else:
            self._print(report)

    def _draw(self, event: Event, was_known: bool) -> None:
        """Draws what the event adds to the part that is being played."""
        if self._drawn is None:
            view, recording = self._show()
            self._drawn = view, view.start_pictures(recording.config, compact=is_low(self._console))
        view, paint = self._drawn
        pictures = paint(event)
        if not was_known:
            self._pictures.play(self._until_stopped(pictures))
        if view.ends_part(event):
            self._pictures.close()

    def _until_stopped(self, pictures: Iterable[Picture]) -> Iterator[Picture]:
        """The pictures as they are drawn; none any more once play is to stop, which waits for the drawing."""
        for picture in pictures:
            if self._stopping.is_coming:
                return
            yield picture

    def _show(self) -> tuple[View, Recording]:
        assert self._start is not None, "an episode begins with its start event"
        benchmark = get_benchmark(self._start.benchmark)
        names = [seat.policy for seat in self._start.seats]
        recording = Recording(benchmark.configure(self._start.config), names, self._events)
        return benchmark.make_view(), recording

    def _print(self, report: EpisodeReport) -> None:
        view, recording = self._show()
        asked = [block for tally in tally_logs([report.path]) for block in render_asked(tally)]
        print_blocks(self._console, [*view.render_summary(recording), *asked])
        print_sentences(self._console, view.tell_result(recording))
        if report.voids:
            print_voids(self._console, report.voids, view.batch_noun, report.errors)
            again = f"gridwars resume --rerun-void {shlex.quote(str(self._path))}"
            self._console.print(f"Play it again with: {again}", style="yellow", soft_wrap=True)
        if was_paid(report.account):
            self._console.print(f"\ncost  {describe_spend(report.account)}")
        self._console.print(f"\nlog   {report.path}\nhead  {report.head}", soft_wrap=True)

    def _print_json(self, report: EpisodeReport) -> None:
        assert self._start is not None, "an episode begins with its start event"
        seats = [{"policy": seat.policy, "alias": seat.alias} for seat in self._start.seats]
        print_json({**describe_report(None, report), "seats": seats})
