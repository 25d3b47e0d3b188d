"""The golden vectors of Snake: The Board Game, run: each kind's cases against this engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_board.board import NO_SQUARE, get_board
from gridwars.benchmarks.snake_board.config import configure
from gridwars.benchmarks.snake_board.conformance_turns import (
    GameCase,
    Position,
    build_state,
    play_game,
    play_turns,
)
from gridwars.benchmarks.snake_board.dice import LETTERS, NUMBERS, StreamDice
from gridwars.benchmarks.snake_board.digest import render_digest
from gridwars.benchmarks.snake_board.game import Game
from gridwars.benchmarks.snake_board.happenings import Kind
from gridwars.benchmarks.snake_board.reply import read_steps
from gridwars.benchmarks.snake_board.requests import PythonRequest, RockRequest, StepsRequest
from gridwars.benchmarks.snake_board.rules import (
    BLUE_BLACK,
    HEADINGS,
    PAIR_SEGMENTS,
    PATTERNS,
    BoardName,
    Colour,
    compute_borrowed,
)
from gridwars.benchmarks.snake_board.setup import can_take_rock, make_state
from gridwars.benchmarks.snake_board.state import NOBODY
from gridwars.benchmarks.snake_board.text_board import render_text
from gridwars.canonical import Json
from gridwars.vectors import Case, CaseResult, Runner, VectorLine, first_difference, run_mixed_cases


def run_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    return run_mixed_cases(lines, _ANSWERS)


def run_game_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(GameCase)
        answer = play_game(case)
        expected = {name: value for name, value in msgspec.to_builtins(case).items() if name in answer}
        yield CaseResult(case.id, first_difference(expected, answer))


class _ChoiceCase(msgspec.Struct, frozen=True):
    config: dict[str, Json]
    choices: list[str]


class _RockCase(msgspec.Struct, frozen=True):
    config: dict[str, Json]
    square: str
    rocks: list[str]
    apples: list[str] = []


def _answer_start(case: Case) -> object:
    state = make_state(configure(_setup(case, dict[str, dict[str, Json]])["config"]))
    return [
        {
            "kind": "seat" if snake in state.seats else "robot",
            "colour": snake.colour.value,
            "body": [state.board.names[square] for square in snake.body],
            "heading": HEADINGS[snake.heading].value,
        }
        for snake in state.snakes
    ]


def _answer_dice(case: Case) -> object:
    expected = case["expect"]
    assert isinstance(expected, dict), "dice are rolled as often as is expected"
    rolls = expected.get("rolls")
    dice = StreamDice(_setup(case, dict[str, int])["seed"])
    state = render_digest(dice.state)
    count = len(rolls) if isinstance(rolls, list) else 0
    return {"state": state, "rolls": [[dice.roll(LETTERS), dice.roll(NUMBERS)] for _ in range(count)]}


def _answer_setup(case: Case) -> object:
    game = Game.start(configure(_setup(case, dict[str, dict[str, Json]])["config"]))
    state = game.state
    told = [happening for happening in state.happenings if happening.kind in (Kind.ROCK, Kind.APPLE)]
    return {
        "first": next(happening.snake for happening in state.happenings if happening.kind is Kind.FIRST),
        "rocks": sorted(state.board.names[square] for square in state.rocks),
        "apples": sorted(state.board.names[square] for square in state.apples),
        "events": [
            [happening.kind.value, happening.square, None if happening.snake == NOBODY else happening.snake]
            for happening in told
        ],
        "digest0": render_digest(game.digests[0]),
    }


def _answer_square(case: Case) -> object:
    setup = _setup(case, dict[str, str])
    board = get_board(BoardName(setup["board"]))
    square = board.find(setup["name"])
    return None if square == NO_SQUARE else list(board.locate(square))


def _answer_rock(case: Case) -> object:
    setup = _setup(case, _RockCase)
    state = build_state(Position(setup.config, rocks=setup.rocks, apples=setup.apples))
    return can_take_rock(state, state.board.find(setup.square))


def _answer_pattern(case: Case) -> object:
    setup = _setup(case, dict[str, str])
    names = PATTERNS[BoardName(setup["board"])][setup["pattern"]]
    state = make_state(configure({"board": setup["board"]}))
    legal = True
    for square in map(state.board.require, names):
        legal = legal and can_take_rock(state, square)
        state.rocks.add(square)
    return {"squares": list(names), "legal": legal}


def _answer_chosen(case: Case) -> object:
    setup = _setup(case, _ChoiceCase)
    game = Game.start(configure(setup.config))
    seats = []
    for choice in setup.choices:
        assert isinstance(game.request, RockRequest), "a rock is asked for as often as one is chosen"
        seats.append(game.request.seat)
        game.submit_rock(choice)
    state = game.state
    return {
        "seats": seats,
        "rocks": sorted(state.board.names[square] for square in state.rocks),
        "repaired": [snake.repaired for snake in state.seats],
        "first": next(happening.snake for happening in state.happenings if happening.kind is Kind.FIRST),
        "digest0": render_digest(game.digests[0]),
    }


def _answer_points(case: Case) -> object:
    return list(compute_place_points(_setup(case, dict[str, list[int]])["places"]))


def _answer_supply(case: Case) -> object:
    segments = _setup(case, dict[str, dict[Colour, int]])["segments_on_board"]
    blue_black = sum(count for colour, count in segments.items() if colour in BLUE_BLACK)
    red_white = sum(segments.values()) - blue_black
    borrowed = compute_borrowed(segments)
    return {
        "blue_black": min(blue_black, PAIR_SEGMENTS) + max(0, red_white - PAIR_SEGMENTS),
        "red_white": min(red_white, PAIR_SEGMENTS) + max(0, blue_black - PAIR_SEGMENTS),
        "borrowed": borrowed,
    }


def _answer_config(case: Case) -> object:
    try:
        configure(_setup(case, dict[str, dict[str, Json]])["config"])
    except ConfigurationError as error:
        return str(error).partition(":")[0]
    return None


def _answer_observation(case: Case) -> object:
    game = Game(build_state(_setup(case, Position)))
    assert isinstance(game.request, StepsRequest | PythonRequest), "a seat sees what it is asked"
    return {"text": render_text(game.state, game.request)}


def _answer_reply(case: Case) -> object:
    ok, steps = read_steps(_setup(case, dict[str, str])["text"])
    return {"ok": ok, "steps": list(steps)}


def _answer_unreachable(case: Case) -> object:
    setup = _setup(case, dict[str, list[str]])
    board = get_board(BoardName.MAIN)
    blocked = {board.require(name) for name in (*setup["rocks"], *setup["dead"])}
    passable = [square for square in board.squares if square not in blocked]
    reachable = board.find_reachable(passable)
    return [board.names[square] for square in passable if square not in reachable]


def _answer_turns(case: Case) -> object:
    expected = case["expect"]
    assert isinstance(expected, dict), "what is expected of turns is an object"
    actions = msgspec.convert(case.get("actions"), list[list[str]])
    return play_turns(_setup(case, Position), actions, dict(expected))


_ANSWERS: Mapping[str, Callable[[Case], object]] = {
    "start": _answer_start,
    "dice": _answer_dice,
    "setup": _answer_setup,
    "square": _answer_square,
    "rock_ok": _answer_rock,
    "pattern": _answer_pattern,
    "chosen": _answer_chosen,
    "points": _answer_points,
    "supply": _answer_supply,
    "config": _answer_config,
    "observation": _answer_observation,
    "reply": _answer_reply,
    "unreachable": _answer_unreachable,
    "turns": _answer_turns,
}
"""How each kind of case is answered."""

KINDS: Mapping[str, Runner] = {"cases": run_cases, "games": run_game_cases}
"""The runner of each kind of file."""

_Setup = TypeVar("_Setup")


def _setup(case: Case, as_type: type[_Setup]) -> _Setup:
    return msgspec.convert(case["setup"], as_type)
