"""Battles of random warriors played by both engines, and everything compared that either knows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gridwars.benchmarks.grid_wars.battle import Battle
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.engine import require_same
from gridwars.benchmarks.grid_wars.job import BattleJob, PlayedBattle
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.kernel.results import FinalSeat
from gridwars.benchmarks.grid_wars.rules import CELL_COUNT, SEAT_COUNT, cell_at
from tests.gridwars.benchmarks.grid_wars.kernel.programs import make_program

POOL_SIZE = 6
"""Programs that are played against each other before new ones are made, which takes longer than a battle."""
BATTLES_PER_POOL = 4

TICKS = (1, 24, 51, 60, 120)
BRISK_TICKS = (200, 400, 1200)


def make_jobs(random: Random) -> Iterator[BattleJob]:
    """Random battles, endlessly: short ones of busy warriors and long ones of brisk ones."""
    while True:
        brisk = random.random() < 0.5
        pool = [make_program(random, brisk=brisk) for _ in range(POOL_SIZE)]
        for _ in range(BATTLES_PER_POOL):
            programs = random.sample(pool, SEAT_COUNT)
            yield BattleJob(
                programs=[None if random.random() < 0.02 else program for program in programs],
                seed=random.choice((random.getrandbits(63), -random.getrandbits(63), 0, -1, -3)),
                spawn=_draw_spawn(random),
                ticks=random.choice(BRISK_TICKS if brisk else TICKS),
                bomb_cost=random.choice((0, 1, 5, 12, 60)),
                tick_digests=True,
            )


def compare_engines(fast: FastEngine, job: BattleJob) -> int:
    """Plays a job, which asks for tick digests, on both engines; the number of ticks that it took.

    Raises:
        EnginesDifferError: for a difference that shows on the board or in the result.
        AssertionError: for one in a machine.
    """
    battle = Battle.start(
        job.programs,
        seed=job.seed,
        spawn=job.spawn,
        ticks=job.ticks,
        bomb_cost=job.bomb_cost,
        tick_digests=True,
    )
    reference = PlayedBattle(battle.run(), render_board(battle.state))
    recorded = fast.record_battle(job)
    require_same(reference, PlayedBattle(recorded.result, recorded.board))
    for warrior, machine, seat in zip(
        battle.state.warriors, battle.state.machines, recorded.seats, strict=True
    ):
        assert seat == FinalSeat(
            x=warrior.x,
            y=warrior.y,
            energy=warrior.energy,
            idle=warrior.idle,
            line=machine.line,
            action=warrior.action,
            halted=machine.halted,
            rng=machine.rng,
            spent=seat.spent,  # The reference does not count it.
        )
    return reference.result.ticks_played


def _draw_spawn(random: Random) -> list[int]:
    """Anywhere, or close together, so that warriors meet."""
    if random.random() < 0.4:
        return random.sample(range(CELL_COUNT), SEAT_COUNT)
    x, y = random.randrange(30), random.randrange(30)
    near = [cell_at(x + dx, y + dy) for dx in range(4) for dy in range(4)]
    return random.sample(near, SEAT_COUNT)
