"""Where snakes and food are at the start, without a float (arena spec section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from gridwars.benchmarks.snake_arena.mulberry import Mulberry32
from gridwars.benchmarks.snake_arena.rules import ArenaOptions

Cell = tuple[int, int]

_FULL_TURN = 27720
"""Angles, divisible by 1 to 12."""
_HALF_TURN = _FULL_TURN // 2
_DIAGONALS = ((-1, -1), (1, -1), (-1, 1), (1, 1))


def draw_spawns(options: ArenaOptions, count: int, stream: Mulberry32) -> list[Cell]:
    """The cells of a circle round the middle, by participant; a draw sets where it begins."""
    phase = stream.pick(_FULL_TURN)
    radius = max(0, min(options.width, options.height) // 2 - 1)
    cells = []
    for index in range(count):
        angle = (phase + _FULL_TURN * index // count) % _FULL_TURN
        x = _round_point(options.width, radius, compute_sine(angle + _HALF_TURN // 2))
        cells.append((x, _round_point(options.height, radius, compute_sine(angle))))
    return cells


def draw_food(options: ArenaOptions, spawns: Sequence[Cell], stream: Mulberry32) -> list[Cell]:
    """One piece at a corner of every spawn, and one in the middle."""
    food: list[Cell] = []
    for x, y in spawns:
        corners = [
            (x + dx, y + dy)
            for dx, dy in _DIAGONALS
            if 0 <= x + dx < options.width and 0 <= y + dy < options.height
        ]
        corner = corners[stream.pick(len(corners))]
        if corner not in food:
            food.append(corner)
    centre = (options.width // 2, options.height // 2)
    if centre not in spawns:
        food.append(centre)
    return food


def compute_sine(angle: int) -> tuple[int, int]:
    """Numerator and denominator of the sine, by Bhaskara's formula."""
    angle %= _FULL_TURN
    sign = 1 if angle < _HALF_TURN else -1
    within = angle % _HALF_TURN
    product = within * (_HALF_TURN - within)
    return sign * 16 * product, 5 * _HALF_TURN * _HALF_TURN - 4 * product


def _round_point(side: int, radius: int, ratio: tuple[int, int]) -> int:
    numerator, denominator = ratio
    return (side * denominator + 2 * radius * numerator) // (2 * denominator)
