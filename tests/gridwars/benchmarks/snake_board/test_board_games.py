"""What holds of every game, whatever is played in it."""

from __future__ import annotations

import random

import pytest

from gridwars.benchmarks.snake_board.ending import compute_places, compute_scores
from gridwars.benchmarks.snake_board.game import Game
from gridwars.benchmarks.snake_board.reply import read_steps
from gridwars.benchmarks.snake_board.rules import Mode
from tests.gridwars.benchmarks.snake_board.random_games import (
    draw_config,
    require_consistent,
    submit_at_random,
)


@pytest.mark.parametrize("seed", range(60))
def test_random_games_end_and_stay_consistent(seed: int) -> None:
    source = random.Random(seed)
    game = Game.start(draw_config(source))
    while game.request is not None:
        require_consistent(game.state)
        submit_at_random(game, source)
    state = game.state
    require_consistent(state)
    assert state.over is not None
    assert len(game.digests) == state.turn + 1 <= state.config.max_turns + 1
    scores = compute_scores(state)
    if state.config.mode is not Mode.PYTHON:
        assert sum(scores) == 0
        assert min(compute_places(state)) == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_copied_state_goes_on_alike_and_by_itself(seed: int) -> None:
    source = random.Random(seed)
    game = Game.start(draw_config(source))
    while game.state.turn < 20 and game.request is not None:
        submit_at_random(game, source)
    before = game.state.copy()
    digest, dice = before.digest, before.dice.state
    while game.request is not None:
        submit_at_random(game, source)
    assert (before.digest, before.dice.state) == (digest, dice)


@pytest.mark.parametrize(
    "text",
    [
        '{"steps": [' + "1" * 5000 + "]}",
        '{"steps": ' + "[" * 50_000,
        "{" * 100_000,
        '{"steps": [1e999, null, true, {"a": "N"}, "\\ud800"]}',
        '{"steps": NaN}',
        "",
    ],
)
def test_hostile_replies_are_read_quickly_into_few_tokens(text: str) -> None:
    reply = read_steps(text)
    assert len(reply.steps) <= 32
    assert all(isinstance(step, str) for step in reply.steps)


def test_of_many_tokens_so_many_are_read() -> None:
    assert read_steps('{"steps": "' + "N," * 1000 + '"}').steps == ("N",) * 32
