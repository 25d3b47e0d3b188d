"""Audits many files, in several processes; one among hundreds never ends the audit of the others."""

from __future__ import annotations

import functools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from gridwars.audit.logs import LOG_SUFFIXES, audit_log
from gridwars.audit.report import AuditReport, AuditStatus
from gridwars.benchmarks.contract import Benchmark
from gridwars.benchmarks.registry import BENCHMARKS


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
    others = set(multiprocessing.active_children())
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
    except BaseException:
        # Whoever wants no more reports does not wait for those under way.
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def expand_paths(paths: Iterable[Path]) -> list[Path]:
    """Folders give way to the logs below them, by name; one without any stays, to be reported."""
    files: list[Path] = []
    for path in paths:
        logs = (
            sorted(file for file in path.rglob("*") if file.name.endswith(LOG_SUFFIXES))
            if path.is_dir()
            else []
        )
        files.extend(logs or [path])
    return files


def _collect(path: Path, future: Future[AuditReport]) -> AuditReport:
    try:
        return future.result()
    except BrokenProcessPool:
        return AuditReport(path, AuditStatus.UNREADABLE, "a process of the audit died; audit it by itself")


def _ignore_interrupts() -> None:
    # The keyboard's interrupt reaches every process; only the one that shows results says so.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
