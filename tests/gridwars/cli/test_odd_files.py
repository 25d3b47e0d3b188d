"""Files that are no files, and names that turn the direction of writing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from tests.gridwars.terminal import Person
from tests.project.installation import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and terminals of POSIX")

SAMPLE = ROOT / "runs" / "sample" / "episode.jsonl"
TURN = "\u202e"
SHORT = ("--rounds", "1", "--ticks", "20")
WARRIOR = "while true:\n  place()\n  move(1, 0)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "gridwars play --rounds 1 --seat ./pipe",
        "gridwars play --rounds 1 --seat recorded:pipe#a",
        "gridwars play --config pipe",
        "gridwars play --prices pipe",
        "gridwars prompt --preview ./pipe",
        "gridwars replay import pipe",
        "gridwars tournament ./pipe painter",
        "gridwars rebattle pipe",
        "gridwars conformance setup.jsonl",
        "gridwars show pipe",
        "gridwars audit pipe",
        "gwl check pipe",
        "gwl fmt pipe",
    ],
)
def test_nobody_waits_for_a_pipe_that_nobody_writes_to(arguments: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "setup.jsonl")
    done = subprocess.run(
        [sys.executable, "-m", *arguments.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (ExitCode.USAGE, ExitCode.FILE)
    said = done.stdout + done.stderr
    assert "not a regular file" in said or "no vector file" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["gwl", "check", f"my{TURN}lwg.gwl"],
        ["gwl", "check", f"missing{TURN}lwg.gwl"],
        ["gwl", "dis", f"missing{TURN}lwg.gwl"],
        ["gridwars", "play", *SHORT, "--watch", "--seat", f"./my{TURN}lwg.gwl"],
        [
            "gridwars",
            "play",
            "--rounds",
            "1",
            "--ticks",
            "20",
            "--episodes",
            "2",
            "--seat",
            f"./my{TURN}.gwl",
        ],
        ["gridwars", "play", "--config", f"missing{TURN}lmot.toml"],
        ["gridwars", "play", "--set", f"no{TURN}name=1"],
        ["gridwars", "warriors", f"no{TURN}name"],
        ["gridwars", "show", f"missing{TURN}.jsonl"],
        ["gridwars", "replay", "export", str(SAMPLE), "--out", f"out{TURN}nosj.json"],
    ],
)
def test_no_terminal_is_made_to_write_backwards(arguments: list[str], tmp_path: Path) -> None:
    for name in (f"my{TURN}lwg.gwl", f"my{TURN}.gwl"):
        (tmp_path / name).write_text(WARRIOR, encoding="utf-8")
    shown = run_in_terminal([sys.executable, "-m", *arguments], tmp_path)
    assert TURN not in shown
    assert "\\u202e" in shown


def run_in_terminal(command: list[str], folder: Path) -> str:
    """What a terminal shows, all of it."""
    person = Person(columns=200)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=person.follower,
        stdout=person.follower,
        stderr=person.follower,
    )
    shown = person.read_to_end()
    process.wait(timeout=60)
    person.leave()
    return shown
