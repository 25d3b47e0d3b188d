"""What becomes of the board when a snake that must move cannot (board game spec section 9)."""

from __future__ import annotations

from gridwars.benchmarks.snake_board.ending import end_if_decided
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.rules import Fate
from gridwars.benchmarks.snake_board.state import GameState, Snake
from gridwars.benchmarks.snake_board.steps import take_out


def block(state: GameState, snake: Snake) -> None:
    """A snake dies; the board changes only where the game goes on."""
    take_out(state, snake, Fate.BLOCKED)
    state.tell(Kind.DEATH, snake.index, snake.body[0])
    if end_if_decided(state, blocked=snake):
        return
    state.hand_apples(snake.index, snake.carried, "death")
    snake.carried = 0
    _leave_body(state, snake)
    _clear_ring(state)
    _fill_unreachable(state, snake)


def _leave_body(state: GameState, snake: Snake) -> None:
    """Segments stay, dead, but for those in the outer ring."""
    for square in snake.body:
        del state.owners[square]
        state.pending.pop(square, None)
        if square not in state.board.ring:
            state.dead[square] = snake.index


def _clear_ring(state: GameState) -> None:
    cleared = sorted(state.rocks & state.board.ring)
    state.rocks.difference_update(cleared)
    for square in cleared:
        state.tell(Kind.RING_CLEAR, square=square)


def _fill_unreachable(state: GameState, snake: Snake) -> None:
    """Squares that a long snake could not leave are blocked, at once or when a living segment leaves them."""
    passable = [
        square for square in state.board.squares if square not in state.rocks and square not in state.dead
    ]
    reachable = state.board.find_reachable(passable)
    found_apples = 0
    for square in passable:
        if square in reachable:
            continue
        if square in state.owners:
            if state.pending.setdefault(square, snake.index) == snake.index:
                state.tell(Kind.FILL_LATER, snake.index, square)
            continue
        if square in state.apples:
            state.apples.remove(square)
            found_apples += 1
            state.tell(Kind.APPLE_REMOVED, square=square)
        state.dead[square] = snake.index
        state.tell(Kind.FILL, snake.index, square)
    state.hand_apples(snake.index, found_apples, "unreachable")
