from __future__ import annotations

import errno
import gzip
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gridwars.log.chain import ChainBreak, Damage
from gridwars.log.errors import (
    LogDamagedError,
    LogEndedError,
    LogError,
    LogExistsError,
    LogLockedError,
    LogUnreadableError,
    LogWriteError,
)
from gridwars.log.events import Answered, Asked
from gridwars.log.head import find_head_path, read_head
from gridwars.log.line import MAXIMUM_LINE_BYTES
from gridwars.log.reader import Log, read_log
from gridwars.log.writer import LogWriter
from tests.gridwars.toy_benchmark import BENCHMARKS
from tests.gridwars.toy_log import SMALL, StepClock, begin, join_lines, play, split_lines, write_log

APPENDER = Path(__file__).with_name("appender.py")


def _read(path: Path) -> Log:
    return read_log(path, benchmarks=BENCHMARKS).require_sound()


def _open(path: Path) -> LogWriter:
    return LogWriter.open(path, clock=StepClock())


def _create(path: Path) -> LogWriter:
    return LogWriter.create(path, clock=StepClock())


def _ask(part: int) -> Asked:
    return Asked(part=part, seat=0, attempt=1)


@contextmanager
def _appender(how: str, path: Path, largest_size: int = 0) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(APPENDER), how, str(path), str(largest_size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _read_output(process: subprocess.Popen[str], line_count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(line_count)]


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """An unfinished log of three lines, left by its writer."""
    path = tmp_path / "log.jsonl"
    with _create(path) as writer:
        writer.append([begin(SMALL)])
        writer.append([_ask(1), _ask(2)])
    return path


def test_the_head_of_a_log_that_was_deleted_says_nothing_of_a_new_one(begun: Path) -> None:
    old = find_head_path(begun).read_bytes()
    begun.unlink()
    _create(begun).append([begin(SMALL)])  # and killed, before it writes a head of its own
    begun.with_name(begun.name + ".lock").unlink(missing_ok=True)
    assert find_head_path(begun).with_name(find_head_path(begun).name + ".left-1").read_bytes() == old
    with _open(begun) as writer:
        assert writer.sequence == 1
    assert len(_read(begun).lines) == 1


def test_an_interrupted_log_is_continued_to_what_an_uninterrupted_one_holds(tmp_path: Path) -> None:
    groups = list(play(SMALL, asked=True))
    for cut in range(len(groups) + 1):
        path = tmp_path / f"{cut}.jsonl"
        with _create(path) as writer:
            for group in groups[:cut]:
                writer.append(group)
        with _open(path) as writer:
            assert writer.sequence == sum(map(len, groups[:cut]))
            for group in groups[cut:]:
                writer.append(group)
        log = _read(path)
        assert list(log.events) == [event for group in groups for event in group]
        assert log.lines[-1].digest == writer.head


def test_a_group_is_one_write_and_then_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    write, sync = os.write, os.fsync

    def record_write(descriptor: int, data: bytes) -> int:
        calls.append("write")
        return write(descriptor, data)

    def record_sync(descriptor: int) -> None:
        calls.append("sync")
        sync(descriptor)

    with _create(tmp_path / "log.jsonl") as writer:
        writer.append([begin(SMALL)])
        monkeypatch.setattr(os, "write", record_write)
        monkeypatch.setattr(os, "fsync", record_sync)
        writer.append([_ask(number) for number in range(50)])
        assert calls == ["write", "sync"]


def test_threads_append_one_after_the_other(begun: Path) -> None:
    with _open(begun) as writer:

        def append(seat: int) -> None:
            for part in range(25):
                writer.append([Asked(part=part, seat=seat, attempt=1)] * 2)

        threads = [threading.Thread(target=append, args=[seat]) for seat in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(_read(begun).lines) == 3 + 4 * 25 * 2


def test_torn_bytes_are_kept_beside_the_log_and_the_next_line_stands_whole(begun: Path) -> None:
    whole = begun.read_bytes()
    torn = b'{"seq":4,"time":"2026-'
    for number in (1, 2):
        begun.write_bytes(whole + torn)
        with _open(begun):
            assert begun.read_bytes() == whole
        assert begun.with_name(f"log.jsonl.torn-{number}").read_bytes() == torn
    with _open(begun) as writer:
        writer.append([_ask(3)])
    assert len(_read(begun).lines) == 4


def test_a_log_cut_anywhere_can_be_gone_on_with(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    find_head_path(path).unlink()
    data = path.read_bytes()
    lines = split_lines(path)
    for size in range(0, len(data), 29):
        path.write_bytes(data[:size])
        count = data[:size].count(b"\n")
        with _open(path) as writer:
            assert writer.sequence == count
            writer.append([_ask(1)] if count else [begin(SMALL)])
        assert len(_read(path).lines) == count + 1
        assert split_lines(path)[:count] == lines[:count]
        find_head_path(path).unlink()


def test_the_head_is_written_when_the_writer_leaves_and_at_the_end_at_once(begun: Path) -> None:
    head = read_head(begun)
    assert head is not None
    assert (head.sequence, head.digest) == (3, _read(begun).lines[-1].digest)
    end = list(play(SMALL))[-1]
    with _open(begun) as writer:
        writer.append([_ask(3)])
        assert read_head(begun) == head
        writer.append(end)
        ended = read_head(begun)
        assert ended is not None
        assert (ended.sequence, ended.digest) == (5, writer.head)


def test_nothing_follows_the_end(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    data = path.read_bytes()
    with _open(path) as writer, pytest.raises(LogEndedError, match="has ended"):
        writer.append([_ask(9)])
    end = list(play(SMALL))[-1]
    other = tmp_path / "other.jsonl"
    with _create(other) as writer:
        writer.append([begin(SMALL)])
        with pytest.raises(LogEndedError):
            writer.append([*end, _ask(9)])
        assert writer.sequence == 1
    assert path.read_bytes() == data


def test_a_head_that_a_killed_writer_left_out_is_completed(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    head = read_head(path)
    find_head_path(path).unlink()
    with _open(path):
        pass
    assert read_head(path) == head


def test_a_log_begins_with_its_start(tmp_path: Path) -> None:
    with _create(tmp_path / "log.jsonl") as writer:
        with pytest.raises(AssertionError):
            writer.append([_ask(1)])
        writer.append([begin(SMALL)])
        with pytest.raises(AssertionError):
            writer.append([begin(SMALL)])


def test_a_new_log_takes_no_place_that_is_taken(begun: Path) -> None:
    data = begun.read_bytes()
    with pytest.raises(LogExistsError, match="resume it, or choose another path"):
        _create(begun)
    assert begun.read_bytes() == data


def test_a_log_that_holds_no_line_yet_can_be_begun(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"seq":1,"ti')
    with _open(path) as writer:
        assert writer.sequence == 0
    with _create(path) as writer:
        writer.append([begin(SMALL)])
    assert len(_read(path).lines) == 1


@pytest.mark.parametrize("name", ["missing.jsonl", "folder", "prose.txt", "loop"])
def test_what_is_no_log_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "prose.txt").write_text("My only copy")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(LogUnreadableError):
        _open(tmp_path / name)
    assert (tmp_path / "prose.txt").read_text() == "My only copy"
    assert [path for path in sorted(tmp_path.iterdir()) if path.suffix != ".lock"] == before


def test_a_compressed_log_is_not_gone_on_with(begun: Path) -> None:
    packed = gzip.compress(begun.read_bytes())
    begun.write_bytes(packed)
    with pytest.raises(LogUnreadableError, match="unpack it"):
        _open(begun)
    assert begun.read_bytes() == packed


def test_a_place_that_cannot_be_written_is_an_error_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogWriteError, match=r"runs/log\.jsonl: cannot be written: File exists \(.*/file\)"):
        _create(tmp_path / "file" / "runs" / "log.jsonl")


def test_a_new_log_makes_the_folders_it_lies_in(tmp_path: Path) -> None:
    with _create(tmp_path / "runs" / "today" / "log.jsonl") as writer:
        assert writer.path.exists()


@pytest.mark.parametrize("damage", ["changed", "cut", "head"])
def test_a_damaged_log_is_refused_and_left_as_it_is(begun: Path, damage: str) -> None:
    lines = split_lines(begun)
    if damage == "changed":
        begun.write_bytes(begun.read_bytes().replace(b'"toy"', b'"tyo"'))
    elif damage == "cut":
        begun.write_bytes(join_lines(lines[:2]) + lines[2][:-1])
    else:
        find_head_path(begun).write_text("{}\n")
    data = begun.read_bytes()
    with pytest.raises(LogDamagedError) as raised:
        _open(begun)
    assert isinstance(raised.value.problem, ChainBreak)
    assert (
        raised.value.problem.damage
        is {"changed": Damage.CHANGED, "cut": Damage.MISSING, "head": Damage.HEAD}[damage]
    )
    assert begun.read_bytes() == data
    assert not begun.with_name("log.jsonl.torn-1").exists()


def test_a_second_writer_is_refused_until_the_first_leaves(begun: Path) -> None:
    link = begun.with_name("link.jsonl")
    link.symlink_to(begun)
    with _open(begun) as writer:
        for path in (begun, link):
            with pytest.raises(LogLockedError, match="another process is writing this log"):
                _open(path)
        writer.append([_ask(3)])
    with _open(link) as writer:
        assert writer.sequence == 4


def test_a_killed_writer_frees_the_log(begun: Path) -> None:
    with _appender("open", begun) as process:
        _read_output(process, 2)
        with pytest.raises(LogLockedError):
            _open(begun)
        process.kill()
        process.wait()
        with _open(begun) as writer:
            writer.append([_ask(1)])
    _read(begun)


@pytest.mark.slow
def test_a_log_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    generator = random.Random(7)
    durable_count = 0
    for turn in range(20):
        with _appender("open" if turn else "create", path) as process:
            # What it says first it found; after that it is killed in the middle of its work.
            durable_count = int(_read_output(process, 1 + generator.randrange(25))[-1])
            process.kill()
        log = _read(path)
        assert len(log.lines) >= durable_count
    assert durable_count > 100
    with _open(path) as writer:
        writer.append([_ask(1)])
    assert len(_read(path).lines) >= durable_count + 1


def test_a_full_disk_is_an_error_and_the_log_goes_on_once_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with _appender("create", path, largest_size=30_000) as process:
        output = (process.communicate()[0]).splitlines()
    assert output[-1].startswith("LogWriteError")
    assert str(path) in output[-1]
    assert "File too large" in output[-1]
    assert len(_read(path).lines) >= int(output[-2])
    assert _read(path).torn_byte_count > 0
    with _open(path) as writer:
        writer.append([_ask(1)])
    assert _read(path).torn_byte_count == 0


def test_after_a_failed_write_nothing_more_is_taken(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def write_half(descriptor: int, data: memoryview) -> int:
        if len(data) < 100:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[: len(data) // 2])

    with _open(begun) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_half)
            with pytest.raises(LogWriteError, match="No space left on device"):
                writer.append([_ask(3)])
        assert writer.sequence == 3
        with pytest.raises(LogWriteError, match="open the log again"):
            writer.append([_ask(3)])
    assert _read(begun).torn_byte_count > 0
    with _open(begun) as writer:
        writer.append([_ask(3)])
    assert len(_read(begun).lines) == 4


def test_a_failed_sync_is_a_failed_write(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with _open(begun) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            with pytest.raises(LogWriteError, match="Input/output error"):
                writer.append([_ask(3)])
        with pytest.raises(LogWriteError):
            writer.append([_ask(3)])


def test_a_head_that_cannot_be_written_is_said_and_the_log_is_free_again(begun: Path) -> None:
    writer = _open(begun)
    writer.append([_ask(3)])
    find_head_path(begun).unlink()
    find_head_path(begun).mkdir()
    with pytest.raises(LogWriteError):
        writer.close()
    find_head_path(begun).rmdir()
    with _open(begun) as writer:
        assert writer.sequence == 4


@pytest.mark.parametrize("meddle", ["append", "cut", "remove"])
def test_a_log_that_somebody_else_changes_takes_nothing_more(begun: Path, meddle: str) -> None:
    with _open(begun) as writer:
        if meddle == "append":
            begun.write_bytes(begun.read_bytes() + b"\n")
        elif meddle == "cut":
            begun.write_bytes(begun.read_bytes()[:-1])
        else:
            begun.unlink()
        for _ in range(2):
            with pytest.raises(LogWriteError):
                writer.append([_ask(3)])


def test_a_line_too_long_to_be_read_is_not_written(begun: Path) -> None:
    with _open(begun) as writer:
        with pytest.raises(LogWriteError, match=r"a reply event of \d+ bytes"):
            writer.append([Answered(part=1, seat=0, attempt=1, text="x" * MAXIMUM_LINE_BYTES)])
        writer.append([_ask(3)])
    assert len(_read(begun).lines) == 4


def test_a_closed_writer_takes_nothing_and_may_be_closed_again(begun: Path) -> None:
    with _open(begun) as writer:
        pass
    writer.close()
    with pytest.raises(LogError):
        writer.append([_ask(3)])
