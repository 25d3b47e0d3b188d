"""What a seat sees before a turn, in the shape and order of the reference (Snake Royale spec section 10.1).

A template can show only what is here, so what is hidden from a seat (the others' notes and orders, policy
names, the food to come, the spawn deal) must never become a field.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridwars.benchmarks.contract import Observation
from gridwars.benchmarks.snake_royale.board import OFF_BOARD, make_board
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    DIRECTION_CODES,
    DIRECTIONS,
    SEATS,
    DeathCause,
    Direction,
    HeadOnRule,
    Module,
    Switches,
    make_food_stream,
)
from gridwars.benchmarks.snake_royale.sight import (
    BodyKind,
    HeadRisk,
    Sight,
    compute_free_space,
    find_neck,
)
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.voices import Voice

Cell = tuple[int, int]


class BoardView(msgspec.Struct, frozen=True):
    w: int
    h: int
    wrap: bool


class RulesView(msgspec.Struct, frozen=True):
    head_to_head: HeadOnRule
    food_count: int
    health_start: int
    shrink_every: int
    leave_trail: bool


class SnakeView(msgspec.Struct, frozen=True):
    """A snake as everybody sees it; dead it has neither head nor body.

    Attributes:
        id: its alias.
        free_space: cells that its head can reach; 0 before the first turn.
    """

    id: str
    colour: str
    alive: bool
    head: Cell
    body: tuple[Cell, ...]
    length: int
    health: int
    last_dir: Direction
    free_space: int
    food_eaten: int
    death_turn: int
    death_cause: DeathCause


class MoveView(msgspec.Struct, frozen=True):
    """One of the four moves.

    Attributes:
        to: where it leads, off the board perhaps.
        head_risk, free_space: only of legal moves; else safe and 0.
    """

    dir: Direction
    to: Cell
    legal: bool
    wall: bool
    body: BodyKind
    food: bool
    head_risk: HeadRisk
    free_space: int


class Said(msgspec.Struct, frozen=True):
    """Another's bubble."""

    id: str
    text: str


class SnakeRoyaleObservation(Observation, frozen=True):
    """All that a seat sees when it is asked for a direction.

    Attributes:
        turn: turns already played.
        alive: how many snakes are.
        snakes: the other three, by seat.
        moves: in wire order.
    """

    module: Module
    board: BoardView
    turn: int
    max_turns: int
    turns_left: int
    alive: int
    rules: RulesView
    you: SnakeView
    snakes: tuple[SnakeView, ...]
    food: tuple[Cell, ...]
    moves: tuple[MoveView, ...]
    said: tuple[Said, ...]
    your_notes: str


def build_observations(
    state: GameState, module: Module, colours: Sequence[str], voices: Sequence[Voice]
) -> dict[int, SnakeRoyaleObservation]:
    """By living seat, what it sees before the next turn.

    Args:
        colours, voices: by seat.
    """
    switches = state.switches
    sight = Sight(state)
    views = [_view_snake(state, snake, colours[snake.seat]) for snake in state.snakes]
    coordinates = state.board.coordinates
    return {
        snake.seat: SnakeRoyaleObservation(
            module=module,
            board=BoardView(switches.board_w, switches.board_h, switches.wrap),
            turn=state.turn,
            max_turns=switches.max_turns,
            turns_left=max(0, switches.max_turns - state.turn),
            alive=len(sight.living),
            rules=RulesView(
                head_to_head=switches.head_to_head,
                food_count=switches.food_count,
                health_start=switches.health_start,
                shrink_every=switches.shrink_every,
                leave_trail=switches.leave_trail,
            ),
            you=views[snake.seat],
            snakes=tuple(view for seat, view in enumerate(views) if seat != snake.seat),
            food=tuple(coordinates[cell] for cell in state.food),
            moves=tuple(_view_move(sight, snake, direction) for direction in DIRECTIONS),
            said=tuple(
                Said(ALIASES[other.seat], voices[other.seat].text)
                for other in sight.living
                if other is not snake and voices[other.seat].turns_left > 0
            ),
            your_notes=voices[snake.seat].notes,
        )
        for snake in sight.living
    }


def require_own(observation: Observation) -> SnakeRoyaleObservation:
    assert isinstance(observation, SnakeRoyaleObservation), "an observation of another benchmark"
    return observation


def restore_state(observation: SnakeRoyaleObservation) -> tuple[GameState, Snake]:
    """The state as far as it is seen, and the seer in it, for baselines that are functions of it."""
    rules = observation.rules
    board = make_board(observation.board.w, observation.board.h, observation.board.wrap)
    by_alias = {view.id: view for view in (observation.you, *observation.snakes)}
    snakes = tuple(
        Snake(
            seat=seat,
            body=[board.cell_at(x, y) for x, y in by_alias[ALIASES[seat]].body],
            health=by_alias[ALIASES[seat]].health,
            last_dir=DIRECTION_CODES[by_alias[ALIASES[seat]].last_dir],
            alive=by_alias[ALIASES[seat]].alive,
        )
        for seat in SEATS
    )
    state = GameState(
        switches=Switches(
            board_w=observation.board.w,
            board_h=observation.board.h,
            wrap=observation.board.wrap,
            food_count=rules.food_count,
            health_start=rules.health_start,
            shrink_every=rules.shrink_every,
            leave_trail=rules.leave_trail,
            head_to_head=rules.head_to_head,
            start_length=1,
            max_turns=observation.max_turns,
        ),
        board=board,
        snakes=snakes,
        food_stream=make_food_stream(0),
        food=[board.cell_at(x, y) for x, y in observation.food],
        turn=observation.turn,
    )
    return state, snakes[ALIASES.index(observation.you.id)]


def _view_snake(state: GameState, snake: Snake, colour: str) -> SnakeView:
    body = tuple(state.board.coordinates[cell] for cell in snake.body)
    return SnakeView(
        id=ALIASES[snake.seat],
        colour=colour,
        alive=snake.alive,
        head=body[0] if body else (0, 0),
        body=body,
        length=len(body),
        health=snake.health,
        last_dir=DIRECTIONS[snake.last_dir],
        free_space=compute_free_space(state, snake),
        food_eaten=snake.food_eaten,
        death_turn=snake.death_turn,
        death_cause=snake.death_cause,
    )


def _view_move(sight: Sight, snake: Snake, direction: Direction) -> MoveView:
    board = sight.state.board
    code = DIRECTION_CODES[direction]
    head = snake.body[0]
    cell = board.steps[code][head]
    if cell == OFF_BOARD:
        beyond = board.step_beyond(head, code)
        return MoveView(direction, beyond, False, True, BodyKind.NONE, False, HeadRisk.SAFE, 0)
    legal = sight.is_legal(snake, code)
    return MoveView(
        dir=direction,
        to=board.coordinates[cell],
        legal=legal,
        wall=False,
        body=BodyKind.SELF if cell == find_neck(snake) else sight.body_kind(snake, cell),
        food=sight.has_food(cell),
        head_risk=sight.head_risk(snake, cell) if legal else HeadRisk.SAFE,
        free_space=sight.count_free_after(cell, len(board.cells)) if legal else 0,
    )
