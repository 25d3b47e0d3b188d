"""Every golden series gives the reference's replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridwars.benchmarks.grid_wars.conformance import KINDS
from gridwars.vectors import VectorError, read_lines, run_file

GOLDEN = Path(__file__).parents[3] / "golden" / "gridwars" / "episodes.jsonl.gz"


def test_every_series_gives_the_reference_replay() -> None:
    results = list(run_file(GOLDEN, KINDS))
    assert len(results) == 14
    assert [result for result in results if result.difference is not None] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("results", "scores", 0), 1.0),
        (("events", 6, "digest"), "0" * 16),
        (("events", 2, "lines"), 1),
        (("names", 0), "Nobody"),
    ],
)
def test_a_planted_difference_is_found(path: tuple[str | int, ...], value: object, tmp_path: Path) -> None:
    case = next(json.loads(line.text) for line in read_lines(GOLDEN) if b'"r06"' in line.text)
    inner = case["expect"]["replay"]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    file = tmp_path / "episodes.jsonl"
    file.write_text(json.dumps(case))
    (result,) = run_file(file, KINDS)
    assert result.difference is not None
    text = "replay" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    assert result.difference.path == text


def test_a_case_without_its_seats_is_named(tmp_path: Path) -> None:
    case = next(json.loads(line.text) for line in read_lines(GOLDEN))
    case["submissions"][0].pop()
    file = tmp_path / "episodes.jsonl"
    file.write_text(json.dumps(case))
    with pytest.raises(VectorError, match=r"episodes\.jsonl:1: .*submissions"):
        list(run_file(file, KINDS))
