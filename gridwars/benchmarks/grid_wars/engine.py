"""Which engine plays battles: the reference, its fast twin, the faster that works, or both compared."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol, assert_never

from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.benchmarks.engines import EngineChoice, find_engine_choice
from gridwars.benchmarks.grid_wars.battle import TICK_DIGEST_LENGTH, Battle, BattleResult
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.frames import Frame, iterate_frames
from gridwars.benchmarks.grid_wars.job import BattleJob, PlayedBattle
from gridwars.benchmarks.grid_wars.kernel.fast import EngineUnavailableError, FastEngine


class Engine(Protocol):
    """Plays battles, each a pure function of its job; all engines give the same."""

    def play_battle(self, job: BattleJob) -> PlayedBattle:
        """Plays a battle to its end.

        Raises:
            ValueError: for anything in the job that is out of range.
        """
        ...

    def run_battles(self, jobs: Sequence[BattleJob], *, threads: int = 1) -> list[BattleResult]:
        """Plays many battles; the results are in the order of the jobs.

        Args:
            threads: how many may be played at a time, where the engine can.
        """
        ...

    def iterate_frames(self, job: BattleJob) -> Iterator[Frame]:
        """Plays a battle and pictures it, first as it stands."""
        ...


class EnginesDifferError(AssertionError):
    """The engines disagree on a battle, which neither may.

    Attributes:
        tick: the first after which their states differ; None where only the results do.
    """

    def __init__(self, tick: int | None, details: str) -> None:
        self.tick = tick
        where = "in the result alone" if tick is None else f"from tick {tick} on"
        super().__init__(f"the engines differ {where}: {details}")


def start_engine(choice: EngineChoice | None = None) -> Engine:
    """The engine that was asked for, ready to play; the fast one is made once per process.

    Args:
        choice: None for the one that the process is set to.

    Raises:
        EngineUnavailableError: when the fast one is asked for by name and does not work here.
    """
    match choice or find_engine_choice():
        case EngineChoice.AUTO:
            return _start_auto()
        case EngineChoice.FAST:
            return _start_fast()
        case EngineChoice.REFERENCE:
            return ReferenceEngine()
        case EngineChoice.BOTH:
            return TwinEngine(_start_fast())
        case other:
            assert_never(other)


class ReferenceEngine:
    """An `Engine`: `tick.py` and `gwl.machine`."""

    def play_battle(self, job: BattleJob) -> PlayedBattle:
        battle = _start_reference(job)
        result = battle.run()
        return PlayedBattle(result, render_board(battle.state))

    def run_battles(self, jobs: Sequence[BattleJob], *, threads: int = 1) -> list[BattleResult]:
        # Threads would only wait for each other: this is all Python.
        return [self.play_battle(job).result for job in jobs]

    def iterate_frames(self, job: BattleJob) -> Iterator[Frame]:
        return iterate_frames(_start_reference(job))


class TwinEngine:
    """An `Engine` that plays everything twice and compares, tick by tick.

    Raises `EnginesDifferError` from all its methods.
    """

    def __init__(self, fast: FastEngine) -> None:
        self._fast = fast
        self._reference = ReferenceEngine()

    def play_battle(self, job: BattleJob) -> PlayedBattle:
        watched = replace(job, tick_digests=True)
        reference = self._reference.play_battle(watched)
        require_same(reference, self._fast.play_battle(watched))
        if job.tick_digests:
            return reference
        return reference._replace(result=replace(reference.result, tick_digests=""))

    def run_battles(self, jobs: Sequence[BattleJob], *, threads: int = 1) -> list[BattleResult]:
        return [self.play_battle(job).result for job in jobs]

    def iterate_frames(self, job: BattleJob) -> Iterator[Frame]:
        frames = zip(self._reference.iterate_frames(job), self._fast.iterate_frames(job), strict=True)
        for reference, fast in frames:
            if reference != fast:
                raise EnginesDifferError(reference.tick, _describe_differences(reference, fast))
            yield reference


def require_same(reference: PlayedBattle, fast: PlayedBattle) -> None:
    """Compares what both engines made of a battle, played with tick digests.

    Raises:
        EnginesDifferError: for the first tick that differs, and every value of the result that does.
    """
    if reference == fast:
        return
    tick = _find_first_tick(reference.result.tick_digests, fast.result.tick_digests)
    results = (replace(result, tick_digests="") for result in (reference.result, fast.result))
    raise EnginesDifferError(tick, _describe_differences(*results) or "the final boards")


@cache
def _start_fast() -> FastEngine:
    return FastEngine.start()


@cache
def _start_auto() -> Engine:
    try:
        return _start_fast()
    except EngineUnavailableError as error:
        logging.getLogger(__name__).warning("%s; the slower reference engine plays instead", error)
        return ReferenceEngine()


def _start_reference(job: BattleJob) -> Battle:
    return Battle.start(
        job.programs,
        seed=job.seed,
        spawn=job.spawn,
        ticks=job.ticks,
        bomb_cost=job.bomb_cost,
        tick_digests=job.tick_digests,
    )


def _find_first_tick(left: str, right: str) -> int | None:
    starts = range(0, max(len(left), len(right)), TICK_DIGEST_LENGTH)
    for tick, start in enumerate(starts):
        end = start + TICK_DIGEST_LENGTH
        if left[start:end] != right[start:end]:
            return tick
    return None


def _describe_differences(reference: object, fast: object) -> str:
    return "; ".join(
        f"{path} is {render_value(left)} for the reference, {render_value(right)} for the fast engine"
        for path, left, right in find_differences(reference, fast)
    )
