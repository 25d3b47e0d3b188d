"""No verb cuts what it says where there is little room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli import console
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.policies import registry
from gridwars.policies.checks import Check, Verdict
from gridwars.policies.making import Making
from tests.gridwars.paid_talker import KIND, PaidTalker, make_record

WIDE = 2000
NINE = list(get_benchmark("grid-wars").baselines)[:9]
MODELS = ("--seat", "a=talker:a-strategy-of-some-length", "--seat", "b=talker:another")


class CheckedTalker(PaidTalker):
    """A model's seat of which there is much to say."""

    async def check(self, *, look_up: bool, call: bool) -> Sequence[Check]:
        return [Check("price", Verdict.OK, "input $1, output $5 for a million tokens; check before use " * 2)]


def make(text: str, making: Making) -> CheckedTalker:
    return CheckedTalker(make_record(making.alias, strategy=text), lambda request: None)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, a game's log and a run's folder."""
    place = tmp_path_factory.mktemp("played")
    short = ["--rounds", "2", "--ticks", "40", "--quiet"]
    for arguments in (
        ["play", *short, "--out", str(place / "episode.jsonl")],
        ["play", *short, "--episodes", "2", "--out", str(place / "run")],
        ["play", "snake-royale", "--module", "royale", "--quiet", "--out", str(place / "snakes.jsonl")],
    ):
        assert run(arguments) is ExitCode.OK
    return place


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "episode.jsonl"],
        ["show", "--round", "2", "episode.jsonl"],
        ["show", "snakes.jsonl"],
        ["show", "--match", "1", "snakes.jsonl"],
        ["resume", "episode.jsonl"],
        ["resume", "snakes.jsonl"],
        ["resume", "run"],
        ["rebattle", "--seeds", "2", "episode.jsonl"],
        ["tournament", "--seeds", "1", "--ticks", "40", "--rounds", "1", *NINE],
        ["preflight", "--offline", "--budget", "run.dollars=1", *MODELS],
        ["prompt", "--list"],
        ["warriors"],
        ["warriors", "--benchmark", "snake-royale"],
    ],
    ids=" ".join,
)
def test_all_that_is_said_is_said_in_little_room(
    arguments: list[str],
    width: int,
    played: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(played)
    monkeypatch.setitem(registry.MAKERS, KIND, make)
    monkeypatch.setitem(registry.KINDS, KIND, lambda record, benchmark: CheckedTalker(record, lambda _: None))
    said = []
    for columns in (WIDE, width):
        monkeypatch.setattr(console, "FILE_WIDTH", columns)
        capsys.readouterr()
        assert run(arguments) in (ExitCode.OK, ExitCode.FAILED)
        said.append(capsys.readouterr().out.replace("─", ""))
    wide, narrow = said
    assert len(wide.split()) > 20
    assert "…" not in narrow
    assert not Counter(wide.split()) - Counter(narrow.split())
    long_lines = [line for line in narrow.splitlines() if len(line) > width]
    assert all(line.startswith(("log ", "head ")) for line in long_lines), long_lines
