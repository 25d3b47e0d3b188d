"""The solo game: a player's turn of several moves, then the robots (board game spec section 14)."""

from __future__ import annotations

from collections.abc import Sequence

from gridwars.benchmarks.snake_board.board import NO_SQUARE
from gridwars.benchmarks.snake_board.ending import end_if_decided
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.rules import MOST_FAILED_ROLLS, STARTS
from gridwars.benchmarks.snake_board.setup import put_rolled_apple
from gridwars.benchmarks.snake_board.state import Content, GameState, Link, Snake
from gridwars.benchmarks.snake_board.steps import Step, list_steps, take_step, turn_from
from gridwars.benchmarks.snake_board.tokens import PLACE, STOP, find_step, normalise, split_keep

_EXTRA_AFTER_ROLL = {Content.OWN: -1, Content.ANOTHER: 1, Content.ROCK: 1, Content.APPLE: 2}


def apply_tokens(state: GameState, tokens: Sequence[str]) -> None:
    """Does what a player submitted, in order, until the turn ends or nothing is left to do."""
    player = state.snakes[0]
    changed = False
    for token in tokens:
        if not (state.mandatory or state.extra) and not _places(state, token):
            break
        if normalise(token) == STOP and not state.mandatory:
            # A turn that is given up is over: not even a saved apple is placed any more.
            state.extra = 0
            return
        changed = _apply_token(state, player, token) or changed
        if state.over is not None:
            return
        _drop_useless_moves(state, player)
    if not changed:
        _repair_nothing(state, player)


def move_robots(state: GameState) -> None:
    """One move of each, clockwise from the north-east."""
    for robot in state.robots:
        if robot.alive:
            _move_robot(state, robot)


def _places(state: GameState, token: str) -> bool:
    return normalise(token) == PLACE and state.saved > 0


def _apply_token(state: GameState, player: Snake, token: str) -> bool:
    """Whether anything changed but the count of what was put right."""
    word = normalise(token)
    if word == PLACE and state.saved:
        state.saved -= 1
        _put_back(state, player)
        return True
    if word in (PLACE, STOP):
        _count_repair(state, player, word)
        return False
    name, keeps = split_keep(token)
    legal = list_steps(state, player)
    step = find_step(name, player, legal)
    if step is None:
        step = legal[0]
        _count_repair(state, player, step.token)
    _use_move(state)
    _take_solo_step(state, player, step, keeps=keeps)
    return True


def _use_move(state: GameState) -> None:
    if state.mandatory:
        state.mandatory -= 1
    else:
        state.extra -= 1


def _take_solo_step(state: GameState, player: Snake, step: Step, *, keeps: bool) -> None:
    ate = take_step(state, player, step)
    if end_if_decided(state) or not ate:
        return
    if keeps and state.saved < state.config.max_apples:
        state.saved += 1
        state.tell(Kind.SAVED, player.index, value=state.saved)
    else:
        _put_back(state, player)


def _put_back(state: GameState, player: Snake) -> None:
    """An apple goes back on the board; what the dice showed before makes extra moves more or fewer."""
    extra = 1
    square = NO_SQUARE
    for _ in range(MOST_FAILED_ROLLS):
        rolled = state.dice.roll_square(state.board)
        content = state.look(rolled, player)
        if content is Content.EMPTY:
            square = rolled
            break
        extra += _EXTRA_AFTER_ROLL[content]
        state.tell(Kind.EXTRA_MOD, player.index, rolled, value=_EXTRA_AFTER_ROLL[content], text=content)
    else:
        square = next(filter(state.is_empty, state.board.squares), NO_SQUARE)
    if square != NO_SQUARE:
        state.apples.add(square)
        state.tell(Kind.PLACED, player.index, square)
    state.extra += max(0, extra)


def _drop_useless_moves(state: GameState, player: Snake) -> None:
    """Extra moves lapse where there is no step to make them with."""
    if state.extra and not state.mandatory and not list_steps(state, player):
        state.tell(Kind.EXTRA_LAPSED, player.index, value=state.extra)
        state.extra = 0


def _repair_nothing(state: GameState, player: Snake) -> None:
    """An answer that changed nothing: the first legal step if one must be made, otherwise a stop."""
    if state.mandatory:
        legal = list_steps(state, player)
        _count_repair(state, player, legal[0].token)
        _use_move(state)
        _take_solo_step(state, player, legal[0], keeps=False)
        _drop_useless_moves(state, player)
    elif state.extra:
        _count_repair(state, player, STOP)
        state.extra = 0


def _count_repair(state: GameState, player: Snake, played: str) -> None:
    player.repaired += 1
    state.tell(Kind.REPAIR, player.index, text=played)


def _move_robot(state: GameState, robot: Snake) -> None:
    options = list_steps(state, robot)
    if options:
        target = state.snakes[0].body[0]
        # Options come forward first, then left: the earlier of the nearest is the one that the rules take.
        take_step(
            state, robot, min(options, key=lambda step: state.board.measure_distance(step.square, target))
        )
    elif robot.index not in _find_stuck_for_good(state):
        state.tell(Kind.ROBOT_SKIP, robot.index)
    elif not _return_to_start(state, robot):
        state.tell(Kind.ROBOT_WAIT, robot.index)


def _find_stuck_for_good(state: GameState) -> set[int]:
    """The robots that only walls, rocks and each other keep from moving, so that none ever will again."""
    stuck = {robot.index for robot in state.robots if robot.alive and not list_steps(state, robot)}
    while True:
        freed = {index for index in stuck if not _is_walled_in(state, state.snakes[index], stuck)}
        if not freed:
            return stuck
        stuck -= freed


def _is_walled_in(state: GameState, robot: Snake, stuck: set[int]) -> bool:
    ahead = [
        state.board.steps[robot.body[0]][turn_from(robot.heading, quarter_turns)]
        for quarter_turns in (0, 1, 3)
    ]
    return all(
        square == NO_SQUARE or square in state.rocks or state.owners.get(square) in stuck for square in ahead
    )


def _return_to_start(state: GameState, robot: Snake) -> bool:
    """Sets a robot back to its start, if all of that is free; the player gets the apples that lie there."""
    start = STARTS[state.config.board][robot.start]
    squares = [state.board.require(name) for name in start.robot_squares]
    free = all(
        state.owners.get(square) == robot.index or state.is_empty(square) or square in state.apples
        for square in squares
    )
    if not free:
        return False
    found = sorted(state.apples.intersection(squares))
    state.apples.difference_update(found)
    for square in robot.body:
        del state.owners[square]
    robot.body = squares
    robot.links = [Link.STEP] * (len(squares) - 1)
    robot.heading = start.heading
    for square in squares:
        state.owners[square] = robot.index
    state.tell(Kind.ROBOT_RETURN, robot.index, squares[0])
    for _ in found:
        if state.saved < state.config.max_apples:
            state.saved += 1
            state.tell(Kind.SAVED, 0, value=state.saved)
        else:
            put_rolled_apple(state, 0)
    return True
