"""One short played episode, for every verb that reads a log."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.engines import ENGINE_VARIABLE, EngineChoice
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

ROUND_COUNT = 2
TICK_COUNT = 60


@pytest.fixture(autouse=True)
def _engine_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--engine` sets the process's environment; undoes it."""
    monkeypatch.setenv(ENGINE_VARIABLE, EngineChoice.AUTO)


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = tmp_path_factory.mktemp("played") / "episode.jsonl"
    arguments = [
        "play",
        "--rounds",
        str(ROUND_COUNT),
        "--ticks",
        str(TICK_COUNT),
        "--seed",
        "7",
        "--out",
        str(log),
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(arguments) is ExitCode.OK
    return log


@pytest.fixture
def log(_played: Path, tmp_path: Path) -> Path:
    """A finished log of two rounds with its head file, the test's own to change."""
    for file in (_played, _played.with_name(_played.name + ".head")):
        shutil.copy(file, tmp_path)
    return tmp_path / _played.name


@pytest.fixture
def run_json(capsys: pytest.CaptureFixture[str]) -> Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]:
    """Runs a command line that prints one JSON document; gives its exit code and the document."""

    def run_and_parse(arguments: Sequence[str | Path]) -> tuple[ExitCode, Any]:  # Any: JSON of any shape
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return code, json.loads(capsys.readouterr().out)

    return run_and_parse
