"""`gridwars audit` from the outside: one line a log, and an exit code for what is worst."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.audit import AuditStatus
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.clock import SystemClock
from gridwars.log.events import Start
from gridwars.log.reader import read_log
from gridwars.log.writer import LogWriter

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


def test_every_audit_status_is_an_exit_code_of_its_own() -> None:
    codes = [ExitCode(status) for status in AuditStatus]
    assert len(set(codes)) == len(codes) == 5


def test_sound_log_is_one_line(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(log)]) is ExitCode.OK
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{log}: intact")


def test_folder_is_audited_as_a_whole_and_the_worst_log_decides(
    log: Path, tmp_path: Path, run_json: RunJson, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        shutil.copy(log, folder / name)
    (folder / "b.jsonl").write_bytes(log.read_bytes().replace(b'"tiles":', b'"tilez":', 1))
    assert run(["audit", "--processes", "1", str(folder)]) is ExitCode.CHAIN_BROKEN
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [str(folder / f"{name}.jsonl") for name in "abc"]
    assert lines[-1] == "3 logs: 2 intact, 1 chain broken"
    code, document = run_json(["audit", "--processes", "1", "--json", folder])
    assert code is ExitCode.CHAIN_BROKEN
    assert document["counts"] == {
        "intact": 2,
        "unreadable": 0,
        "chain_broken": 1,
        "result_differs": 0,
        "version_differs": 0,
    }
    assert document["logs"][1]["chain_break"] is not None


def test_forged_result_in_a_sound_chain_is_named(log: Path, tmp_path: Path, run_json: RunJson) -> None:
    events = list(read_log(log).events)
    start = events[0]
    assert isinstance(start, Start)
    battle = next(event for event in events if event.__struct_config__.tag == "battle")
    forged = type(battle)(**{**_fields(battle), "ticks_played": 59})
    events[events.index(battle)] = forged
    path = tmp_path / "forged.jsonl"
    with LogWriter.create(path, clock=SystemClock()) as writer:
        writer.append(events)
    code, document = run_json(["audit", "--json", path])
    assert code is ExitCode.RESULT_DIFFERS
    finding = document["logs"][0]["finding"]
    assert (finding["field"], finding["recorded"], finding["derived"]) == ("ticks_played", "59", "60")


def test_other_version_of_the_rules_has_its_own_code(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = list(read_log(log).events)
    start = events[0]
    assert isinstance(start, Start)
    events[0] = type(start)(**{**_fields(start), "rules_version": 99})
    path = tmp_path / "future.jsonl"
    with LogWriter.create(path, clock=SystemClock()) as writer:
        writer.append(events)
    assert run(["audit", str(path)]) is ExitCode.VERSION_DIFFERS
    assert "99" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gone.jsonl", "empty"])
def test_nothing_to_audit_is_an_error(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["audit", str(tmp_path / name)]) is ExitCode.FILE
    assert name in capsys.readouterr().out


def _fields(event: Any) -> dict[str, Any]:  # Any: an event of either kind, taken apart
    return {name: getattr(event, name) for name in event.__struct_fields__}
