"""What holds of every game of the arena, and of what it reads from others."""

from __future__ import annotations

import random

import pytest

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_arena.engine import Arena, create_arena
from gridwars.benchmarks.snake_arena.manifest import ProblemCode, check_manifest
from gridwars.benchmarks.snake_arena.reply import ReplyError, read_bot
from gridwars.benchmarks.snake_arena.rules import CONTESTANTS, ArenaOptions, Direction, read_options
from gridwars.benchmarks.snake_arena.safe_bot import choose_safe_direction

WORDS = (*Direction, "UP ", "north", None, 7, ["up"])


@pytest.mark.slow
@pytest.mark.parametrize("count", CONTESTANTS)
def test_games_of_random_play_end_with_everybody_placed(count: int) -> None:
    source = random.Random(count)
    side = 11 if count == 2 else 19
    options = ArenaOptions(width=side, height=side, seed=source.randrange(2**32), max_turns=300)
    ids = [f"bot-{index}" for index in range(count)]
    arena = create_arena(ids, options)
    assert len({snake.body[0] for snake in arena.snakes}) == count
    while not arena.finished:
        require_consistent(arena)
        moves = {
            snake.id: choose_safe_direction(arena, snake.id)
            if source.random() < 0.9
            else source.choice(WORDS)
            for snake in arena.living
        }
        arena.step(moves)
    placements = arena.place()
    assert sorted(placement.id for placement in placements) == sorted(ids)
    assert placements[0].place == 1
    assert sum(compute_place_points([placement.place for placement in placements])) == 0


def require_consistent(arena: Arena) -> None:
    for snake in arena.living:
        assert arena.is_inside(snake.body[0])
        assert len(snake.body) == 3 + snake.eaten
        assert 0 < snake.health <= arena.options.start_health
    assert not any(map(arena.is_hazardous, arena.food))


def test_a_state_names_its_own_snake_and_is_made_anew() -> None:
    arena = create_arena(["a", "b"])
    state = arena.describe("a")
    assert list(state) == ["turn", "width", "height", "you", "snakes", "food", "hazards", "nextShrinkTurn"]
    snakes = state["snakes"]
    assert isinstance(snakes, list)
    assert state["you"] is snakes[0]
    assert arena.describe("a")["you"] is not state["you"]
    assert arena.describe("nobody")["you"] is None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"width": 2}, "width"),
        ({"seed": -1}, "seed"),
        ({"foodChance": float("nan")}, "foodChance"),
        ({"foodChance": 1.5}, "foodChance"),
        ({"maxTurns": True}, "maxTurns"),
        ({"speed": 3}, "speed"),
    ],
)
def test_options_out_of_range_are_named(options: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        read_options(options)


def test_contestants_are_told_apart() -> None:
    with pytest.raises(ConfigurationError, match=r"participants\[1\]: 'a'"):
        create_arena(["a", "a"])


def test_hostile_texts_are_read_to_an_error() -> None:
    assert check_manifest("[" * 100_000, {})[0].code is ProblemCode.JSON
    entry = '[{"id":"a","name":"a","botName":"a","lab":"a","color":"000000","file":"bots/a.js","bytes":%s}]'
    problems = check_manifest(entry % ("9" * 5000), {"bots/a.js": 3})
    assert [problem.code for problem in problems] == [ProblemCode.MISMATCH]
    assert read_bot('{"bot": "' + "x" * 40_000 + '"}') is ReplyError.BOT_TOO_LONG
    assert read_bot('{"bot": ' + "9" * 5000 + "}") is ReplyError.BOT_TYPE
    assert read_bot('{"bot": ["' + "\\n" * 1001 + 'x"]}') is ReplyError.BOT_TOO_LONG
