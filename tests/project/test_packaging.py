"""The wheel works away from the checkout: commands, warriors, grammar and prompts included."""

from __future__ import annotations

import json
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from gridwars.prompting import prompts_path
from tests.project.installation import BASE_PYTHON, ROOT, run_process


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run_process([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a venv with the wheel in it; its dependencies are this run's own, so no network."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    run_process(
        [BASE_PYTHON, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel],
        cwd=folder,
    )
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def test_wheel_holds_all_data_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = run_process(["git", "ls-files", "gwl", "gridwars", "prompts"], cwd=ROOT).stdout.split()
    assert tracked
    expected = {
        name.replace("prompts/", "gridwars/_prompts/", 1) if name.startswith("prompts/") else name
        for name in tracked
    }
    assert expected <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_installed_package_is_the_one_in_the_venv(installed: Path, tmp_path: Path) -> None:
    program = "import gridwars, gwl; print(gridwars.__file__, gwl.__file__)"
    files = run_process([installed / "python", "-c", program], cwd=tmp_path).stdout.split()
    assert len(files) == 2
    assert all(Path(file).is_relative_to(installed.parent) for file in files)


def test_installed_prompts_are_those_of_the_checkout(installed: Path, tmp_path: Path) -> None:
    program = "from gridwars.prompting import prompts_path; print(prompts_path())"
    folder = Path(run_process([installed / "python", "-c", program], cwd=tmp_path).stdout.strip())
    assert folder.is_relative_to(installed.parent)
    assert _read_all(folder) == _read_all(prompts_path()) != {}


def test_installed_command_renders_every_prompt(installed: Path, tmp_path: Path) -> None:
    gridwars = installed / "gridwars"
    strategies = json.loads(run_process([gridwars, "prompt", "--list", "--json"], cwd=tmp_path).stdout)
    assert len(strategies) >= 6
    shown = run_process([gridwars, "prompt", "--preview", "plan", "--attempt", "2"], cwd=tmp_path).stdout
    assert "--- assistant: " in shown


def test_installed_help_lists_the_verbs(installed: Path, tmp_path: Path) -> None:
    assert "play" in run_process([installed / "gridwars", "--help"], cwd=tmp_path).stdout


def test_installed_game_is_played_and_audited_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    gridwars = installed / "gridwars"
    played = run_process([gridwars, "play", "--rounds", "1", "--ticks", "50", "--json"], cwd=tmp_path)
    run_process([gridwars, "audit", json.loads(played.stdout)["log"]], cwd=tmp_path)


def test_installed_gwl_checks_a_script(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "warrior.gwl").write_text("while true:\n  place()\n", encoding="utf-8")
    run_process([installed / "gwl", "check", "warrior.gwl"], cwd=tmp_path)


def _read_all(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
