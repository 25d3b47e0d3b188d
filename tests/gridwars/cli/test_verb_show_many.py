"""`gridwars show` of a run's folder and of several logs."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]

LOGS = Path(__file__).parents[2] / "fixtures" / "logs" / "v1"
RUN = LOGS / "run"


def test_a_runs_folder_says_how_each_player_did_and_what_it_took(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["show", str(RUN)]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "players over 4 episodes (3 finished, 1 void)" in text
    [row] = [line.split() for line in text.splitlines() if line.startswith("openai:some-model")]
    assert row[1:7] == ["plan", "a", "-25.92", "124.96", "2", "3"]
    assert row[7:] == ["4", "0", "0", "1", "1", "450", "$0.001674", "0.0"]
    assert "episode-0003-rerun-1.jsonl" in text


def test_numbers_are_numbers_and_an_unknown_cost_is_null(run_json: RunJson) -> None:
    code, document = run_json(["show", "--json", LOGS / "grid-wars-void.jsonl", RUN])
    assert code is ExitCode.OK
    void, finished = document["games"]
    assert void["players"][0]["score"] is None
    assert void["players"][0]["cost"]["microdollars"] is None
    player = finished["players"][-1]
    assert player["score"] == pytest.approx(-311 / 12)
    assert player["score_exact"] == "-311/12"
    assert player["cost"]["microdollars"] == 1674
    assert finished["episodes"][0]["seats"][0]["score"] == 3.5
    assert document["cost"]["microdollars"] is None


def test_a_row_for_every_seat_of_every_log(tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    assert run(["show", str(RUN), "--csv", str(path)]) is ExitCode.OK
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 * 4
    models = [row for row in rows if row["policy"] == "openai:some-model"]
    assert [row["score"] for row in models] == ["3.5", "-84.0", "2.75", ""]
    assert sum(int(row["tokens"]) for row in models) == 450
    assert [row["status"] for row in models].count("void") == 1


def test_one_log_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    log = LOGS / "grid-wars-void.jsonl"
    assert run(["show", str(log), "--csv", str(path)]) is ExitCode.OK
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [row["microdollars"] for row in rows] == ["", "0", "0", "0"]


def test_what_cannot_be_read_is_named_and_hides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("episode-0001.jsonl", "episode-0002.jsonl"):
        shutil.copy(RUN / name, tmp_path)
    shutil.copy(RUN / "episode-0001.jsonl", tmp_path / "copy.jsonl")
    (tmp_path / "other.jsonl").write_text("no log\n", encoding="utf-8")
    assert run(["show", str(tmp_path)]) is ExitCode.FILE
    said = capsys.readouterr()
    assert "players over 2 episodes" in said.out
    assert "episode-0001.jsonl: is a copy of" in said.err
    assert "other.jsonl" in said.err
    changed = tmp_path / "episode-0002.jsonl"
    before, ticks, after = changed.read_bytes().rpartition(b'"ticks_played":40')
    assert ticks
    changed.write_bytes(before + b'"ticks_played":41' + after)
    assert run(["show", str(tmp_path)]) is ExitCode.CHAIN_BROKEN


def test_one_episode_says_what_each_seat_that_was_asked_took(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(LOGS / "grid-wars-models.jsonl")]) is ExitCode.OK
    table = capsys.readouterr().out.partition("who was asked\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split() for line in table[2:]] == [
        [
            "a",
            "anthropic:some-model",
            "plan",
            *["2", "1", "0", "0", "1", "0", "0", "551", "$0.003465", "0.1"],
        ],
        ["b", "openai:some-model", "hunter", *["2", "0", "0", "0", "0", "0", "0", "300", "$0.001116", "0.1"]],
        [
            "c",
            "openai-chat:some-model",
            "null",
            *["2", "1", "1", "1", "0", "1", "0", "450", "$0.000450", "0.0"],
        ],
    ]


@pytest.mark.parametrize("verb", ["show", "rebattle"])
def test_a_folder_without_logs_is_named_as_such(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([verb, str(tmp_path)]) is ExitCode.FILE
    assert f"{tmp_path}: holds no log (*.jsonl, *.jsonl.gz)" in capsys.readouterr().err


def test_a_verb_that_takes_one_log_names_one_of_a_folders(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prompt", "a", "--log", str(RUN)]) is ExitCode.FILE
    assert f"is a folder; name a log, such as {RUN / 'episode-0001.jsonl'}" in capsys.readouterr().err


def test_a_single_logs_views_are_refused_for_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(RUN), "--round", "1"]) is ExitCode.USAGE
    assert "of one log" in capsys.readouterr().err
