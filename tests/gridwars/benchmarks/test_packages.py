"""Games that installed packages bring: played by their name, and refused in words where they can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from tests.gridwars.pebbles import announce, build_wheel, run_python


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_a_packages_game_is_listed_played_audited_and_compared_by_its_name(
    wheel: Path, tmp_path: Path
) -> None:
    log = str(tmp_path / "p.jsonl")
    played = run_python("-m", "gridwars", "play", "pebbles", "--seed", "3", "--out", log, packages=(wheel,))
    assert (played.returncode, played.stderr) == (ExitCode.OK, "")
    assert "Flint is first: the heap is empty." in played.stdout
    assert json.loads(Path(log).read_text().splitlines()[0])["package"] == "pebbles 1.2"
    assert run_python("-m", "gridwars", "audit", log, packages=(wheel,)).returncode == ExitCode.OK
    assert "pebbles 1.2" in run_python("-m", "gridwars", "play", "--help", packages=(wheel,)).stdout
    compared = run_python(
        *("-m", "gridwars", "tournament", "pebbles", "wise", "shy", "--seeds", "2"), packages=(wheel,)
    )
    assert compared.returncode == ExitCode.OK, compared.stderr
    assert compared.stdout.startswith("Pebbles: 14 bouts, all that there are: 7 starts")


def test_a_log_says_which_package_is_missing(wheel: Path, tmp_path: Path) -> None:
    log = str(tmp_path / "p.jsonl")
    run_python("-m", "gridwars", "play", "pebbles", "--out", log, packages=(wheel,))
    for verb, code in (
        ("show", ExitCode.FILE),
        ("resume", ExitCode.FILE),
        ("audit", ExitCode.VERSION_DIFFERS),
    ):
        without = run_python("-m", "gridwars", verb, log)
        assert without.returncode == code, verb
        assert "the package 'pebbles 1.2', which is not installed" in without.stderr + without.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry_point", "words"),
    [
        ("stones = no_such_module:Stones", "cannot be loaded: ModuleNotFoundError"),
        ("stones = json:NoSuchClass", "cannot be loaded: AttributeError"),
        ("stones = sys:exit", "cannot be loaded: SystemExit"),
        ("stones = fractions:Fraction", "is no benchmark, it lacks name, title"),
        ("stones = pebbles:Pebbles", "calls itself 'pebbles'"),
    ],
)
def test_a_broken_package_is_named_with_its_entry_point_and_spoils_no_other_game(
    entry_point: str, words: str, wheel: Path, tmp_path: Path
) -> None:
    packages = (announce(tmp_path, "rubble", entry_point), wheel)
    broken = run_python("-m", "gridwars", "play", "stones", packages=packages)
    assert broken.returncode == ExitCode.USAGE
    assert f'entry point "{entry_point}" of the package rubble 1.0: ' in broken.stderr
    assert words in broken.stderr
    assert "Traceback" not in broken.stderr
    listed = run_python("-m", "gridwars", "play", "--help", packages=packages)
    assert "stones" in listed.stdout
    arguments = ("-m", "gridwars", "play", "pebbles", "--json", "--out", str(tmp_path / "p.jsonl"))
    assert run_python(*arguments, packages=packages).returncode == ExitCode.OK


@pytest.mark.parametrize(
    ("name", "claimant"),
    [
        ("grid-wars", "gridwars itself"),
        ("snake-board", "gridwars itself"),
        ("pebbles", "of the package pebbles 1.2"),
    ],
)
def test_a_name_that_is_taken_twice_is_refused(name: str, claimant: str, wheel: Path, tmp_path: Path) -> None:
    packages = (announce(tmp_path, "rubble", f"{name} = pebbles:Pebbles"), wheel)
    code = f"from gridwars.benchmarks.registry import get_vector_runners; get_vector_runners({name!r})"
    refused = run_python("-c", code, packages=packages)
    assert "is brought by" in refused.stderr
    assert claimant in refused.stderr
    assert "of the package rubble 1.0" in refused.stderr
    assert "uninstall all but one" in refused.stderr


def test_nothing_is_imported_for_a_game_that_is_not_played(wheel: Path) -> None:
    code = (
        "import sys; from gridwars.benchmarks.registry import BENCHMARKS, get_benchmark;"
        "get_benchmark('grid-wars'); print(list(BENCHMARKS), 'pebbles' in sys.modules)"
    )
    assert (
        run_python("-c", code, packages=(wheel,)).stdout == "['grid-wars', 'snake-royale', 'pebbles'] False\n"
    )
