"""The board before the first turn: who begins, rocks and apples (board game spec section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from gridwars.benchmarks.snake_board.board import NO_SQUARE, get_board
from gridwars.benchmarks.snake_board.config import SnakeBoardConfig
from gridwars.benchmarks.snake_board.dice import NUMBERS, StreamDice
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.rules import APPLE_COUNT, PATTERNS, Mode, RockMethod
from gridwars.benchmarks.snake_board.state import Dice, GameState, Snake, place_snakes


def make_state(config: SnakeBoardConfig, dice: Dice | None = None) -> GameState:
    """A board with nothing but the snakes on their start squares."""
    board = get_board(config.board)
    snakes = place_snakes(config, board)
    return GameState(
        config=config,
        board=board,
        dice=dice or StreamDice(config.seed),
        snakes=snakes,
        order=tuple(sorted(range(config.seats), key=lambda seat: snakes[seat].start)),
        owners={square: snake.index for snake in snakes for square in snake.body},
    )


def iterate_setup(state: GameState) -> Iterator[int]:
    """Makes the board ready, and sets who is to move.

    Yields:
        A seat that must choose the square of a rock, which `put_chosen_rock` then puts down.
    """
    config = state.config
    first = 0 if config.mode is Mode.PYTHON else _roll_for_first(state)
    state.tell(Kind.FIRST, first)
    at = state.order.index(first)
    turn_order = state.order[at:] + state.order[:at]
    is_pattern = config.rock_method is RockMethod.PATTERN
    if is_pattern:
        for name in PATTERNS[config.board][config.rock_pattern]:
            _put_rock(state, state.board.require(name))
    dealt_rocks = 0 if is_pattern else config.rocks
    is_chosen = config.rock_method is RockMethod.CHOSEN and config.mode is not Mode.PYTHON
    for rank, seat in enumerate(turn_order):
        for _ in range(rank, dealt_rocks, len(turn_order)):
            if is_chosen:
                yield seat
            else:
                put_rolled_rock(state, seat)
        for _ in range(rank, APPLE_COUNT, len(turn_order)):
            put_rolled_apple(state, seat)
    state.to_move = first


def can_take_rock(state: GameState, square: int) -> bool:
    """Whether a rock may lie there: on an empty square that is no start, and no square is cut off."""
    board = state.board
    if square == NO_SQUARE or square in board.start_squares or not state.is_empty(square):
        return False
    return board.keeps_all_accessible(
        [other for other in board.squares if other != square and other not in state.rocks]
    )


def put_chosen_rock(state: GameState, snake: Snake, name: str) -> None:
    """Puts a rock where its player says, or where the dice say if it may not lie there."""
    square = state.board.find(name.strip())
    if can_take_rock(state, square):
        _put_rock(state, square, snake.index)
        return
    snake.repaired += 1
    state.tell(Kind.REPAIR, snake.index, text="rock")
    put_rolled_rock(state, snake.index)


def put_rolled_rock(state: GameState, seat: int) -> None:
    square = state.place_by_dice(lambda rolled: can_take_rock(state, rolled))
    if square != NO_SQUARE:
        _put_rock(state, square, seat)


def put_rolled_apple(state: GameState, seat: int) -> None:
    square = state.place_by_dice(state.is_empty)
    if square != NO_SQUARE:
        state.apples.add(square)
        state.tell(Kind.APPLE, seat, square)


def _put_rock(state: GameState, square: int, seat: int = -1) -> None:
    state.rocks.add(square)
    state.tell(Kind.ROCK, seat, square)


def _roll_for_first(state: GameState) -> int:
    """The seat whose number die is highest; seats that tie roll again."""
    rolling = list(range(state.config.seats))
    while len(rolling) > 1:
        rolls = {seat: state.dice.roll(NUMBERS) for seat in rolling}
        for seat, number in rolls.items():
            state.tell(Kind.FIRST_ROLL, seat, value=number)
        rolling = [seat for seat in rolling if rolls[seat] == max(rolls.values())]
    return rolling[0]
