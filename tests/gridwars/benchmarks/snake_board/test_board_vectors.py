"""The golden vectors of the board game: every case runs, and none differs."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from gridwars.benchmarks.snake_board.conformance import KINDS
from gridwars.vectors import VectorError, find_vector_files, run_file

GOLDEN = Path(__file__).parents[3] / "golden" / "snake_boardgame"
COUNTS = {"cases.jsonl": 325, "games.jsonl.gz": 200}


def test_every_file_of_the_folder_is_run() -> None:
    assert {file.name for file in find_vector_files(GOLDEN, KINDS)} == set(COUNTS)


@pytest.mark.parametrize("name", COUNTS)
def test_no_case_differs(name: str) -> None:
    results = list(run_file(GOLDEN / name, KINDS))
    assert len(results) == COUNTS[name]
    assert [result for result in results if result.difference is not None] == []


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('"digests":["', '"digests":["f', "digests[0]"),
        ('"turns":', '"turns":1', "turns"),
        ('"places":[', '"places":[9', "places[0]"),
        ('"scores":[', '"scores":[7,', "scores[0]"),
        ('"apples":["', '"apples":["A1","', "final.apples[0]"),
    ],
)
def test_a_changed_game_differs_where_it_was_changed(old: str, new: str, path: str, tmp_path: Path) -> None:
    line = gzip.decompress((GOLDEN / "games.jsonl.gz").read_bytes()).split(b"\n")[0].decode()
    assert old in line
    changed = tmp_path / "games.jsonl"
    changed.write_text(line.replace(old, new, 1))
    difference = next(iter(run_file(changed, KINDS))).difference
    assert difference is not None
    assert difference.path == path


def test_a_case_of_no_kind_is_an_error_that_names_it(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id":"X","kind":"tag","setup":{},"expect":null}\n')
    with pytest.raises(VectorError, match=r"cases\.jsonl:1: kind: 'tag' is none of start, dice"):
        list(run_file(file, KINDS))
