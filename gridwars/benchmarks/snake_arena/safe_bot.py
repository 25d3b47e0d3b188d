"""The bot that plays for a seat without one of its own: it looks one step ahead (arena spec section 17)."""

from __future__ import annotations

from collections.abc import Iterable

from gridwars.benchmarks.snake_arena.engine import Arena, Snake
from gridwars.benchmarks.snake_arena.rules import OFFSETS, Direction
from gridwars.benchmarks.snake_arena.spawns import Cell

_HUNGRY_HEALTH = 40
_GROWN_LENGTH = 8
_SOON_TURNS = 2
_NO_FOOD_DISTANCE = 1000

_Key = tuple[bool, bool, bool, int, int]


def choose_safe_direction(arena: Arena, bot_id: str) -> Direction:
    """The direction with the smallest key of danger, edge, tightness, distance to food and lack of room."""
    snake = next(snake for snake in arena.living if snake.id == bot_id)
    blocked = _find_blocked(arena)
    keys: dict[Direction, _Key] = {}
    for direction, (dx, dy) in OFFSETS.items():
        target = (snake.body[0][0] + dx, snake.body[0][1] + dy)
        if _is_open(arena, blocked, target):
            keys[direction] = _weigh(arena, snake, blocked, target)
    # The first of equals, in the order of the directions.
    return min(keys, key=keys.__getitem__, default=Direction.UP)


def _weigh(arena: Arena, snake: Snake, blocked: set[Cell], target: Cell) -> _Key:
    space = _count_space(arena, blocked, target)
    rivals = [other for other in arena.living if other is not snake]
    danger = any(
        len(rival.body) >= len(snake.body) and _measure(rival.body[0], target) == 1 for rival in rivals
    )
    is_hungry = snake.health <= _HUNGRY_HEALTH or len(snake.body) < _GROWN_LENGTH
    distance = min((_measure(food, target) for food in arena.food), default=_NO_FOOD_DISTANCE)
    return (
        danger,
        _is_edge_of_storm(arena, target),
        space < len(snake.body),
        distance if is_hungry else 0,
        -space,
    )


def _find_blocked(arena: Arena) -> set[Cell]:
    """Bodies, but for tails that are sure to move on."""
    food = set(arena.food)
    blocked: set[Cell] = set()
    for snake in arena.living:
        body = snake.body
        may_eat = any(cell in food for cell in _list_neighbours(body[0]))
        tail_leaves = len(body) > 1 and body[-1] != body[-2] and not may_eat
        blocked.update(body[:-1] if tail_leaves else body)
    return blocked


def _is_open(arena: Arena, blocked: set[Cell], cell: Cell) -> bool:
    return arena.is_inside(cell) and not arena.is_hazardous(cell) and cell not in blocked


def _is_edge_of_storm(arena: Arena, cell: Cell) -> bool:
    """Whether the storm is about to take the cell."""
    ring = arena.ring
    if arena.next_shrink_turn - (arena.turn + 1) > _SOON_TURNS or ring >= arena.options.ring_cap:
        return False
    x, y = cell
    return x in (ring, arena.options.width - 1 - ring) or y in (ring, arena.options.height - 1 - ring)


def _count_space(arena: Arena, blocked: set[Cell], start: Cell) -> int:
    reached = {start}
    waiting = [start]
    while waiting:
        for cell in _list_neighbours(waiting.pop()):
            if cell not in reached and _is_open(arena, blocked, cell):
                reached.add(cell)
                waiting.append(cell)
    return len(reached)


def _list_neighbours(cell: Cell) -> Iterable[Cell]:
    return ((cell[0] + dx, cell[1] + dy) for dx, dy in OFFSETS.values())


def _measure(left: Cell, right: Cell) -> int:
    return abs(left[0] - right[0]) + abs(left[1] - right[1])
