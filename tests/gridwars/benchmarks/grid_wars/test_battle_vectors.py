"""The golden battles, set-ups, programs and machine runs: every field of every case."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from gridwars.benchmarks.grid_wars.conformance import KINDS
from gridwars.vectors import read_lines

GOLDEN = Path(__file__).parents[3] / "golden" / "gridwars"
BATTLE_PARTS = 8
VM_PARTS = 4


@pytest.mark.slow
@pytest.mark.parametrize("part", range(BATTLE_PARTS))
def test_the_golden_battles_come_out_the_same(part: int) -> None:
    lines = islice(read_lines(GOLDEN / "battles.jsonl.gz"), part, None, BATTLE_PARTS)
    results = list(KINDS["battles"](lines))
    assert len(results) >= 1405 // BATTLE_PARTS
    assert [result for result in results if result.difference is not None] == []


@pytest.mark.parametrize("part", range(VM_PARTS))
def test_the_golden_machine_runs_come_out_the_same(part: int) -> None:
    views, *cases = read_lines(GOLDEN / "vm.jsonl.gz")
    results = list(KINDS["vm"]([views, *cases[part::VM_PARTS]]))
    assert len(results) >= 4442 // VM_PARTS
    assert [result for result in results if result.difference is not None] == []


def test_golden_programs_compile_the_same() -> None:
    """A part of them: the tests of the language run them all."""
    results = list(KINDS["compile"](islice(read_lines(GOLDEN / "compile.jsonl.gz"), 0, None, 7)))
    assert len(results) > 200
    assert [result for result in results if result.difference is not None] == []


def test_the_golden_set_ups_come_out_the_same() -> None:
    results = list(KINDS["setup"](read_lines(GOLDEN / "setup.jsonl")))
    assert len(results) == 340
    assert [result for result in results if result.difference is not None] == []
