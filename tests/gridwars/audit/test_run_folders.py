"""The folder of a run is more than its logs: which are there, and whose, is audited too."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

Change = Callable[[Path], None]
FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs" / "v1"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    arguments = ["play", "--rounds", "1", "--ticks", "20", "--episodes", "5", "--seed", "40", "--quiet"]
    assert run([*arguments, "--out", str(folder)]) is ExitCode.OK
    other = folder.with_name("other")
    assert run([*arguments, "--out", str(other), "--seat", "hunter"]) is ExitCode.OK
    return folder


def _audit(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[ExitCode, dict[str, object]]:
    capsys.readouterr()
    code = run(["audit", "--processes", "1", "--json", str(path)])
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    return code, found


def _name(number: int, suffix: str = "") -> str:
    return f"episode-{number:04}{suffix}.jsonl"


def _move(folder: Path, old: str, new: str) -> None:
    for ending in ("", ".head"):
        (folder / f"{old}{ending}").replace(folder / f"{new}{ending}")


def _copy(source: Path, target: Path) -> None:
    for ending in ("", ".head"):
        shutil.copy(f"{source}{ending}", f"{target}{ending}")


def _remove_settings(folder: Path) -> None:
    (folder / "run.toml").unlink()


def _lower_count(folder: Path) -> None:
    text = (folder / "run.toml").read_text().replace("episodes = 5", "episodes = 4")
    (folder / "run.toml").write_text(text)
    (folder / _name(5)).unlink()


def _delete_and_copy(folder: Path) -> None:
    (folder / _name(2)).unlink()
    _copy(folder / _name(4), folder / _name(3))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / _name(2)).unlink(), "episode 2 is missing, though later ones are there"),
        (_delete_and_copy, "episode-0004.jsonl is a copy of episode-0003.jsonl; episode 2 is missing"),
        (lambda folder: _copy(folder.with_name("other") / _name(3), folder / _name(3)), "of another run"),
        (lambda folder: _move(folder, _name(5), _name(6)), "episode 5 is missing"),
        (
            lambda folder: _move(folder, _name(3), _name(3, "-rerun-1")),
            "the first log of episode 3 is missing",
        ),
        (
            lambda folder: _copy(folder / _name(1), folder / _name(1, "-rerun-1")),
            "episode 1 was played again",
        ),
        (lambda folder: _copy(folder / _name(1), folder / "best.jsonl"), "best.jsonl is by its name none"),
        (_lower_count, "is of a run of 5 episodes, not 4"),
    ],
)
def test_what_was_left_out_or_put_in_is_named(
    played: Path, tmp_path: Path, change: Change, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(played.parent, tmp_path / "runs")
    folder = tmp_path / "runs" / "run"
    change(folder)
    code, found = _audit(folder, capsys)
    assert code is ExitCode.RESULT_DIFFERS
    assert message in str(found["message"])
    _remove_settings(folder)
    code, found = _audit(folder, capsys)
    assert message in str(found["message"]) or change is _lower_count
    assert found["notes"] != []


def test_a_whole_run_is_intact(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = _audit(played, capsys)
    assert (code, found["message"], found["notes"], found["ended"]) == (ExitCode.OK, "", [], True)
    assert run(["audit", str(played)]) is ExitCode.OK
    assert capsys.readouterr().out.splitlines()[-1] == f"run {played}: intact"


def test_a_run_that_was_cut_short_says_what_is_missing(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(played, tmp_path / "run")
    for number in (4, 5):
        (folder / _name(number)).unlink()
    log = folder / _name(3)
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    log.with_name(f"{log.name}.head").unlink()
    code, found = _audit(folder, capsys)
    assert code is ExitCode.OK
    assert found["ended"] is False
    assert found["notes"] == [
        "unfinished: episodes 4 to 5 are not begun, or removed",
        "unfinished: episode 3 is not at the end",
    ]


def test_a_void_episode_that_was_played_again_is_intact(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = _audit(FIXTURES / "run", capsys)
    assert (code, found["message"], found["notes"]) == (ExitCode.OK, "", [])
