"""The prompts of Snake Royale: they show what a seat sees, nothing else, and to all the same rules."""

from __future__ import annotations

import json

import pytest

from gridwars.benchmarks.contract import Rejection, Reply, Request
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import NOTES_LENGTH, SAY_LENGTH, SEATS, Module
from gridwars.prompting import list_strategies, make_prompter
from gridwars.prompting.prompter import Prompter

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


def test_there_are_three_strategies_of_its_own() -> None:
    assert len(OWN) == 3
    assert len(PROMPTERS) >= 4


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
    assert "shrinks every 20 turns" in geese
    assert "There is no food." in tron
    assert "Tails never move on." in tron
