"""The golden analysis streams: each row must follow from the replay that lies beside the stream.

That the replay itself can be derived again is part of it: its hashes and results are checked first.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

from gridwars.benchmarks.contract import ReplayError
from gridwars.benchmarks.snake_royale.analysis import DIRECTIVE, Row, list_rows
from gridwars.benchmarks.snake_royale.replay import audit_replay, read_game
from gridwars.benchmarks.snake_royale.replay_format import decode_replay
from gridwars.files import read_file
from gridwars.vectors import CaseResult, Difference, VectorLine, first_difference

_STREAM_SUFFIX = ".events.jsonl"
_REPLAY_SUFFIX = ".replay"


def run_stream_rows(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    stream = list(lines)
    first = stream[0]
    path = first.path.with_name(first.path.name.removesuffix(_STREAM_SUFFIX) + _REPLAY_SUFFIX)
    try:
        yield CaseResult(path.name, _audit(path))
        events = read_game(decode_replay(read_file(path))).events
    except (OSError, ReplayError) as error:
        raise first.error(f"{path.name}, which the stream is of: {error}") from error
    recorded = [line.decode(dict) for line in stream]
    # The reference writes what the seats submitted for some games only.
    rows: list[Row] = list_rows(events, directives=any(row.get("k") == DIRECTIVE for row in recorded))
    for line, row in itertools.zip_longest(stream, rows):
        if line is None:
            yield CaseResult("after the last line", Difference("", "nothing", str(row)))
            return
        yield CaseResult(f"line {line.line_number}", first_difference(line.decode(dict), row))


def _audit(path: Path) -> Difference | None:
    finding = next(audit_replay(read_file(path)), None)
    return None if finding is None else Difference(finding.field, finding.recorded, finding.derived)
