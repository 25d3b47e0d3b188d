"""A real process at a terminal is interrupted in the midst of battles: it ends in about a second, whole."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.exit_codes import ExitCode
from tests.gridwars.playing import play_seats

if sys.platform == "win32":
    pytest.skip("needs a terminal as POSIX has it", allow_module_level=True)

from tests.gridwars.terminal import Person

SLOW_DOWN = "var n = 0\nwhile true:\n  n = 0\n  while n < 200:\n    n = n + 1"
GOLDEN = Path(__file__).parents[2] / "golden" / "gridwars"
SECONDS = 3
"""More than it takes on a machine with nothing else to do, and far less than what is under way."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has a warrior that survives and takes many instructions for it."""
    script = "\n".join(load_warriors()["sentry"].lines).replace("while true:", SLOW_DOWN)
    (tmp_path / "heavy.gwl").write_text(script, encoding="utf-8")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def log(here: Path) -> Path:
    """A long log of heavy warriors, played by the fast engine."""
    benchmark = get_benchmark("grid-wars")
    config = benchmark.configure({"rounds": 12, "ticks": 1200})
    play_seats(here / "log.jsonl", benchmark, config, ["heavy.gwl"] * 4)
    return here / "log.jsonl"


class Session:
    """`gridwars` at a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.person = Person(lines=40, columns=140)
        self._settings = self.person.settings
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gridwars", *arguments],
            stdin=self.person.follower,
            stdout=self.person.follower,
            stderr=self.person.follower,
            start_new_session=True,
        )

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def require_end(self) -> str:
        """Waits for the end that the last interrupt makes; what was shown from then on."""
        began = time.monotonic()
        code = self.process.wait(timeout=60)
        seconds = time.monotonic() - began
        assert self.person.settings == self._settings
        shown = self.person.read_to_end()
        assert code == ExitCode.INTERRUPTED, self.person.screen
        assert seconds < SECONDS
        assert "interrupted" in shown
        assert "Traceback" not in self.person.screen
        received = self.person.received
        assert received.rfind(b"\x1b[?25h") >= received.rfind(b"\x1b[?25l"), "the cursor stays hidden"
        return shown


@pytest.fixture
def sessions() -> Iterator[list[Session]]:
    begun: list[Session] = []
    yield begun
    for session in begun:
        session.process.kill()
        session.process.wait()
        session.person.close()


def test_a_tournament_ends(here: Path, sessions: list[Session]) -> None:
    options = ("--ticks", "1200", "--rounds", "12", "--seeds", "2000", "--engine", "fast")
    sessions.append(session := Session("tournament", "heavy.gwl", "painter", "bomber", *options))
    session.person.wait_for("Playing")
    time.sleep(1)
    session.interrupt()
    session.require_end()


def test_a_rebattle_ends(log: Path, sessions: list[Session]) -> None:
    sessions.append(session := Session("rebattle", str(log), "--seeds", "2000", "--engine", "reference"))
    session.person.wait_for("log.jsonl")
    time.sleep(1)
    session.interrupt()
    session.require_end()


def test_conformance_ends(here: Path, sessions: list[Session]) -> None:
    sessions.append(session := Session("conformance", str(GOLDEN), "--engine", "both"))
    session.person.wait_for("Running vectors")
    time.sleep(1)
    session.interrupt()
    session.require_end()


def test_an_audit_in_several_processes_ends_and_leaves_none(log: Path, sessions: list[Session]) -> None:
    for number in range(12):
        shutil.copy(log, log.with_name(f"{number}.jsonl"))
    options = ("--processes", "2")
    sessions.append(session := Session("audit", *options, *map(str, sorted(log.parent.glob("*.jsonl")))))
    session.person.wait_for("Auditing")
    time.sleep(2)
    session.interrupt()
    session.require_end()


@pytest.mark.parametrize("seat", ["heavy.gwl", "search:1000000"])
def test_play_ends_at_the_second_interrupt(here: Path, sessions: list[Session], seat: str) -> None:
    options = ("--ticks", "1200", "--engine", "reference", "--out", "new.jsonl")
    sessions.append(session := Session("play", *(f"--seat={seat}",) * 4, *options))
    log = here / "new.jsonl"
    while not log.exists() or not log.stat().st_size:
        time.sleep(0.02)
    time.sleep(1)
    session.interrupt()
    session.person.wait_for("stopping")
    assert session.process.poll() is None
    session.interrupt()
    assert "go on with: gridwars resume new.jsonl" in session.require_end()
    assert audit_log(log).status is AuditStatus.INTACT
