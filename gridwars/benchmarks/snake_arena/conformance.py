"""The golden vectors of the snake arena, run: each kind's cases against this engine.

Cases of kind `bot` run a bot's source, which is the business of the host; they are passed over here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_arena.digest import compute_digest, compute_first_digest, render_digest
from gridwars.benchmarks.snake_arena.engine import Arena, Death, Placement, Snake, create_arena
from gridwars.benchmarks.snake_arena.keys import choose_direction
from gridwars.benchmarks.snake_arena.manifest import check_manifest
from gridwars.benchmarks.snake_arena.mulberry import Mulberry32
from gridwars.benchmarks.snake_arena.reply import ReplyError, read_bot
from gridwars.benchmarks.snake_arena.rules import DeathCause, Direction, read_options
from gridwars.benchmarks.snake_arena.safe_bot import choose_safe_direction
from gridwars.benchmarks.snake_arena.series import (
    Series,
    compute_init_seed,
    compute_seed,
    order_contestants,
)
from gridwars.benchmarks.snake_arena.spawns import Cell
from gridwars.canonical import Json
from gridwars.vectors import (
    Case,
    CaseResult,
    Runner,
    VectorLine,
    first_difference,
    narrow_answer,
    run_mixed_cases,
)

Answer = dict[str, object]


class DeathCase(msgspec.Struct, frozen=True):
    turn: int
    cause: DeathCause
    by: str | None


class SnakeCase(msgspec.Struct, frozen=True):
    body: list[Cell] | None = None
    health: int | None = None
    alive: bool | None = None
    kills: int | None = None
    eaten: int | None = None
    errors: int | None = None
    last_dir: Direction | msgspec.UnsetType | None = msgspec.UNSET
    death: DeathCase | msgspec.UnsetType | None = msgspec.UNSET


class Place(msgspec.Struct, frozen=True):
    """What overwrites a game's state before its first step."""

    turn: int | None = None
    ring: int | None = None
    food: list[Cell] | None = None
    rng_word: int | None = None
    snakes: dict[str, SnakeCase] = {}


class Setup(msgspec.Struct, frozen=True):
    ids: list[str | dict[str, str]]
    options: dict[str, Json] = {}
    load_errors: list[str] = []
    place: Place = Place()


class GameCase(msgspec.Struct, frozen=True):
    id: str
    ids: list[str]
    options: dict[str, Json]
    load_errors: list[str]
    actions: list[str]
    digests: list[str]
    turns: int
    placements: list[Answer]


class SeriesCase(msgspec.Struct, frozen=True):
    best_of: int
    seats: int
    unique_first_seat_per_game: list[int | None]


class RotationCase(msgspec.Struct, frozen=True):
    participants: list[str]
    base_seed: int
    games: int


class ManifestCase(msgspec.Struct, frozen=True):
    sizes: dict[str, int]
    manifest: Json = None
    text: str | None = None


class KeysCase(msgspec.Struct, frozen=True):
    player: str
    body: list[Cell]
    last_submitted: Direction | None


_LETTERS: Mapping[str, object] = {
    "U": "up",
    "D": "down",
    "L": "left",
    "R": "right",
    ".": None,
    "x": "sideways",
}
"""What a game's actions stand for; a dead snake's `-` stands for nothing."""


def run_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    return run_mixed_cases(lines, _ANSWERS, passed_over={"bot"})


def run_game_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(GameCase)
        expected = {name: getattr(case, name) for name in ("digests", "turns", "placements")}
        yield CaseResult(case.id, first_difference(expected, _play_game(case)))


def _play_game(case: GameCase) -> Answer:
    arena = create_arena(case.ids, read_options(case.options))
    for bot_id in case.load_errors:
        arena.fail_to_load(bot_id)
    digests = [compute_first_digest(arena)]
    for letters in case.actions:
        arena.step({bot: _LETTERS.get(letter) for bot, letter in zip(case.ids, letters, strict=True)})
        digests.append(compute_digest(arena, digests[-1]))
    return {
        "digests": list(map(render_digest, digests)),
        "turns": arena.turn,
        "placements": list(map(_describe_placement, arena.place())),
    }


def build_arena(setup: Setup) -> Arena:
    contestants = [
        entry if isinstance(entry, str) else (entry["id"], entry.get("name", entry["id"]))
        for entry in setup.ids
    ]
    arena = create_arena(contestants, read_options(setup.options))
    for bot_id in setup.load_errors:
        arena.fail_to_load(bot_id)
    place = setup.place
    arena.turn = arena.turn if place.turn is None else place.turn
    arena.ring = arena.ring if place.ring is None else place.ring
    arena.food = arena.food if place.food is None else list(place.food)
    if place.rng_word is not None:
        arena.stream.word = place.rng_word
    for snake in arena.snakes:
        _overwrite(snake, place.snakes.get(snake.id, SnakeCase()))
    return arena


def _overwrite(snake: Snake, case: SnakeCase) -> None:
    for name in ("health", "alive", "kills", "eaten", "errors"):
        value = getattr(case, name)
        if value is not None:
            setattr(snake, name, value)
    if case.body is not None:
        snake.body = list(case.body)
    if case.last_dir is not msgspec.UNSET:
        snake.last_dir = case.last_dir
    if case.death is not msgspec.UNSET:
        death = case.death
        snake.death = None if death is None else Death(death.turn, death.cause, death.by)


def _answer_engine(case: Case) -> Answer:
    expected = case["expect"]
    assert isinstance(expected, dict), "what is expected of an engine is an object"
    arena = build_arena(_setup(case, Setup))
    actions = case.get("actions")
    steps = actions if isinstance(actions, list) else []
    events = [arena.step(step if isinstance(step, dict) else {}) for step in steps]
    snakes = expected.get("snakes")
    placements = list(map(_describe_placement, arena.place()))
    wanted = expected.get("placements")
    answer: Answer = {
        "snakes": {
            snake.id: narrow_answer(_describe_snake(snake), snakes[snake.id])
            for snake in arena.snakes
            if isinstance(snakes, dict) and snake.id in snakes
        },
        "food": arena.food,
        "turn": arena.turn,
        "ring": arena.ring,
        "next_shrink_turn": arena.next_shrink_turn,
        "finished": arena.finished,
        "events": events,
        "placements": list(map(narrow_answer, placements, wanted))
        if isinstance(wanted, list)
        else placements,
        "rng_word": arena.stream.word,
    }
    return {name: value for name, value in answer.items() if name in expected}


def _answer_create(case: Case) -> Answer:
    arena = build_arena(_setup(case, Setup))
    return {
        "spawns": [snake.body[0] for snake in arena.snakes],
        "food": arena.food,
        "rng_word": arena.stream.word,
    }


def _answer_rng(case: Case) -> Answer:
    expected = case["expect"]
    words = expected.get("words") if isinstance(expected, dict) else None
    stream = Mulberry32(_setup(case, dict[str, int])["seed"])
    count = len(words) if isinstance(words, list) else 0
    return {"words": [stream.draw_word() for _ in range(count)], "state": stream.word}


def _answer_bot_state(case: Case) -> Answer:
    expected = case["expect"]
    bot_id = str(expected["id"]) if isinstance(expected, dict) else ""
    return {"id": bot_id, "state": build_arena(_setup(case, Setup)).describe(bot_id)}


def _answer_points(case: Case) -> Answer:
    return {"points": compute_place_points(_setup(case, dict[str, list[int]])["places"])}


def _answer_series(case: Case) -> Answer:
    setup = _setup(case, SeriesCase)
    series = Series(setup.best_of, setup.seats)
    for first in setup.unique_first_seat_per_game:
        if series.is_over:
            break
        series.record(first)
    winner = series.winner
    return {"games": series.game_count, "wins": series.wins, "over": series.is_over, "winner": winner}


def _answer_rotation(case: Case) -> Answer:
    setup = _setup(case, RotationCase)
    participants, games = setup.participants, range(setup.games)
    seeds = [compute_seed(setup.base_seed, game) for game in games]
    return {
        "orders": [
            [participants[index] for index in order_contestants(len(participants), game)] for game in games
        ],
        "seeds": seeds,
        "init_seeds": [
            [compute_init_seed(seed, place) for place in range(len(participants))] for seed in seeds
        ],
    }


def _answer_manifest(case: Case) -> Answer:
    setup = _setup(case, ManifestCase)
    text = json.dumps(setup.manifest) if setup.text is None else setup.text
    problems = check_manifest(text, setup.sizes)
    return {"ok": not problems, "errors": list(map(msgspec.to_builtins, problems))}


def _answer_keys(case: Case) -> Answer:
    setup = _setup(case, KeysCase)
    keys = msgspec.convert(case.get("actions"), list[str])
    return {"submit": choose_direction(setup.player, setup.body, keys, setup.last_submitted)}


def _answer_safe_bot(case: Case) -> Answer:
    expected = case["expect"]
    bot_id = str(expected["id"]) if isinstance(expected, dict) else ""
    return {"id": bot_id, "move": choose_safe_direction(build_arena(_setup(case, Setup)), bot_id)}


def _answer_reply(case: Case) -> Answer:
    reply = read_bot(_setup(case, dict[str, str])["text"])
    if isinstance(reply, ReplyError):
        return {"ok": False, "error": reply.value}
    return {"ok": True, "source": reply.source, "notes": reply.notes}


_ANSWERS: Mapping[str, Callable[[Case], Answer]] = {
    "engine": _answer_engine,
    "create": _answer_create,
    "rng": _answer_rng,
    "bot_state": _answer_bot_state,
    "points": _answer_points,
    "series": _answer_series,
    "rotation": _answer_rotation,
    "manifest": _answer_manifest,
    "human": _answer_keys,
    "safe_bot": _answer_safe_bot,
    "reply": _answer_reply,
}
"""How each kind of case is answered."""

KINDS: Mapping[str, Runner] = {"cases": run_cases, "positions": run_cases, "games": run_game_cases}
"""The runner of each kind of file."""

_Setup = TypeVar("_Setup")


def _setup(case: Case, as_type: type[_Setup]) -> _Setup:
    return msgspec.convert(case["setup"], as_type)


def _describe_snake(snake: Snake) -> Answer:
    return {
        "alive": snake.alive,
        "head": snake.body[0],
        "body": snake.body,
        "length": len(snake.body),
        "health": snake.health,
        "last_dir": snake.last_dir,
        "kills": snake.kills,
        "eaten": snake.eaten,
        "errors": snake.errors,
        "death": None if snake.death is None else snake.death._asdict(),
    }


def _describe_placement(placement: Placement) -> Answer:
    death = placement.death
    return placement._asdict() | {"death": None if death is None else death._asdict()}
