"""Laws that hold for turns whatever the game: seats and places have no meaning of their own."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.snake_royale.board import make_board
from gridwars.benchmarks.snake_royale.rules import MODULES, SEATS, HeadOnRule, Module, Switches
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight, compute_free_space
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.turn import STEPS, apply_turn
from tests.gridwars.benchmarks.snake_royale.games import draw_directions, iterate_states

switches_strategy = st.builds(
    Switches,
    board_w=st.integers(2, 12),
    board_h=st.integers(2, 9),
    wrap=st.booleans(),
    food_count=st.integers(0, 5),
    health_start=st.sampled_from([0, 0, 5, 20]),
    shrink_every=st.sampled_from([0, 0, 3, 7]),
    leave_trail=st.booleans(),
    head_to_head=st.sampled_from(HeadOnRule),
    start_length=st.integers(1, 4),
    max_turns=st.just(30),
)
seeds = st.integers(-(2**63), 2**63 - 1)


def describe(snake: Snake) -> tuple[object, ...]:
    """All of a snake but whose it is."""
    return (
        tuple(snake.body),
        snake.health,
        snake.last_dir,
        snake.alive,
        snake.max_length,
        snake.final_length,
        snake.trapped_turns,
        snake.declined_kills,
        snake.reverse_repaired,
        snake.death_turn,
        snake.death_cause,
        snake.survived_turns,
    )


def test_there_are_fifteen_steps() -> None:
    assert len(STEPS) == len(set(STEPS)) == 15


@settings(max_examples=40)
@given(switches_strategy, seeds, st.permutations(list(SEATS)))
def test_relabelled_seats_come_to_the_same_where_nobody_eats(
    switches: Switches, seed: int, new_seats: Sequence[int]
) -> None:
    """Only food knows seats: of several on one piece the lowest eats."""
    switches = msgspec.structs.replace(switches, food_count=0)
    for state, directions in iterate_states(switches, seed, legal=False):
        relabelled = copy.deepcopy(state)
        snakes: list[Snake] = [copy.deepcopy(snake) for snake in state.snakes]
        moves = [0 for _ in SEATS]
        placed: dict[int, Snake] = {}
        for snake in snakes:
            moves[new_seats[snake.seat]] = directions[snake.seat]
            snake.seat = new_seats[snake.seat]
            placed[snake.seat] = snake
        relabelled.snakes = tuple(placed[seat] for seat in SEATS)
        apply_turn(state, directions)
        apply_turn(relabelled, moves)
        for seat in SEATS:
            assert describe(state.snakes[seat]) == describe(relabelled.snakes[new_seats[seat]])
        _check_killers(state, relabelled, new_seats)


def _check_killers(state: GameState, relabelled: GameState, new_seats: Sequence[int]) -> None:
    """Killers move with their seats, but where two corpses shared the cell."""
    for snake in state.snakes:
        other = relabelled.snakes[new_seats[snake.seat]]
        assert (snake.killed_by < 0) == (other.killed_by < 0)


@settings(max_examples=40)
@given(switches_strategy, seeds, st.integers(0, 11), st.integers(0, 8))
def test_a_game_moved_across_a_torus_is_the_same_game_without_food(
    switches: Switches, seed: int, dx: int, dy: int
) -> None:
    switches = msgspec.structs.replace(switches, food_count=0, wrap=True)
    board = make_board(switches.board_w, switches.board_h, True)

    def move(cell: int) -> int:
        x, y = board.coordinates[cell]
        return board.cell_at((x + dx) % board.width, (y + dy) % board.height)

    for state, directions in iterate_states(switches, seed):
        moved = copy.deepcopy(state)
        for snake in moved.snakes:
            snake.body = [move(cell) for cell in snake.body]
        first = apply_turn(state, directions)
        second = apply_turn(moved, directions)
        for snake, other in zip(state.snakes, moved.snakes, strict=True):
            assert [move(cell) for cell in snake.body] == other.body
            assert describe(snake)[1:] == describe(other)[1:]
            assert compute_free_space(moved, other) == compute_free_space(state, snake)
        assert [happening.kind for happening in first.happenings] == [
            happening.kind for happening in second.happenings
        ]


@settings(max_examples=60)
@given(switches_strategy, seeds)
def test_after_every_turn_what_must_hold_does(switches: Switches, seed: int) -> None:
    state, _ = start_game(switches, seed, Module.ROYALE)
    chance = random.Random(seed)
    while not state.end_rule:
        before = {snake.seat for snake in state.living}
        apply_turn(state, draw_directions(state, chance, legal=chance.random() < 0.8))
        living = state.living
        heads = [snake.body[0] for snake in living]
        bodies = [cell for snake in living for cell in set(snake.body)]
        assert {snake.seat for snake in living} <= before
        assert len(set(heads)) == len(heads)
        assert len(set(bodies)) == len(bodies)
        assert not set(bodies) & set(state.food)
        assert len(set(state.food)) == len(state.food)
        free = set(state.board.cells) - set(bodies)
        assert len(state.food) == switches.food_count or not free - set(state.food)
        for snake in state.snakes:
            assert snake.alive == bool(snake.body)
            assert snake.alive == (snake.death_turn == 0)
            assert snake.survived_turns == (state.turn if snake.alive else snake.death_turn - 1)
            assert snake.final_length <= snake.max_length
            assert snake.trapped_turns <= snake.survived_turns
        for snake in living:
            room = compute_free_space(state, snake)
            assert snake.trapped == (room < len(snake.body))
            assert 1 <= room <= len(state.board.cells)


@settings(max_examples=30)
@given(switches_strategy, seeds)
def test_moves_that_are_played_again_give_every_hash_again(switches: Switches, seed: int) -> None:
    hashes = []
    moves = []
    for state, directions in iterate_states(switches, seed, legal=False):
        hashes.append(state.digest)
        moves.append(directions)
    state, _ = start_game(switches, seed, Module.ROYALE)
    for digest, directions in zip(hashes, moves, strict=True):
        assert state.digest == digest
        apply_turn(state, directions)


@settings(max_examples=30)
@given(switches_strategy, seeds)
def test_steps_to_food_are_those_of_a_walk_from_the_cell(switches: Switches, seed: int) -> None:
    """The distances that are kept for all movers against a search for each alone."""
    switches = msgspec.structs.replace(switches, food_count=2)
    for state, _ in iterate_states(switches, seed):
        sight = Sight(state)
        for snake in sight.living:
            for direction in range(4):
                if sight.is_legal(snake, direction):
                    cell = state.board.steps[direction][snake.body[0]]
                    assert sight.count_steps_to_food(cell) == _walk_to_food(sight, cell)


def _walk_to_food(sight: Sight, start: int) -> int:
    state = sight.state
    reached, frontier, steps = {start}, [start], 0
    while frontier and steps < 99:
        if any(cell in state.food for cell in frontier):
            return steps
        steps += 1
        open_cells = [cell for cell in frontier if cell == start or not sight.occupied >> cell & 1]
        targets = {state.board.steps[d][cell] for cell in open_cells for d in range(4)} - {-1}
        frontier = sorted(targets - reached)
        reached |= targets
    return 99 if not any(cell in state.food for cell in frontier) else steps


@pytest.mark.parametrize("module", Module)
def test_a_module_starts_with_four_snakes_apart_and_its_food(module: Module) -> None:
    state, _ = start_game(MODULES[module], 1, module)
    assert len({snake.body[0] for snake in state.snakes}) == 4
    assert len(state.food) == MODULES[module].food_count
    assert {len(snake.body) for snake in state.snakes} == {MODULES[module].start_length}
