"""What the fast engine answers to a golden battle, in the vectors' own form."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gridwars.benchmarks.grid_wars.battle import compile_seats
from gridwars.benchmarks.grid_wars.conformance_battles import BattleCase
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.vectors import read_lines
from gwl.program import Program

BATTLES = Path(__file__).parents[4] / "golden" / "gridwars" / "battles.jsonl.gz"


def read_battles() -> list[BattleCase]:
    return [line.decode(BattleCase) for line in read_lines(BATTLES)]


def make_job(case: BattleCase) -> BattleJob:
    return BattleJob(
        programs=[_compile(tuple(script)) for script in case.scripts],
        seed=case.seed,
        spawn=case.spawn,
        ticks=case.ticks,
        bomb_cost=case.bomb_cost,
        tick_digests=True,
    )


@cache  # Many cases share their warriors.
def _compile(script: tuple[str, ...]) -> Program | None:
    return compile_seats([script])[0]
