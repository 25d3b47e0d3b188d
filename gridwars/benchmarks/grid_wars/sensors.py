"""What a warrior can see: the sensors of GWL v1 section 5, answered from the board as it stands."""

from __future__ import annotations

from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT, SIGHT
from gridwars.benchmarks.grid_wars.state import BattleState, Warrior
from gwl.builtins import CONSTANTS

BOMB = CONSTANTS["BOMB"]
CORPSE = CONSTANTS["CORPSE"]
FOG = CONSTANTS["FOG"]


class WarriorSensors:
    """One warrior's sensors; good for one decision, as the warrior must not move meanwhile."""

    __slots__ = ("_bombs", "_corpse", "_occupant", "_owner", "_state", "_warrior", "_x", "_y")

    def __init__(self, state: BattleState, warrior: Warrior) -> None:
        self._state = state
        self._warrior = warrior
        self._x = warrior.x
        self._y = warrior.y
        self._bombs = state.bombs
        self._corpse = state.corpse
        self._owner = state.owner
        self._occupant = state.occupant

    def check(self, dx: int, dy: int) -> int:
        if not (-SIGHT <= dx <= SIGHT and -SIGHT <= dy <= SIGHT):
            return FOG
        cell = (self._y + dy) % BOARD_SIZE * BOARD_SIZE + (self._x + dx) % BOARD_SIZE
        if cell in self._bombs:
            return BOMB
        return CORPSE if self._corpse[cell] else self._owner[cell]

    def who(self, dx: int, dy: int) -> int:
        if not (-SIGHT <= dx <= SIGHT and -SIGHT <= dy <= SIGHT):
            return FOG
        return self._occupant[(self._y + dy) % BOARD_SIZE * BOARD_SIZE + (self._x + dx) % BOARD_SIZE]

    def x(self) -> int:
        return self._x

    def y(self) -> int:
        return self._y

    def tiles(self) -> int:
        return self._warrior.tiles

    def energy(self) -> int:
        return self._warrior.energy

    def tick(self) -> int:
        return self._state.tick

    def alive(self, warrior_id: int) -> int:
        return int(1 <= warrior_id <= SEAT_COUNT and self._state.warriors[warrior_id - 1].alive)
