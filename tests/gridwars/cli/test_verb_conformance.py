"""`gridwars conformance` and `gridwars warriors` from the outside."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gwl import compile_source
from tests.project.installation import ROOT

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]
BATTLES = ROOT / "tests" / "golden" / "gridwars" / "battles.jsonl.gz"
SETUP = ROOT / "tests" / "golden" / "gridwars" / "setup.jsonl"


def test_folder_of_vectors_is_run_by_name_plain_or_compressed(tmp_path: Path, run_json: RunJson) -> None:
    lines = SETUP.read_bytes().splitlines(keepends=True)
    (tmp_path / "setup.jsonl").write_bytes(b"".join(lines[:3]))
    (tmp_path / "setup-more.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[3:5])))
    (tmp_path / "README.md").write_text("not a vector", encoding="utf-8")
    code, document = run_json(["conformance", "--json", tmp_path])
    assert code is ExitCode.OK
    assert (document["cases"], document["mismatches"]) == (5, 0)
    assert sorted(file["cases"] for file in document["files"]) == [2, 3]


def test_mismatch_is_named_with_case_and_field(
    tmp_path: Path, run_json: RunJson, capsys: pytest.CaptureFixture[str]
) -> None:
    case = json.loads(SETUP.read_text(encoding="utf-8").splitlines()[0])
    case["expect"]["aliases"][2] = "Nobody"
    file = tmp_path / "setup.jsonl"
    file.write_text(json.dumps(case) + "\n", encoding="utf-8")
    assert run(["conformance", str(file)]) is ExitCode.FAILED
    assert "aliases[2] expected 'Nobody', got " in capsys.readouterr().out
    code, document = run_json(["conformance", "--json", file])
    assert code is ExitCode.FAILED
    assert document["files"][0]["mismatches"][0]["path"] == "aliases[2]"


@pytest.mark.parametrize("engine", list(EngineChoice))
def test_battles_are_played_by_the_engine_that_is_named(
    engine: EngineChoice, tmp_path: Path, run_json: RunJson
) -> None:
    with gzip.open(BATTLES) as file:
        cases = [json.loads(line) for line, _ in zip(file, range(3), strict=False)]
    cases[1]["expect"]["final"][3]["energy"] += 1
    (tmp_path / "battles.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    code, document = run_json(["conformance", "--json", "--engine", engine.value, tmp_path])
    assert code is ExitCode.FAILED
    assert (document["cases"], document["mismatches"]) == (3, 1)
    assert document["files"][0]["mismatches"][0]["path"] == "final[3].energy"


@pytest.mark.parametrize("content", [None, b"", b"{broken\n"])
def test_nothing_to_run_is_an_error(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "setup.jsonl").write_bytes(content)
    assert run(["conformance", str(tmp_path)]) is ExitCode.FILE
    captured = capsys.readouterr()
    assert str(tmp_path) in captured.err + captured.out


def test_missing_path_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", str(tmp_path / "gone")]) is ExitCode.FILE
    assert "gone" in capsys.readouterr().err


def test_warriors_are_listed_with_what_they_do(run_json: RunJson, capsys: pytest.CaptureFixture[str]) -> None:
    code, listed = run_json(["warriors", "--json"])
    assert code is ExitCode.OK
    assert {entry["name"] for entry in listed} == set(next(iter(BENCHMARKS.values())).baselines)
    assert all(entry["description"] for entry in listed)
    assert run(["warriors"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert all(entry["name"] in text for entry in listed)


def test_warrior_is_printed_as_a_script_that_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warriors", "painter"]) is ExitCode.OK
    compile_source(capsys.readouterr().out.splitlines())


def test_unknown_warrior_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warriors", "paintr"]) is ExitCode.USAGE
    assert '"painter"' in capsys.readouterr().err
