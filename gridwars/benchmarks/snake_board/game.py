"""One game, from its set-up to its end: asks one seat at a time and takes what it submits.

Turns of several players are board game spec section 6; a solo turn stands in `solo`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridwars.benchmarks.snake_board import solo
from gridwars.benchmarks.snake_board.config import SnakeBoardConfig
from gridwars.benchmarks.snake_board.death import block
from gridwars.benchmarks.snake_board.digest import compute_digest, compute_first_digest
from gridwars.benchmarks.snake_board.ending import end_at_cap, end_if_decided
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.requests import PythonRequest, Request, RockRequest, StepsRequest
from gridwars.benchmarks.snake_board.rules import Mode
from gridwars.benchmarks.snake_board.setup import iterate_setup, make_state, put_chosen_rock
from gridwars.benchmarks.snake_board.state import NOBODY, Content, GameState, Snake
from gridwars.benchmarks.snake_board.steps import Step, is_stuck, list_steps, take_step
from gridwars.benchmarks.snake_board.tokens import find_step

_MOVES_AFTER_ROLL = {
    Content.EMPTY: 1,
    Content.ANOTHER: 0,
    Content.DEAD: 0,
    Content.APPLE: 1,
    Content.ROCK: 1,
    Content.OWN: 2,
}
"""What a turn's dice show, and how many moves follow."""


class Game:
    """A game being played.

    Attributes:
        request: what must be answered next; None once the game is over.
        digests: before the first turn and after each, 64 bits.
    """

    def __init__(self, state: GameState, setup: Iterator[int] | None = None) -> None:
        """A game in a given state, whose turn begins now.

        Args:
            setup: what must be done before.
        """
        self.state = state
        self.request: Request | None = None
        self.digests: list[int] = []
        self._setup = setup
        if setup is None:
            self._begin_turn()
        else:
            self._go_on_with_setup(setup)

    @classmethod
    def start(cls, config: SnakeBoardConfig) -> Game:
        state = make_state(config)
        return cls(state, iterate_setup(state))

    def submit(self, tokens: Sequence[str]) -> None:
        """Takes the answer to a request for steps, or for a solo turn."""
        match self.request:
            case StepsRequest(seat=seat, moves=moves):
                self._move(self.state.snakes[seat], moves, tokens)
                self._end_turn()
            case PythonRequest():
                solo.apply_tokens(self.state, tokens)
                self._go_on_with_solo()
            case RockRequest() | None:
                raise AssertionError("nobody is asked for steps")

    def submit_rock(self, square: str) -> None:
        """Takes the answer to a request for a rock."""
        request = self.request
        assert isinstance(request, RockRequest), "nobody is asked for a rock"
        assert self._setup is not None, "rocks are put down before the first turn"
        put_chosen_rock(self.state, self.state.snakes[request.seat], square)
        self._go_on_with_setup(self._setup)

    def _go_on_with_setup(self, setup: Iterator[int]) -> None:
        seat = next(setup, None)
        if seat is not None:
            self.request = RockRequest(seat)
            return
        self.state.digest = compute_first_digest(self.state)
        self.digests.append(self.state.digest)
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Plays on until somebody must be asked."""
        self.request = None
        while self.state.over is None and self.request is None:
            state = self.state
            snake = state.snakes[state.to_move]
            if state.config.mode is Mode.PYTHON:
                self._begin_solo_turn(snake)
                continue
            moves = _roll_for_moves(state, snake)
            legal = tuple(list_steps(state, snake))
            if moves and legal:
                self.request = StepsRequest(snake.index, moves, legal)
                continue
            if moves:
                block(state, snake)
            self._close_turn(snake)

    def _end_turn(self) -> None:
        self._close_turn(self.state.snakes[self.state.to_move] if self.state.to_move != NOBODY else None)
        self._begin_turn()

    def _close_turn(self, snake: Snake | None) -> None:
        """Counts a turn, passes it on, and takes the digest."""
        state = self.state
        state.turn += 1
        state.rolled = None
        if not end_at_cap(state) and snake is not None:
            following = state.find_next_living(snake.index)
            assert following is not None, "somebody lives while a game goes on"
            state.to_move = following.index
        state.digest = compute_digest(state)
        self.digests.append(state.digest)

    def _move(self, snake: Snake, moves: int, tokens: Sequence[str]) -> None:
        """A turn's steps, each in its turn put right if it is not legal; stops where the game is over."""
        state = self.state
        for index in range(moves):
            legal = list_steps(state, snake)
            if not legal:
                block(state, snake)
                return
            take_step_of_token(state, snake, tokens[index] if index < len(tokens) else "", legal)
            if end_if_decided(state):
                return

    def _begin_solo_turn(self, player: Snake) -> None:
        if is_stuck(self.state, player):
            block(self.state, player)
            self._close_turn(player)
            return
        self.state.mandatory = 1
        self._ask_solo(player)

    def _ask_solo(self, player: Snake) -> None:
        legal = tuple(list_steps(self.state, player))
        self.request = PythonRequest(player.index, self.state.mandatory, self.state.extra, legal)

    def _go_on_with_solo(self) -> None:
        state = self.state
        if state.over is None:
            player = state.snakes[0]
            if state.mandatory or state.extra:
                self._ask_solo(player)
                return
            solo.move_robots(state)
        self._end_turn()


def take_step_of_token(state: GameState, snake: Snake, token: str, legal: Sequence[Step]) -> bool:
    """Takes the step that a token means, or else the first legal one; whether the snake ate."""
    step = find_step(token, snake, legal)
    if step is None:
        step = legal[0]
        snake.repaired += 1
        state.tell(Kind.REPAIR, snake.index, step.square, text=step.token)
    ate = take_step(state, snake, step)
    if ate:
        snake.carried += 1
    return ate


def _roll_for_moves(state: GameState, snake: Snake) -> int:
    """The moves of this turn; a snake that carries an apple rolls for them, and for the apple's place."""
    if not snake.carried:
        return 1
    square = state.dice.roll_square(state.board)
    content = state.look(square, snake)
    moves = _MOVES_AFTER_ROLL[content]
    state.rolled = (square, content)
    state.tell(Kind.ROLL, snake.index, square, value=moves, text=content)
    if content is Content.EMPTY:
        snake.carried -= 1
        state.apples.add(square)
        state.tell(Kind.PLACED, snake.index, square)
    return moves
