"""Files made to break a reader: each is refused or read, in bounded memory, without an exception of ours."""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.audit import AuditStatus, audit_log
from gridwars.log import scan
from gridwars.log.errors import LogUnreadableError
from gridwars.log.line import MAXIMUM_LINE_BYTES
from gridwars.log.reader import read_log
from tests.gridwars.toy_benchmark import BENCHMARKS, ToyConfig
from tests.gridwars.toy_log import forge, join_lines, list_documents, split_lines, write_log

_CONTENTS = {
    "empty": b"",
    "one newline": b"\n",
    "blank lines": b"\n" * 10_000,
    "prose": b"This is\nnot a log.\n",
    "no newline": b"not a log",
    "deep list": b"[" * 1_000_000 + b"\n",
    "deep object": b'{"a":' * 1_000_000 + b"\n",
    "deep replay": b' {"a":' * 1_000_000,
    "constant": b'{"seq":NaN}\n',
    "float": b'{"seq":1.0,"time":"","prev":"","kind":"start"}\n',
    "huge number": b'{"seq":' + b"9" * 1_000_000 + b"}\n",
    "huge line": b'{"seq":1,"text":"' + b"x" * (MAXIMUM_LINE_BYTES + 1) + b'"}\n',
    "null bytes": b"\x00" * 100_000 + b"\n",
    "no UTF-8": b'{"seq":1,"kind":"\xff\xfe"}\n',
    "UTF-16": '{"seq":1}\n'.encode("utf-16"),
    "list": b"[1,2,3]\n",
    "number": b"1\n",
    "a key twice": b'{"seq":1,"seq":1}\n',
    "wrong types": b'{"seq":true,"time":1,"prev":[],"kind":{}}\n',
    "foreign protocol": b'{"protocol":"chess.v1","events":[]}',
    "gzip header alone": b"\x1f\x8b",
    "gzip of nothing": gzip.compress(b""),
    "gzip of zeros": gzip.compress(b"\x00" * (2 * MAXIMUM_LINE_BYTES)),
    "gzip cut": gzip.compress(forge(list_documents()))[:-40],
    "gzip changed": gzip.compress(forge(list_documents()))[:-8] + b"\x00" * 8,
}


@pytest.mark.parametrize("content", _CONTENTS.values(), ids=_CONTENTS)
def test_hostile_content_gets_a_report(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    report = audit_log(path, benchmarks=BENCHMARKS)
    assert report.status is not AuditStatus.INTACT
    assert report.message
    assert len(report.message) < 500


@pytest.mark.parametrize("position", [1, 3, 5])
@pytest.mark.parametrize("content", [c for c in _CONTENTS.values() if c.endswith(b"\n")])
def test_hostile_content_inside_a_log_is_named_and_what_stands_before_it_is_read(
    tmp_path: Path, content: bytes, position: int
) -> None:
    path = write_log(tmp_path / "log.jsonl")
    lines = split_lines(path)
    path.write_bytes(join_lines(lines[:position]) + content + join_lines(lines[position:]))
    log = read_log(path, benchmarks=BENCHMARKS)
    assert log.problem is not None
    assert log.problem.line_number == position + 1
    assert len(log.lines) == position


def test_what_is_no_file_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "loop.jsonl").symlink_to(tmp_path / "loop.jsonl")
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    names = [*sorted(path.name for path in tmp_path.iterdir()), "missing.jsonl"]
    assert len(names) == 5
    for name in names:
        report = audit_log(tmp_path / name, benchmarks=BENCHMARKS)
        assert report.status is AuditStatus.UNREADABLE
    assert audit_log(Path("/dev/zero"), benchmarks=BENCHMARKS).status is AuditStatus.UNREADABLE


def test_a_file_that_may_not_be_read_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    path = write_log(tmp_path / "log.jsonl")
    monkeypatch.setattr(scan, "open_regular", refuse)
    with pytest.raises(LogUnreadableError, match=r"log\.jsonl: cannot be read: Permission denied"):
        read_log(path, benchmarks=BENCHMARKS)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_a_head_that_is_no_file_is_unreadable(tmp_path: Path, kind: str) -> None:
    path = write_log(tmp_path / "log.jsonl")
    head = tmp_path / "log.jsonl.head"
    head.unlink()
    head.mkdir() if kind == "folder" else os.mkfifo(head)
    with pytest.raises(LogUnreadableError, match="head"):
        read_log(path, benchmarks=BENCHMARKS)


def test_what_a_compressed_log_unpacks_to_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MAXIMUM_UNPACKED_BYTES", 1000)
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(forge(list_documents())))
    problem = read_log(path, benchmarks=BENCHMARKS).problem
    assert "unpacks beyond 1000 bytes" in str(problem)


def test_a_truncated_compressed_log_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    data = forge(list_documents(ToyConfig(rounds=12, seats=4), asked=True))
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(data)[:-2000])
    log = read_log(path, benchmarks=BENCHMARKS)
    assert "cannot be unpacked" in str(log.problem)
    assert len(log.lines) > 10


@given(st.data())
def test_no_file_and_no_mutation_of_a_log_breaks_the_audit(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.jsonl"
    original = forge(list_documents())
    generator = random.Random(data.draw(st.integers(0, 2**32)))
    content = bytearray(original)
    for _ in range(generator.randrange(1, 5)):
        start = generator.randrange(len(content) + 1)
        stop = min(len(content), start + generator.choice((0, 1, 2, 30, 400)))
        content[start:stop] = generator.choice(
            (b"", b"\n", b'"', b"[[", content[:50], generator.randbytes(3))
        )
    path.write_bytes(content)
    report = audit_log(path, benchmarks=BENCHMARKS)
    assert report.status is not AuditStatus.RESULT_DIFFERS
    if report.status is AuditStatus.INTACT:
        assert original.startswith(content[: bytes(content).rfind(b"\n") + 1])
