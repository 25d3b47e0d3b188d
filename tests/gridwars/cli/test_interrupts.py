"""A real process is interrupted: once, it keeps what is under way; twice, it stops; its log is whole."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.cli.exit_codes import ExitCode
from gridwars.log.events import Answered, Asked
from gridwars.log.reader import read_log

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals as POSIX does")

AGENT = """
import json, pathlib, sys, time
request = json.load(sys.stdin)
here = pathlib.Path(sys.argv[1])
with (here / "asked").open("a") as file:
    file.write(f"{request['part']}.{request['seat']} ")
while request["part"] == 2 and not (here / f"go-{request['seat']}").exists():
    time.sleep(0.01)
print(json.dumps({"script": request["observation"]["script"]}))
"""
"""Answers at once, but in the second round only when it is told to."""

Begin = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Starts `gridwars` with two such agents, in a process group of its own."""
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        seat = f"command:{shlex.join([sys.executable, 'agent.py', str(tmp_path)])}"
        options = ["--seat", seat, "--seat", seat, "--rounds", "3", "--ticks", "40"]
        given = options if arguments[0] == "play" else []
        process = subprocess.Popen(
            [sys.executable, "-m", "gridwars", arguments[0], *given, *arguments[1:]],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for_second_round(folder: Path) -> None:
    asked = folder / "asked"
    wait_for(lambda: asked.exists() and {"2.0", "2.1"} <= set(asked.read_text().split()))


def read_line(process: subprocess.Popen[str], text: str) -> None:
    """Reads stderr up to a line that holds the text."""
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    raise AssertionError(f"never said: {text}")


def finish(begin: Begin, folder: Path, path: str) -> dict[str, object]:
    """Resumes to the end; the agents answer all at once now."""
    for seat in (0, 1):
        (folder / f"go-{seat}").touch()
    process = begin("resume", path, "--json")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.OK, errors
    document: dict[str, object] = json.loads(output)
    return document


@pytest.fixture
def whole(begin: Begin, tmp_path: Path) -> object:
    """The results of the same episode without an interrupt."""
    for seat in (0, 1):
        (tmp_path / f"go-{seat}").touch()
    process = begin("play", "--out", "whole.jsonl", "--json")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.OK, errors
    for name in ("go-0", "go-1", "asked"):
        (tmp_path / name).unlink()
    return json.loads(output)["results"]


def test_interrupted_once_it_plays_what_is_under_way_and_says_how_to_go_on(
    begin: Begin, tmp_path: Path, whole: object
) -> None:
    process = begin("play", "--out", "log.jsonl")
    wait_for_second_round(tmp_path)
    os.kill(process.pid, signal.SIGINT)
    read_line(process, "stopping")
    for seat in (0, 1):
        (tmp_path / f"go-{seat}").touch()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "go on with: gridwars resume log.jsonl" in errors
    log = read_log(tmp_path / "log.jsonl")
    assert sum(isinstance(event, Answered) for event in log.events) == 4
    assert sum(type(event).__name__ == "Battle" for event in log.events) == 2
    assert audit_log(tmp_path / "log.jsonl").status is AuditStatus.INTACT
    assert finish(begin, tmp_path, "log.jsonl")["results"] == whole
    assert sorted((tmp_path / "asked").read_text().split()) == ["1.0", "1.1", "2.0", "2.1", "3.0", "3.1"]


def test_interrupted_twice_it_stops_at_once_and_keeps_what_came(
    begin: Begin, tmp_path: Path, whole: object
) -> None:
    process = begin("play", "--out", "log.jsonl")
    wait_for_second_round(tmp_path)
    (tmp_path / "go-0").touch()
    log_path = tmp_path / "log.jsonl"
    wait_for(lambda: sum(isinstance(event, Answered) for event in read_log(log_path).events) == 3)
    os.kill(process.pid, signal.SIGINT)
    read_line(process, "stopping")
    started = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - started < 10
    assert process.returncode == ExitCode.INTERRUPTED
    assert "go on with: gridwars resume log.jsonl" in errors
    assert "Traceback" not in errors
    assert audit_log(log_path).status is AuditStatus.INTACT
    assert finish(begin, tmp_path, "log.jsonl")["results"] == whole
    assert (tmp_path / "asked").read_text().split().count("2.0") == 1
    asked = [event for event in read_log(log_path).events if isinstance(event, Asked) and event.part == 2]
    assert [event.seat for event in asked] == [0, 1, 1]


def test_a_termination_is_an_interrupt_too_and_a_run_is_gone_on_with(begin: Begin, tmp_path: Path) -> None:
    process = begin("play", "--episodes", "3", "--parallel", "1", "--out", "run")
    wait_for_second_round(tmp_path)
    os.kill(process.pid, signal.SIGTERM)
    read_line(process, "stopping")
    for seat in (0, 1):
        (tmp_path / f"go-{seat}").touch()
    output, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert "go on with: gridwars resume run" in errors
    assert output.count("stopped") >= 3
    resumed = finish(begin, tmp_path, "run")
    episodes = resumed["episodes"]
    assert isinstance(episodes, list)
    assert [episode["status"] for episode in episodes] == ["finished"] * 3
    assert (tmp_path / "asked").read_text().split().count("1.0") == 3
