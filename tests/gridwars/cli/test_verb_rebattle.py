"""`gridwars rebattle` from the outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.reader import read_log

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


def test_json_puts_integrated_scores_beside_the_canonical_ones(log: Path, run_json: RunJson) -> None:
    code, (document,) = run_json(["rebattle", log, "--seeds", "2", "--seed", "40", "--json"])
    assert code is ExitCode.OK
    end = msgspec.to_builtins(read_log(log).events[-1])
    assert [scores["canonical"] for scores in document["series"]] == list(end["results"]["scores"])
    assert document["seeds"] == [40, 41]
    assert document["bout_count"] == 2 * 24 * 2
    assert [part["part"] for part in document["parts"]] == [1, 2]
    means = [scores["integrated"]["mean"] for scores in document["series"]]
    assert sum(means) == pytest.approx(0)


def test_table_has_a_line_for_every_seat_and_round(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rebattle", str(log), str(log), "--seeds", "2"]) is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert sum(" ± " in line for line in lines) == 2 * (4 + 2)
    assert lines.count(str(log)) == 2
    assert sum("96 rematches, 2 boards" in line for line in lines) == 2


def test_nothing_sealed_is_nothing_to_fight_with(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    assert run(["rebattle", str(cut)]) is ExitCode.USAGE
    assert "no part of this Grid Wars log" in capsys.readouterr().err
    assert run(["rebattle", str(tmp_path / "none.jsonl")]) is ExitCode.FILE
