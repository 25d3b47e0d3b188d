"""`gridwars trace`: what it shows is the battle that is played, and every stop is explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gridwars
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.rules import compute_round_seed
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

SAMPLE = Path(__file__).parents[3] / "runs" / "sample" / "episode.jsonl"
RIVALS = GridWars.default_seats[1:]
HASTY = """var a = [1, 2]
var n = 0
while true:
  n = n + 1
  move(2, 0)
  for i in 0 .. 160:
    a[0] = i
  bomb()
  bomb()
  move(1, 1)
  move(1, 1)
  n = a[n + 1]
"""


def trace(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert run(["trace", *arguments, "--json"]) is ExitCode.OK
    ticks: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return ticks


@pytest.mark.parametrize(("seat", "round_number"), [("a", 1), ("c", 2)])
def test_the_end_of_a_trace_is_that_of_the_battle(
    seat: str, round_number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["painter", *RIVALS]
    ticks = trace([*names, "--seat", seat, "--seed", "7", "--round", str(round_number)], capsys)
    played = gridwars.battle(names, seed=compute_round_seed(7, round_number))
    stats = played.stats["abcd".index(seat)]
    assert [tick["tick"] for tick in ticks] == list(range(len(ticks)))
    assert len(ticks) == (stats.ticks_lived if stats.alive else stats.death_tick + 1)
    if stats.alive:
        assert ticks[-1]["tiles"] == stats.tiles


def test_a_round_of_a_log_is_watched_as_it_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    ticks = trace([str(SAMPLE), "--round", "2", "--seat", "b", "--ticks", "3-5"], capsys)
    assert [tick["tick"] for tick in ticks] == [3, 4, 5]
    assert all(isinstance(tick["variables"], dict) for tick in ticks)
    assert run(["trace", str(SAMPLE), "--round", "12"]) is ExitCode.USAGE
    assert "round 12 was not played" in capsys.readouterr().err


def test_everything_that_goes_wrong_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.gwl"
    mine.write_text(HASTY, encoding="utf-8")
    assert run(["trace", str(mine), "sentry", "sentry", "sentry"]) is ExitCode.OK
    told = capsys.readouterr().out
    assert "illegal: dx and dy" in told
    assert "stalled: 2000 instructions" in told
    assert "refused: too little energy" in told
    assert "fault in line 12: index 2 is out of range for an array of 2 (valid: 0 to 1) [index-range]" in told
    assert "12: n = a[n + 1]" in told
    assert "a = [1, 2], n = 1" in told


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["painter", "--seat", "e"], "must be one of a to d"),
        (["painter", "--ticks", "x"], "must be a tick such as 12"),
        (["painter"] * 5, "a battle has 4 seats, not 5"),
        (["nobody"], "nobody"),
    ],
)
def test_a_wrong_command_line_is_named(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["trace", *arguments]) is ExitCode.USAGE
    assert problem in capsys.readouterr().err
