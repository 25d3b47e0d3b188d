"""`gridwars replay` from the outside: out and in again without loss."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.events import Start
from gridwars.log.reader import read_log
from tests.project.installation import ROOT

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


def test_exported_episode_is_imported_unchanged(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay, copy = tmp_path / "replay.json", tmp_path / "copy.jsonl"
    assert run(["replay", "export", str(log), "--out", str(replay)]) is ExitCode.OK
    assert run(["replay", "import", str(replay), "--out", str(copy)]) is ExitCode.OK
    assert run(["audit", str(replay), str(copy)]) is ExitCode.OK
    assert _strip(copy) == _strip(log)
    capsys.readouterr()
    assert run(["replay", "export", str(copy)]) is ExitCode.OK
    assert json.loads(capsys.readouterr().out) == json.loads(replay.read_bytes())


def test_imported_episode_is_whole_and_so_needs_no_seats_to_be_resumed(
    log: Path, tmp_path: Path, run_json: RunJson
) -> None:
    replay, copy = tmp_path / "replay.json", tmp_path / "copy.jsonl"
    run(["replay", "export", str(log), "--out", str(replay)])
    run_json(["replay", "import", replay, "--out", copy, "--json"])
    results = [run_json(["resume", each, "--json"])[1]["results"] for each in (log, copy)]
    assert results[0] == results[1]


def test_reference_replay_of_the_vectors_is_imported(tmp_path: Path, run_json: RunJson) -> None:
    with gzip.open(
        ROOT / "tests" / "golden" / "gridwars" / "episodes.jsonl.gz", "rt", encoding="utf-8"
    ) as file:
        case = json.loads(next(file))
    replay = tmp_path / "reference.json"
    replay.write_text(json.dumps(case["expect"]["replay"]), encoding="utf-8")
    code, document = run_json(["replay", "import", replay, "--out", tmp_path / "log.jsonl", "--json"])
    assert code is ExitCode.OK
    assert document["status"] == "intact"
    assert run(["audit", document["log"]]) is ExitCode.OK


def test_replay_that_does_not_hold_is_imported_as_it_is_and_said(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay, copy = tmp_path / "replay.json", tmp_path / "copy.jsonl"
    run(["replay", "export", str(log), "--out", str(replay)])
    document = json.loads(replay.read_bytes())
    document["results"]["kills"][0] += 1
    replay.write_text(json.dumps(document), encoding="utf-8")
    assert run(["replay", "import", str(replay), "--out", str(copy)]) is ExitCode.RESULT_DIFFERS
    assert "kills[0]" in capsys.readouterr().err
    assert run(["audit", str(copy)]) is ExitCode.RESULT_DIFFERS


def test_unfinished_episode_is_not_exported(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log.with_name(log.name + ".head").unlink()
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    assert run(["replay", "export", str(log)]) is ExitCode.FILE
    message = capsys.readouterr().err
    assert str(log) in message
    assert "resume" in message


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"protocol": "chess.v1"}', '{"protocol": "gridwars.replay.v1"}']
)
def test_foreign_file_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.json"
    file.write_text(text, encoding="utf-8")
    assert run(["replay", "import", str(file), "--out", str(tmp_path / "log.jsonl")]) is ExitCode.FILE
    assert not (tmp_path / "log.jsonl").exists()
    assert "odd.json" in capsys.readouterr().err


def _strip(log: Path) -> list[object]:
    """Start's config and every later event; who answered and when is no part of a replay."""
    events = read_log(log).require_sound().events
    start = events[0]
    assert isinstance(start, Start)
    return [start.config, *events[1:]]
