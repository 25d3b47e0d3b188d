"""The golden vectors of the arena: every case runs, and none differs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gridwars.benchmarks.snake_arena.conformance import KINDS
from gridwars.vectors import VectorError, find_vector_files, run_file

GOLDEN = Path(__file__).parents[3] / "golden" / "snake_arena"
BOT_CASES = 46
COUNTS = {"cases.jsonl": 225 - BOT_CASES, "positions.jsonl.gz": 600, "games.jsonl.gz": 240}


def test_every_file_of_the_folder_is_run() -> None:
    assert {file.name for file in find_vector_files(GOLDEN, KINDS)} == set(COUNTS)


def test_only_cases_that_run_a_bot_are_passed_over() -> None:
    kinds = [json.loads(line)["kind"] for line in (GOLDEN / "cases.jsonl").read_text().splitlines()]
    assert kinds.count("bot") == BOT_CASES


@pytest.mark.parametrize("name", COUNTS)
def test_no_case_differs(name: str) -> None:
    results = list(run_file(GOLDEN / name, KINDS))
    assert len(results) == COUNTS[name]
    assert [result for result in results if result.difference is not None] == []


@pytest.mark.parametrize(
    ("name", "old", "new", "path"),
    [
        ("games.jsonl.gz", '"digests":["', '"digests":["f', "digests[0]"),
        ("games.jsonl.gz", '"turns":', '"turns":1', "turns"),
        ("games.jsonl.gz", '"eaten":', '"eaten":1', "placements[0].eaten"),
        ("positions.jsonl.gz", '"expect":{"turn":', '"expect":{"turn":1', "turn"),
    ],
)
def test_a_changed_case_differs_where_it_was_changed(
    name: str, old: str, new: str, path: str, tmp_path: Path
) -> None:
    line = gzip.decompress((GOLDEN / name).read_bytes()).split(b"\n")[0].decode()
    assert old in line
    changed = tmp_path / name.removesuffix(".gz")
    changed.write_text(line.replace(old, new, 1))
    difference = next(iter(run_file(changed, KINDS))).difference
    assert difference is not None
    assert difference.path == path


def test_a_case_of_no_kind_is_an_error_that_names_it(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id":"X","kind":"tag","setup":{},"expect":null}\n')
    with pytest.raises(VectorError, match=r"cases\.jsonl:1: kind: 'tag' is none of engine, create"):
        list(run_file(file, KINDS))
