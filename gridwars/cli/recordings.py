"""A log as verbs that show or export it need it: what was played, and how far the log can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from gridwars.benchmarks.contract import ConfigurationError, Recording
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import make_plain, show_progress
from gridwars.cli.exit_codes import ExitCode
from gridwars.compare.episodes import EpisodeTally, tally_episode
from gridwars.log.chain import ChainBreak
from gridwars.log.errors import LogError, LogUnreadableError
from gridwars.log.events import HARNESS_EVENTS, SeatRecord, Start
from gridwars.log.reader import Log, VersionMismatch, read_log
from gridwars.policies.seats import name_seat


@dataclass(frozen=True, slots=True)
class LoggedEpisode:
    """An episode as far as its log goes.

    Attributes:
        recording: without the harness's own events.
    """

    log: Log
    start: Start
    recording: Recording


def open_log(path: Path, *, damaged: bool = False) -> LoggedEpisode:
    """Reads a log that may be unfinished.

    Args:
        damaged: takes what stands before a problem, which is then the log's; else that is an error.

    Raises:
        LogError: where the file is no log, holds no start, or has a problem.
        ConfigurationError: where what was played can't be.
    """
    if path.is_dir():
        raise LogUnreadableError(path, _describe_folder(path))
    log = read_log(path)
    if not damaged:
        log.require_sound()
    start = log.start
    if start is None:
        raise LogUnreadableError(path, str(log.problem) if log.problem else "holds no whole line")
    if isinstance(log.problem, VersionMismatch) and log.problem.what == "benchmark":
        log.require_sound()
    config = get_benchmark(start.benchmark).configure(start.config)
    names = [seat.policy for seat in start.seats]
    events = [event for event in log.events if not isinstance(event, HARNESS_EVENTS)]
    return LoggedEpisode(log, start, Recording(config, names, events))


def _describe_folder(path: Path) -> str:
    from gridwars.audit import expand_paths
    from gridwars.audit.logs import LOG_SUFFIXES

    logs = [each for each in expand_paths([path]) if each != path]
    return (
        f"is a folder; name a log, such as {logs[0]}"
        if logs
        else f"holds no log (*{', *'.join(LOG_SUFFIXES)})"
    )


def find_seat(name: str, seats: Sequence[SeatRecord]) -> int:
    """The seat that a letter, a number as pictures have it, or a name in the game means.

    Raises:
        UsageError: where there is none; it names those that there are.
    """
    for seat, record in enumerate(seats):
        if name.lower() in (name_seat(seat), str(seat + 1), record.alias.lower()):
            return seat
    known = ", ".join(f"{name_seat(seat)} ({record.alias})" for seat, record in enumerate(seats))
    raise click.UsageError(f'there is no seat "{name}"; there is: {known}')


def collect_tallies(paths: Iterable[Path]) -> tuple[list[EpisodeTally], ExitCode]:
    """What logs, and all logs below folders, came to, copies left out; and what is to be said of the worst.

    What cannot be read, or not to its end, is named on stderr and does not keep the others from being read.
    """
    from gridwars.audit import expand_paths

    tallies: dict[str, EpisodeTally] = {}
    codes = [ExitCode.OK]
    files = expand_paths(paths)
    with show_progress("Reading") as progress:
        for done, path in enumerate(dict.fromkeys(files), start=1):
            try:
                episode = open_log(path, damaged=True)
            except (LogError, ConfigurationError) as error:
                codes.append(ExitCode.FILE)
                click.echo(f"gridwars: {make_plain(str(error))}", err=True)
                continue
            codes.append(warn_of_problem(episode))
            tally = tally_episode(episode.log)
            first = tallies.setdefault(tally.head, tally)
            if first is not tally:
                click.echo(f"gridwars: {path}: is a copy of {first.path}, and counts once", err=True)
            progress(done, len(files))
    return list(tallies.values()), min(codes, key=_SEVERITY.index)


_SEVERITY = (ExitCode.CHAIN_BROKEN, ExitCode.FILE, ExitCode.VERSION_DIFFERS, ExitCode.OK)


def warn_of_problem(episode: LoggedEpisode) -> ExitCode:
    """Says on stderr what keeps the log from being shown to its end."""
    problem = episode.log.problem
    if problem is None:
        return ExitCode.OK
    click.echo(f"gridwars: {episode.log.path}: {problem}; only what stands before it is shown", err=True)
    match problem:
        case ChainBreak():
            return ExitCode.CHAIN_BROKEN
        case VersionMismatch():
            return ExitCode.VERSION_DIFFERS
        case _:
            return ExitCode.FILE
