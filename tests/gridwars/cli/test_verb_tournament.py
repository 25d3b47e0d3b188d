"""`gridwars tournament` from the outside: tables, JSON, CSV, and what it refuses."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]
SHORT = ["--rounds", "1", "--ticks", "60"]


def test_table_ranks_the_warriors_and_shows_every_pair(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "sentry", "gambler", *SHORT, "--seeds", "3"]) is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Grid Wars: 18 bouts on 3 seeds")
    ranked = [line.split()[1] for line in lines if line.lstrip()[:2] in ("1 ", "2 ")]
    assert ranked == ["gambler", "sentry"]
    assert any(line.strip() == "head to head" for line in lines)
    assert any("95 % t interval" in line for line in lines)


def test_where_nobody_draws_no_number_of_seeds_is_sold_as_evidence(
    run_json: RunJson, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["tournament", "painter", "sentry", "--ticks", "60"]
    code, few = run_json([*arguments, "--seeds", "3", "--json"])
    assert code is ExitCode.OK
    assert run_json([*arguments, "--seeds", "20", "--seed", "9", "--rounds", "2", "--json"])[1] == few | {
        "config": few["config"] | {"seed": 9, "rounds": 2},
        "bout_config": few["bout_config"] | {"seed": 9},
    }
    assert few["exact"] is True
    assert few["bout_count"] == 24 * 6
    assert [standing["score"]["exact"] for standing in few["standings"]] == [True, True]
    assert {standing["score"]["half_width"] for standing in few["standings"]} == {None}
    [duel] = few["head_to_head"]
    assert (duel["p_value"], duel["better"], duel["margin"]["half_width"]) == (None, "painter", None)
    assert run(arguments) is ExitCode.OK
    text = capsys.readouterr().out
    assert "more seeds add nothing" in text
    assert "*" not in text
    assert "t interval" not in text


@pytest.mark.parametrize("verb", ["tournament", "trace"])
def test_a_file_is_played_with_its_warnings_shown(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.gwl"
    options = [*SHORT, "--seeds", "1"] if verb == "tournament" else ["--ticks", "3"]
    for step, is_told in (("move(2, 0)", True), ("move(1, 0)", False)):
        mine.write_text(f"while true:\n  place()\n  {step}\n", encoding="utf-8")
        assert run([verb, str(mine), "painter", *options]) is ExitCode.OK
        said = capsys.readouterr().err
        assert ('gridwars: seat "mine.gwl" can be played, but look at it:' in said) is is_told
        assert ("3:3: warning: wrong-value: move(2, 0) leads to no neighbour" in said) is is_told


def test_json_and_csv_hold_the_same_bouts(tmp_path: Path, run_json: RunJson) -> None:
    path = tmp_path / "bouts.csv"
    arguments = ["tournament", "grid-wars", "painter", "gambler", "sentry", "painter", *SHORT, "--seed", "5"]
    code, document = run_json([*arguments, "--seeds", "2", "--csv", path, "--json"])
    assert code is ExitCode.OK
    assert document["seeds"] == [5, 6]
    assert document["config"]["ticks"] == 60
    assert document["bout_count"] == 48
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48 * 4
    scores = defaultdict(list)
    for row in rows:
        scores[row["player"]].append(float(row["score"]))
    assert set(scores) == {"painter", "gambler", "sentry", "painter#2"}
    for standing in document["standings"]:
        own = scores[standing["player"]]
        assert standing["score"]["mean"] == pytest.approx(sum(own) / len(own))
    assert len(document["head_to_head"]) == 6


def test_threads_and_engines_change_nothing(run_json: RunJson) -> None:
    arguments = [
        "tournament",
        "painter",
        "bomber",
        "--rounds",
        "1",
        "--ticks",
        "20",
        "--seeds",
        "2",
        "--json",
    ]
    alone = run_json([*arguments, "--threads", "1"])
    assert alone[0] is ExitCode.OK
    assert run_json([*arguments, "--threads", "3"]) == alone
    assert run_json([*arguments, "--engine", "reference"]) == alone


def test_other_benchmark_has_tournaments_too(run_json: RunJson) -> None:
    arguments = [
        "tournament",
        "snake-royale",
        "coil",
        "forager",
        "--max-turns",
        "20",
        "--seeds",
        "1",
        "--json",
    ]
    code, document = run_json(arguments)
    assert code is ExitCode.OK
    assert document["benchmark"] == "snake-royale"
    assert document["bout_count"] == 6
    assert document["standings"][0]["score"]["half_width"] is None


def test_what_cannot_be_played_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "painter"]) is ExitCode.USAGE
    assert "at least two" in capsys.readouterr().err
    assert run(["tournament", "painter", "paintr"]) is ExitCode.USAGE
    assert 'did you mean "painter"?' in capsys.readouterr().err
    assert run(["tournament", "painter", "human"]) is ExitCode.USAGE
    assert "cannot take part" in capsys.readouterr().err
    assert run(["tournament", "painter", "bomber", "--seed", str(2**63 - 1)]) is ExitCode.USAGE
    assert "seed" in capsys.readouterr().err
