"""A battle as data: what is to be played, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridwars.benchmarks.grid_wars.battle import BattleResult
from gwl.program import Program


@dataclass(frozen=True, slots=True)
class BattleJob:
    """A battle to be played; for the fields see `battle.run_battle`."""

    programs: Sequence[Program | None]
    seed: int
    spawn: Sequence[int]
    ticks: int
    bomb_cost: int
    tick_digests: bool = False


class PlayedBattle(NamedTuple):
    """What came of a battle.

    Attributes:
        board: the final one, as `render_board` draws it.
    """

    result: BattleResult
    board: str
