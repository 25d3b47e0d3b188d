"""`gridwars rebattle` from the outside."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.reader import read_log

RUN = Path(__file__).parents[2] / "fixtures" / "logs" / "v1" / "run"

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


def test_json_puts_integrated_scores_beside_the_canonical_ones(log: Path, run_json: RunJson) -> None:
    code, whole = run_json(["rebattle", log, "--seeds", "2", "--seed", "40", "--json"])
    assert code is ExitCode.OK
    [document] = whole["logs"]
    end = msgspec.to_builtins(read_log(log).events[-1])
    exact = [scores["canonical_exact"] for scores in document["series"]]
    assert exact == list(end["results"]["scores"])
    assert [scores["canonical"] for scores in document["series"]] == [float(Fraction(each)) for each in exact]
    assert document["exact"] is True  # the default seats draw nothing
    assert document["seeds"] == []
    assert document["bout_count"] == 2 * 24 * 24
    assert [part["part"] for part in document["parts"]] == [1, 2]
    means = [scores["integrated"]["mean"] for scores in document["series"]]
    assert sum(means) == pytest.approx(0)
    assert all(scores["integrated"]["exact"] for scores in document["series"])
    assert {scores["integrated"]["half_width"] for scores in document["series"]} == {None}


def test_a_script_that_draws_has_intervals_over_boards(tmp_path: Path, run_json: RunJson) -> None:
    log = tmp_path / "drawn.jsonl"
    assert (
        run(["play", "--seat", "gambler", "--rounds", "1", "--ticks", "60", "--out", str(log)]) is ExitCode.OK
    )
    code, whole = run_json(["rebattle", log, "--seeds", "2", "--seed", "40", "--json"])
    assert code is ExitCode.OK
    [document] = whole["logs"]
    assert document["exact"] is False
    assert document["seeds"] == [40, 41]
    assert document["bout_count"] == 24 * 2
    assert all(scores["integrated"]["half_width"] is not None for scores in document["series"])


def test_table_has_a_line_for_every_seat_and_round(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rebattle", str(log), str(log), "--seeds", "2"]) is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.rstrip().endswith(" exact") for line in lines) == 2 * (4 + 2)
    assert sum("more seeds add nothing" in line for line in lines) == 2
    assert lines.count(str(log)) == 2
    assert sum("1152 rematches, all that there are" in line for line in lines) == 2


def test_nothing_sealed_is_nothing_to_fight_with(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    assert run(["rebattle", str(cut)]) is ExitCode.USAGE
    assert "no part of this Grid Wars log" in capsys.readouterr().err
    assert run(["rebattle", str(tmp_path / "none.jsonl")]) is ExitCode.FILE


def test_a_runs_folder_ends_with_both_scores_of_each_player(
    run_json: RunJson, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["rebattle", str(RUN), "--seeds", "1"]
    code, document = run_json([*arguments, "--json"])
    assert code is ExitCode.OK
    assert len(document["logs"]) == 4
    [game] = document["games"]
    integrated = [player["integrated"]["mean"] for player in game["players"]]
    assert integrated == sorted(integrated, reverse=True)
    assert {player["episodes_counted"] for player in game["players"]} == {3}
    [model] = [player for player in game["players"] if player["policy"] == "openai:some-model"]
    assert model["canonical"]["mean"] == pytest.approx(-311 / 12)
    own = [log["series"][0]["integrated"]["mean"] for log in document["logs"]]
    assert [log["log"].endswith("0003.jsonl") for log in document["logs"]].index(True) == 3
    assert model["integrated"]["mean"] == pytest.approx(sum(own[:3]) / 3)
    assert model["integrated"]["half_width"] > 0
    assert run(arguments) is ExitCode.OK
    text = capsys.readouterr().out
    assert "players over 4 logs" in text


def test_a_row_for_every_seat_and_part(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    assert run(["rebattle", str(log), "--seeds", "1", "--csv", str(path)]) is ExitCode.OK
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [(row["part"], row["seat"]) for row in rows] == [(part, seat) for part in "12" for seat in "abcd"]
    for part in "12":
        assert sum(float(row["integrated"]) for row in rows if row["part"] == part) == pytest.approx(0)
        assert sum(Fraction(row["canonical_exact"]) for row in rows if row["part"] == part) == 0
