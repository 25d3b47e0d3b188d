"""The two boards: squares and their names, neighbours, and which squares a long snake can get to.

A square is its index `y * width + x`, counted from the north-west (board game spec section 1).
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator

from gridwars.benchmarks.snake_board.rules import OFFSETS, STARTS, BoardName

NO_SQUARE = -1
_LETTERS = "ABCDEFGHIJKL"


class Board:
    """One of the boards; made once.

    Attributes:
        steps: by square and heading the next square; `NO_SQUARE` off the board.
        wraps: the same, but over an edge to the other end of the row or column.
        ring: the outer squares.
        start_squares: by start index the coloured square.
        wormholes: by coloured square the one that it leads to.
    """

    def __init__(self, name: BoardName) -> None:
        self.name = name
        self.width, self.height = (12, 10) if name is BoardName.MAIN else (10, 6)
        self.squares = range(self.width * self.height)
        self.steps = tuple(
            tuple(self._step(square, *offset) for offset in OFFSETS) for square in self.squares
        )
        self.wraps = tuple(
            tuple(self._wrap(square, *offset) for offset in OFFSETS) for square in self.squares
        )
        self.ring = frozenset(square for square in self.squares if NO_SQUARE in self.steps[square])
        self.names = tuple(self._name(square) for square in self.squares)
        starts = STARTS[name]
        self.start_squares = tuple(self.require(start.squares[0]) for start in starts)
        self.wormholes = {
            square: other
            for square, start in zip(self.start_squares, starts, strict=True)
            for other, far in zip(self.start_squares, starts, strict=True)
            if other != square and far.square_colour == start.square_colour
        }

    def find(self, name: str) -> int:
        """The square of a name, whose case does not matter; `NO_SQUARE` where it is none."""
        letter, number = name[:1].upper(), name[1:]
        if letter not in _LETTERS or not letter or not (number.isascii() and number.isdigit()):
            return NO_SQUARE
        # Longer than any, and int() of a very long one is refused.
        if len(number) > 2 or number[0] == "0":
            return NO_SQUARE
        return self.at(_LETTERS.index(letter) + 1, int(number))

    def require(self, name: str) -> int:
        square = self.find(name)
        assert square != NO_SQUARE, f"{name} is no square of the {self.name} board"
        return square

    def at(self, letter: int, number: int) -> int:
        """The square that the dice show, both from 1; on the duel board two letters share a row."""
        x, y = letter - 1, number - 1
        if self.name is BoardName.DUEL:
            x, y = number - 1, (letter - 1) % self.height
        return y * self.width + x if x < self.width and y < self.height else NO_SQUARE

    def locate(self, square: int) -> tuple[int, int]:
        """x from the west and y from the north, from 0."""
        y, x = divmod(square, self.width)
        return x, y

    def measure_distance(self, left: int, right: int) -> int:
        """How many squares lie between, along rows and columns."""
        (x, y), (far_x, far_y) = self.locate(left), self.locate(right)
        return abs(x - far_x) + abs(y - far_y)

    def find_reachable(self, passable: Collection[int]) -> set[int]:
        """The squares that a long snake can enter and leave again.

        Args:
            passable: squares without rock and dead segment, the whole ring among them.

        Returns:
            Those that lie in one biconnected component with the ring.
        """
        corner = {0, 1}
        return next(block for block in self.iterate_blocks(passable) if block >= corner)

    def keeps_all_accessible(self, free: Collection[int]) -> bool:
        """Whether each of these squares can be reached from each other, and no one square parts them."""
        return any(len(block) == len(free) for block in self.iterate_blocks(free))

    def iterate_blocks(self, passable: Collection[int]) -> Iterator[set[int]]:
        """The biconnected components that have an edge, as sets of squares (Hopcroft and Tarjan 1973)."""
        allowed = set(passable)
        order: dict[int, int] = {}
        low: dict[int, int] = {}
        for root in sorted(allowed):
            if root in order:
                continue
            order[root] = low[root] = len(order)
            open_squares = [root]
            path = [(root, NO_SQUARE, iter(self.steps[root]))]
            while path:
                square, parent, ways = path[-1]
                step = next((way for way in ways if way in allowed and way != parent), None)
                if step is None:
                    path.pop()
                    if path:
                        low[parent] = min(low[parent], low[square])
                        if low[square] >= order[parent]:
                            at = open_squares.index(square)
                            yield {parent, *open_squares[at:]}
                            del open_squares[at:]
                elif step in order:
                    low[square] = min(low[square], order[step])
                else:
                    order[step] = low[step] = len(order)
                    open_squares.append(step)
                    path.append((step, square, iter(self.steps[step])))

    def _step(self, square: int, dx: int, dy: int) -> int:
        x, y = self.locate(square)
        inside = 0 <= x + dx < self.width and 0 <= y + dy < self.height
        return (y + dy) * self.width + x + dx if inside else NO_SQUARE

    def _wrap(self, square: int, dx: int, dy: int) -> int:
        x, y = self.locate(square)
        return (y + dy) % self.height * self.width + (x + dx) % self.width

    def _name(self, square: int) -> str:
        x, y = self.locate(square)
        return f"{_LETTERS[x]}{y + 1}" if self.name is BoardName.MAIN else f"{_LETTERS[y]}{x + 1}"


@functools.cache
def get_board(name: BoardName) -> Board:
    return Board(name)
