"""The golden vectors of Snake Royale, run: each kind's cases against this engine.

The kinds are those of the vectors' README; the larger ones have files of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_royale.config_document import read_document
from gridwars.benchmarks.snake_royale.conformance_chat import run_chat_cases
from gridwars.benchmarks.snake_royale.conformance_games import run_game_cases
from gridwars.benchmarks.snake_royale.conformance_replays import run_stream_rows
from gridwars.benchmarks.snake_royale.conformance_states import run_state_cases
from gridwars.benchmarks.snake_royale.reply import Heading, parse_direction, read_strictly
from gridwars.benchmarks.snake_royale.rules import (
    DIRECTION_CODES,
    DIRECTIONS,
    SEAT_COUNT,
    compute_places,
    draw_spawn_deal,
    make_food_stream,
)
from gridwars.benchmarks.stream import Stream
from gridwars.vectors import CaseResult, Runner, VectorLine, first_difference

Answer = dict[str, object]
_BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
_Code = Annotated[int, msgspec.Meta(ge=0, lt=len(DIRECTIONS))]


class ScoringCase(msgspec.Struct, frozen=True, rename="camel"):
    survived_turns: Annotated[list[int], _BySeat]
    final_length: Annotated[list[int], _BySeat]
    food_eaten: Annotated[list[int], _BySeat]
    place: list[int]
    score_permille: list[int]
    scores: list[float]


class StreamCase(msgspec.Struct, frozen=True, rename="camel"):
    seed: int
    state: str
    next: list[str]
    spawn_deal: list[int]
    food_state: str
    food_rand: list[tuple[int, int]]
    food_state_after: str


class ReplyCase(msgspec.Struct, frozen=True, rename="camel"):
    text: str
    last_dir: _Code
    legal: Annotated[tuple[bool, ...], _BySeat]
    order: Answer | None


class WordCase(msgspec.Struct, frozen=True):
    text: str
    ok: bool
    dir: int | None = None


class ConfigCase(msgspec.Struct, frozen=True):
    doc: str
    config: Answer | None = None
    error: str | None = None


def run_scoring_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(ScoringCase)
        places = compute_places(
            list(zip(case.survived_turns, case.final_length, case.food_eaten, strict=True))
        )
        scores = compute_place_points(places)
        expected = {"place": case.place, "scorePermille": case.score_permille, "scores": case.scores}
        answer = {"place": places, "scorePermille": scores, "scores": [score / 1000 for score in scores]}
        yield CaseResult(f"line {line.line_number}", first_difference(expected, answer))


def run_stream_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(StreamCase)
        stream, food = Stream.seeded(case.seed), make_food_stream(case.seed)
        answer = {
            "seed": case.seed,
            "state": f"{stream.state:016x}",
            "next": [f"{stream.draw_word():016x}" for _ in case.next],
            "spawnDeal": draw_spawn_deal(case.seed),
            "foodState": f"{food.state:016x}",
            "foodRand": [(bound, food.draw_below(bound)) for bound, _ in case.food_rand],
            "foodStateAfter": f"{food.state:016x}",
        }
        yield CaseResult(f"seed {case.seed}", first_difference(msgspec.to_builtins(case), answer))


def run_reply_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(ReplyCase)
        reading = read_strictly(case.text, Heading(DIRECTIONS[case.last_dir], case.legal))
        answer = reading and {
            "dir": DIRECTION_CODES[reading.direction],
            "alt": -1 if reading.alternative is None else DIRECTION_CODES[reading.alternative],
            "say": reading.say,
            "notes": reading.notes,
            "repaired": reading.repaired,
        }
        yield CaseResult(f"line {line.line_number}", first_difference(case.order, answer))


def run_word_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(WordCase)
        direction = parse_direction(case.text)
        expected = case.dir if case.ok else None
        answer = None if direction is None else DIRECTION_CODES[direction]
        yield CaseResult(f"line {line.line_number}", first_difference(expected, answer))


def run_config_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(ConfigCase)
        try:
            answer: object = msgspec.to_builtins(read_document(case.doc))
        except ConfigurationError:
            # Only that there is an error is fixed, not its words.
            answer = case.error or "an error"
        expected = case.config if case.error is None else case.error
        yield CaseResult(f"line {line.line_number}", first_difference(expected, answer))


KINDS: Mapping[str, Runner] = {
    "royale": run_game_cases,
    "geese": run_game_cases,
    "tron": run_game_cases,
    "switches": run_game_cases,
    "crowded": run_game_cases,
    "resolve": run_state_cases,
    "edge": run_state_cases,
    "chat": run_chat_cases,
    "scoring": run_scoring_cases,
    "rng": run_stream_cases,
    "replies": run_reply_cases,
    "parse": run_word_cases,
    "config": run_config_cases,
    "events": run_stream_rows,
}
"""The runner of each kind."""
