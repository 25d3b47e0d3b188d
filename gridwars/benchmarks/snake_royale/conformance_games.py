"""The golden vectors of whole games: the moves are given, and every hash, event and number must follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_royale.baselines import BASELINES, choose_direction
from gridwars.benchmarks.snake_royale.digest import render_digest
from gridwars.benchmarks.snake_royale.happenings import Happening
from gridwars.benchmarks.snake_royale.observation import build_observations
from gridwars.benchmarks.snake_royale.results import REASONS
from gridwars.benchmarks.snake_royale.rules import (
    COLOURS,
    SEAT_COUNT,
    SEATS,
    HeadOnRule,
    Module,
    Switches,
    compute_places,
    draw_spawn_deal,
    list_anchors,
)
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight, compute_free_space
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.turn import Turn, apply_turn
from gridwars.benchmarks.snake_royale.voices import Voice
from gridwars.vectors import CaseResult, VectorLine, first_difference

Answer = dict[str, object]
_Code = Annotated[int, msgspec.Meta(ge=-1, lt=SEAT_COUNT)]
BySeat = Annotated[list[_Code], msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)]


class SwitchesCase(msgspec.Struct, frozen=True, rename="camel"):
    board_w: Annotated[int, msgspec.Meta(ge=1)]
    board_h: Annotated[int, msgspec.Meta(ge=1)]
    wrap: bool
    food_count: Annotated[int, msgspec.Meta(ge=0)]
    health_start: Annotated[int, msgspec.Meta(ge=0)]
    shrink_every: Annotated[int, msgspec.Meta(ge=0)]
    leave_trail: bool
    head_to_head: HeadOnRule
    start_length: Annotated[int, msgspec.Meta(ge=1)]
    max_turns: Annotated[int, msgspec.Meta(ge=1)]

    def to_switches(self) -> Switches:
        return Switches(**msgspec.structs.asdict(self))


class GameCase(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    module: Module
    seed: int
    config: SwitchesCase
    policy: list[str]
    spawn_anchors: list[object]
    spawn_deal: list[int]
    start_dirs: list[int]
    initial: Answer
    moves: list[BySeat]
    hashes: list[str]
    final: Answer
    alts: list[BySeat] | None = None
    turns: list[Answer] | None = None


def run_game_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(GameCase)
        expected = msgspec.json.decode(line.text)
        yield CaseResult(case.id, first_difference(expected, compute_game_answer(case, expected)))


def compute_game_answer(case: GameCase, expected: Answer) -> Answer:
    """The case as it follows from its configuration and moves; what cannot be derived is taken over."""
    switches = case.config.to_switches()
    state, happenings = start_game(switches, case.seed, case.module)
    anchors = list_anchors(switches)
    deal = draw_spawn_deal(case.seed)
    initial: Answer = {
        "food": [state.board.coordinates[cell] for cell in state.food],
        "hash": render_digest(state.digest),
        "foodRng": render_digest(state.food_stream.state),
    }
    if "events" in case.initial:
        initial["events"] = list_happenings(happenings)
    answer = expected | {
        "spawnAnchors": anchors,
        "spawnDeal": deal,
        "startDirs": [snake.last_dir for snake in state.snakes],
        "initial": initial,
    }
    moves, hashes, turns = [], [], []
    for index, submitted in enumerate(case.moves):
        if state.end_rule:
            break
        told = case.turns[index] if case.turns is not None else {}
        views = list_views(state, case.module, deal) if "views" in told else None
        moves.append(_replay_moves(state, case.policy, submitted))
        turn = apply_turn(state, submitted, read_alternatives(case.alts[index] if case.alts else None))
        hashes.append(render_digest(state.digest))
        turns.append(_describe_turn(turn) | ({} if views is None else {"views": views}))
    answer |= {"moves": moves, "hashes": hashes, "final": _describe_final(state)}
    if case.turns is not None:
        answer["turns"] = turns
    return answer


def read_alternatives(codes: list[int] | None) -> list[int | None]:
    return [None if code < 0 else code for code in codes or [-1] * SEAT_COUNT]


def list_happenings(happenings: Iterable[Happening]) -> object:
    """As the vectors have them: every field of each, in order."""
    return msgspec.to_builtins(list(happenings))


def list_views(state: GameState, module: Module, deal: tuple[int, ...]) -> object:
    """The observations of a game in which nobody speaks; None for the dead."""
    colours = [COLOURS[anchor] for anchor in deal]
    views = build_observations(state, module, colours, [Voice() for _ in SEATS])
    return [msgspec.to_builtins(views.get(seat)) for seat in SEATS]


def describe_snake(state: GameState, snake: Snake) -> Answer:
    return {
        "alive": snake.alive,
        "body": [state.board.coordinates[cell] for cell in snake.body],
        "health": snake.health,
        "lastDir": snake.last_dir,
        "ate": snake.ate,
        "foodEaten": snake.food_eaten,
        "maxLength": snake.max_length,
        "freeSpace": compute_free_space(state, snake),
        "finalLength": snake.final_length,
        "trapped": snake.trapped,
        "trappedTurns": snake.trapped_turns,
        "declinedKills": snake.declined_kills,
        "reverseRepaired": snake.reverse_repaired,
        "deathTurn": snake.death_turn,
        "deathCause": snake.death_cause,
        "killedBy": snake.killed_by,
        "survivedTurns": snake.survived_turns,
    }


def _replay_moves(state: GameState, policies: list[str], submitted: list[int]) -> list[int]:
    """The moves of the turn, those of baselines decided anew."""
    sight = Sight(state)
    return [
        -1
        if not snake.alive
        else choose_direction(sight, snake, BASELINES[policy])
        if policy in BASELINES
        else code
        for snake, policy, code in zip(state.snakes, policies, submitted, strict=True)
    ]


def _describe_turn(turn: Turn) -> Answer:
    state = turn.state
    began = {snake.seat for snake in turn.alive}
    return {
        "turn": state.turn,
        "chosen": [turn.chosen[seat] if seat in began else -1 for seat in SEATS],
        "events": list_happenings(turn.happenings),
        "snakes": [describe_snake(state, snake) for snake in state.snakes],
        "food": [state.board.coordinates[cell] for cell in state.food],
        "foodRng": render_digest(state.food_stream.state),
    }


def _describe_final(state: GameState) -> Answer:
    snakes = state.snakes
    places = compute_places(
        [(snake.survived_turns, snake.final_length, snake.food_eaten) for snake in snakes]
    )
    scores = compute_place_points(places)
    return {
        "endRule": state.end_rule.value,
        "reason": REASONS[state.end_rule],
        "turnsPlayed": state.turn,
        "gameHash": render_digest(state.digest),
        "foodRng": render_digest(state.food_stream.state),
        "duelTurn": state.duel_turn,
        "place": places,
        "scorePermille": scores,
        "scores": [score / 1000 for score in scores],
        "alive": [snake.alive for snake in snakes],
        "survivedTurns": [snake.survived_turns for snake in snakes],
        "finalLength": [snake.final_length for snake in snakes],
        "maxLength": [snake.max_length for snake in snakes],
        "foodEaten": [snake.food_eaten for snake in snakes],
        "declinedKills": [snake.declined_kills for snake in snakes],
        "trappedTurns": [snake.trapped_turns for snake in snakes],
        "reverseRepaired": [snake.reverse_repaired for snake in snakes],
        "deathTurn": [snake.death_turn for snake in snakes],
        "deathCause": [snake.death_cause for snake in snakes],
        "killedBy": [snake.killed_by for snake in snakes],
    }
