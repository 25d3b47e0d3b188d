"""Appends events to a log; what it has taken is on the disk, in order, and has one writer.

Killed at any moment it leaves whole lines and at most one torn one. Opening the log again moves the
torn bytes to `<log>.torn-<n>` (nothing is thrown away) and goes on behind the last whole line.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import filelock

from gridwars.benchmarks.contract import Event
from gridwars.clock import Clock
from gridwars.log.chain import ChainBreak, LinkCollector, check_chain, name_bad_head
from gridwars.log.durable import make_directory, sync_directory, write_all, write_durably
from gridwars.log.errors import (
    LogDamagedError,
    LogEndedError,
    LogExistsError,
    LogLockedError,
    LogUnreadableError,
    LogWriteError,
)
from gridwars.log.events import END_KIND, Start, is_end, kind_of
from gridwars.log.head import Head, HeadError, find_head_path, read_head, write_head
from gridwars.log.line import FIRST_PREVIOUS, MAXIMUM_LINE_BYTES, Link, render_line
from gridwars.log.lock import acquire_lock
from gridwars.log.scan import scan_lines

_EARLIEST = datetime.min.replace(tzinfo=UTC)
_FIRST_BYTES = b'{"seq":1,"time":"'


class LogWriter:
    """The one writer of a log, from `create` or `open` until `close`; safe to share between threads.

    Attributes:
        path: the log, links resolved.
    """

    def __init__(self, path: Path, lock: filelock.BaseFileLock, descriptor: int, clock: Clock) -> None:
        """For `create` and `open` only."""
        self.path = path
        self._lock = lock
        self._descriptor = descriptor
        self._clock = clock
        self._appending = threading.Lock()
        self._sequence = 0
        self._head = FIRST_PREVIOUS
        self._head_written = 0
        self._size = 0
        self._ended = False
        self._time = _EARLIEST
        self._usable = True

    @classmethod
    def create(cls, path: Path, *, clock: Clock) -> Self:
        """Begins a log where there is none, or an empty file; makes the folders it lies in.

        Raises:
            LogExistsError, LogLockedError, LogWriteError
        """
        path = _resolve(path)
        if path.suffix == ".gz":
            raise LogWriteError(path, "only finished logs are compressed; choose a path that ends in .jsonl")
        try:
            make_directory(path.parent)
        except OSError as error:
            raise _describe(path, error) from error
        with _opened(path, os.O_CREAT) as (lock, descriptor):
            if os.fstat(descriptor).st_size > 0:
                raise LogExistsError(path, "exists already; resume it, or choose another path")
            try:
                _put_head_aside(path)
                sync_directory(path.parent)
            except OSError as error:
                raise _describe(path, error) from error
            return cls(path, lock, descriptor, clock)

    @classmethod
    def open(cls, path: Path, *, clock: Clock) -> Self:
        """Goes on with a log: moves a torn tail away, checks the chain, makes durable what is there.

        Raises:
            LogDamagedError: where the chain is broken; nothing was changed then.
            LogLockedError, LogUnreadableError, LogWriteError
        """
        path = _resolve(path)
        if not path.is_file():
            raise LogUnreadableError(path, "no such log")
        with _opened(path, 0) as (lock, descriptor):
            writer = cls(path, lock, descriptor, clock)
            writer._restore()
            return writer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def head(self) -> str:
        """SHA-256 of the last line; 64 zeros while there is none."""
        return self._head

    @property
    def sequence(self) -> int:
        """Number of the last line, from 1; 0 while there is none."""
        return self._sequence

    def append(self, events: Sequence[Event]) -> None:
        """Makes a group of events durable, with one write.

        After a failure the writer takes nothing more; what of the group reached the disk is found when
        the log is opened again.

        Raises:
            LogEndedError: for anything behind the end of the episode.
            LogWriteError: where the disk did not take the group, or somebody else changed the file.
        """
        with self._appending:
            data, last, digest, time = self._render(events)
            self._require_usable()
            self._usable = False
            try:
                write_all(self._descriptor, data)
                os.fsync(self._descriptor)
            except OSError as error:
                raise _describe(self.path, error) from error
            self._sequence, self._head, self._time = last, digest, time
            self._size += len(data)
            self._ended = self._ended or any(map(is_end, events))
            self._usable = True
            if self._ended:
                self._write_head()

    def close(self) -> None:
        """Writes the head file and lets the log go. May be called twice.

        Raises:
            LogWriteError: where the head file could not be written; the log itself is whole.
        """
        with self._appending:
            if not self._lock.is_locked:
                return
            try:
                if self._usable:
                    self._write_head()
            finally:
                self._usable = False
                os.close(self._descriptor)
                self._lock.release()
                if self._ended:
                    # Whoever holds the lock of a removed file beside another's could only be refused too.
                    _lock_path(self.path).unlink(missing_ok=True)

    def _render(self, events: Sequence[Event]) -> tuple[bytes, int, str, datetime]:
        """The group's bytes, its last sequence number, the digest of its last line, and its time."""
        time = max(self._clock.now(), self._time)  # a clock that was set back must not undo the order
        lines = []
        sequence, digest, ended = self._sequence, self._head, self._ended
        for event in events:
            if ended:
                raise LogEndedError(self.path, f"the episode has ended; no {kind_of(event)} event can follow")
            assert isinstance(event, Start) == (sequence == 0), "a log begins with its one start event"
            sequence += 1
            line = render_line(sequence, time, digest, event)
            if len(line) > MAXIMUM_LINE_BYTES:
                raise LogWriteError(
                    self.path,
                    f"a {kind_of(event)} event of {len(line)} bytes; a line holds {MAXIMUM_LINE_BYTES}",
                )
            digest = hashlib.sha256(line).hexdigest()
            ended = is_end(event)
            lines.append(line + b"\n")
        return b"".join(lines), sequence, digest, time

    def _require_usable(self) -> None:
        if not self._usable:
            raise LogWriteError(
                self.path, "an earlier write failed or the writer is closed; open the log again"
            )
        status = os.fstat(self._descriptor)
        if status.st_nlink == 0 or status.st_size != self._size:
            self._usable = False
            raise LogWriteError(self.path, "was removed or changed by somebody else while it was written")

    def _write_head(self) -> None:
        if self._head_written == self._sequence:
            return
        try:
            write_head(self.path, Head(self._sequence, self._head))
        except OSError as error:
            raise _describe(self.path, error) from error
        self._head_written = self._sequence

    def _restore(self) -> None:
        links, size, tail, self._time = _scan_links(self.path)
        broken = _check(self.path, links)
        if broken is not None:
            raise LogDamagedError(self.path, broken)
        if size + len(tail) != os.fstat(self._descriptor).st_size:
            raise LogUnreadableError(self.path, "is compressed; unpack it to go on with it")
        if tail and not links and not tail.startswith(_FIRST_BYTES[: len(tail)]):
            raise LogUnreadableError(self.path, "is not a log")
        try:
            if tail:
                _keep_tail(self.path, tail)
                os.ftruncate(self._descriptor, size)
            # A killed writer may have left whole lines that are not on the disk yet.
            os.fsync(self._descriptor)
            sync_directory(self.path.parent)
        except OSError as error:
            raise _describe(self.path, error) from error
        self._size = size
        if links:
            self._sequence, self._head, self._ended = len(links), links[-1].digest, links[-1].kind == END_KIND


@contextlib.contextmanager
def _opened(path: Path, flags: int) -> Iterator[tuple[filelock.BaseFileLock, int]]:
    """The lock and the open file; both are let go only where the body fails."""
    lock_path = _lock_path(path)
    with contextlib.ExitStack() as undo:
        try:
            lock = acquire_lock(lock_path)
            undo.callback(lock.release)
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | flags | getattr(os, "O_BINARY", 0), 0o666)
            undo.callback(os.close, descriptor)
        except filelock.Timeout:
            message = (
                f"another process is writing this log (it holds {lock_path.name}); wait for it or stop it"
            )
            raise LogLockedError(path, message) from None
        except OSError as error:
            raise _describe(path, error) from error
        yield lock, descriptor
        undo.pop_all()


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _resolve(path: Path) -> Path:
    """One path for one file, so that there is one lock for it."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of links; which of them depends on Python's version
        raise LogUnreadableError(path, f"cannot be found: {error}") from error


def _scan_links(path: Path) -> tuple[list[Link], int, bytes, datetime]:
    """The whole lines, their size in bytes with newlines, the bytes behind them, and the latest time."""
    collector = LinkCollector()
    links = collector.links
    size = 0
    latest = _EARLIEST
    for raw in scan_lines(path):
        if not raw.whole:
            return links, size, raw.data, latest
        link, document = raw.parse()
        collector.take(link)
        if collector.is_full:
            break
        size += len(raw.data) + 1
        if not link.problem:
            latest = max(latest, datetime.fromisoformat(str(document["time"])))
    return links, size, b"", latest


def _check(path: Path, links: Sequence[Link]) -> ChainBreak | None:
    try:
        return check_chain(links, read_head(path))
    except HeadError as error:
        return check_chain(links, None) or name_bad_head(len(links), str(error))


def _keep_tail(path: Path, tail: bytes) -> None:
    for number in itertools.count(1):
        try:
            write_durably(path.with_name(f"{path.name}.torn-{number}"), tail, flags=os.O_EXCL)
        except FileExistsError:
            continue
        return


def _put_head_aside(path: Path) -> None:
    """Renames the head of a log that is gone: beside the new one it would say that its end was cut off."""
    head_path = find_head_path(path)
    if head_path.exists():
        names = (head_path.with_name(f"{head_path.name}.left-{number}") for number in itertools.count(1))
        head_path.rename(next(name for name in names if not name.exists()))


def _describe(path: Path, error: OSError) -> LogWriteError:
    place = f" ({error.filename})" if error.filename not in (None, str(path)) else ""
    return LogWriteError(
        path, f"cannot be written: {error.strerror or error}{place}; lines already there are kept"
    )
