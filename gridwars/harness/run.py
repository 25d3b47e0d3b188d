"""Plays the episodes of a run, several at a time, each into its own log, and goes on with those cut short.

What is finished is read and not played; what is void can be played again on its seed. One episode that
cannot be gone on with does not keep the others from being played; a stop stops all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from gridwars.benchmarks.contract import Benchmark, Event, Results
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.clock import Clock
from gridwars.harness.folder import RunFolder
from gridwars.harness.orchestrator import (
    Played,
    ResumeError,
    Terms,
    play_episode,
    resume_episode,
)
from gridwars.harness.plan import RunPlan
from gridwars.log.errors import LogError
from gridwars.log.events import Judged, find_call_errors, find_results, find_voids
from gridwars.log.reader import Log, read_log
from gridwars.log.spending import Account, Accounts, Key
from gridwars.policies.policy import EpisodeStopped, PlayStopped, PolicyError, Progress


class Status(StrEnum):
    """How far an episode has come."""

    FINISHED = "finished"
    VOID = "void"
    """Played to its end, but somebody was kept from answering by no fault of its own."""
    STOPPED = "stopped"
    """Not at its end; can be gone on with."""
    FAILED = "failed"
    """Its log cannot be gone on with."""


@dataclass(frozen=True, slots=True)
class EpisodeReport:
    """What became of one episode.

    Attributes:
        path: its log; the last one, where it was played again.
        results: None where it is not at its end.
        head: SHA-256 of the log's last line; "" where that is not known.
        voids: the requests that make it void.
        errors: what the last call of each of them failed of, where one did.
        account: what its logs say it cost, those that are void included.
        message: why it was stopped or failed.
    """

    number: int
    path: Path
    status: Status
    results: Results | None = None
    head: str = ""
    voids: tuple[Judged, ...] = ()
    errors: Mapping[Key, str] = field(default_factory=dict)
    account: Account = field(default_factory=Account)
    message: str = ""


class RunObserver(Protocol):
    """Told how episodes fare, by their number."""

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        """An event is durable; one that was known stood in the log before."""
        ...

    def watch(self, number: int, progress: Progress) -> None: ...

    def finish(self, report: EpisodeReport) -> None: ...


@dataclass(frozen=True, slots=True)
class Stage:
    """What a run is played with.

    Attributes:
        parallel_count: episodes at a time.
    """

    clock: Clock
    observer: RunObserver
    terms: Terms = field(default_factory=Terms)
    parallel_count: int = 1
    benchmarks: Mapping[str, Benchmark] = field(default_factory=lambda: BENCHMARKS)


async def play_one(plan: RunPlan, path: Path, stage: Stage, *, number: int = 1) -> EpisodeReport:
    """Plays an episode of a plan into a new log.

    Raises:
        LogError: where the log exists, or cannot be written.
        PolicyError: where a seat can no longer be filled.
    """
    playing = play_episode(
        plan.benchmark,
        plan.configure(number),
        plan.fill_seats(number),
        path,
        clock=stage.clock,
        limits=plan.limits,
        observe=lambda event, known: stage.observer.observe(number, event, known),
        watch=lambda progress: stage.observer.watch(number, progress),
        run=plan.make_run_record(number),
        terms=stage.terms,
    )
    return await _report(number, path, stage, playing)


async def resume_one(
    path: Path, stage: Stage, *, number: int = 1, texts: Sequence[str] = ()
) -> EpisodeReport:
    """Goes on with an episode's log, or only reports on it where it has ended.

    Raises:
        LogError, ResumeError, PolicyError: as `resume_episode`.
    """
    playing = resume_episode(
        path,
        clock=stage.clock,
        observe=lambda event, known: stage.observer.observe(number, event, known),
        watch=lambda progress: stage.observer.watch(number, progress),
        terms=stage.terms,
        benchmarks=stage.benchmarks,
        texts=texts,
    )
    return await _report(number, path, stage, playing)


async def play_run(
    plan: RunPlan, folder: RunFolder, stage: Stage, *, rerun_void: bool = False
) -> tuple[EpisodeReport, ...]:
    """Plays what the run's folder lacks; reports on all episodes, in order.

    Args:
        stage: its treasury, which the episodes share, is charged with what the folder's logs say.
        rerun_void: plays void episodes again on their seeds, into new logs.

    Raises:
        LogLockedError: where another process plays the run.
    """
    with folder.hold():
        return await _play_held(plan, folder, stage, rerun_void=rerun_void)


async def _play_held(
    plan: RunPlan, folder: RunFolder, stage: Stage, *, rerun_void: bool
) -> tuple[EpisodeReport, ...]:
    begun = [
        _look_up(number, plan, folder, stage, rerun_void=rerun_void)
        for number in range(1, plan.episode_count + 1)
    ]
    gate = asyncio.Semaphore(stage.parallel_count)

    async def play(known: _Begun) -> EpisodeReport:
        async with gate:
            report = await _play_next(known, plan, stage)
        report = replace(report, account=report.account.plus(known.past))
        stage.observer.finish(report)
        return report

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(play(known)) for known in begun]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return tuple(task.result() for task in tasks)


@dataclass(frozen=True, slots=True)
class _Begun:
    """What the folder holds of an episode, and so what is to be done about it.

    Attributes:
        path: of the log that counts from now on.
        log: what it holds; None where it is still to be begun.
        past: what the logs before it cost.
        failure: why it cannot be gone on with; "" where it can.
    """

    number: int
    path: Path
    log: Log | None = None
    past: Account = field(default_factory=Account)
    failure: str = ""


def _look_up(number: int, plan: RunPlan, folder: RunFolder, stage: Stage, *, rerun_void: bool) -> _Begun:
    """Reads an episode's logs and charges the budget with those that are not gone on with."""
    past = Account()
    *earlier, last = folder.list_logs(number) or [folder.name_log(number)]
    try:
        for path in earlier:
            past = past.plus(_close(read_log(path, benchmarks=stage.benchmarks), stage))
        if not last.exists() or last.stat().st_size == 0:
            return _Begun(number, last, None, past)
        log = read_log(last, benchmarks=stage.benchmarks)
        if not log.ended and log.start is not None and stage.terms.treasury is not None:
            # Whoever plays before this episode's turn must find what it has spent.
            stage.terms.treasury.open_till(last, log.start.seats).recall(log.events)
        log.require_sound()
    except LogError as error:
        return _Begun(number, last, None, past, str(error))
    if log.start is None:  # killed amid its first line, which stays where it is
        return _Begun(number, folder.name_log(number), None, past)
    if log.start.run != plan.make_run_record(number):
        return _Begun(number, last, log, past, f"{last} is of another run, or another episode of this one")
    if not log.ended:
        return _Begun(number, last, log, past)
    account = _close(log, stage)
    if rerun_void and find_voids(log.events):
        return _Begun(number, folder.name_log(number), None, past.plus(account))
    return _Begun(number, last, log, past)


async def _play_next(known: _Begun, plan: RunPlan, stage: Stage) -> EpisodeReport:
    """Plays, resumes or only reports on an episode, as its log asks for."""
    number, path, log = known.number, known.path, known.log
    account = Account() if log is None else add_up(log)
    if known.failure:
        return EpisodeReport(number, path, Status.FAILED, account=account, message=known.failure)
    if log is not None and log.ended:
        return _report_ended(number, log)
    reason = _find_stop_reason(stage, is_begun=log is not None)
    if reason:
        return EpisodeReport(number, path, Status.STOPPED, account=account, message=reason)
    try:
        if log is not None:
            return await resume_one(path, stage, number=number, texts=plan.texts)
        return await play_one(plan, path, stage, number=number)
    except (LogError, ResumeError, PolicyError) as error:
        return EpisodeReport(number, path, Status.FAILED, account=account, message=str(error))


def _find_stop_reason(stage: Stage, *, is_begun: bool) -> str:
    """Why an episode is not to be played now; what is begun may need no further call."""
    treasury = stage.terms.treasury
    lack = treasury.lack if treasury is not None and not is_begun else ""
    return stage.terms.stopping.reason or lack


def _close(log: Log, stage: Stage) -> Account:
    """What a log that is not gone on with cost, charged to the budget of the run."""
    if log.start is not None and stage.terms.treasury is not None:
        stage.terms.treasury.charge_finished(log.start.seats, log.events)
    return add_up(log)


async def _report(
    number: int,
    path: Path,
    stage: Stage,
    playing: Coroutine[Any, Any, Played],  # Any: as Coroutine has it
) -> EpisodeReport:
    try:
        played = await playing
    except PlayStopped as stop:
        if not isinstance(stop, EpisodeStopped):
            stage.terms.stopping.request(str(stop))
        account = add_up(read_log(path, benchmarks=stage.benchmarks))
        return EpisodeReport(number, path, Status.STOPPED, account=account, message=str(stop))
    if not played.voids:
        return EpisodeReport(
            number, played.path, Status.FINISHED, played.results, played.head, account=played.account
        )
    return _report_ended(number, read_log(path, benchmarks=stage.benchmarks))


def _report_ended(number: int, log: Log) -> EpisodeReport:
    voids = tuple(find_voids(log.events))
    return EpisodeReport(
        number,
        log.path,
        Status.VOID if voids else Status.FINISHED,
        find_results(log.events[-1]),
        log.lines[-1].digest,
        voids,
        find_call_errors(log.events) if voids else {},
        add_up(log),
    )


def add_up(log: Log) -> Account:
    """What an episode cost, as far as its log goes."""
    if log.start is None:
        return Account()
    accounts = Accounts(log.start.seats)
    for event in log.events:
        accounts.take(event)
    accounts.close()
    return accounts.total
