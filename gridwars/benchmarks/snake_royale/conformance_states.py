"""The golden vectors of single turns: from a given state, what can be told of it and the state after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from gridwars.benchmarks.snake_royale.baselines import BASELINES, choose_direction
from gridwars.benchmarks.snake_royale.board import OFF_BOARD, make_board
from gridwars.benchmarks.snake_royale.conformance_games import (
    Answer,
    BySeat,
    SwitchesCase,
    describe_snake,
    list_happenings,
    read_alternatives,
)
from gridwars.benchmarks.snake_royale.digest import compute_digest, render_digest
from gridwars.benchmarks.snake_royale.rules import OFFSETS, SEAT_COUNT, DeathCause
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.turn import apply_turn
from gridwars.benchmarks.stream import Stream
from gridwars.vectors import CaseResult, VectorLine, first_difference

Cell = tuple[int, int]


class SnakeCase(msgspec.Struct, frozen=True, rename="camel"):
    alive: bool
    body: list[Cell]
    health: int
    last_dir: int
    ate: bool
    food_eaten: int
    max_length: int
    free_space: int
    final_length: int
    trapped: bool
    trapped_turns: int
    declined_kills: int
    reverse_repaired: int
    death_turn: int
    death_cause: DeathCause
    killed_by: int
    survived_turns: int


class StateCase(msgspec.Struct, frozen=True, rename="camel"):
    turn: int
    snakes: Annotated[list[SnakeCase], msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)]
    food: list[Cell]
    food_rng: str
    duel_turn: int
    hash: str


class TurnCase(msgspec.Struct, frozen=True):
    id: str
    config: SwitchesCase
    before: StateCase
    moves: BySeat
    alts: BySeat


def run_state_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(TurnCase)
        expected = msgspec.json.decode(line.text)
        yield CaseResult(case.id, first_difference(expected, expected | compute_turn_answer(case)))


def compute_turn_answer(case: TurnCase) -> Answer:
    state = build_state(case)
    answer: Answer = msgspec.to_builtins(case.before)
    answer["hash"] = render_digest(compute_digest(state))
    told = _describe_sight(state)
    turn = apply_turn(state, case.moves, read_alternatives(case.alts))
    return told | {
        "before": answer,
        "events": list_happenings(turn.happenings),
        "after": {
            "turn": state.turn,
            "snakes": [describe_snake(state, snake) for snake in state.snakes],
            "food": [state.board.coordinates[cell] for cell in state.food],
            "foodRng": render_digest(state.food_stream.state),
            "duelTurn": state.duel_turn,
            "hash": render_digest(state.digest),
        },
    }


def build_state(case: TurnCase) -> GameState:
    switches = case.config.to_switches()
    board = make_board(switches.board_w, switches.board_h, switches.wrap)
    before = case.before
    return GameState(
        switches=switches,
        board=board,
        snakes=tuple(
            Snake(
                seat=seat,
                body=[board.cell_at(x, y) for x, y in snake.body],
                health=snake.health,
                last_dir=snake.last_dir,
                alive=snake.alive,
                ate=snake.ate,
                food_eaten=snake.food_eaten,
                max_length=snake.max_length,
                final_length=snake.final_length,
                trapped=snake.trapped,
                trapped_turns=snake.trapped_turns,
                declined_kills=snake.declined_kills,
                reverse_repaired=snake.reverse_repaired,
                death_turn=snake.death_turn,
                death_cause=snake.death_cause,
                killed_by=snake.killed_by,
                survived_turns=snake.survived_turns,
            )
            for seat, snake in enumerate(before.snakes)
        ),
        food_stream=Stream(int(before.food_rng, 16)),
        food=[board.cell_at(x, y) for x, y in before.food],
        turn=before.turn,
        duel_turn=before.duel_turn,
    )


def _describe_sight(state: GameState) -> Answer:
    sight = Sight(state)
    targets = {
        snake.seat: [state.board.steps[code][snake.body[0]] for code in range(len(OFFSETS))]
        for snake in sight.living
    }
    everywhere = len(state.board.cells)
    return {
        "headOn": [
            [
                None if cell == OFF_BOARD else sight.head_risk(snake, cell)
                for cell in targets.get(snake.seat, ())
            ]
            for snake in state.snakes
        ],
        "bodyKind": [
            [
                None if cell == OFF_BOARD else sight.body_kind(snake, cell)
                for cell in targets.get(snake.seat, ())
            ]
            for snake in state.snakes
        ],
        "freeSpaceAfter": [
            [
                None if cell == OFF_BOARD else sight.count_free_after(cell, everywhere)
                for cell in targets.get(snake.seat, ())
            ]
            for snake in state.snakes
        ],
        **{
            name: [choose_direction(sight, snake, weights) if snake.alive else -1 for snake in state.snakes]
            for name, weights in BASELINES.items()
        },
    }
