"""The golden battles on the fast engine, and both engines on everything that a result holds."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.battle import Battle
from gridwars.benchmarks.grid_wars.conformance_battles import compute_fast_answer, make_job
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.frames import iterate_frames
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.vectors import first_difference
from tests.gridwars.benchmarks.grid_wars.kernel.answers import read_battles

PARTS = 4
FRAME_STRIDE = 23
TWIN_STRIDE = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_every_field_of_the_golden_battles_comes_out_the_same(part: int) -> None:
    fast = FastEngine.start()
    cases = read_battles()[part::PARTS]
    assert len(cases) >= 1405 // PARTS
    answers = {case.id: first_difference(case.expect, compute_fast_answer(fast, case)) for case in cases}
    assert {name: difference for name, difference in answers.items() if difference is not None} == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_results_and_fault_texts_are_the_reference_engines(part: int) -> None:
    """A part of the golden battles, which hold codes but no texts."""
    twin = start_engine(EngineChoice.BOTH)
    cases = read_battles()[part :: PARTS * TWIN_STRIDE]
    assert len(cases) > 1405 // PARTS // TWIN_STRIDE
    for case in cases:
        twin.play_battle(make_job(case))


def test_frames_are_the_reference_engines() -> None:
    fast = FastEngine.start()
    cases = read_battles()[::FRAME_STRIDE]
    assert len(cases) > 50
    for case in cases:
        job = make_job(case)
        battle = Battle.start(
            job.programs, seed=job.seed, spawn=job.spawn, ticks=job.ticks, bomb_cost=job.bomb_cost
        )
        assert list(fast.iterate_frames(job)) == list(iterate_frames(battle)), case.id
