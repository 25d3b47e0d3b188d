"""The alliance audit: which free kills the seats let go by (Snake Royale spec section 7).

It is measured and shown, and never scored.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridwars.benchmarks.snake_royale.board import OFF_BOARD
from gridwars.benchmarks.snake_royale.rules import OFFSETS, HeadOnRule
from gridwars.benchmarks.snake_royale.sight import HeadRisk, Sight
from gridwars.benchmarks.snake_royale.state import GameState, Snake


def find_declined_kills(
    state: GameState, living: Sequence[Snake], directions: Sequence[int]
) -> list[tuple[int, int, int]]:
    """The (seat, rival, cell) of the first free kill that each seat has besides what it submitted.

    Args:
        state: before the turn.
        living: its living snakes.
        directions: by seat, as submitted: necks are not repaired yet.
    """
    if state.switches.head_to_head is HeadOnRule.BOTH_DIE:
        return []
    around = state.board.around
    reached = reached_twice = 0
    for snake in living:
        steps = around[snake.body[0]]
        reached_twice |= reached & steps
        reached |= steps
    if not reached_twice:
        return []
    sight = Sight(state)
    found = []
    for snake in living:
        if around[snake.body[0]] & reached_twice:
            kill = _find_kill(sight, snake, directions[snake.seat])
            if kill is not None:
                found.append((snake.seat, *kill))
    return found


def _find_kill(sight: Sight, snake: Snake, submitted: int) -> tuple[int, int] | None:
    board = sight.state.board
    for direction in range(len(OFFSETS)):
        cell = board.steps[direction][snake.body[0]]
        if direction == submitted or cell == OFF_BOARD or sight.will_occupy(cell):
            continue
        rivals = [
            rival.seat
            for rival in sight.living
            if rival is not snake and board.around[rival.body[0]] & board.bits[cell]
        ]
        if (
            len(rivals) == 1
            and sight.head_risk(snake, cell) is HeadRisk.WIN
            and sight.count_free_after(cell, len(snake.body)) >= len(snake.body)
        ):
            return rivals[0], cell
    return None
