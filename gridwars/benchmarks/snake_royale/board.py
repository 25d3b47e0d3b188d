"""The grid as numbers: cells, steps between them, and sets of cells as the bits of one integer.

A cell is numbered y * (width + 1) + x. The column that nothing stands in keeps a set that is shifted to
the side from running into the next row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from gridwars.benchmarks.snake_royale.rules import OFFSETS

OFF_BOARD = -1


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One size of grid.

    Attributes:
        cells: in row-major order.
        coordinates: by cell number, its (x, y).
        steps: by direction and cell number, where the step leads, or OFF_BOARD.
        bits: by cell number, the set of that cell alone.
        around: by cell number, the set of the cells one step away.
        all_cells: the set of all cells.
    """

    width: int
    height: int
    wraps: bool
    stride: int
    cells: tuple[int, ...]
    coordinates: tuple[tuple[int, int], ...]
    steps: tuple[tuple[int, ...], ...]
    bits: tuple[int, ...]
    around: tuple[int, ...]
    all_cells: int
    left_column: int
    right_column: int

    def cell_at(self, x: int, y: int) -> int:
        return y * self.stride + x

    def step_beyond(self, cell: int, direction: int) -> tuple[int, int]:
        """Where a step off the board would have led."""
        x, y = self.coordinates[cell]
        dx, dy = OFFSETS[direction]
        return (x + dx, y + dy)

    def spread(self, cells: int) -> int:
        """The set of all cells one step from these, and bits that stand for no cell."""
        stride = self.stride
        spread = cells << 1 | cells >> 1 | cells << stride | cells >> stride
        if self.wraps:
            across, along = self.width - 1, stride * (self.height - 1)
            spread |= (
                (cells & self.left_column) << across
                | (cells & self.right_column) >> across
                | cells << along
                | cells >> along
            )
        return spread

    def count_reachable(self, start: int, blocked: int, cap: int) -> int:
        """How many cells can be walked to from `start`, itself included, counting up to `cap`.

        Args:
            start: a cell, or OFF_BOARD, from where there is nothing.
            blocked: the set of cells that cannot be walked on.
        """
        if start == OFF_BOARD or cap <= 0 or blocked & self.bits[start]:
            return 0
        free = self.all_cells & ~blocked
        reached = self.bits[start]
        while True:
            grown = reached | self.spread(reached) & free
            count = grown.bit_count()
            if count >= cap:
                return cap
            if grown == reached:
                return count
            reached = grown


@lru_cache(maxsize=1024)
def make_board(width: int, height: int, wraps: bool) -> Board:
    stride = width + 1
    coordinates = tuple((number % stride, number // stride) for number in range(stride * height))
    cells = tuple(number for number, (x, _) in enumerate(coordinates) if x < width)
    bits = tuple(1 << number for number in range(stride * height))

    def step(number: int, dx: int, dy: int) -> int:
        x, y = coordinates[number]
        if x == width:
            return OFF_BOARD
        x, y = x + dx, y + dy
        if wraps:
            x, y = x % width, y % height
        return y * stride + x if 0 <= x < width and 0 <= y < height else OFF_BOARD

    steps = tuple(tuple(step(number, dx, dy) for number in range(len(bits))) for dx, dy in OFFSETS)
    return Board(
        width=width,
        height=height,
        wraps=wraps,
        stride=stride,
        cells=cells,
        coordinates=coordinates,
        steps=steps,
        bits=bits,
        around=tuple(
            _unite(bits[targets[number]] for targets in steps if targets[number] != OFF_BOARD)
            for number in range(len(bits))
        ),
        all_cells=_unite(bits[cell] for cell in cells),
        left_column=_unite(bits[cell] for cell in cells if coordinates[cell][0] == 0),
        right_column=_unite(bits[cell] for cell in cells if coordinates[cell][0] == width - 1),
    )


def _unite(sets: Iterable[int]) -> int:
    united = 0
    for each in sets:
        united |= each
    return united
