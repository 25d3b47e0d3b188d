"""The same episode gives the same bytes, whatever the order of Python's hash tables or the working folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

WARRIOR = "while true:\n  place()\n  move(rand(3) - 1, 1)\n"


def play(folder: Path, hash_seed: str) -> list[dict[str, object]]:
    """The events of one series, without the clock's times and the digests that cover them."""
    folder.mkdir()
    (folder / "mine.gwl").write_text(WARRIOR)
    command = [sys.executable, "-m", "gridwars", "play", "--rounds", "3", "--seed", "77"]
    subprocess.run(
        [*command, "--seat", "mine.gwl", "--out", "log.jsonl"],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
    )
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{k: v for k, v in line.items() if k not in ("time", "prev")} for line in lines]


def test_a_log_does_not_depend_on_hash_order(tmp_path: Path) -> None:
    first = play(tmp_path / "first", "1")
    assert len(first) == 1 + 3 * 6 + 1
    assert play(tmp_path / "second", "2") == first
