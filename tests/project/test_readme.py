"""What the README tells a newcomer to type works as it stands there, in a fresh clone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.installation import BASE_PYTHON, ROOT, run_process

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
SYSTEM_PYTHON = Path("/usr/bin/python3")
INNER_TESTS = "tests/gridwars/cli/test_main.py"
"""All that the clone runs of its own tests: enough to see the command work, and not this file again."""


def test_readme_has_one_command_to_play_and_one_to_test() -> None:
    assert len(COMMANDS) == 2
    assert COMMANDS[0].endswith("gridwars play")
    assert "pytest" in COMMANDS[1]


def test_ci_takes_its_commands_from_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "grep '^python3 -m venv ' README.md" in script
    assert 'bash -euo pipefail -c "${commands[1]}"' in script
    mode = run_process(["git", "ls-files", "-s", ".ci/run"], cwd=ROOT).stdout
    assert mode.startswith("100755")


def test_both_commands_work_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = _clone(tmp_path)
    played = _type(COMMANDS[0], clone, BASE_PYTHON)
    assert "wins" in played
    tested = _type(COMMANDS[1], clone, BASE_PYTHON, PYTEST_ADDOPTS=INNER_TESTS)
    assert re.search(r"\d+ passed", tested)


@pytest.mark.skipif(
    not list(Path("/usr/lib").glob("python3*/EXTERNALLY-MANAGED")),
    reason="no interpreter that forbids installs",
)
def test_play_command_works_where_global_installs_are_forbidden(tmp_path: Path) -> None:
    assert "wins" in _type(COMMANDS[0], _clone(tmp_path), SYSTEM_PYTHON)


def _clone(folder: Path) -> Path:
    run_process(["git", "clone", "-q", ROOT, folder / "clone"], cwd=folder)
    return folder / "clone"


def _type(command: str, cwd: Path, python: Path, **environment: str) -> str:
    """Runs a line in a shell whose `python3` is the given interpreter."""
    programs = cwd.parent / "bin"
    programs.mkdir(exist_ok=True)
    wrapper = programs / "python3"
    wrapper.write_text(f'#!/bin/sh\nexec "{python}" "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    environment["PATH"] = f"{programs}:/usr/local/bin:/usr/bin:/bin"
    return run_process(["bash", "-c", command], cwd=cwd, environment=environment).stdout
