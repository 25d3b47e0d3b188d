"""The golden vectors that are played: turns from a given position, and whole games."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridwars.benchmarks.snake_board.board import NO_SQUARE, Board
from gridwars.benchmarks.snake_board.config import configure
from gridwars.benchmarks.snake_board.digest import render_digest
from gridwars.benchmarks.snake_board.ending import compute_places, compute_scores
from gridwars.benchmarks.snake_board.game import Game
from gridwars.benchmarks.snake_board.requests import PythonRequest, Request, RockRequest, StepsRequest
from gridwars.benchmarks.snake_board.rules import HEADINGS, Fate
from gridwars.benchmarks.snake_board.setup import make_state
from gridwars.benchmarks.snake_board.state import NOBODY, GameState, Link, Snake
from gridwars.canonical import Json
from gridwars.vectors import narrow_answer

Answer = dict[str, object]
_LINKS = tuple(Link)


class SnakeCase(msgspec.Struct, frozen=True):
    body: list[str]
    heading: str | None = None
    links: list[int] | None = None
    carried: int = 0


class Position(msgspec.Struct, frozen=True):
    config: dict[str, Json]
    snakes: list[SnakeCase | None] | None = None
    apples: list[str] = []
    rocks: list[str] = []
    dead: dict[str, int] = {}
    pending: dict[str, int] = {}
    saved: int = 0
    turn: int = 0
    to_move: int = 0
    dice: list[str] | None = None


class GameCase(msgspec.Struct, frozen=True):
    id: str
    config: dict[str, Json]
    first: int
    actions: list[list[Json]]
    digests: list[str]
    turns: int
    over: Answer
    places: list[int]
    scores: list[int]
    final: Answer


class ListedDice:
    """Dice that show given squares, one roll of both after another."""

    state = 0

    def __init__(self, squares: Sequence[str]) -> None:
        self.left = list(squares)
        self.rolled = 0

    def roll(self, sides: int) -> int:
        raise AssertionError(f"no roll of {sides} sides is given")

    def roll_square(self, board: Board) -> int:
        assert self.left, "more rolls than are given"
        self.rolled += 1
        return board.require(self.left.pop(0))


def play_turns(position: Position, actions: Sequence[Sequence[str]], expected: Answer) -> Answer:
    """The answer to a case of turns, holding what the expected one holds."""
    dice = ListedDice(position.dice or [])
    state = build_state(position, dice)
    game = Game(state)
    first_request = _describe_request(state, game.request)
    for tokens in actions:
        game.submit(tokens)
    told = {happening.kind.value for happening in state.happenings}
    request = _describe_request(state, game.request)
    over = state.over
    answer: Answer = {
        "first_request": narrow_answer(first_request, expected.get("first_request")),
        "request": narrow_answer(request, expected.get("request")),
        "snakes": {
            index: narrow_answer(_describe_snake(state, state.snakes[int(index)]), wanted)
            for index, wanted in _mapping(expected.get("snakes")).items()
        },
        "apples": _names(state, state.apples),
        "rocks": _names(state, state.rocks),
        "dead": {state.board.names[square]: owner for square, owner in state.dead.items()},
        "pending": {state.board.names[square]: owner for square, owner in state.pending.items()},
        "over": over and {"reason": over.reason.value, "winners": list(over.winners)},
        "places": list(compute_places(state)),
        "scores": list(compute_scores(state)) if over else None,
        "turn": state.turn,
        "to_move": None if state.to_move == NOBODY else state.to_move,
        "saved": state.saved,
        "rolls": dice.rolled,
        "dice_left": dice.left,
        "has_events": [kind for kind in _sequence(expected.get("has_events")) if kind in told],
        "no_events": [kind for kind in _sequence(expected.get("no_events")) if kind not in told],
    }
    return {name: value for name, value in answer.items() if name in expected}


def play_game(case: GameCase) -> Answer:
    game = Game.start(configure(case.config))
    state = game.state
    firsts = [happening.snake for happening in state.happenings if happening.kind == "first"]
    seats = []
    for _, *action in case.actions:
        if game.request is None:
            break
        seats.append(game.request.seat)
        if isinstance(game.request, RockRequest):
            game.submit_rock(str(action[-1]))
        else:
            tokens = action[0]
            game.submit([str(token) for token in tokens] if isinstance(tokens, list) else [])
    over = state.over
    return {
        "first": firsts[0],
        "digests": list(map(render_digest, game.digests)),
        "turns": state.turn,
        "over": over and {"reason": over.reason.value, "winners": list(over.winners)},
        "places": list(compute_places(state)),
        "scores": list(compute_scores(state)) if over else None,
        "actions": [[seat, *action[1:]] for seat, action in zip(seats, case.actions, strict=False)],
        "final": {
            "fates": [None if snake.alive else snake.fate.value for snake in state.snakes],
            "lengths": [len(snake.body) for snake in state.snakes],
            "carried": [snake.carried for snake in state.snakes],
            "repaired": [snake.repaired for snake in state.snakes],
            "saved": state.saved,
            "apples": _names(state, state.apples),
            "rocks": _names(state, state.rocks),
            "dead": _names(state, state.dead),
            "pending": _names(state, state.pending),
        },
    }


def build_state(position: Position, dice: ListedDice | None = None) -> GameState:
    """The state of a position.

    Args:
        dice: what is rolled where the position lists rolls; those that it lists are taken otherwise.
    """
    listed = None if position.dice is None else dice or ListedDice(position.dice)
    state = make_state(configure(position.config), listed)
    board = state.board
    if position.snakes is not None:
        for snake, case in zip(state.snakes, position.snakes, strict=True):
            _put_snake(board, snake, case)
    state.owners = {square: snake.index for snake in state.snakes if snake.alive for square in snake.body}
    state.apples = set(map(board.require, position.apples))
    state.rocks = set(map(board.require, position.rocks))
    state.dead = {board.require(name): owner for name, owner in position.dead.items()}
    state.pending = {board.require(name): owner for name, owner in position.pending.items()}
    state.saved, state.turn, state.to_move = position.saved, position.turn, position.to_move
    return state


def _put_snake(board: Board, snake: Snake, case: SnakeCase | None) -> None:
    if case is None:
        snake.body, snake.links, snake.fate = [], [], Fate.BLOCKED
        return
    snake.body = list(map(board.require, case.body))
    links = case.links or [0] * (len(snake.body) - 1)
    snake.links = [_LINKS[code] for code in links]
    snake.carried = case.carried
    if case.heading is not None:
        snake.heading = [heading.value for heading in HEADINGS].index(case.heading)
    else:
        snake.heading = board.steps[snake.body[1]].index(snake.body[0])


def _describe_request(state: GameState, request: Request | None) -> Answer | None:
    match request:
        case None:
            return None
        case RockRequest(seat=seat):
            return {"kind": "rock", "seat": seat}
        case StepsRequest() | PythonRequest():
            names = state.board.names
            answer: Answer = {
                "kind": "steps" if isinstance(request, StepsRequest) else "python",
                "seat": request.seat,
                "legal": [f"{step.token}>{names[step.square]}" for step in request.legal],
            }
            if isinstance(request, StepsRequest):
                return answer | {"moves": request.moves}
            return answer | {"mandatory": request.mandatory, "extra": request.extra}


def _describe_snake(state: GameState, snake: Snake) -> Answer:
    return {
        "alive": snake.alive,
        "fate": None if snake.alive else snake.fate.value,
        "body": [state.board.names[square] for square in snake.body],
        "links": [_LINKS.index(link) for link in snake.links],
        "heading": HEADINGS[snake.heading].value,
        "length": len(snake.body),
        "carried": snake.carried,
        "repaired": snake.repaired,
        "bites": snake.bites,
        "colour": snake.colour.value,
    }


def _names(state: GameState, squares: object) -> list[str]:
    assert isinstance(squares, set | dict), "squares are a collection of indices"
    return sorted(state.board.names[square] for square in squares if square != NO_SQUARE)


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _sequence(value: object) -> list[object]:
    return value if isinstance(value, list) else []
