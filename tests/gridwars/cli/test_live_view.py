"""What a terminal shows of a run while it is played, and that a person's editor has it for itself."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Decision, Event
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import TurnPlayed
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.reader import read_log

if sys.platform == "win32":
    pytest.skip("needs a terminal as POSIX has it", allow_module_level=True)

from tests.gridwars.terminal import Person

AGENT = """
import json, sys, time
request = json.load(sys.stdin)
time.sleep(0.6)
print(json.dumps({"script": request["observation"]["script"]}))
"""
EDITOR = """
import sys, time
print("EDIT-BEGINS", file=sys.stderr, flush=True)
time.sleep(1)
print("EDIT-ENDS", file=sys.stderr, flush=True)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "editor.py").write_text(EDITOR, encoding="utf-8")
    monkeypatch.setenv("VISUAL", f"{sys.executable} editor.py")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("LINES", "40")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def begin_play(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], Person]]:
    """The process, and who sits before its terminal."""
    person = Person(lines=40, columns=140)
    process = subprocess.Popen(
        [sys.executable, "-m", "gridwars", "play", *arguments],
        stdin=person.follower,
        stdout=person.follower,
        stderr=person.follower,
        start_new_session=True,
    )
    try:
        yield process, person
    finally:
        process.kill()
        process.wait()
        person.close()


def play_on_terminal(*arguments: str) -> tuple[int, str]:
    """Exit code and all that a terminal was sent, without what only moves the cursor or colours."""
    with begin_play("--rounds", "1", "--ticks", "40", *arguments) as (process, person):
        screen = person.read_to_end()
        return process.wait(timeout=60), screen


def make_seat() -> str:
    return f"command:{shlex.join([sys.executable, 'agent.py'])}"


def test_a_terminal_shows_each_seat_and_the_run_and_then_the_results(here: Path) -> None:
    code, screen = play_on_terminal("--seat", make_seat(), "--out", "run", "--episodes", "2")
    assert code == ExitCode.OK, screen
    assert "episode" in screen
    assert "1 of 1" in screen
    assert "asked" in screen
    assert "0 of 2 episodes done" in screen
    assert "2 episodes" in screen
    assert "Traceback" not in screen


def test_nothing_is_drawn_while_a_person_has_the_terminal(here: Path) -> None:
    code, screen = play_on_terminal("--seat", "human", "--seat", make_seat(), "--out", "log.jsonl")
    assert code == ExitCode.OK, screen
    _, edited = screen.split("EDIT-BEGINS")
    during, after = edited.split("EDIT-ENDS")
    assert during.strip() == ""
    assert "wins" in after
    assert "Traceback" not in screen


def test_a_quiet_run_draws_nothing_before_its_results(here: Path) -> None:
    _, screen = play_on_terminal("--seat", make_seat(), "--quiet", "--out", "log.jsonl")
    assert screen.startswith("series: ")
    assert "wins" in screen


def test_an_interrupt_ends_the_drawing_too(here: Path) -> None:
    options = ("--rounds", "2", "--ticks", "200", "--watch", "--speed", "4")
    with begin_play(*options) as (process, person):
        person.wait_for("tick 2")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == ExitCode.INTERRUPTED
        assert "go on with: gridwars resume" in person.read_to_end()


def test_each_turn_of_a_game_is_played_once_for_its_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once by the episode and once to draw it."""
    played: list[int] = []
    play = SnakeRoyaleEpisode.advance

    def count(episode: SnakeRoyaleEpisode, decisions: Sequence[Decision]) -> Iterator[Sequence[Event]]:
        played.append(episode.state.turn + 1)
        return play(episode, decisions)

    monkeypatch.setattr(SnakeRoyaleEpisode, "advance", count)
    log = tmp_path / "log.jsonl"
    assert run(["play", "snake-royale", "--watch", "--speed", "60", "--out", str(log)]) == ExitCode.OK
    turns = [event.turn for event in read_log(log).events if isinstance(event, TurnPlayed)]
    assert len(turns) > 20
    assert sorted(played) == sorted(2 * turns)
    assert f"turn {turns[-1]}" in capsys.readouterr().out
