"""When a game is over, who won, and what that is worth (board game spec section 15)."""

from __future__ import annotations

from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.rules import (
    Mode,
    Reason,
    compute_side_points,
    compute_solo_points,
)
from gridwars.benchmarks.snake_board.state import GameState, Over, Snake

_LEAST_LENGTH = 3


def end_if_decided(state: GameState, *, blocked: Snake | None = None) -> bool:
    """Ends the game where somebody has won or lost it; whether it is over.

    Args:
        blocked: the snake that just could not move.
    """
    over = _find_decision(state, blocked)
    if over is not None:
        _end(state, over)
    return over is not None


def end_at_cap(state: GameState) -> bool:
    """Ends the game where its turns are used up; whether it is over."""
    if state.over is None and state.turn >= state.config.max_turns:
        _end(state, Over(Reason.TURN_CAP, _find_cap_winners(state)))
    return state.over is not None


def compute_places(state: GameState) -> tuple[int, ...]:
    """By seat, from 1: the living share the first, and who was out later comes before who was out earlier."""
    seats = state.seats
    living = sum(snake.alive for snake in seats)
    later = [sum(other.out_at > snake.out_at for other in seats) for snake in seats]
    return tuple(1 if snake.alive else 1 + living + count for snake, count in zip(seats, later, strict=True))


def compute_scores(state: GameState) -> tuple[int, ...]:
    """By seat, in permille, of a game that is over."""
    over, config = state.over, state.config
    assert over is not None, "a game is scored at its end"
    match config.mode:
        case Mode.BASIC:
            return compute_place_points(compute_places(state))
        case Mode.TEAM if over.reason is Reason.TURN_CAP:
            return (0,) * config.seats
        case Mode.TEAM | Mode.ADDER:
            return compute_side_points(over.winners, config.seats)
        case Mode.PYTHON:
            if over.reason is Reason.PYTHON_WON:
                return (1000,)
            player = state.snakes[0]
            length = max(_LEAST_LENGTH, len(player.body))
            return (compute_solo_points(length, player.bites, config.robots, state.turn, config.max_turns),)


def _end(state: GameState, over: Over) -> None:
    state.end(over.reason, over.winners)
    state.tell(Kind.GAME_END, text=over.reason)


def _find_decision(state: GameState, blocked: Snake | None) -> Over | None:
    living = [snake.index for snake in state.seats if snake.alive]
    match state.config.mode:
        case Mode.BASIC:
            return Over(Reason.LAST_STANDING, tuple(living)) if len(living) == 1 else None
        case Mode.TEAM:
            sides = {state.snakes[seat].side for seat in living}
            if len(sides) > 1:
                return None
            return Over(Reason.TEAM, tuple(snake.index for snake in state.seats if snake.side in sides))
        case Mode.ADDER:
            if blocked is None:
                return None
            adder = state.config.adder
            if blocked.index != adder:
                return Over(Reason.CATCHER_BLOCKED, (adder,))
            catchers = tuple(snake.index for snake in state.seats if snake.index != adder)
            return Over(Reason.ADDER_CAUGHT, catchers)
        case Mode.PYTHON:
            if blocked is not None:
                return Over(Reason.BLOCKED, ())
            all_bitten = not any(robot.alive for robot in state.robots)
            return Over(Reason.PYTHON_WON, (0,)) if all_bitten else None


def _find_cap_winners(state: GameState) -> tuple[int, ...]:
    match state.config.mode:
        case Mode.ADDER:
            return (state.config.adder,)
        case Mode.PYTHON:
            return ()
        case Mode.BASIC | Mode.TEAM:
            return tuple(snake.index for snake in state.seats if snake.alive)
