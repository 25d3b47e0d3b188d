"""What the fast engine answers to a golden battle, in the vectors' own form."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gridwars.benchmarks.grid_wars.battle import compile_seats
from gridwars.benchmarks.grid_wars.conformance import Answer, BattleCase
from gridwars.benchmarks.grid_wars.frames import Frame
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.kernel.pictures import iterate_pictures
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE
from gridwars.benchmarks.grid_wars.stats import stats_to_vector
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


def answer_battle(fast: FastEngine, case: BattleCase) -> Answer:
    played = fast.record_battle(make_job(case), pictures=True)
    frames = list(iterate_pictures(case.spawn, played.pictures))
    answer: Answer = {
        "digest": played.result.digest,
        "reason": played.result.reason.value,
        "ticksPlayed": played.result.ticks_played,
        "stats": [
            {name: value for name, value in stats_to_vector(stats).items() if name != "faultText"}
            for stats in played.result.stats
        ],
        "curve": played.result.curve,
        "ascii": played.board,
        "bombs": [
            [bomb.cell % BOARD_SIZE, bomb.cell // BOARD_SIZE, bomb.fuse, bomb.seat]
            for bomb in frames[-1].bombs
        ],
        "final": [
            {
                "x": seat.x,
                "y": seat.y,
                "energy": seat.energy,
                "idle": seat.idle,
                "line": seat.line,
                "action": seat.action.name.lower(),
                "halted": seat.halted,
                "rng": f"{seat.rng:016x}",
            }
            for seat in played.seats
        ],
        "tickDigests": played.result.tick_digests,
    }
    if "acts" in case.expect:
        answer["acts"] = [_list_acts(frame) for frame in frames[1:]]
    return answer


def _list_acts(frame: Frame) -> list[int]:
    return [number for warrior in frame.warriors for number in (warrior.action.value, warrior.line)]
