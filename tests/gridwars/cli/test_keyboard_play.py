"""A real process is played with single keys: its screen, its log, its exit code, and the terminal after."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.presentation import Picture, Span
from gridwars.cli.drawing import PictureShow
from gridwars.cli.exit_codes import ExitCode
from gridwars.log.events import Answered
from gridwars.log.reader import read_log

if sys.platform == "win32":
    pytest.skip("needs a terminal as POSIX has it", allow_module_level=True)

from tests.gridwars.terminal import Person

AGENT = """
import json, sys
seen = json.load(sys.stdin)["observation"]
print(json.dumps({"dir": seen["you"]["last_dir"], "say": "good day", "notes": "hush-hush"}))
"""
PROMPT = "? help"
Begin = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def person() -> Iterator[Person]:
    person = Person()
    yield person
    person.close()


@pytest.fixture
def begin(person: Person, tmp_path: Path) -> Iterator[Begin]:
    """Starts `gridwars` in the person's terminal."""
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    processes: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, **streams: int) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "gridwars", *arguments],
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm"},
            start_new_session=True,
            stdin=streams.get("stdin", person.follower),
            stdout=streams.get("stdout", person.follower),
            stderr=streams.get("stderr", person.follower),
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


def play(begin: Begin, *options: str, seat: str = "human", **streams: int) -> subprocess.Popen[bytes]:
    game = ("snake-royale", "--max-turns", "5", "--seat", seat)
    return begin("play", *game, "--out", "log.jsonl", *options, **streams)


def take_turns(person: Person, turns: range) -> None:
    for turn in turns:
        person.wait_for(f"turn {turn} of 5: you are A")
        person.wait_for(PROMPT)
        person.type("\r")


def list_answers(path: Path) -> list[str | None]:
    return [event.text for event in read_log(path).events if isinstance(event, Answered)]


def test_a_game_is_played_and_what_was_pressed_is_in_its_log(
    begin: Begin, person: Person, tmp_path: Path
) -> None:
    before = person.settings
    process = play(begin)
    take_turns(person, range(1, 6))
    assert process.wait(timeout=60) == ExitCode.OK
    assert person.settings == before
    assert "human (COG-alpha)" in person.read_to_end()
    assert person.highest_line == 0
    log = read_log(tmp_path / "log.jsonl")
    assert log.start is not None
    assert log.start.seats[0].kind == "human"
    assert list_answers(tmp_path / "log.jsonl") == ['{"dir": "left"}'] * 5
    assert audit_log(tmp_path / "log.jsonl").status is AuditStatus.INTACT


@pytest.mark.parametrize("how", ["q", "\x03", signal.SIGTERM, signal.SIGHUP])
def test_play_that_a_person_stops_gives_the_terminal_back_and_is_gone_on_with(
    how: str | signal.Signals, begin: Begin, person: Person, tmp_path: Path
) -> None:
    before = person.settings
    process = play(begin)
    take_turns(person, range(1, 3))
    person.wait_for("turn 3 of 5")
    person.wait_for(PROMPT)
    assert person.settings != before
    if isinstance(how, str):
        person.type(how)
    else:
        os.kill(process.pid, how)
    assert process.wait(timeout=20) == ExitCode.INTERRUPTED
    assert person.settings == before
    person.wait_for("go on with: gridwars resume log.jsonl")
    resumed = begin("resume", "log.jsonl")
    take_turns(person, range(3, 6))
    assert resumed.wait(timeout=60) == ExitCode.OK
    assert "Traceback" not in person.screen
    assert list_answers(tmp_path / "log.jsonl") == ['{"dir": "left"}'] * 5
    assert audit_log(tmp_path / "log.jsonl").status is AuditStatus.INTACT


def test_a_closed_terminal_leaves_a_log_that_can_be_gone_on_with(
    begin: Begin, person: Person, tmp_path: Path
) -> None:
    process = play(begin)
    take_turns(person, range(1, 3))
    person.wait_for(PROMPT)
    person.close()
    assert process.wait(timeout=20) in (ExitCode.INTERRUPTED, ExitCode.FILE)
    assert len(list_answers(tmp_path / "log.jsonl")) == 2
    assert audit_log(tmp_path / "log.jsonl").status is AuditStatus.INTACT


def test_without_a_key_in_time_the_fallback_is_played(begin: Begin, person: Person, tmp_path: Path) -> None:
    process = play(begin, "--batch-seconds", "1")
    person.wait_for("turn 1 of 5")
    person.wait_for("turn 2 of 5")
    person.type("q")
    assert process.wait(timeout=60) == ExitCode.INTERRUPTED
    first = next(event for event in read_log(tmp_path / "log.jsonl").events if isinstance(event, Answered))
    assert first.text is None
    assert "deadline" in first.failure


def test_without_a_terminal_it_says_what_to_do(begin: Begin, tmp_path: Path) -> None:
    process = play(begin, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.USAGE
    assert b"no terminal on stdin and stderr; start it in a terminal" in errors
    assert not (tmp_path / "log.jsonl").exists()


def test_what_is_printed_can_go_elsewhere(begin: Begin, person: Person) -> None:
    process = play(begin, "--json", stdout=subprocess.PIPE)
    take_turns(person, range(1, 6))
    output, _ = process.communicate(timeout=60)
    assert json.loads(output)["results"]["turns"] == 5


def test_a_second_person_is_not_asked_once_the_first_has_stopped(begin: Begin, person: Person) -> None:
    process = play(begin, "--seat", "human:Bob", seat="human:Ann")
    person.wait_for(f"Ann   {PROMPT}")
    person.type("q")
    assert process.wait(timeout=20) == ExitCode.INTERRUPTED
    assert "you are B" not in person.read_to_end()


@pytest.mark.parametrize("options", [[], ["--quiet"], ["--watch", "--speed", "1000"]])
def test_a_person_hears_others_but_never_sees_their_notes(
    options: list[str], begin: Begin, person: Person
) -> None:
    agent = f"command:{shlex.join([sys.executable, 'agent.py'])}"
    process = play(begin, "--seat", agent, *options)
    take_turns(person, range(1, 5))  # the agent's way leads to a death in the fourth turn
    assert process.wait(timeout=60) == ExitCode.OK
    person.read_to_end()
    assert person.highest_line == 0
    assert 'COG-beta   length  3, health 29, ate 0  "good day"' in person.screen
    assert "hush-hush" not in person.screen
    assert "Traceback" not in person.screen
    assert ("match 1, turn 3" in person.screen) == ("--watch" in options)


def test_what_is_watched_goes_on_below_the_keys(begin: Begin, person: Person) -> None:
    process = play(begin, "--watch", "--speed", "1000")
    take_turns(person, range(1, 6))
    assert process.wait(timeout=60) == ExitCode.OK
    person.read_to_end()
    _, prompt, behind = person.received.partition(b"turn 3 of 5: you are")
    assert prompt
    assert person.highest_line == 0
    assert b"\x1b[1A" not in behind[: behind.index(b"match 1, turn 3")]


def test_pictures_go_on_below_what_had_the_terminal_in_between() -> None:
    console = Console(file=StringIO(), force_terminal=True, width=80)
    show = PictureShow(console, pictures_per_second=1000)
    for moment in (1, 2):
        show.play([Picture(f"turn {moment}", moment, ((Span("a board"),),), ())])
        show.pause()
        console.file.write("a prompt\n")
    show.close()
    assert isinstance(console.file, StringIO)
    _, after, _ = console.file.getvalue().split("a prompt\n")
    assert "\x1b[1A" not in after[: after.index("turn 2")]
