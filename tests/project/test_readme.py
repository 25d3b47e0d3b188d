"""What the README tells a newcomer to type works as it stands there, in a fresh clone."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import fmean

import pytest

import gridwars
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.rules import compute_round_seed
from gridwars.cli.exit_codes import MEANINGS, ExitCode
from gridwars.cli.main import VERBS, run
from gwl import check_source, format_source, split_source
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
    assert 'type_in_a_clean_shell "${commands[0]}"' in script
    assert 'type_in_a_clean_shell "${commands[1]}"' in script
    assert "env -i" in script
    mode = run_process(["git", "ls-files", "-s", ".ci/run"], cwd=ROOT).stdout
    assert mode.startswith("100755")


@pytest.mark.slow
def test_both_commands_work_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = _clone(tmp_path)
    played = _type(COMMANDS[0], clone, BASE_PYTHON)
    assert "wins" in played
    tested = _type(COMMANDS[1], clone, BASE_PYTHON, PYTEST_ADDOPTS=INNER_TESTS)
    assert re.search(r"\d+ passed", tested)


@pytest.mark.slow
@pytest.mark.skipif(
    not list(Path("/usr/lib").glob("python3*/EXTERNALLY-MANAGED")),
    reason="no interpreter that forbids installs",
)
def test_play_command_works_where_global_installs_are_forbidden(tmp_path: Path) -> None:
    assert "wins" in _type(COMMANDS[0], _clone(tmp_path), SYSTEM_PYTHON)


def test_warrior_of_the_readme_survives_every_round_as_it_is_played_there() -> None:
    (script,) = re.findall(r"^```gwl\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    assert check_source(split_source(script)) == ()
    assert format_source(split_source(script)) == split_source(script)
    rivals = GridWars.default_seats[1:]
    seeds = [compute_round_seed(episode, number) for episode in range(20) for number in range(1, 6)]
    played = gridwars.battles([[script, *rivals]], seeds=seeds)
    assert len(played) == 100
    assert [battle.stats[0].death_cause for battle in played if not battle.stats[0].alive] == []
    assert all(battle.stats[0].illegal == battle.stats[0].stalls == 0 for battle in played)
    assert fmean(battle.scores[0] for battle in played) > 20


def test_readme_shows_every_verb_and_every_exit_code() -> None:
    assert VERBS
    assert all(f"`gridwars {verb}" in README for verb in VERBS)
    table = re.findall(r"^\| (\d+) \| (.*) \|$", README, flags=re.MULTILINE)
    assert table == [(str(code.value), meaning) for code, meaning in MEANINGS.items()]


def test_files_that_the_readmes_point_at_exist() -> None:
    for readme in (ROOT / "README.md", ROOT / "gridwars" / "README.md", ROOT / "runs" / "README.md"):
        targets = re.findall(r"\]\(([^)]+)\)", readme.read_text(encoding="utf-8"))
        assert all((readme.parent / target).exists() for target in targets), readme


def test_map_names_only_rooms_that_exist() -> None:
    text = (ROOT / "gridwars" / "README.md").read_text(encoding="utf-8")
    rooms = re.findall(r"`((?:\.\./|[a-z])[\w/.]*(?:/|\.py))`", text.partition("## Layers")[0])
    assert len(rooms) > 10
    package = ROOT / "gridwars"
    folders = [package, *(path for path in package.rglob("*") if path.is_dir())]
    missing = [room for room in rooms if not any((folder / room).exists() for folder in folders)]
    assert missing == []


def test_sample_is_intact_and_the_picture_is_of_it(tmp_path: Path) -> None:
    text = (ROOT / "runs" / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^gridwars (show .*) --svg runs/sample/battle.svg$", text, flags=re.MULTILINE)
    sample = ROOT / "runs" / "sample"
    assert run(["audit", str(sample)]) is ExitCode.OK
    arguments = command.replace("runs/sample/", f"{sample}/").split()
    assert run([*arguments, "--svg", str(tmp_path / "battle.svg")]) is ExitCode.OK
    assert (tmp_path / "battle.svg").read_bytes() == (sample / "battle.svg").read_bytes()


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
