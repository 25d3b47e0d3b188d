"""The golden vectors: every file of the folder runs, and none of its cases differs."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from gridwars.benchmarks.snake_royale.conformance import KINDS
from gridwars.benchmarks.snake_royale.results_document import ResultsDocument
from gridwars.vectors import VectorError, find_vector_files, run_file
from tests.gridwars.benchmarks.snake_royale.games import GOLDEN, REPLAYS

FILES = find_vector_files(GOLDEN, KINDS)
COUNTS = {
    "royale": 220, "geese": 220, "tron": 220, "switches": 340, "crowded": 30, "resolve": 1400, "edge": 61,
    "chat": 40, "scoring": 320, "rng": 70, "replies": 240, "parse_dir": 45, "config": 72,
}  # fmt: skip


def test_every_file_of_the_folder_is_run() -> None:
    assert {file.name.partition(".")[0] for file in FILES if file.parent == GOLDEN} == set(COUNTS)
    streams = [file for file in FILES if file.parent != GOLDEN]
    assert len(streams) == len(REPLAYS) == 6
    data = {file for file in GOLDEN.rglob("*") if ".jsonl" in file.name}
    assert data == set(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_case_differs(file: Path) -> None:
    results = list(run_file(file, KINDS))
    assert results
    if file.parent == GOLDEN:
        assert len(results) == COUNTS[file.name.partition(".")[0]]
    assert [result for result in results if result.difference is not None] == []


@pytest.mark.parametrize(
    ("name", "old", "new", "path"),
    [
        ("royale.jsonl.gz", '"hashes":["', '"hashes":["f', "hashes[0]"),
        ("geese.jsonl.gz", '"deathTurn":[', '"deathTurn":[9', "final.deathTurn[0]"),
        ("resolve.jsonl.gz", '"after":{"turn":', '"after":{"turn":1', "after.turn"),
        ("edge.jsonl", '"coil":[', '"coil":[1', "coil[0]"),
        ("chat.jsonl.gz", '"turns_left":50', '"turns_left":51', "turns[0].views[0].turns_left"),
        ("scoring.jsonl", '"place":[', '"place":[7', "place[0]"),
        ("config.jsonl", '"foodCount":3', '"foodCount":4', "foodCount"),
    ],
)
def test_a_changed_vector_differs_where_it_was_changed(
    name: str, old: str, new: str, path: str, tmp_path: Path
) -> None:
    original = GOLDEN / name
    data = gzip.decompress(original.read_bytes()) if name.endswith(".gz") else original.read_bytes()
    line = data.split(b"\n")[0].decode()
    assert old in line
    changed = tmp_path / name.removesuffix(".gz")
    changed.write_text(line.replace(old, new, 1))
    difference = next(iter(run_file(changed, KINDS))).difference
    assert difference is not None
    assert difference.path == path


def test_a_stream_without_its_replay_is_an_error(tmp_path: Path) -> None:
    stream = tmp_path / "lost.events.jsonl"
    stream.write_text('{"k":"turn","t":1,"at":[0,0]}\n')
    with pytest.raises(VectorError, match=r"lost\.replay"):
        list(run_file(stream, KINDS))


def test_results_documents_are_those_of_the_replays() -> None:
    from gridwars.benchmarks.snake_royale.replay_format import Result, decode_replay

    files = sorted((GOLDEN / "replays").glob("*.results.json"))
    assert len(files) == 3
    for file in files:
        replay = decode_replay(file.with_name(file.name.replace(".results.json", ".replay")).read_bytes())
        recorded = next(record for record in replay.records if isinstance(record, Result))
        assert msgspec.json.decode(file.read_bytes(), type=ResultsDocument) == recorded.results
