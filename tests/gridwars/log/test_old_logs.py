"""Logs of every form so far are read, shown, audited, resumed and exported, whatever has changed since."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.canonical import Json
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.events import find_voids
from gridwars.log.reader import read_log
from tests.gridwars.toy_benchmark import BENCHMARKS
from tests.gridwars.toy_log import forge, list_documents

FIXTURES = Path(__file__).parents[2] / "fixtures" / "logs"
FORMS = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
LOGS = sorted(str(path.relative_to(FIXTURES)) for path in FIXTURES.rglob("*.jsonl"))
FINISHED = [name for name in LOGS if (FIXTURES / f"{name}.head").exists()]
UNFINISHED = [name for name in LOGS if name not in FINISHED]


def test_there_are_logs_of_every_kind() -> None:
    assert FORMS[0] == "v1"
    assert len(LOGS) >= 13 * len(FORMS)
    assert len(UNFINISHED) >= 3 * len(FORMS)


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all forms, to be written to; no key is ever used, but a seat's has to be there."""
    monkeypatch.setenv("PEER_KEY", "no-key-at-all")
    shutil.copytree(FIXTURES, tmp_path / "logs")
    return tmp_path / "logs"


@pytest.mark.parametrize("name", LOGS)
def test_an_old_log_is_intact_and_can_be_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = audit_log(FIXTURES / name)
    assert report.status is AuditStatus.INTACT, report.message
    assert report.ended is (name in FINISHED)
    assert run(["show", str(FIXTURES / name)]) is ExitCode.OK
    assert read_log(FIXTURES / name).require_sound().start is not None
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", FINISHED)
def test_an_old_finished_log_is_exported_and_left_alone_by_resume(name: str, copy: Path) -> None:
    log = copy / name
    before = log.read_bytes()
    void = bool(find_voids(read_log(log).events))
    assert run(["resume", str(log), "--quiet"]) is (ExitCode.VOID if void else ExitCode.OK)
    assert log.read_bytes() == before
    replay = copy / "replay"
    assert run(["replay", "export", str(log), "--out", str(replay)]) is ExitCode.OK
    assert audit_log(replay).status is AuditStatus.INTACT
    assert run(["replay", "import", str(replay), "--out", str(copy / "imported.jsonl")]) is ExitCode.OK


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_old_unfinished_log_is_gone_on_with(
    name: str, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copy / name
    before = read_log(log).lines
    monkeypatch.chdir(copy / Path(name).parts[0])
    assert run(["resume", str(log), "--quiet"]) is ExitCode.OK
    after = read_log(log).require_sound()
    assert after.ended
    assert after.lines[: len(before)] == before
    report = audit_log(log)
    assert report.status is AuditStatus.INTACT, report.message


@pytest.mark.parametrize("form", FORMS)
def test_an_old_run_is_gone_on_with(
    form: str, copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(copy / form)
    capsys.readouterr()
    assert run(["resume", "run", "--quiet", "--json"]) is ExitCode.OK
    done = json.loads(capsys.readouterr().out)
    assert [episode["status"] for episode in done["episodes"]] == ["finished"] * 3
    assert run(["resume", "run-unfinished", "--quiet"]) is ExitCode.OK
    assert run(["audit", "run", "run-unfinished"]) is ExitCode.OK


def _at(*path: str | int) -> Callable[[list[dict[str, Json]]], None]:
    """Takes a field out of a document."""

    def take_out(documents: list[dict[str, Json]]) -> None:
        value: Any = documents  # Any: whatever the document holds there
        for step in path[:-1]:
            value = value[step]
        del value[path[-1]]

    return take_out


@pytest.mark.parametrize(
    "take_out",
    [_at(0, "limits"), _at(0, "run"), _at(0, "limits", "budget"), _at(0, "seats", 1, "metering")],
)
def test_a_field_that_was_added_since_may_be_missing(
    tmp_path: Path, take_out: Callable[[list[dict[str, Json]]], None]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(forge(list_documents()))
    whole = read_log(path, benchmarks=BENCHMARKS).require_sound()
    documents = list_documents()
    take_out(documents)
    path.write_bytes(forge(documents))
    log = read_log(path, benchmarks=BENCHMARKS).require_sound()
    assert log.events == whole.events
    assert log.lines[0].digest != whole.lines[0].digest
    assert audit_log(path, benchmarks=BENCHMARKS).status is AuditStatus.INTACT
