"""Which steps a snake may take, and what one of them changes (board game spec sections 7, 8, 10 and 12)."""

from __future__ import annotations

from typing import NamedTuple

from gridwars.benchmarks.snake_board.board import NO_SQUARE
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.rules import BITE_LEAD, HEADINGS, Fate, Mode
from gridwars.benchmarks.snake_board.state import NOBODY, Content, GameState, Link, Snake

FORWARD, RIGHT, BACKWARD, LEFT = range(4)
"""Quarter turns clockwise."""
_STEP_ORDER = (FORWARD, LEFT, RIGHT)


class Step(NamedTuple):
    """One legal step.

    Attributes:
        token: `N`, `E`, `S` or `W`; behind an `H` of the facing behind a wormhole.
        bitten: index of the snake that is bitten; `NOBODY` for none.
    """

    token: str
    square: int
    heading: int
    link: Link = Link.STEP
    bitten: int = NOBODY


def turn_from(heading: int, quarter_turns: int) -> int:
    return (heading + quarter_turns) % len(HEADINGS)


def list_steps(state: GameState, snake: Snake) -> list[Step]:
    """All legal steps: forward, left, right, then the wormhole's facings N, E, S, W."""
    steps = []
    may_pass = not snake.in_transit
    for quarter_turns in _STEP_ORDER:
        heading = turn_from(snake.heading, quarter_turns)
        square, link = state.board.steps[snake.body[0]][heading], Link.STEP
        if square == NO_SQUARE and state.config.infinity and may_pass:
            square, link = state.board.wraps[snake.body[0]][heading], Link.WALL
        if square == NO_SQUARE:
            continue
        bitten = _find_bitten(state, snake, square)
        if bitten != NOBODY or state.look(square, snake) in (Content.EMPTY, Content.APPLE):
            steps.append(Step(HEADINGS[heading], square, heading, link, bitten))
    exit_square = state.board.wormholes.get(snake.body[0], NO_SQUARE)
    if state.config.wormholes and may_pass and exit_square != NO_SQUARE and state.is_empty(exit_square):
        steps += [
            Step(f"H{facing}", exit_square, heading, Link.WORMHOLE) for heading, facing in enumerate(HEADINGS)
        ]
    return steps


def is_stuck(state: GameState, snake: Snake) -> bool:
    return not list_steps(state, snake)


def take_step(state: GameState, snake: Snake, step: Step) -> bool:
    """Takes a legal step; whether the snake ate, so that it has an apple in hand."""
    state.tell(Kind.MOVE, snake.index, step.square, text=step.token)
    if step.bitten != NOBODY:
        _bite(state, snake, state.snakes[step.bitten], step.square)
    ate = step.square in state.apples
    state.apples.discard(step.square)
    state.add_head(snake, step.square, step.heading, step.link)
    if ate and not swaps_apples(state, snake):
        state.tell(Kind.EAT, snake.index, step.square, value=len(snake.body))
        return True
    left = state.drop_tail(snake)
    if ate:
        state.apples.add(left)
        state.tell(Kind.SWAP, snake.index, left)
    return False


def swaps_apples(state: GameState, snake: Snake) -> bool:
    """Whether apples pass through it, so that it never grows: the adder and robots."""
    mode = state.config.mode
    return (mode is Mode.ADDER and snake.index == state.config.adder) or snake.index >= state.config.seats


def _find_bitten(state: GameState, snake: Snake, square: int) -> int:
    owner = state.owners.get(square, NOBODY)
    if owner in (NOBODY, snake.index) or state.config.mode is Mode.ADDER:
        return NOBODY
    other = state.snakes[owner]
    can_bite = (
        other.side != snake.side
        and square in other.body[:2]
        and len(snake.body) >= len(other.body) + BITE_LEAD
    )
    return owner if can_bite else NOBODY


def _bite(state: GameState, biter: Snake, bitten: Snake, square: int) -> None:
    """Removes the bitten snake; the biter's head comes onto `square`, which stays pending if it was."""
    state.tell(Kind.BITE, biter.index, square, value=bitten.index)
    biter.bites += 1
    take_out(state, bitten, Fate.BITTEN)
    for segment in bitten.body:
        if segment == square:
            del state.owners[segment]
        else:
            state.vacate(segment)
    if bitten.index < state.config.seats:
        state.hand_apples(bitten.index, bitten.carried, "bitten")
        bitten.carried = 0


def take_out(state: GameState, snake: Snake, fate: Fate) -> None:
    """Notes that a snake is out, and as the how-manieth; the board stays as it is."""
    snake.fate = fate
    snake.out_at = sum(not other.alive for other in state.snakes)
