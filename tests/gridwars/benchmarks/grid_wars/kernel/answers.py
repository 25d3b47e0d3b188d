"""The golden battles that the kernel is tried on."""

from __future__ import annotations

from pathlib import Path

from gridwars.benchmarks.grid_wars.conformance_battles import BattleCase
from gridwars.vectors import read_lines

BATTLES = Path(__file__).parents[4] / "golden" / "gridwars" / "battles.jsonl.gz"


def read_battles() -> list[BattleCase]:
    return [line.decode(BattleCase) for line in read_lines(BATTLES)]
