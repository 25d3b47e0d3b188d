"""What the seats have said and noted: bubbles that fade, notes that only their writer sees again."""

from __future__ import annotations

from typing import NamedTuple

from gridwars.benchmarks.snake_royale.orders import Order


class Voice(NamedTuple):
    """One seat's.

    Attributes:
        text: of its last bubble, seen while `turns_left` is not 0.
        said_turns: how often it said something.
        notes: its own last ones.
    """

    text: str = ""
    turns_left: int = 0
    said_turns: int = 0
    notes: str = ""

    def hear(self, order: Order, say_turns: int) -> Voice:
        """The voice once the order stands; notes that are not renewed are gone."""
        if order.say:
            return Voice(order.say, max(1, say_turns), self.said_turns + 1, order.notes)
        return self._replace(turns_left=max(0, self.turns_left - 1), notes=order.notes)
