"""Checks logs without trusting them: first the chain, then everything recorded is derived again.

The second path to the same result: it shares nothing with the harness that played. Whatever a file
holds, the answer is a report; one log in a folder of hundreds never ends the audit of the others.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import assert_never

import msgspec

from gridwars import LOG_PROTOCOL
from gridwars.benchmarks.contract import Benchmark, ConfigurationError, Finding, ReplayError
from gridwars.benchmarks.foreign import find_protocol
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import hash_text, render_canonical
from gridwars.log.chain import ChainBreak
from gridwars.log.errors import LogError
from gridwars.log.events import HARNESS_EVENTS, Start, kind_of
from gridwars.log.exchange import check_exchange
from gridwars.log.reader import BadLine, Log, VersionMismatch, read_log
from gridwars.log.replies import check_replies
from gridwars.log.run_digest import recompute_run_digest
from gridwars.log.scan import open_regular

_MAXIMUM_REPLAY_BYTES = 2**26
_LOG_SUFFIXES = (".jsonl", ".jsonl.gz")


class AuditStatus(IntEnum):
    """What an audit came to; the value is the exit code that says so."""

    INTACT = 0
    """Nothing differs; the log of an unfinished episode may be that too."""
    UNREADABLE = 3
    """No log, or lines that are no events of its benchmark."""
    CHAIN_BROKEN = 4
    """A line was changed, left out, put in, copied or moved after it was written."""
    RESULT_DIFFERS = 5
    """Every line is as it was written, but something recorded does not follow from the decisions."""
    VERSION_DIFFERS = 6
    """Played by rules, or written in a format, that this version does not know."""


_SEVERITY = (
    AuditStatus.INTACT,
    AuditStatus.VERSION_DIFFERS,
    AuditStatus.UNREADABLE,
    AuditStatus.CHAIN_BROKEN,
    AuditStatus.RESULT_DIFFERS,
)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the audit of one file found.

    Attributes:
        message: the first thing wrong, in one line; "" where nothing is.
        finding: the first difference between what is recorded and what was derived.
        finding_kind: kind of the event that it is in.
        chain_break: the first break of the chain.
        event_counts: by kind, of the events before anything wrong; empty for a foreign recording.
        ended: whether the episode was played to its end.
        notes: what the status does not say, such as that a cut tail cannot be excluded.
    """

    path: Path
    status: AuditStatus
    message: str = ""
    benchmark: str = ""
    finding: Finding | None = None
    finding_kind: str = ""
    chain_break: ChainBreak | None = None
    event_counts: Mapping[str, int] = field(default_factory=dict)
    ended: bool = False
    notes: tuple[str, ...] = ()


def audit_log(path: Path, *, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> AuditReport:
    """Audits a log, or a recording in a foreign format that one of the benchmarks knows."""
    if path.is_dir():
        return AuditReport(path, AuditStatus.UNREADABLE, f"holds no log (*{', *'.join(_LOG_SUFFIXES)})")
    replay = _read_replay(path, benchmarks)
    if replay is not None:
        return _audit_replay(path, *replay, benchmarks)
    try:
        log = read_log(path, benchmarks=benchmarks)
    except LogError as error:
        return AuditReport(path, AuditStatus.UNREADABLE, error.reason)
    report = functools.partial(
        AuditReport,
        path,
        benchmark=log.start.benchmark if log.start is not None else "",
        event_counts=dict(Counter(map(kind_of, log.events))),
        ended=log.ended,
        notes=tuple(_note_limits(log)),
    )
    match log.problem:
        case ChainBreak() as chain_break:
            return report(AuditStatus.CHAIN_BROKEN, str(chain_break), chain_break=chain_break)
        case VersionMismatch() as mismatch:
            return report(AuditStatus.VERSION_DIFFERS, str(mismatch))
        case BadLine() as bad_line:
            return report(AuditStatus.UNREADABLE, str(bad_line))
        case None:
            pass
        case _:
            assert_never(log.problem)
    if log.start is None:
        return report(AuditStatus.UNREADABLE, "holds no whole line")
    try:
        finding = _find_difference(benchmarks[log.start.benchmark], log.start, log)
    except ConfigurationError as error:
        return report(AuditStatus.UNREADABLE, f"line 1 (start): config: {error}")
    except Exception as error:  # noqa: BLE001 - a log made to break a derivation must not end the others' audit
        message = f"cannot be derived again: {type(error).__name__}: {error}"
        return report(AuditStatus.UNREADABLE, message)
    if finding is None:
        return report(AuditStatus.INTACT)
    kind = kind_of(log.events[finding.sequence - 1]) if 0 < finding.sequence <= len(log.lines) else ""
    message = _describe(finding, kind)
    return report(AuditStatus.RESULT_DIFFERS, message, finding=finding, finding_kind=kind)


def audit_many(
    paths: Iterable[Path],
    *,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
    benchmarks: Mapping[str, Benchmark] = BENCHMARKS,
) -> Iterator[AuditReport]:
    """Audits files, and all logs below folders; reports come in the order of `expand_paths`.

    Args:
        progress: told how many are done, and of how many, whenever one is.
    """
    files = expand_paths(paths)
    tell = progress if progress is not None else lambda done, total: None
    audit = functools.partial(audit_log, benchmarks=benchmarks)
    if processes <= 1 or len(files) <= 1:
        for done, file in enumerate(files, start=1):
            report = audit(file)
            tell(done, len(files))
            yield report
        return
    context = multiprocessing.get_context("spawn")
    workers = min(processes, len(files))
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts)
    try:
        futures = {pool.submit(audit, file): index for index, file in enumerate(files)}
        waiting: dict[int, AuditReport] = {}
        shown = 0
        for done, future in enumerate(as_completed(futures), start=1):
            index = futures[future]
            waiting[index] = _collect(files[index], future)
            tell(done, len(files))
            while shown in waiting:
                yield waiting.pop(shown)
                shown += 1
    finally:
        pool.shutdown(cancel_futures=True)


def expand_paths(paths: Iterable[Path]) -> list[Path]:
    """Folders give way to the logs below them, by name; one without any stays, to be reported."""
    files: list[Path] = []
    for path in paths:
        logs = (
            sorted(file for file in path.rglob("*") if file.name.endswith(_LOG_SUFFIXES))
            if path.is_dir()
            else []
        )
        files.extend(logs or [path])
    return files


def find_worst(statuses: Iterable[AuditStatus]) -> AuditStatus:
    """The status of many logs together, INTACT for none."""
    return max(statuses, key=_SEVERITY.index, default=AuditStatus.INTACT)


def _find_difference(benchmark: Benchmark, start: Start, log: Log) -> Finding | None:
    config = benchmark.configure(start.config)
    own = [(line.sequence, line.event) for line in log.lines if not isinstance(line.event, HARNESS_EVENTS)]
    firsts = (
        next(_check_start(benchmark, config, start), None),
        next(check_exchange(log.lines), None),
        next(benchmark.audit(config, own), None),
    )
    found = [first for first in firsts if first is not None]
    if found:
        return min(found, key=lambda finding: finding.sequence)
    return next(check_replies(benchmark.start(config), log.lines), None)


def _check_start(benchmark: Benchmark, config: msgspec.Struct, start: Start) -> Iterator[Finding]:
    recorded = render_canonical(start.config)
    derived = render_canonical(msgspec.to_builtins(config))
    if recorded != derived:
        yield Finding(1, "config", recorded, derived)
    if start.run is not None and start.run.digest != (digest := recompute_run_digest(start)):
        yield Finding(1, "run.digest", start.run.digest, str(digest))
    aliases = benchmark.start(config).aliases
    if len(start.seats) != len(aliases):
        yield Finding(1, "seats", f"{len(start.seats)} seats", f"{len(aliases)} seats")
    for seat, (record, alias) in enumerate(zip(start.seats, aliases, strict=False)):
        if record.alias != alias:
            yield Finding(1, f"seats[{seat}].alias", record.alias, alias, seat=seat)
        if record.file_text is not None:
            digest = hash_text(record.file_text)
            if record.digest != digest:
                yield Finding(1, f"seats[{seat}].digest", record.digest, digest, seat=seat)


def _note_limits(log: Log) -> Iterator[str]:
    if not log.ended:
        yield "unfinished"
    if log.torn_byte_count:
        yield f"{log.torn_byte_count} bytes behind the last whole line are cut off, or still being written"
    if log.head is None and log.ended:
        yield "no head file: a change of the last line's time cannot be excluded"
    elif log.head is None:
        yield "no head file: a cut tail cannot be excluded"
    elif log.head.sequence < len(log.lines):
        yield f"the head file is of line {log.head.sequence}: a tail cut since then cannot be excluded"


def _describe(finding: Finding, kind: str) -> str:
    places = (("part", finding.part), ("seat", finding.seat), ("tick", finding.tick))
    where = "".join(f", {name} {number}" for name, number in places if number is not None)
    return (
        f"event {finding.sequence} ({kind or 'unknown'}){where}: {finding.field} is recorded as "
        f"{finding.recorded}, derived as {finding.derived}"
    )


def _read_replay(path: Path, benchmarks: Mapping[str, Benchmark]) -> tuple[str, bytes] | None:
    """Protocol and bytes of a foreign recording; None for all else."""
    with contextlib.suppress(OSError, ValueError), open_regular(path) as file:
        begin = file.read(len(b'{"seq":'))
        if begin == b'{"seq":':
            return None
        data = begin + file.read(_MAXIMUM_REPLAY_BYTES)
        if len(data) > _MAXIMUM_REPLAY_BYTES:
            return None
        protocol = find_protocol(data, benchmarks)
        if protocol is not None and protocol != LOG_PROTOCOL:
            return protocol, data
    return None


def _audit_replay(path: Path, protocol: str, data: bytes, benchmarks: Mapping[str, Benchmark]) -> AuditReport:
    names = [name for name, benchmark in benchmarks.items() if protocol in benchmark.replay_audits]
    if not names:
        return AuditReport(path, AuditStatus.VERSION_DIFFERS, f"protocol {protocol[:80]!r} is not known")
    report = functools.partial(AuditReport, path, benchmark=names[0], ended=True)
    try:
        finding = next(benchmarks[names[0]].replay_audits[protocol](data), None)
    except ReplayError as error:
        return report(AuditStatus.UNREADABLE, str(error))
    except Exception as error:  # noqa: BLE001 - as for a log
        return report(AuditStatus.UNREADABLE, f"cannot be derived again: {type(error).__name__}: {error}")
    if finding is None:
        return report(AuditStatus.INTACT)
    return report(
        AuditStatus.RESULT_DIFFERS, _describe(finding, "replay"), finding=finding, finding_kind="replay"
    )


def _collect(path: Path, future: Future[AuditReport]) -> AuditReport:
    try:
        return future.result()
    except BrokenProcessPool:
        return AuditReport(path, AuditStatus.UNREADABLE, "a process of the audit died; audit it by itself")


def _ignore_interrupts() -> None:
    # The keyboard's interrupt reaches every process; only the one that shows results says so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
