"""Audits one log: first the chain, then everything recorded is derived again.

Whatever a file holds, the answer is a report.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, assert_never

from gridwars import LOG_PROTOCOL, LOG_PROTOCOLS
from gridwars.audit.prompts import make_render
from gridwars.audit.report import AuditReport, AuditStatus
from gridwars.audit.start import check_start
from gridwars.benchmarks.contract import SEED_OPTION, Benchmark, ConfigurationError, Finding, ReplayError
from gridwars.benchmarks.foreign import find_protocol
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.clock import Clock, SystemClock
from gridwars.files import open_regular
from gridwars.log.budgeting import check_budget
from gridwars.log.chain import ChainBreak
from gridwars.log.errors import LogError
from gridwars.log.events import HARNESS_EVENTS, Start, find_voids, kind_of
from gridwars.log.exchange import check_exchange
from gridwars.log.reader import BadLine, Log, VersionMismatch, read_log
from gridwars.log.replies import Dialogue, check_replies

LOG_SUFFIXES = (".jsonl", ".jsonl.gz")

_CLOCK_SKEW = timedelta(days=1)
"""How far the clock of who played may be before the auditor's."""

_PRESENT = datetime(2026, 12, 1, tzinfo=UTC)
"""When this was written: a clock that stands before it is wrong, and says nothing about a log's times."""

_MAXIMUM_REPLAY_BYTES = 2**26


def audit_log(
    path: Path, *, benchmarks: Mapping[str, Benchmark] = BENCHMARKS, clock: Clock | None = None
) -> AuditReport:
    """Audits a log, or a recording in a foreign format that one of the benchmarks knows.

    Args:
        clock: tells when it is; no line may have been written later.
    """
    if path.is_dir():
        return AuditReport(path, AuditStatus.UNREADABLE, f"holds no log (*{', *'.join(LOG_SUFFIXES)})")
    replay = _read_replay(path, benchmarks)
    if replay is not None:
        return _audit_replay(path, *replay, benchmarks)
    try:
        log = read_log(path, benchmarks=benchmarks)
    except LogError as error:
        return AuditReport(path, AuditStatus.UNREADABLE, error.reason)
    notes = list(_note_limits(log))
    start = log.start
    seed = start.config.get(SEED_OPTION) if start is not None else None

    def report(status: AuditStatus, message: str = "", **found: Any) -> AuditReport:  # Any: as AuditReport's
        return AuditReport(
            path,
            status,
            message,
            benchmark=start.benchmark if start is not None else "",
            event_counts=dict(Counter(map(kind_of, log.events))),
            ended=log.ended,
            notes=tuple(notes),
            head=log.lines[-1].digest if log.lines else "",
            run=start.run if start is not None else None,
            seed=seed if isinstance(seed, int) else None,
            is_void=bool(find_voids(log.events)),
            **found,
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
        now = (clock or SystemClock()).now()
        finding = _find_difference(benchmarks[log.start.benchmark], log.start, log, now, notes.append)
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


def _find_difference(
    benchmark: Benchmark, start: Start, log: Log, now: datetime, tell: Callable[[str], None]
) -> Finding | None:
    config = benchmark.configure(start.config)
    own = [(line.sequence, line.event) for line in log.lines if not isinstance(line.event, HARNESS_EVENTS)]
    # One after the other: the calls of seats that there are not cannot be held against a budget.
    groups: tuple[tuple[Iterator[Finding], ...], ...] = (
        (check_start(benchmark, config, start),),
        (check_exchange(log.lines), _check_times(log, now, tell), benchmark.audit(config, own)),
        (_check_budget(start, log),),
    )
    for group in groups:
        found = [finding for findings in group if (finding := next(findings, None)) is not None]
        if found:
            return min(found, key=lambda finding: finding.sequence)
    render, lacks = make_render(benchmark, start, log, tell)
    if lacks:
        return lacks[0]
    is_ours = start.dialogue_version == benchmark.dialogue_version
    if not is_ours:
        tell(
            f"prompts and replies are of version {start.dialogue_version} of the game's dialogue, "
            f"this is version {benchmark.dialogue_version}: what they came to was not derived"
        )
    return next(check_replies(benchmark.start(config), log.lines, Dialogue(render, is_ours)), None)


def _check_times(log: Log, now: datetime, tell: Callable[[str], None]) -> Iterator[Finding]:
    """Lines written before the one before them, or after now."""
    assert log.start is not None, "asked of the caller"
    latest = log.lines[0].time
    last_moment = max(now, _PRESENT) + _CLOCK_SKEW
    told = False
    for line in log.lines:
        if line.time > last_moment:
            yield Finding(line.sequence, "time", f"{line.time}", f"no later than {last_moment}")
        if line.time < latest and log.start.protocol == LOG_PROTOCOL:
            yield Finding(line.sequence, "time", f"{line.time}", f"no earlier than {latest}")
        elif line.time < latest and not told:
            told = True
            tell(f"line {line.sequence} is of an earlier time than the one before it")
        latest = max(latest, line.time)


def _check_budget(start: Start, log: Log) -> Iterator[Finding]:
    # The first protocol does not say when a run was gone on with on another budget.
    return check_budget(start, log.lines) if start.protocol == LOG_PROTOCOL else iter(())


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
        if protocol is not None and protocol not in LOG_PROTOCOLS:
            return protocol, data
    return None


def _audit_replay(path: Path, protocol: str, data: bytes, benchmarks: Mapping[str, Benchmark]) -> AuditReport:
    name = next((name for name, each in benchmarks.items() if protocol in each.replay_audits), None)
    if name is None:
        return AuditReport(path, AuditStatus.VERSION_DIFFERS, f"protocol {protocol[:80]!r} is not known")
    report = functools.partial(AuditReport, path, benchmark=name, ended=True)
    try:
        finding = next(benchmarks[name].replay_audits[protocol](data), None)
    except ReplayError as error:
        return report(AuditStatus.UNREADABLE, str(error))
    except Exception as error:  # noqa: BLE001 - as for a log
        return report(AuditStatus.UNREADABLE, f"cannot be derived again: {type(error).__name__}: {error}")
    if finding is None:
        return report(AuditStatus.INTACT)
    return report(
        AuditStatus.RESULT_DIFFERS, _describe(finding, "replay"), finding=finding, finding_kind="replay"
    )
