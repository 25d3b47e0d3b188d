"""The runners of golden vectors: they find a planted difference and name what is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.grid_wars.conformance import KINDS
from gridwars.vectors import CaseResult, VectorError, read_lines, run_file

GOLDEN = Path(__file__).parents[3] / "golden" / "gridwars"
FILES = {
    "compile": "compile.jsonl.gz",
    "vm": "vm.jsonl.gz",
    "battles": "battles.jsonl.gz",
    "setup": "setup.jsonl",
}

Case = dict[str, Any]  # Any: JSON that these tests damage on purpose.


def _head(kind: str, count: int = 3) -> list[Case]:
    lines = read_lines(GOLDEN / FILES[kind])
    return [json.loads(line.text) for line, _ in zip(lines, range(count), strict=False)]


def _run(tmp_path: Path, kind: str, cases: list[Case]) -> Iterator[CaseResult]:
    path = tmp_path / f"{kind}.jsonl"
    path.write_text("\n".join(map(json.dumps, cases)) + "\n")
    return run_file(path, KINDS)


def test_every_kind_here_is_tested_here() -> None:
    assert FILES.keys() <= KINDS.keys()


@pytest.mark.parametrize("kind", FILES)
def test_the_first_cases_of_a_file_agree(tmp_path: Path, kind: str) -> None:
    results = list(_run(tmp_path, kind, _head(kind)))
    assert len(results) == (2 if kind == "vm" else 3)
    assert all(result.difference is None for result in results)


def _change_stat(case: Case) -> None:
    case["expect"]["stats"][2]["peakTiles"] += 1


def _change_final(case: Case) -> None:
    case["expect"]["final"][0]["rng"] = "0" * 16


def _add_bomb(case: Case) -> None:
    case["expect"]["bombs"].append([1, 2, 3, 0])


def _change_action(case: Case) -> None:
    case["expect"]["actions"][0][4] = 0


def _change_global(case: Case) -> None:
    case["expect"]["globals"]["r"] = ["int", 999]


def _change_line(case: Case) -> None:
    case["expect"]["listing"][1][3] = 7


def _change_alias(case: Case) -> None:
    case["expect"]["aliases"][3] = "Nobody"


def _change_spawn(case: Case) -> None:
    case["expect"]["rounds"][11]["spawn"][0] = 0


@pytest.mark.parametrize(
    ("kind", "change", "path"),
    [
        ("battles", _change_stat, "stats[2].peakTiles"),
        ("battles", _change_final, "final[0].rng"),
        ("battles", _add_bomb, "bombs[2]"),
        ("vm", _change_action, "actions[0][4]"),
        ("vm", _change_global, "globals.r[1]"),
        ("compile", _change_line, "listing[1][3]"),
        ("setup", _change_alias, "aliases[3]"),
        ("setup", _change_spawn, "rounds[11].spawn[0]"),
    ],
)
def test_a_planted_difference_is_found_and_named(
    tmp_path: Path, kind: str, change: Callable[[Case], None], path: str
) -> None:
    cases = _head(kind)
    change(cases[1])
    differing = [result for result in _run(tmp_path, kind, cases) if result.difference is not None]
    assert len(differing) == 1
    assert differing[0].difference is not None
    assert differing[0].difference.path == path


@pytest.mark.parametrize(
    ("kind", "field", "value", "named"),
    [
        ("battles", "seed", None, "seed"),
        ("battles", "seed", 2**63, "seed"),
        ("battles", "spawn", [1, 2, 3], "spawn"),
        ("battles", "spawn", [1, 2, 3, 3], "spawn"),
        ("battles", "spawn", [1, 2, 3, 900], "spawn"),
        ("battles", "scripts", [["wait()"]] * 3, "scripts"),
        ("battles", "ticks", 0, "ticks"),
        ("vm", "view", 24, "view"),
        ("vm", "view", -1, "view"),
        ("vm", "seat", 4, "seat"),
        ("compile", "script", "wait()", "script"),
        ("setup", "rounds", "12", "rounds"),
        ("setup", "expect", 5, "expect"),
    ],
)
def test_a_damaged_case_is_an_error_that_names_line_and_field(
    tmp_path: Path, kind: str, field: str, value: object, named: str
) -> None:
    cases = _head(kind)
    cases[1][field] = value
    with pytest.raises(VectorError, match=rf"{kind}\.jsonl:2: .*{named}"):
        list(_run(tmp_path, kind, cases))


def test_machine_runs_without_their_views_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(VectorError, match=r"vm\.jsonl:1: .*views"):
        list(_run(tmp_path, "vm", _head("vm")[1:]))


def test_a_script_that_ought_to_compile_is_a_difference(tmp_path: Path) -> None:
    cases = _head("vm")
    cases[1]["script"] = ["move("]
    (result, _) = _run(tmp_path, "vm", cases)
    assert result.difference is not None
    assert result.difference.path == "script"
