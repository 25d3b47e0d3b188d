"""Files of golden vectors: reading them, telling their kind, and finding what differs.

A vector file holds one JSON case a line, plain or compressed with gzip, and its name begins with the
kind of its cases, like `battles.jsonl.gz`, or ends with it, like `one-game.events.jsonl`. What a kind means
is the business of a benchmark's `conformance` module, whose runners turn lines into results.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from gridwars.files import open_regular

Decoded = TypeVar("Decoded")


MAXIMUM_LINE_BYTES = 2**24
MOST_BLANK_LINES = 1000
MAXIMUM_BYTES = 2**28
"""Of a file, unpacked; a small one could otherwise keep its reader busy for hours."""


class VectorError(ValueError):
    """A vector file that cannot be run; the message names file, line and, where there is one, field."""


@dataclass(frozen=True, slots=True)
class VectorLine:
    """One line of a vector file; lines count from 1."""

    path: Path
    line_number: int
    text: bytes

    def decode(self, as_type: type[Decoded]) -> Decoded:
        """The case on this line.

        Raises:
            VectorError: for what is no JSON, and for a missing or wrong field.
        """
        try:
            return msgspec.json.decode(self.text, type=as_type)
        except msgspec.DecodeError as error:
            raise self.error(str(error)) from error

    def error(self, message: str) -> VectorError:
        return VectorError(f"{self.path}:{self.line_number}: {message}")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where an answer is not the expected one.

    Attributes:
        path: such as `stats[2].tiles`; "" where the two are no containers.
        expected, got: both values as text; `(nothing)` where one side has no such value.
    """

    path: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What running one case came to; without a difference it agrees."""

    case_id: str
    difference: Difference | None


Runner = Callable[[Iterable[VectorLine]], Iterator[CaseResult]]
"""Runs the lines of one file, in order; raises VectorError for a line that cannot be run."""


Case = dict[str, object]
"""A case of a file of several kinds: `id`, `kind`, what is expected (`expect`), and what the kind needs."""


def run_mixed_cases(
    lines: Iterable[VectorLine],
    answers: Mapping[str, Callable[[Case], object]],
    passed_over: Collection[str] = (),
) -> Iterator[CaseResult]:
    """Runs a file whose cases say each of what kind it is.

    Args:
        answers: by kind what gives the answer that is compared with the one expected.
        passed_over: kinds that are not run.

    Raises:
        VectorError: for a kind that is neither.
    """
    for line in lines:
        case = line.decode(Case)
        kind = case.get("kind")
        if kind in passed_over:
            continue
        if not isinstance(kind, str) or kind not in answers:
            raise line.error(f"kind: {kind!r} is none of {', '.join(answers)}")
        try:
            answer = answers[kind](case)
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            raise line.error(f"cannot be run: {type(error).__name__}: {error}") from error
        yield CaseResult(str(case.get("id")), first_difference(case.get("expect"), answer))


def narrow_answer(answer: Case | None, expected: object) -> Case | None:
    """Of an answer the fields that a partial expectation speaks of; all of it where that is no object."""
    if answer is None or not isinstance(expected, dict):
        return answer
    return {name: answer[name] for name in expected if name in answer}


def find_vector_files(path: Path, kinds: Collection[str]) -> list[Path]:
    """The files of these kinds at `path`, which is a file or a folder, searched to any depth.

    Raises:
        VectorError: where there is none.
    """
    if not path.exists():
        raise VectorError(f"{path}: no such file or folder")
    if path.is_file():
        found = [path]
    else:
        found = [
            file for file in sorted(path.rglob("*")) if file.is_file() and kind_of(file, kinds) is not None
        ]
    if not found or kind_of(found[0], kinds) is None:
        names = ", ".join(kinds)
        raise VectorError(f"{path}: no vector file; names are kind.jsonl or kind.jsonl.gz (kinds: {names})")
    return found


def kind_of(path: Path, kinds: Collection[str]) -> str | None:
    """The kind of vectors that a file's name stands for, None where it is no vector file's name."""
    match = re.fullmatch(r"(?:[^.]+\.)?([a-z]+)(?:[-_0-9][^.]*)?\.jsonl(?:\.gz)?", path.name)
    return match[1] if match is not None and match[1] in kinds else None


def run_file(path: Path, runners: Mapping[str, Runner]) -> Iterator[CaseResult]:
    """Runs all cases of one file.

    Raises:
        VectorError: for a file that cannot be read or run, as soon as its first bad line is met.
    """
    kind = kind_of(path, runners)
    if kind is None:
        raise VectorError(f"{path}: the name stands for none of the kinds {', '.join(runners)}")
    return runners[kind](read_lines(path))


def read_lines(path: Path) -> Iterator[VectorLine]:
    """The lines of a vector file that hold more than blanks.

    Raises:
        VectorError: for a file that cannot be read to its end or is empty.
    """
    line_number = blank_count = 0
    found_any = False
    try:
        with open_regular(path) as packed, _unpack(packed, path) as file:
            lines = iter(lambda: file.readline(MAXIMUM_LINE_BYTES + 1), b"")
            left = MAXIMUM_BYTES
            for line_number, text in enumerate(lines, start=1):
                left -= len(text)
                if len(text) > MAXIMUM_LINE_BYTES:
                    raise VectorError(f"{path}:{line_number}: is longer than {MAXIMUM_LINE_BYTES} bytes")
                if left < 0:
                    raise VectorError(f"{path}:{line_number}: the file holds more than {MAXIMUM_BYTES} bytes")
                if not text.strip():
                    blank_count += 1
                    if blank_count > MOST_BLANK_LINES:
                        raise VectorError(f"{path}:{line_number}: more than {MOST_BLANK_LINES} blank lines")
                else:
                    found_any = True
                    yield VectorLine(path, line_number, text)
    except (OSError, EOFError, zlib.error) as error:
        raise VectorError(f"{path}:{line_number + 1}: cannot be read: {error}") from error
    if not found_any:
        raise VectorError(f"{path}:1: the file holds no case")


def _unpack(file: IO[bytes], path: Path) -> IO[bytes] | gzip.GzipFile:
    return gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file


def first_difference(expected: object, got: object, approximate: Collection[str] = ()) -> Difference | None:
    """The first difference between two JSON values, None where there is none.

    Args:
        approximate: names of fields below which numbers may differ by 1e-9; all others match exactly.
    """
    return _first_difference(expected, got, "", approximate, exact=True)


_TOLERANCE = 1e-9
_NOTHING = "(nothing)"


def _first_difference(
    expected: object, got: object, path: str, approximate: Collection[str], exact: bool
) -> Difference | None:
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in [*expected, *(name for name in got if name not in expected)]:
            field = f"{path}.{name}" if path else str(name)
            if name not in got:
                return Difference(field, _render(expected[name]), _NOTHING)
            if name not in expected:
                return Difference(field, _NOTHING, _render(got[name]))
            difference = _first_difference(
                expected[name], got[name], field, approximate, exact and name not in approximate
            )
            if difference is not None:
                return difference
        return None
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        for index, (left, right) in enumerate(zip(expected, got, strict=False)):
            difference = _first_difference(left, right, f"{path}[{index}]", approximate, exact)
            if difference is not None:
                return difference
        shorter = min(len(expected), len(got))
        if len(expected) > shorter:
            return Difference(f"{path}[{shorter}]", _render(expected[shorter]), _NOTHING)
        if len(got) > shorter:
            return Difference(f"{path}[{shorter}]", _NOTHING, _render(got[shorter]))
        return None
    if _agree(expected, got, exact):
        return None
    return Difference(path, _render(expected), _render(got))


def _agree(expected: object, got: object, exact: bool) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, int | float) and isinstance(got, int | float) and not exact:
        return abs(expected - got) <= _TOLERANCE
    return expected == got


def _render(value: object) -> str:
    """A value as text, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:199]}…"
