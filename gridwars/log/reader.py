"""Reads a log as far as it can be trusted, and says what stopped the reading.

A log may be growing while it is read and may be cut anywhere, so bytes behind the last whole line are
no fault. A fault inside the log is data, not an exception: the lines before it stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gridwars import LOG_PROTOCOLS
from gridwars.benchmarks.contract import Benchmark, Event
from gridwars.benchmarks.packages import BrokenBenchmarkError
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import Json
from gridwars.log.chain import ChainBreak, LinkCollector, check_chain, name_bad_head
from gridwars.log.errors import LogDamagedError, LogUnreadableError
from gridwars.log.events import HARNESS_EVENTS, Start, is_end
from gridwars.log.head import Head, HeadError, read_head
from gridwars.log.line import Line, LineError, Link, decode_line
from gridwars.log.scan import scan_lines


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of an unbroken chain that is not an event of its benchmark, or stands where none may.

    Attributes:
        line_number: from 1; the sequence number too.
        reason: names the field and the value.
    """

    line_number: int
    kind: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line_number} ({self.kind}): {self.reason}"


@dataclass(frozen=True, slots=True)
class VersionMismatch:
    """The log is of another version than what reads it.

    Attributes:
        what: `protocol`, `benchmark` or `rules_version`.
        known: what this version reads, in words.
        remedy: what is to be done about it; "" for nothing but another version.
    """

    what: str
    recorded: str
    known: str
    line_number: int = 1
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"line 1 (start): {self.what} is {self.recorded}, this version reads {self.known}{remedy}"


Problem = ChainBreak | BadLine | VersionMismatch


@dataclass(frozen=True, slots=True)
class Log:
    """A log as far as it can be trusted.

    Attributes:
        lines: all up to the problem or the last whole line; with another `rules_version` as far as this
            version can decode them.
        torn_byte_count: bytes behind the last whole line: still being written, or left by a cut.
        head: the line that was the last when a writer left; None where no writer has yet.
        problem: the first thing wrong.
    """

    path: Path
    lines: tuple[Line, ...]
    torn_byte_count: int
    head: Head | None
    problem: Problem | None

    @property
    def start(self) -> Start | None:
        """What is played; None while the log has no whole line, or no readable one."""
        if not self.lines:
            return None
        event = self.lines[0].event
        assert isinstance(event, Start)
        return event

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(line.event for line in self.lines)

    @property
    def ended(self) -> bool:
        return bool(self.lines) and is_end(self.lines[-1].event)

    def require_sound(self) -> Log:
        """This log, without a problem.

        Raises:
            LogDamagedError: where there is one.
        """
        if self.problem is not None:
            raise LogDamagedError(self.path, self.problem)
        return self


def read_log(path: Path, *, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> Log:
    """The whole log in memory.

    Args:
        benchmarks: by name; the log's start event says which one's events follow.

    Raises:
        LogUnreadableError: where the file cannot be read or is no log at all.
    """
    reader = LogReader(path, benchmarks=benchmarks)
    lines = list(reader)
    if reader.chain_break is not None:
        del lines[reader.chain_break.line_number - 1 :]
    return Log(path, tuple(lines), reader.torn_byte_count, reader.head, reader.problem)


class LogReader:
    """Iterates over a log's lines without holding them; what was found is known once it is exhausted.

    A line is given out when it follows from the one before. That it was changed shows at the next, so
    where `chain_break` names a line that was given out, this one and those behind it are void.
    """

    def __init__(self, path: Path, *, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> None:
        self.path = path
        self.torn_byte_count = 0
        self.head: Head | None = None
        self.chain_break: ChainBreak | None = None
        self._bad_line: BadLine | None = None
        self._mismatch: VersionMismatch | None = None
        self._benchmarks = benchmarks
        self._event_types: tuple[type[Event], ...] = HARNESS_EVENTS

    @property
    def problem(self) -> Problem | None:
        """A broken chain says more than another version, and that more than the lines it explains."""
        return self.chain_break or self._mismatch or self._bad_line

    def __iter__(self) -> Iterator[Line]:
        head_error = self._read_head()
        collector = LinkCollector()
        links = collector.links
        decoding = True
        ended = False
        for raw in scan_lines(self.path):
            if not raw.whole:
                self.torn_byte_count = len(raw.data)
                if ended:
                    self._note_behind_end(len(links) + 1, "torn")
                break
            link, document = raw.parse()
            is_sound = collector.take(link)
            decoding = decoding and not ended and is_sound
            if decoding:
                line = self._decode(raw.data, link, document)
                if line is None:
                    decoding = False
                else:
                    ended = is_end(line.event)
                    yield line
            elif ended:
                self._note_behind_end(len(links), link.kind)
            if collector.is_full:
                break
        self._check(links, head_error)

    def _read_head(self) -> str:
        # Before the log: the head of a growing log then names a line that is read.
        try:
            self.head = read_head(self.path)
        except HeadError as error:
            return str(error)
        return ""

    def _check(self, links: list[Link], head_error: str) -> None:
        if links and all(link.problem for link in links):
            raise LogUnreadableError(self.path, f"is not a log: line 1 {links[0].problem}")
        self.chain_break = check_chain(links, self.head)
        if self.chain_break is None and head_error:
            self.chain_break = name_bad_head(len(links), head_error)

    def _decode(self, data: bytes, link: Link, document: dict[str, Json]) -> Line | None:
        """The line; None where this and what follows cannot be decoded, which is then noted."""
        if (link.sequence == 1) != (link.kind == "start"):
            self._bad_line = BadLine(link.sequence, link.kind, "a log begins with its one start event")
            return None
        if link.sequence == 1 and (recorded := document.get("protocol")) not in LOG_PROTOCOLS:
            self._mismatch = VersionMismatch("protocol", str(recorded)[:80], ", ".join(LOG_PROTOCOLS))
            return None
        try:
            line = decode_line(data, link, document, self._event_types)
        except LineError as error:
            self._bad_line = BadLine(link.sequence, link.kind, str(error))
            return None
        if isinstance(line.event, Start):
            self._choose_benchmark(line.event)
        return line

    def _note_behind_end(self, line_number: int, kind: str) -> None:
        if self._bad_line is None:
            self._bad_line = BadLine(line_number, kind, "stands behind the end of the episode")

    def _choose_benchmark(self, start: Start) -> None:
        name, remedy = start.benchmark[:80], ""
        try:
            benchmark = self._benchmarks.get(start.benchmark)
        except BrokenBenchmarkError as error:
            benchmark, remedy = None, str(error)
        if benchmark is None:
            if start.package and not remedy:
                remedy = f"the game is brought by the package {start.package[:80]!r}, which is not installed"
            known = ", ".join(each for each in self._benchmarks if each != name)
            self._mismatch = VersionMismatch("benchmark", name, known, remedy=remedy)
            return
        self._event_types = (*HARNESS_EVENTS, *benchmark.event_types)
        if start.rules_version != benchmark.rules_version:
            self._mismatch = VersionMismatch(
                "rules_version", str(start.rules_version), str(benchmark.rules_version)
            )
