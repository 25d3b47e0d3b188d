"""The game behind the contract: who is asked, what is heard, what is hidden, what the fallback is."""

from __future__ import annotations

import random

import msgspec
import pytest

from gridwars.benchmarks.contract import Origin, Outcome
from gridwars.benchmarks.snake_royale.baselines import BASELINES, COIL, choose_direction
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode, choose_fallback
from gridwars.benchmarks.snake_royale.events import Deal, End
from gridwars.benchmarks.snake_royale.observation import restore_state
from gridwars.benchmarks.snake_royale.orders import FallbackCause, Order
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    DIRECTIONS,
    EARLY_END_RULES,
    SEATS,
    DeathCause,
    Direction,
    EndRule,
    Module,
    configure,
)
from gridwars.benchmarks.snake_royale.sight import Sight
from tests.gridwars.benchmarks.snake_royale.games import (
    decide,
    find_directives,
    find_turn,
    look,
    order_text,
    see,
    take_turn,
)

ALL_SEATS = list(SEATS)


def start(**options: int | str | bool) -> SnakeRoyaleEpisode:
    return SnakeRoyaleEpisode(configure(options))


def run_into_the_wall(episode: SnakeRoyaleEpisode, seat: int) -> None:
    """Others go in circles meanwhile."""
    circle = [Direction.RIGHT, Direction.DOWN, Direction.LEFT, Direction.UP]
    for turn in range(20):
        batch = episode.open()
        assert batch is not None
        if seat not in [request.seat for request in batch.requests]:
            return
        texts: dict[int, str | None] = {each: order_text(circle[turn % 4]) for each in SEATS if each != seat}
        take_turn(episode, texts | {seat: order_text("up")})
    raise AssertionError("no wall was met")


def test_a_turn_is_one_batch_of_all_living_seats() -> None:
    episode = start(food_count=0)
    batch = episode.open()
    assert batch is not None
    assert [request.seat for request in batch.requests] == ALL_SEATS
    assert {request.key for request in batch.requests} == {(1, seat, 1) for seat in SEATS}
    run_into_the_wall(episode, 0)
    batch = episode.open()
    assert batch is not None
    assert [request.seat for request in batch.requests] == ALL_SEATS[1:]
    dead = see(batch.requests[0]).snakes[0]
    assert (dead.id, dead.alive, dead.death_cause) == (ALIASES[0], False, DeathCause.WALL)


def test_the_first_turn_seals_the_deal_with_the_orders() -> None:
    episode = start()
    events = take_turn(episode)
    assert isinstance(events[0], Deal)
    assert [directive.seat for directive in find_directives(events)] == ALL_SEATS
    assert not any(isinstance(event, Deal) for event in take_turn(episode))


@pytest.mark.parametrize("say_turns", [0, 1, 2, 5])
def test_a_bubble_is_seen_for_its_turns_by_all_others(say_turns: int) -> None:
    episode = start(say_turns=say_turns, module="geese", food_count=0)
    take_turn(episode, {1: order_text("up", say="north is {mine}")}, default=order_text("up"))
    seen_turns = 0
    for _ in range(8):
        said = look(episode, 0).said
        assert [(each.id, each.text) for each in said] in ([], [(ALIASES[1], "north is mine")])
        assert look(episode, 1).said == ()
        assert look(episode, 3).said == said
        seen_turns += bool(said)
        take_turn(episode, default=order_text("up"))
    assert seen_turns == max(1, say_turns)
    assert episode.results().said_turns == (0, 1, 0, 0)


def test_a_new_bubble_replaces_the_old_and_the_dead_are_silent() -> None:
    episode = start(food_count=0, say_turns=8)
    take_turn(episode, {0: order_text("up", say="first"), 1: order_text("up", say="other")})
    take_turn(episode, {0: order_text("up", say="second")})
    assert [each.text for each in look(episode, 2).said] == ["second", "other"]
    run_into_the_wall(episode, 0)
    assert ALIASES[0] not in [each.id for each in look(episode, 2).said]


def test_notes_come_back_to_their_writer_alone_and_are_gone_when_not_renewed() -> None:
    episode = start()
    take_turn(episode, {2: order_text("up", notes="hold\nthe south")})
    assert look(episode, 2).your_notes == "hold the south"
    assert [look(episode, seat).your_notes for seat in (0, 1, 3)] == ["", "", ""]
    for seat in (0, 1, 3):
        assert b"the south" not in msgspec.json.encode(look(episode, seat))
    take_turn(episode)
    assert look(episode, 2).your_notes == ""


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome.VOID, FallbackCause.TRANSPORT_ERROR),
        (Outcome.THROTTLED, FallbackCause.THROTTLED),
        (Outcome.LATE, FallbackCause.TIMEOUT),
        (Outcome.BUDGET, FallbackCause.BUDGET_GUARD),
        (Outcome.INVALID, FallbackCause.PARSE_ERROR),
        (Outcome.TRUNCATED, FallbackCause.PARSE_ERROR),
        (Outcome.REFUSED, FallbackCause.PARSE_ERROR),
        (Outcome.EMPTY, FallbackCause.PARSE_ERROR),
    ],
)
def test_the_cause_of_a_fallback_is_how_its_request_ended(outcome: Outcome, cause: FallbackCause) -> None:
    episode = start()
    batch = episode.open()
    assert batch is not None
    assert episode.fallback(batch.requests[0], "why", outcome).cause is cause


def test_a_fallback_clears_notes_and_counts_by_its_cause() -> None:
    episode = start()
    take_turn(episode, {0: order_text("up", notes="plan", say="mine")})
    batch = episode.open()
    assert batch is not None
    orders = [decide(episode, request, None) for request in batch.requests]
    orders[0] = episode.fallback(batch.requests[0], "no reply before the deadline", Outcome.LATE)
    orders[1] = episode.fallback(batch.requests[1], "no JSON", Outcome.INVALID)
    events = [event for group in episode.advance(orders) for event in group]
    first, second, third, _ = find_directives(events)
    assert (first.origin, first.cause) == (Origin.FALLBACK, FallbackCause.TIMEOUT)
    assert (second.cause, second.reason) == (FallbackCause.PARSE_ERROR, "no JSON")
    assert (third.origin, third.cause, third.reason) == (Origin.LLM, FallbackCause.NONE, "")
    assert look(episode, 0).your_notes == ""
    results = episode.results()
    assert results.fallbacks == (1, 1, 0, 0)
    assert results.replies == (1, 1, 2, 2)


@pytest.mark.parametrize("module", Module)
def test_baselines_see_enough_to_play_as_on_the_whole_state(module: Module) -> None:
    episode = start(module=module.value, seed=5)
    chance = random.Random(5)
    compared = 0
    while (batch := episode.open()) is not None:
        sight = Sight(episode.state)
        for request in batch.requests:
            observation = see(request)
            state, snake = restore_state(observation)
            assert snake.seat == request.seat
            for name, weights in BASELINES.items():
                code = choose_direction(sight, episode.state.snakes[request.seat], weights)
                text = SnakeRoyale.baselines[name](observation)
                assert text == order_text(DIRECTIONS[code])
                compared += 1
            assert (
                choose_fallback(observation)
                == DIRECTIONS[choose_direction(Sight(state), snake, BASELINES[COIL])]
            )
        texts: dict[int, str | None] = {
            request.seat: order_text(chance.choice([m.dir for m in see(request).moves if m.legal] or ["up"]))
            for request in batch.requests
        }
        take_turn(episode, texts)
    assert compared > 50


def test_a_neck_gives_way_to_the_alternative() -> None:
    episode = start(food_count=0)
    take_turn(episode)
    seen = look(episode, 0)
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}[seen.you.last_dir]
    sideways = next(move.dir for move in seen.moves if move.legal and move.dir != seen.you.last_dir)
    events = take_turn(episode, {0: order_text(back, alt=sideways)})
    assert find_directives(events)[0].direction == back
    assert look(episode, 0).you.last_dir == sideways
    assert episode.results().reverse_repaired == (1, 0, 0, 0)


def test_a_game_that_the_clock_ends_says_so() -> None:
    episode = start()
    take_turn(episode)
    (group,) = list(episode.stop_early())
    (end,) = group
    assert isinstance(end, End)
    assert (end.results.reason, end.results.end_rule) == ("deadline", EndRule.WALL_CLOCK)
    assert episode.open() is None


@pytest.mark.parametrize("rule", EndRule)
def test_an_end_that_a_log_holds_is_taken_with_a_rule_that_no_board_gives(rule: EndRule) -> None:
    ends = []
    for taken in (rule if rule in EARLY_END_RULES else EndRule.WALL_CLOCK, rule):
        episode = start()
        take_turn(episode)
        recorded = End(results=msgspec.structs.replace(episode.results(), end_rule=taken))
        ends.append(list(episode.stop_early(recorded)))
    ((first,),), ((second,),) = ends
    assert isinstance(first, End)
    assert first == second
    assert first.results.end_rule in EARLY_END_RULES


def test_a_game_goes_its_full_time_or_to_the_last_snake() -> None:
    episode = start(module="geese", food_count=0, shrink_every=0, max_turns=5)
    events = [event for _ in range(5) for event in take_turn(episode, default=order_text("up"))]
    assert episode.results().end_rule is EndRule.FULL_TIME
    assert isinstance(events[-1], End)
    assert find_turn(events).turn == 1
    episode = start(food_count=0)
    while episode.open() is not None:
        take_turn(episode, default=order_text("up"))
    results = episode.results()
    assert results.end_rule is EndRule.LAST_STANDING
    assert results.reason == "complete"


def test_an_order_is_a_decision_that_its_directive_gives_back() -> None:
    episode = start()
    batch = episode.open()
    assert batch is not None
    orders = [decide(episode, request, order_text("up", say="x", notes="y")) for request in batch.requests]
    sealing = next(episode.advance(orders))
    assert [episode.decision_of(event) for event in sealing if not isinstance(event, Deal)] == orders
    assert all(isinstance(order, Order) for order in orders)
