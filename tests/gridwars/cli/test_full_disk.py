"""A disk that is full leaves the files that were there as they were, and the message names the file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from tests.project.installation import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits a file's size as POSIX does")

SAMPLE = ROOT / "runs" / "sample" / "episode.jsonl"
OLD = "what was there before\n"
LIMIT_BYTES = 64
SLOWLY = ("--engine", "reference")
"""The other engine keeps its memory in a file, which the limit would hit first."""


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["gridwars", "replay", "export", str(SAMPLE), "--out"], "replay.json"),
        (["gridwars", "show", *SLOWLY, "--round", "1", str(SAMPLE), "--svg"], "battle.svg"),
        (
            [
                "gridwars",
                "tournament",
                *SLOWLY,
                "painter",
                "bomber",
                "--seeds",
                "1",
                "--ticks",
                "20",
                "--csv",
            ],
            "a.csv",
        ),
    ],
)
def test_an_export_that_fails_keeps_the_old_file(arguments: list[str], name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(OLD)
    done = run_limited([*arguments, str(file)])
    assert done.returncode == ExitCode.FILE
    assert done.stderr.endswith(f"gridwars: {file}: File too large\n")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: OLD}


def test_a_warrior_that_cannot_be_formatted_for_want_of_room_stays(tmp_path: Path) -> None:
    warrior = tmp_path / "mine.gwl"
    source = "while true:\n" + "      place()\n" * 20
    warrior.write_text(source)
    done = run_limited(["gwl", "fmt", str(warrior)])
    assert done.returncode == ExitCode.FILE
    assert done.stderr == f"Error: {warrior}: File too large\n"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"mine.gwl": source}


def test_an_export_that_works_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "replay.json", tmp_path / "link.json"
    file.write_text(OLD)
    file.chmod(0o640)
    link.symlink_to(file)
    subprocess.run(
        [sys.executable, "-m", "gridwars", "replay", "export", str(SAMPLE), "--out", str(link)],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )
    assert link.is_symlink()
    assert file.read_text() != OLD
    assert file.stat().st_mode & 0o777 == 0o640


def run_limited(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command that can write no file larger than `LIMIT_BYTES`.

    It keeps no bytecode: Python may take no notice of a write that is cut short, and whatever
    imports the module later would fail of a file of `LIMIT_BYTES`.
    """
    module, *arguments = command
    program = (
        "import resource, runpy, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT_BYTES}, {LIMIT_BYTES}))\n"
        f"sys.argv[0] = {module!r}\n"
        f"runpy.run_module({module!r}, run_name='__main__')\n"
    )
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
