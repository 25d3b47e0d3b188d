"""A battle from its first tick to its last: played whole, or watched tick by tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from gridwars.benchmarks.grid_wars.digest import compute_digest
from gridwars.benchmarks.grid_wars.programs import compile_script, find_errors
from gridwars.benchmarks.grid_wars.rules import Ending
from gridwars.benchmarks.grid_wars.state import BattleState
from gridwars.benchmarks.grid_wars.stats import SeatStats, compute_stats
from gridwars.benchmarks.grid_wars.tick import apply_tick
from gwl.program import Program

TICK_DIGEST_LENGTH = 8
"""Hex digits that are kept of each tick's digest."""


@dataclass(frozen=True, slots=True)
class BattleResult:
    """What a battle came to.

    Attributes:
        stats: by seat.
        curve: by seat, its tile count every 25 ticks and at the end.
        digest: of the state after the last tick.
        tick_digests: eight hex digits of the digest after each tick, in one text; "" unless asked for.
    """

    ticks_played: int
    reason: Ending
    stats: tuple[SeatStats, ...]
    curve: tuple[tuple[int, ...], ...]
    digest: str
    tick_digests: str = ""


class Battle:
    """One battle, to be watched tick by tick.

    Attributes:
        state: as of the end of the last tick; to look at, not to change.
    """

    def __init__(self, state: BattleState, *, tick_digests: bool = False) -> None:
        """Continues from `state`; with `tick_digests`, collects those of the ticks played here."""
        self.state = state
        self._tick_digests: list[str] | None = [] if tick_digests else None

    @classmethod
    def start(
        cls,
        programs: Sequence[Program | None],
        *,
        seed: int,
        spawn: Sequence[int],
        ticks: int,
        bomb_cost: int,
        tick_digests: bool = False,
    ) -> Self:
        """A battle before its first tick; for the arguments see `BattleState.start`."""
        state = BattleState.start(programs, seed=seed, spawn=spawn, ticks=ticks, bomb_cost=bomb_cost)
        return cls(state, tick_digests=tick_digests)

    @property
    def is_over(self) -> bool:
        return self.state.ending is not None

    def step(self) -> None:
        """Plays one tick; the battle must not be over."""
        apply_tick(self.state)
        if self._tick_digests is not None:
            self._tick_digests.append(compute_digest(self.state)[:TICK_DIGEST_LENGTH])

    def run(self) -> BattleResult:
        """Plays what is left."""
        while not self.is_over:
            self.step()
        return self.result()

    def result(self) -> BattleResult:
        """The result of a battle that is over."""
        assert self.state.ending is not None, "a running battle has no result"
        return BattleResult(
            ticks_played=self.state.tick,
            reason=self.state.ending,
            stats=compute_stats(self.state),
            curve=tuple(tuple(curve) for curve in self.state.curves),
            digest=compute_digest(self.state),
            tick_digests="".join(self._tick_digests or ()),
        )


def compile_seats(scripts: Sequence[Sequence[str]]) -> tuple[Program | None, ...]:
    """The programs of all seats; None where a script does not compile."""
    return tuple(None if find_errors(script) else compile_script(script) for script in scripts)


def run_battle(
    programs: Sequence[Program | None],
    *,
    seed: int,
    spawn: Sequence[int],
    ticks: int,
    bomb_cost: int,
    tick_digests: bool = False,
) -> BattleResult:
    """Plays a whole battle, a pure function of its arguments.

    Args:
        programs: by seat; None where a script did not compile, so that its warrior stands halted.
        seed: the round's seed.
        spawn: by seat the cell to start on, four different ones.
        ticks: the most ticks to play, at least 1.
        bomb_cost: energy that a bomb costs.
        tick_digests: whether to take a digest after every tick.
    """
    return Battle.start(
        programs, seed=seed, spawn=spawn, ticks=ticks, bomb_cost=bomb_cost, tick_digests=tick_digests
    ).run()
