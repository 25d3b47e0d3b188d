"""Games of random play in every mode, and what must hold of each of their states."""

from __future__ import annotations

import random

from gridwars.benchmarks.snake_board.config import SnakeBoardConfig, configure
from gridwars.benchmarks.snake_board.game import Game
from gridwars.benchmarks.snake_board.requests import PythonRequest, RockRequest
from gridwars.benchmarks.snake_board.rules import APPLE_COUNT, Mode
from gridwars.benchmarks.snake_board.state import NOBODY, GameState
from gridwars.canonical import Json

_SHAPES: tuple[dict[str, Json], ...] = (
    {"seats": 2},
    {"seats": 3},
    {"seats": 4},
    {"board": "duel"},
    {"mode": "team", "seats": 3},
    {"mode": "team", "seats": 4},
    {"mode": "adder", "seats": 3},
    {"mode": "adder", "seats": 4, "adder": 2},
    {"mode": "python", "robots": 2, "max_apples": 2},
    {"mode": "python", "robots": 3, "max_apples": 0},
)
_WORDS = ("N", "E", "S", "W", "F", "L", "R", "HN", "HE", "HS", "HW", "P", "X", "Ek", "?")


def draw_config(source: random.Random) -> SnakeBoardConfig:
    shape = dict(source.choice(_SHAPES))
    shape |= {"seed": source.randrange(2**63), "rocks": source.randrange(9)}
    shape["rock_method"] = source.choice(("dice", "chosen"))
    if shape.get("mode") != "python":
        shape |= {"wormholes": source.random() < 0.5, "infinity": source.random() < 0.5}
    return configure(shape)


def submit_at_random(game: Game, source: random.Random) -> None:
    """Answers a game's request: mostly with a legal step, now and then with anything."""
    request = game.request
    if isinstance(request, RockRequest):
        game.submit_rock(source.choice(game.state.board.names))
        return
    assert request is not None
    legal = [step.token for step in request.legal]
    words = [
        source.choice(legal if legal and source.random() < 0.8 else _WORDS)
        for _ in range(source.randint(0, 3))
    ]
    if isinstance(request, PythonRequest) and source.random() < 0.5:
        words = [f"{word}k" for word in words]
    game.submit(words)


def require_consistent(state: GameState) -> None:
    """No two things on a square, no apple lost or made, and only what lives is on the board's map."""
    lying = [*state.apples, *state.rocks, *state.dead]
    assert len(set(lying)) == len(lying)
    assert not state.owners.keys() & set(lying)
    living = {square: snake.index for snake in state.snakes if snake.alive for square in snake.body}
    assert sum(len(snake.body) for snake in state.snakes if snake.alive) == len(living)
    is_playing = state.to_move != NOBODY
    if is_playing:
        assert state.owners == living
        carried = sum(snake.carried for snake in state.snakes)
        assert len(state.apples) + carried + state.saved == APPLE_COUNT
    assert state.pending.keys() <= state.owners.keys()
    for snake in state.snakes:
        assert len(snake.links) == max(0, len(snake.body) - 1)
    if state.config.mode is Mode.ADDER:
        assert len(state.snakes[state.config.adder].body) == 3
