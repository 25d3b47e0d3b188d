from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import gridwars
from gridwars.canonical import Json
from gridwars.log.chain import ChainBreak, Damage
from gridwars.log.errors import LogDamagedError, LogUnreadableError
from gridwars.log.events import Start
from gridwars.log.head import find_head_path
from gridwars.log.line import Line
from gridwars.log.reader import BadLine, Log, LogReader, Problem, VersionMismatch, read_log
from gridwars.log.writer import LogWriter
from tests.gridwars.toy_benchmark import BENCHMARKS, ToyConfig
from tests.gridwars.toy_log import (
    StepClock,
    forge,
    join_lines,
    list_documents,
    play,
    split_lines,
    write_log,
)

_SUBSTITUTES = (b"\n", b"0", b"a", b'"')
Document = dict[str, Json]


def _read(path: Path) -> Log:
    return read_log(path, benchmarks=BENCHMARKS)


def _find_problem(path: Path) -> Problem | LogUnreadableError | None:
    try:
        return _read(path).problem
    except LogUnreadableError as error:
        return error


def test_a_finished_log_is_read_as_it_was_played(tmp_path: Path) -> None:
    config = ToyConfig(rounds=2, seats=3)
    path = write_log(tmp_path / "log.jsonl", config, asked=True)
    log = _read(path).require_sound()
    assert list(log.events) == [event for group in play(config, asked=True) for event in group]
    assert [line.sequence for line in log.lines] == list(range(1, len(log.lines) + 1))
    assert log.ended
    assert isinstance(log.start, Start)
    assert log.torn_byte_count == 0
    assert log.head is not None
    assert log.head.sequence == len(log.lines)
    assert log.head.digest == log.lines[-1].digest


def test_a_lone_surrogate_in_a_reply_is_read_back(tmp_path: Path) -> None:
    documents = list_documents(ToyConfig(rounds=1, seats=2), asked=True)
    reply = next(document for document in documents if document["kind"] == "reply")
    reply["text"] = "\udc80 \ud800x"
    path = tmp_path / "log.jsonl"
    path.write_bytes(forge(documents))
    texts = [getattr(event, "text", None) for event in _read(path).require_sound().events]
    assert "\udc80 \ud800x" in texts


@pytest.mark.slow
def test_every_change_of_one_byte_is_found_and_its_line_named(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    data = path.read_bytes()
    assert data.count(b"\n") == 5
    for place in range(len(data)):
        line_number = data[:place].count(b"\n") + 1
        for substitute in _SUBSTITUTES:
            if data[place : place + 1] == substitute:
                continue
            path.write_bytes(data[:place] + substitute + data[place + 1 :])
            problem = _find_problem(path)
            assert isinstance(problem, ChainBreak), (place, substitute)
            if place == len(data) - 1:
                assert (problem.damage, problem.line_number) == (Damage.MISSING, 5)
            else:
                assert (problem.damage, problem.line_number) == (Damage.CHANGED, line_number), (
                    place,
                    substitute,
                )


@pytest.mark.slow
def test_every_byte_taken_out_or_put_in_is_found(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + data[place + 1 :])
        assert _find_problem(path) is not None, place
        for inserted in (b" ", b"\n"):
            path.write_bytes(data[:place] + inserted + data[place:])
            assert _find_problem(path) is not None, (place, inserted)


def test_every_change_of_the_head_file_is_found(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    head_path = find_head_path(path)
    head = head_path.read_bytes()
    assert len(head) > 64
    for place in range(len(head)):
        for substitute in _SUBSTITUTES:
            if head[place : place + 1] != substitute:
                head_path.write_bytes(head[:place] + substitute + head[place + 1 :])
                assert isinstance(_find_problem(path), ChainBreak), (place, substitute)
        head_path.write_bytes(head[:place])
        assert isinstance(_find_problem(path), ChainBreak)


def test_a_log_cut_anywhere_is_read_to_its_last_whole_line(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    data = path.read_bytes()
    whole = _read(path).lines
    find_head_path(path).unlink()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        log = _read(path)
        assert log.problem is None
        assert log.lines == whole[: data[:size].count(b"\n")]
        assert log.torn_byte_count == size - (data[:size].rfind(b"\n") + 1)
        assert not log.ended


def test_a_head_tells_that_a_tail_was_cut(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    lines = split_lines(path)
    for count in range(len(lines)):
        path.write_bytes(join_lines(lines[:count]))
        problem = _read(path).problem
        assert isinstance(problem, ChainBreak)
        assert (problem.damage, problem.line_number) == (Damage.MISSING, count + 1)


def test_the_lines_before_a_break_stand_and_those_behind_do_not(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl", ToyConfig(rounds=3, seats=2))
    whole = _read(path).lines
    path.write_bytes(path.read_bytes().replace(b'"round":2', b'"round":3', 1))
    log = _read(path)
    assert isinstance(log.problem, ChainBreak)
    assert log.problem.line_number == 5
    assert log.lines == whole[:4]
    with pytest.raises(LogDamagedError, match=r"log\.jsonl: line 5 \(sequence 5\) was changed"):
        log.require_sound()


def test_a_growing_log_is_always_sound(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    config = ToyConfig(rounds=12, seats=4)
    groups = list(play(config, asked=True))
    writer = LogWriter.create(path, clock=StepClock())
    lengths: list[int] = []

    def write() -> None:
        with writer:
            for group in groups:
                writer.append(group)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while not lengths or lengths[-1] < sum(map(len, groups)):
            log = _read(path).require_sound()
            lengths.append(len(log.lines))
    finally:
        thread.join()
    assert lengths == sorted(lengths)
    assert _read(path).require_sound().ended


def test_a_reader_gives_out_lines_while_it_reads(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    reader = LogReader(path, benchmarks=BENCHMARKS)
    lines: list[Line] = []
    for line in reader:
        if not lines:
            path.write_bytes(path.read_bytes() + b"torn")
        lines.append(line)
    assert len(lines) == 5
    assert reader.torn_byte_count == len(b"torn")


def test_a_compressed_log_reads_the_same_and_keeps_its_head(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    packed = tmp_path / "log.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    log = _read(packed).require_sound()
    assert log.lines == _read(path).lines
    assert log.head == _read(path).head
    assert log.head is not None


def _set(index: int, **fields: Json) -> Callable[[list[Document]], None]:
    return lambda documents: documents[index].update(fields)


def _drop(index: int, field: str) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        del documents[index][field]

    return change


def _reorder(documents: list[Document]) -> None:
    documents[1] = {"kind": documents[1].pop("kind"), **dict(reversed(documents[1].items()))}


@pytest.mark.parametrize(
    ("change", "line_number", "reason"),
    [
        (_set(1, kind="bet"), 2, r"Invalid value 'bet' - at `\$.kind`"),
        (_set(1, amount="3"), 2, r"Expected `int`, got `str` - at `\$.amount`: \"3\""),
        (_set(1, amount=True), 2, r"Expected `int`, got `bool` - at `\$.amount`: true"),
        (_set(1, origin="guess"), 2, r"Invalid enum value 'guess' - at `\$.origin`"),
        (_set(3, scores=[0, [1]]), 4, r"Expected `int`, got `array` - at `\$.scores\[.*\]`"),
        (_set(1, extra=1), 2, "unknown field `extra`"),
        (_drop(1, "amount"), 2, "missing required field `amount`"),
        (_reorder, 2, "a field is missing, too many or out of its order"),
        (lambda documents: documents.insert(2, documents[0]), 3, "one start event"),
        (lambda documents: documents.pop(0), 1, "one start event"),
        (lambda documents: documents.append(documents[1]), 6, "behind the end"),
    ],
)
def test_a_line_that_is_no_event_is_named_with_its_field(
    tmp_path: Path, change: Callable[[list[Document]], None], line_number: int, reason: str
) -> None:
    documents = list_documents()
    change(documents)
    path = tmp_path / "log.jsonl"
    path.write_bytes(forge(documents))
    log = _read(path)
    assert isinstance(log.problem, BadLine)
    assert log.problem.line_number == line_number
    assert len(log.lines) == line_number - 1
    with pytest.raises(LogDamagedError, match=reason):
        log.require_sound()


def test_torn_bytes_behind_the_end_are_no_cut(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    path.write_bytes(path.read_bytes() + b'{"seq":6')
    problem = _read(path).problem
    assert isinstance(problem, BadLine)
    assert problem.line_number == 6


@pytest.mark.parametrize(
    ("change", "what", "line_count"),
    [
        (_set(0, protocol="gridwars.log.v9", novelty=1), "protocol", 0),
        (_set(0, benchmark="chess"), "benchmark", 1),
        (_set(0, rules_version=2), "rules_version", 5),
    ],
)
def test_another_version_is_told_apart_from_damage(
    tmp_path: Path, change: Callable[[list[Document]], None], what: str, line_count: int
) -> None:
    documents = list_documents()
    change(documents)
    path = tmp_path / "log.jsonl"
    path.write_bytes(forge(documents))
    log = _read(path)
    assert isinstance(log.problem, VersionMismatch)
    assert log.problem.what == what
    assert len(log.lines) == line_count


def test_the_protocol_read_is_the_one_written(tmp_path: Path) -> None:
    start = _read(write_log(tmp_path / "log.jsonl")).start
    assert start is not None
    assert start.protocol == gridwars.LOG_PROTOCOL
