"""The lines of a file, whatever it holds: bounded in memory, plain or gzipped, growing or cut anywhere."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gridwars.canonical import Json
from gridwars.files import open_regular
from gridwars.log.errors import LogUnreadableError
from gridwars.log.line import MAXIMUM_LINE_BYTES, Link, parse_line

MAXIMUM_UNPACKED_BYTES = 2**28
"""What a gzipped log may unpack to; a small file of zeros could otherwise fill the memory."""

_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class RawLine:
    """One line without its newline.

    Attributes:
        whole: False for bytes behind the last newline: still being written, or cut.
        problem: why the file cannot be read from here on; "" where it can. Such a line is the last.
    """

    data: bytes
    whole: bool = True
    problem: str = ""

    def parse(self) -> tuple[Link, dict[str, Json]]:
        """As `parse_line`."""
        if self.problem:
            return Link("", 0, "", "", problem=self.problem), {}
        return parse_line(self.data)


def scan_lines(path: Path) -> Iterator[RawLine]:
    """Reads to the end of the file as it is when the end is reached.

    Raises:
        LogUnreadableError: where the file is none, or cannot be opened or read.
    """
    try:
        with open_regular(path) as file:
            if file.read(2) == _GZIP_MAGIC:
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield from _scan_unpacked(unpacked)
            else:
                file.seek(0)
                yield from _scan(file)
    except OSError as error:
        raise LogUnreadableError(path, f"cannot be read: {error.strerror or error}") from error


def _scan(file: IO[bytes] | gzip.GzipFile) -> Iterator[RawLine]:
    while data := file.readline(MAXIMUM_LINE_BYTES + 1):
        if data.endswith(b"\n"):
            yield RawLine(data[:-1])
        elif len(data) > MAXIMUM_LINE_BYTES:
            yield RawLine(b"", problem=f"is longer than {MAXIMUM_LINE_BYTES} bytes")
            return
        else:
            yield RawLine(data, whole=False)
            return


def _scan_unpacked(file: gzip.GzipFile) -> Iterator[RawLine]:
    size = 0
    try:
        for line in _scan(file):
            size += len(line.data) + 1
            if size > MAXIMUM_UNPACKED_BYTES:
                yield RawLine(b"", problem=f"unpacks beyond {MAXIMUM_UNPACKED_BYTES} bytes")
                return
            yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        yield RawLine(b"", problem=f"cannot be unpacked: {error}")
