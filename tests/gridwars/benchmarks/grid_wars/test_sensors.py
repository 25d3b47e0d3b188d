"""What a warrior sees: its window, what covers what, and nothing beyond."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.grid_wars.rules import cell_at
from gridwars.benchmarks.grid_wars.sensors import WarriorSensors
from gridwars.benchmarks.grid_wars.state import Bomb
from tests.gridwars.benchmarks.grid_wars.scenes import start

BOMB, CORPSE, FOG = -1, -2, -3
LEAST, MOST = -(2**63), 2**63 - 1


def _sensors(*, at: tuple[int, int] = (1, 2)) -> WarriorSensors:
    battle = start("wait()", at=[at])
    state = battle.state
    for x, y, owner in ((2, 2, 1), (3, 2, 2), (4, 2, 3), (-3, -2, 4)):
        state.owner[cell_at(x, y)] = owner
    state.corpse[cell_at(3, 2)] = 1
    state.corpse[cell_at(4, 2)] = 1
    state.bombs[cell_at(4, 2)] = Bomb(seat=0, fuse=3)
    return WarriorSensors(state, state.warriors[0])


def test_a_bomb_covers_a_corpse_covers_an_owner() -> None:
    sensors = _sensors()
    assert [sensors.check(dx, 0) for dx in range(4)] == [0, 1, CORPSE, BOMB]


def test_the_window_wraps_around_the_board() -> None:
    assert _sensors().check(-4, -4) == 4


@pytest.mark.parametrize("offset", [(5, 0), (-5, 0), (0, 5), (0, -5), (30, 0), (LEAST, 0), (0, MOST), (4, 5)])
def test_beyond_the_window_is_fog(offset: tuple[int, int]) -> None:
    sensors = _sensors()
    assert sensors.check(*offset) == FOG
    assert sensors.who(*offset) == FOG


def test_who_finds_living_warriors_and_oneself() -> None:
    battle = start("wait()", "wait()", "var a = 1 div 0", at=[(1, 2), (29, 29), (1, 3)])
    battle.step()
    sensors = WarriorSensors(battle.state, battle.state.warriors[0])
    assert sensors.who(0, 0) == 1
    assert sensors.who(-2, -3) == 2
    assert sensors.who(0, 1) == 0
    assert sensors.who(1, 0) == 0


def test_alive_knows_the_four_ids_and_no_other() -> None:
    battle = start("wait()", "wait()", "var a = 1 div 0", at=[(1, 2), (29, 29), (1, 3)])
    battle.step()
    sensors = WarriorSensors(battle.state, battle.state.warriors[0])
    assert [sensors.alive(warrior_id) for warrior_id in (LEAST, -1, 0, 1, 2, 3, 4, 5, MOST)] == [
        0, 0, 0, 1, 1, 0, 1, 0, 0
    ]  # fmt: skip


def test_position_tiles_energy_and_tick_are_those_of_the_last_ticks_end() -> None:
    battle = start("place(); move(1, -1); wait()", at=[(29, 0)])
    for _ in range(3):
        battle.step()
    sensors = WarriorSensors(battle.state, battle.state.warriors[0])
    assert (sensors.x(), sensors.y(), sensors.tiles(), sensors.energy(), sensors.tick()) == (0, 29, 1, 15, 3)
