"""Golden battles, played by the engine that the process is set to, or by both.

Without a choice it is the reference: it is the law, and what the vectors speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Annotated, assert_never

import msgspec

from gridwars.benchmarks.engines import EngineChoice, find_engine_choice
from gridwars.benchmarks.grid_wars.battle import Battle, BattleResult, compile_seats
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.conformance_types import Answer, BySeat, Cell, Count, Seed, name_action
from gridwars.benchmarks.grid_wars.frames import Frame
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.kernel.pictures import iterate_pictures
from gridwars.benchmarks.grid_wars.kernel.results import FinalSeat
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT
from gridwars.benchmarks.grid_wars.state import BattleState
from gridwars.benchmarks.grid_wars.stats import stats_to_vector
from gridwars.vectors import CaseResult, VectorLine, first_difference
from gwl.program import Program


class BattleCase(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    scripts: Annotated[list[list[str]], BySeat]
    seed: Seed
    spawn: Annotated[list[Cell], BySeat]
    ticks: Count
    bomb_cost: int
    expect: Answer


def run_battle_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    compute_answers = list(_choose_players())
    for line in lines:
        case = line.decode(BattleCase)
        if len(set(case.spawn)) < SEAT_COUNT:
            raise line.error(f"spawn: {case.spawn} has two seats on one cell")
        differences = (first_difference(case.expect, compute(case)) for compute in compute_answers)
        yield CaseResult(case.id, next((found for found in differences if found is not None), None))


def _choose_players() -> Iterator[Callable[[BattleCase], Answer]]:
    match find_engine_choice():
        case EngineChoice.AUTO | EngineChoice.REFERENCE:
            yield compute_reference_answer
        case EngineChoice.FAST:
            yield _play_fast()
        case EngineChoice.BOTH:
            yield compute_reference_answer
            yield _play_fast()
        case other:
            assert_never(other)


def _play_fast() -> Callable[[BattleCase], Answer]:
    engine = FastEngine.start()
    return lambda case: compute_fast_answer(engine, case)


def make_job(case: BattleCase) -> BattleJob:
    return BattleJob(
        programs=[_compile(tuple(script)) for script in case.scripts],
        seed=case.seed,
        spawn=case.spawn,
        ticks=case.ticks,
        bomb_cost=case.bomb_cost,
        tick_digests=True,
    )


@cache  # Many cases share their warriors, and both engines play each case.
def _compile(script: tuple[str, ...]) -> Program | None:
    return compile_seats([script])[0]


def compute_reference_answer(case: BattleCase) -> Answer:
    battle = Battle.start(
        make_job(case).programs,
        seed=case.seed,
        spawn=case.spawn,
        ticks=case.ticks,
        bomb_cost=case.bomb_cost,
        tick_digests=True,
    )
    acts: list[list[int]] = []
    while not battle.is_over:
        battle.step()
        acts.append(_list_acts(battle.state))
    state = battle.state
    final = [
        FinalSeat(
            x=warrior.x,
            y=warrior.y,
            energy=warrior.energy,
            idle=warrior.idle,
            line=machine.line,
            action=warrior.action,
            halted=machine.halted,
            rng=machine.rng,
            spent=0,  # Not counted here, and in no vector.
        )
        for warrior, machine in zip(state.warriors, state.machines, strict=True)
    ]
    bombs = [(cell, bomb.fuse, bomb.seat) for cell, bomb in sorted(state.bombs.items())]
    return _make_answer(case, battle.result(), render_board(state), bombs, final, acts)


def _list_acts(state: BattleState) -> list[int]:
    acts: list[int] = []
    for warrior, machine in zip(state.warriors, state.machines, strict=True):
        acts += (warrior.action.value, machine.line)
    return acts


def _without_text(stats: Answer) -> Answer:
    """Vectors say faults by their code alone."""
    return {name: value for name, value in stats.items() if name != "faultText"}


def compute_fast_answer(engine: FastEngine, case: BattleCase) -> Answer:
    played = engine.record_battle(make_job(case), pictures=True)
    frames = list(iterate_pictures(case.spawn, played.pictures))
    bombs = [(bomb.cell, bomb.fuse, bomb.seat) for bomb in frames[-1].bombs]
    acts = [_list_frame_acts(frame) for frame in frames[1:]]
    return _make_answer(case, played.result, played.board, bombs, played.seats, acts)


def _make_answer(
    case: BattleCase,
    result: BattleResult,
    board: str,
    bombs: Iterable[tuple[int, int, int]],
    final: Iterable[FinalSeat],
    acts: list[list[int]],
) -> Answer:
    """What either engine found, as vectors say it.

    Args:
        bombs: cell, fuse and seat of those that are left, by cell.
        acts: by tick the action and line of each seat in turn.
    """
    answer: Answer = {
        "digest": result.digest,
        "reason": result.reason.value,
        "ticksPlayed": result.ticks_played,
        "stats": [_without_text(stats_to_vector(stats)) for stats in result.stats],
        "curve": result.curve,
        "ascii": board,
        "bombs": [[cell % BOARD_SIZE, cell // BOARD_SIZE, fuse, seat] for cell, fuse, seat in bombs],
        "final": [
            {
                "x": seat.x,
                "y": seat.y,
                "energy": seat.energy,
                "idle": seat.idle,
                "line": seat.line,
                "action": name_action(seat.action),
                "halted": seat.halted,
                "rng": f"{seat.rng:016x}",
            }
            for seat in final
        ],
        "tickDigests": result.tick_digests,
    }
    if "acts" in case.expect:
        answer["acts"] = acts
    return answer


def _list_frame_acts(frame: Frame) -> list[int]:
    return [number for warrior in frame.warriors for number in (warrior.action.value, warrior.line)]
