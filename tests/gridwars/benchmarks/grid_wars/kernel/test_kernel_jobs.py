"""What the fast engine takes as a job, and many of them at a time."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from gridwars.benchmarks.grid_wars.battle import compile_seats, run_battle
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.fast import MAX_JOBS, FastEngine
from gridwars.benchmarks.grid_wars.rules import draw_spawn
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gwl.program import Instruction, Op, Program

PROGRAMS = compile_seats([warrior.lines for warrior in load_warriors().values()])
GOOD: dict[str, Any] = {"seed": 3, "spawn": (0, 1, 30, 899), "ticks": 40, "bomb_cost": 12}  # any argument


@pytest.fixture(scope="module")
def fast() -> FastEngine:
    return FastEngine.start()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"programs": [None] * 3}, "programs: a battle has 4 seats, not 3"),
        ({"spawn": (1, 2, 3)}, r"spawn: \[1, 2, 3\] is not 4 different cells of 0..899"),
        ({"spawn": (1, 2, 3, 1)}, "different cells"),
        ({"spawn": (1, 2, 3, 900)}, "different cells"),
        ({"ticks": 0}, "ticks: 0 is not 1..32768"),
        ({"ticks": 32769}, "ticks: 32769 is not 1..32768"),
        ({"bomb_cost": -1}, "bomb_cost: -1 is not 0..9223372036854775807"),
        ({"bomb_cost": 2**63}, "bomb_cost"),
    ],
)
def test_a_job_out_of_range_is_refused_by_name(
    fast: FastEngine, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        fast.run_battle(**{"programs": [None] * 4, **GOOD, **changed})


@pytest.mark.parametrize(
    "edge",
    [
        {"ticks": 1},
        {"bomb_cost": 2**63 - 1},
        {"seed": -(2**63)},
        {"seed": 2**63 - 1},
        {"seed": -1},
        {"spawn": (899, 898, 897, 896)},
    ],
)
def test_a_job_at_the_edge_is_played_as_by_the_reference(fast: FastEngine, edge: dict[str, Any]) -> None:
    arguments = {"programs": [*PROGRAMS[:3], None], **GOOD, **edge, "tick_digests": True}
    assert fast.run_battle(**arguments) == run_battle(**arguments)


def test_the_longest_battle_has_room_for_all_its_ticks(fast: FastEngine) -> None:
    walker = compile_seats([["while true:", "  move(1, 0)"]] * 4)
    job = BattleJob(walker, seed=1, spawn=(0, 60, 120, 180), ticks=32768, bomb_cost=12, tick_digests=True)
    played = fast.record_battle(job, pictures=True)
    assert played.result.ticks_played == 32768
    assert len(played.result.tick_digests) == 8 * 32768
    assert sum(1 for _ in fast.iterate_frames(job)) == 32769


def test_threads_change_nothing(fast: FastEngine) -> None:
    jobs = _make_jobs(3 * MAX_JOBS + 5)
    alone = fast.run_battles(jobs)
    assert alone == [fast.record_battle(job).result for job in jobs]
    for _ in range(3):
        assert fast.run_battles(jobs, threads=4) == alone
    assert len({result.digest for result in alone}) > MAX_JOBS


def test_no_jobs_have_no_results(fast: FastEngine) -> None:
    assert fast.run_battles([]) == fast.run_battles([], threads=2) == []


def test_programs_that_do_not_all_fit_are_loaded_one_after_the_other() -> None:
    """A battle with four of the largest programs fits; a batch of such battles does not."""
    fast = FastEngine.start()
    jobs = [
        BattleJob([_make_large_program(4 * number + seat) for seat in range(4)], **GOOD)
        for number in range(12)
    ]
    expected = [FastEngine.start().record_battle(job).result for job in jobs]
    assert fast.run_battles(jobs) == expected
    assert len({result.digest for result in expected}) > 1


def _make_jobs(count: int) -> list[BattleJob]:
    random = Random(5)
    return [
        BattleJob(random.choices(PROGRAMS, k=4), seed, draw_spawn(seed), ticks=80, bomb_cost=12)
        for seed in range(count)
    ]


def _make_large_program(number: int) -> Program:
    """As many instructions as the kernel takes."""
    push, negate, leave = (
        Instruction(Op.PUSH, 1, 1, 1),
        Instruction(Op.UNARY, 1, 0, 1),
        Instruction(Op.LEAVE, 1, 0, 1),
    )
    action = Instruction(Op.ACTION, 2 + number % 3, 0, 1)
    body = (push, negate, leave, action) * 2047
    ending = (Instruction(Op.HALT, 0, 0, 1),) * 3
    return Program((Instruction(Op.JUMP, 1, 0, 1), *body, *ending), (), (), (), ())
