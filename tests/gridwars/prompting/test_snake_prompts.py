"""The prompts of Snake Royale: they show what a seat sees, nothing else, and to all the same rules."""

from __future__ import annotations

import json

import msgspec
import pytest

from gridwars.benchmarks.contract import Rejection, Reply, Request
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.board import make_board
from gridwars.benchmarks.snake_royale.observation import require_own
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import (
    MODULES,
    NOTES_LENGTH,
    SAY_LENGTH,
    SEATS,
    HeadOnRule,
    Module,
    make_food_stream,
)
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.turn import apply_turn
from gridwars.policies.provider import CACHED_FROM
from gridwars.prompting import list_strategies, make_prompter
from gridwars.prompting.prompter import Prompter
from gridwars.prompting.sizes import estimate_tokens, find_shared_prefix

SNAKE_ROYALE = SnakeRoyale()
OWN = [strategy.name for strategy in list_strategies() if strategy.head.benchmark == SNAKE_ROYALE.name]
PROMPTERS = [
    make_prompter(SNAKE_ROYALE, strategy.name)
    for strategy in list_strategies()
    if strategy.fits(SNAKE_ROYALE.name)
]


def collect_requests(module: Module) -> list[Request]:
    """The requests of a game in which every seat notes and says something of its own."""
    episode = SNAKE_ROYALE.start(SNAKE_ROYALE.configure({"module": module.value, "max_turns": 12}))
    requests: list[Request] = []
    while (batch := episode.open()) is not None:
        requests += batch.requests
        orders = []
        for request in batch.requests:
            text = SNAKE_ROYALE.baselines["coil"](request.observation)
            words = {"say": f"bubble{request.seat}", "notes": f"secret{request.seat} {{{{ x }}}}"}
            answer = json.loads(text) | words
            order = episode.read(request, Reply(json.dumps(answer)))
            assert isinstance(order, Order)
            orders.append(order)
        for _ in episode.advance(orders):
            pass
    return requests


def render(prompter: Prompter, request: Request) -> str:
    return prompter.render(request)[1].text


def test_there_are_strategies_of_its_own() -> None:
    assert len(OWN) == 4
    assert len(PROMPTERS) >= 5


def test_the_board_is_drawn_with_its_coordinates() -> None:
    lines = render(PROMPTERS[0], collect_requests(Module.GEESE)[0]).split("\n")
    start = lines.index("```")
    assert lines[start + 1].split() == ["1"]
    assert lines[start + 2] == "   0 1 2 3 4 5 6 7 8 9 0"
    rows = lines[start + 3 : lines.index("```", start + 1)]
    assert [row[:3] for row in rows] == [f"{y:2} " for y in range(7)]
    marks = [mark for row in rows for mark in row[3:].split()]
    assert len(marks) == 11 * 7
    assert {mark: marks.count(mark) for mark in set(marks) - {"."}} == {
        "A": 1,
        "B": 1,
        "C": 1,
        "D": 1,
        "*": 2,
    }


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (0, "in turn 20, 19 turns after this one."),
        (18, "in turn 20, 1 turn after this one."),
        (19, "**Everybody loses a segment in this turn.**"),
        (20, "in turn 40, 19 turns after this one."),
        (40, None),
    ],
)
def test_the_next_shrink_turn_is_counted_down_to(turn: int, words: str | None) -> None:
    (request, *_) = collect_requests(Module.GEESE)
    seen = require_own(request.observation)
    seen = msgspec.structs.replace(seen, turn=turn, max_turns=50, turns_left=50 - turn)
    text = render(PROMPTERS[0], msgspec.structs.replace(request, observation=seen))
    assert (words or "") in text
    assert ("loses a segment in t" in text.replace("in every turn", "")) is (words is not None)


def test_what_a_program_worked_out_is_shown_from_the_second_turn_on_and_only_where_wanted() -> None:
    first, *_, last = collect_requests(Module.ROYALE)
    aided, unaided = make_prompter(SNAKE_ROYALE, "null"), make_prompter(SNAKE_ROYALE, "unaided")
    for request in (first, last):
        assert "| head risk | room |" in render(aided, request)
        assert ("free space" in render(aided, request)) is (request is last)
        for word in ("head risk", "room", "free space", "safe"):
            assert word not in render(unaided, request)


def test_the_dead_are_told_of_in_plain_words() -> None:
    text = render(PROMPTERS[0], Request(3, 0, 1, SNAKE_ROYALE.sample_observations()[-1]))
    assert "died in turn 2: it left the board" in text


@pytest.mark.parametrize("module", Module)
def test_what_stays_the_same_for_a_seat_comes_before_what_changes(module: Module) -> None:
    prompter = make_prompter(SNAKE_ROYALE, "null")
    prompts = [prompter.render(request) for request in collect_requests(module) if request.seat == 1]
    prefix = find_shared_prefix(prompts)
    assert "You are COG-beta" in prefix
    assert "# Turn " in prefix


def test_the_system_message_is_long_enough_to_be_cached_where_1024_tokens_are_asked_for() -> None:
    system = PROMPTERS[0].render(collect_requests(Module.ROYALE)[0])[0].text
    assert estimate_tokens(system) > 1.2 * CACHED_FROM["openai"][1]


@pytest.mark.parametrize("module", Module)
def test_a_prompt_shows_the_seat_its_notes_and_others_bubbles_but_never_their_notes(module: Module) -> None:
    requests = collect_requests(module)
    assert len(requests) > 20
    for request in requests:
        for prompter in PROMPTERS:
            text = render(prompter, request)
            for seat in SEATS:
                assert f"secret{seat}" not in text or seat == request.seat
                assert f"bubble{seat}" not in text or seat != request.seat
            if request.part > 1:
                assert f"> secret{request.seat} {{{{ x }}}}" in text
                assert "> COG-" in text


def test_the_system_message_is_one_for_all_and_names_the_rules_numbers() -> None:
    systems = {
        prompter.render(request)[0].text
        for module in Module
        for request in collect_requests(module)[:4]
        for prompter in PROMPTERS
    }
    (system,) = systems
    assert f"up to {SAY_LENGTH} plain characters" in system
    assert f"up to {NOTES_LENGTH} characters" in system
    assert "1000, 333, -333, -1000" in system
    example = next(line for line in system.split("\n") if line.startswith('{"dir"'))
    assert SNAKE_ROYALE.check_script(example) is None


def test_a_repair_quotes_what_was_wrong_and_gives_an_example_that_is_taken() -> None:
    request = collect_requests(Module.ROYALE)[0]
    rejection = Rejection("no JSON object in the reply", reply="I go up")
    repaired = Request(request.part, request.seat, 2, request.observation, rejection)
    messages = PROMPTERS[0].render(repaired)
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert "> no JSON object in the reply" in messages[-1].text
    example = messages[-1].text[messages[-1].text.rindex("{") :].rstrip(".")
    assert SNAKE_ROYALE.check_script(example) is None


def test_rules_that_a_game_does_not_have_are_not_shown() -> None:
    royale, geese, tron = (render(PROMPTERS[0], collect_requests(module)[0]) for module in Module)
    assert "health" in royale
    assert "health" not in geese
    assert "it wraps" in geese
    assert "loses a segment in every turn that 20 divides" in geese
    assert "There is no food." in tron
    assert "Tails never move on:" in tron


Cells = list[tuple[int, int]]
LEFT_OF, RIGHT_OF = [(4, 2), (3, 2)], [(6, 2), (7, 2)]
"""Two equally long snakes with one cell between their heads."""


@pytest.mark.parametrize(
    ("bodies", "food", "directions", "rule", "living"),
    [
        ([LEFT_OF, RIGHT_OF], [], "rl", HeadOnRule.LONGER_WINS, ""),
        ([[*LEFT_OF, (2, 2)], RIGHT_OF], [], "rl", HeadOnRule.LONGER_WINS, "A"),
        ([[*LEFT_OF, (2, 2)], RIGHT_OF], [], "rl", HeadOnRule.BOTH_DIE, ""),
        ([LEFT_OF, RIGHT_OF], [(5, 2)], "rl", HeadOnRule.LONGER_WINS, "A"),
        ([LEFT_OF, [(5, 2), (6, 2)]], [], "rl", HeadOnRule.LONGER_WINS, ""),
        ([[(3, 4), (3, 5)], [(3, 1), (3, 2), (3, 3)]], [], "uu", HeadOnRule.LONGER_WINS, "AB"),
        ([[(3, 4), (3, 5)], [(3, 1), (3, 2), (3, 3)]], [(3, 0)], "uu", HeadOnRule.LONGER_WINS, "B"),
        ([[(2, 2), (2, 3)], [(0, 2), (1, 2)]], [], "ll", HeadOnRule.LONGER_WINS, ""),
        ([[(3, 4), (3, 5)], [(3, 1), (3, 2), (3, 3), (3, 3)]], [], "uu", HeadOnRule.LONGER_WINS, "B"),
    ],
)
def test_the_examples_of_the_system_message_are_what_the_rules_do(
    bodies: list[Cells], food: Cells, directions: str, rule: HeadOnRule, living: str
) -> None:
    board = make_board(17, 9, False)
    switches = msgspec.structs.replace(MODULES[Module.ROYALE], head_to_head=rule, food_count=0)
    cells = [[board.cell_at(x, y) for x, y in body] for body in [*bodies, [(15, 1)], [(15, 7)]]]
    snakes = tuple(Snake(seat, body, 30, 0) for seat, body in enumerate(cells))
    state = GameState(switches, board, snakes, make_food_stream(0), [board.cell_at(x, y) for x, y in food])
    apply_turn(state, ["urdl".index(letter) for letter in f"{directions}uu"])
    assert "".join("AB"[snake.seat] for snake in state.living if snake.seat < 2) == living


def test_glutton_promises_only_what_the_rules_of_the_module_give() -> None:
    prompter = make_prompter(SNAKE_ROYALE, "glutton")
    for module, rules in MODULES.items():
        text = render(prompter, collect_requests(module)[0])
        strategy = text[
            text.index("Length decides" if "Length decides" in text else "Of those who survive") :
        ]
        long_wins = rules.head_to_head is HeadOnRule.LONGER_WINS
        assert ("Length decides who survives heads meeting" in strategy) == long_wins
        assert ("length helps nobody" in strategy) != long_wins
        assert ("take moves with head risk `win`" in strategy) == long_wins
        assert ("Go for the food" in strategy) == (rules.food_count > 0)
        assert ("each snake loses one segment" in strategy) == (rules.shrink_every > 0)
