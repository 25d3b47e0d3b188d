"""The messages of a request: their order, what they share, and what a log keeps of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pytest

from gridwars.benchmarks.contract import Rejection, Reply, Request
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.canonical import Json, render_canonical
from gridwars.prompting import (
    Prompter,
    PromptError,
    UnknownTemplatesError,
    list_installed_texts,
    list_strategies,
    make_prompter,
    prompts_path,
    restore_prompter,
)
from gridwars.prompting.prompter import QUOTED_HEAD, QUOTED_TAIL
from gridwars.prompting.sizes import estimate_tokens, find_shared_prefix
from gridwars.prompting.strategy import parse_strategy
from gridwars.prompting.templates import load_templates
from tests.gridwars.benchmarks.grid_wars.played import FAULTER, WALKER, make_reply, play_round
from tests.gridwars.toy_benchmark import TOY

GRID_WARS = GridWars()
STRATEGIES = [strategy.name for strategy in list_strategies() if strategy.fits(GRID_WARS.name)]
MOST_DEMANDING_CACHE_TOKENS = 4096
"""The shortest prefix that a provider's cache takes, for the models that ask for most."""


def collect_requests() -> list[Request]:
    """All requests of a series in which one seat faults and one seat's reply is not taken."""
    episode = GridWarsEpisode(GridWarsConfig(rounds=3, ticks=20))
    requests: list[Request] = []
    replies = [make_reply(WALKER, notes="mine"), make_reply(FAULTER), Reply("no"), Reply(None, failure="cut")]
    while (batch := episode.open()) is not None:
        requests += batch.requests
        play_round(episode, lambda request: replies[request.seat])
    return requests


REQUESTS = collect_requests()


def reject(request: Request, reply: str, further: str = "") -> Request:
    return msgspec.structs.replace(
        request, attempt=2, rejection=Rejection("7:12: wrong", further=further, reply=reply)
    )


def test_system_message_is_the_same_for_all_seats_rounds_strategies_and_attempts() -> None:
    assert len(REQUESTS) == 12
    assert len(STRATEGIES) >= 6
    systems = set()
    for name in STRATEGIES:
        prompter = make_prompter(GRID_WARS, name)
        for request in REQUESTS:
            for asked in (request, reject(request, "bad")):
                first = prompter.render(asked)[0]
                assert first.role == "system"
                systems.add(first.text.encode())
    (system,) = systems
    assert estimate_tokens(system.decode()) > MOST_DEMANDING_CACHE_TOKENS


def test_system_message_is_the_same_whatever_is_configured() -> None:
    episode = GridWarsEpisode(GridWarsConfig(seed=9, rounds=12, ticks=1200, bomb_cost=60))
    batch = episode.open()
    assert batch is not None
    prompter = make_prompter(GRID_WARS, "plan")
    assert prompter.render(batch.requests[3])[0] == prompter.render(REQUESTS[0])[0]


@pytest.mark.parametrize("seat", range(4))
def test_what_stays_the_same_for_a_seat_comes_before_what_changes(seat: int) -> None:
    prompter = make_prompter(GRID_WARS, "steady")
    prompts = [prompter.render(request) for request in REQUESTS if request.seat == seat]
    prefix = find_shared_prefix(prompts)
    assert len(prompts) == 3
    assert prefix.startswith(prompts[0][0].text + "# This series\n\nYou are ")
    assert "# Strategy\n\nKeep it simple" in prefix
    assert prefix.endswith("# Round ")


def test_no_strategy_leaves_no_trace() -> None:
    text = make_prompter(GRID_WARS, "null").render(REQUESTS[0])[1].text
    assert "# Strategy" not in text
    assert "energy.\n\n# Round 1 of 3" in text


def test_repair_shows_the_reply_and_the_exact_errors() -> None:
    prompter = make_prompter(GRID_WARS, "null")
    first = prompter.render(REQUESTS[0])
    repair = prompter.render(reject(REQUESTS[0], ' {"script": [1]} \n', further="9:1: and this"))
    assert [message.role for message in repair] == ["system", "user", "assistant", "user"]
    assert repair[:2] == first
    assert repair[2].text == '{"script": [1]}'
    assert "> 7:12: wrong" in repair[3].text
    assert "> 9:1: and this" in repair[3].text


@pytest.mark.parametrize("reply", ["", " \n\t "])
def test_repair_after_no_text_is_one_question(reply: str) -> None:
    """No provider takes an empty message, and some take no two of one role after each other."""
    prompter = make_prompter(GRID_WARS, "null")
    first = prompter.render(REQUESTS[0])
    repair = prompter.render(reject(REQUESTS[0], reply))
    assert [message.role for message in repair] == ["system", "user"]
    assert repair[1].text.startswith(first[1].text)
    assert "> 7:12: wrong" in repair[1].text


def test_long_reply_is_quoted_by_its_ends() -> None:
    text = "a" * QUOTED_HEAD + "b" * 1_000_000 + "c" * QUOTED_TAIL
    quoted = make_prompter(GRID_WARS, "null").render(reject(REQUESTS[0], text))[2].text
    assert quoted.startswith("a" * QUOTED_HEAD + "\n[1000000 characters are left out")
    assert quoted.endswith("\n" + "c" * QUOTED_TAIL)


def test_reply_that_is_no_unicode_can_be_sent() -> None:
    rejected = msgspec.structs.replace(
        REQUESTS[0], attempt=2, rejection=Rejection("bad \udc80", further="\ud800", reply="x\udfff")
    )
    for message in make_prompter(GRID_WARS, "null").render(rejected):
        message.text.encode()


def test_each_part_of_what_a_seat_sees_is_in_its_question() -> None:
    prompter = make_prompter(GRID_WARS, "null")
    texts = [prompter.render(request)[1].text for request in REQUESTS[4:8]]
    assert "alive, after 20 ticks" in texts[0]
    assert "> mine" in texts[0]
    assert "3|   move(1, 0)" in texts[0]
    assert "Fault in line 3: index 3 is out of range" in texts[1]
    assert "Your own script was not played" in texts[2]
    assert "> cut" in texts[3]
    for text in texts:
        assert text.count(" (you) | ") == 1
        assert (
            len([line for line in text.split("\n") if len(line) == 30 and set(line) <= set(".1234x*")]) == 30
        )


def test_prompts_are_a_pure_function_of_the_request() -> None:
    for name in STRATEGIES:
        request = reject(REQUESTS[5], "bad")
        assert make_prompter(GRID_WARS, name).render(request) == make_prompter(GRID_WARS, name).render(
            request
        )


TEXTS = list_installed_texts(GRID_WARS)


def restore(record: Mapping[str, Json], texts: Iterable[str] = TEXTS) -> Prompter:
    return restore_prompter(GRID_WARS, record, texts)


def test_record_restores_the_same_prompts_and_fits_a_log() -> None:
    prompter = make_prompter(GRID_WARS, "lab")
    record = msgspec.json.decode(render_canonical(prompter.record()))
    assert record["strategy"]["name"] == "lab"
    assert set(record["templates"]) == {
        "grid_wars/system.md.j2",
        "grid_wars/round.md.j2",
        "grid_wars/repair.md.j2",
        "gwl_reference.md.j2",
    }
    again = restore(record)
    assert again.render(REQUESTS[7]) == prompter.render(REQUESTS[7])
    assert again.record() == prompter.record()
    assert restore(prompter.record()).texts == prompter.texts


def test_strategy_is_taken_from_the_log_and_not_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text('+++\nname = "mine"\nversion = 1\nnotes = ""\n+++\nBe brave.', encoding="utf-8")
    record = make_prompter(GRID_WARS, str(file)).record()
    file.unlink()
    assert "Be brave." in restore(record).render(REQUESTS[0])[1].text


def make_changed(name: str, folder: Path) -> Path:
    """A folder of prompts in which one template says more."""
    shutil.copytree(prompts_path(), folder)
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\nOne more line.\n")
    return folder


@pytest.mark.parametrize("name", ["grid_wars/round.md.j2", "grid_wars/repair.md.j2", "gwl_reference.md.j2"])
def test_changed_template_is_named_where_its_old_text_is_not_to_be_had(name: str, tmp_path: Path) -> None:
    changed = list_installed_texts(GRID_WARS, make_changed(name, tmp_path / "prompts"))
    with pytest.raises(UnknownTemplatesError, match=f"{name}.*put the files back") as error:
        restore(make_prompter(GRID_WARS, "null").record(), changed)
    assert list(error.value.digests) == [name]


def test_templates_are_found_among_others_by_what_they_say(tmp_path: Path) -> None:
    changed = make_prompter(GRID_WARS, "null", make_changed("grid_wars/round.md.j2", tmp_path / "prompts"))
    again = restore(changed.record(), [*TEXTS, *changed.texts])
    assert again.render(REQUESTS[7]) == changed.render(REQUESTS[7])
    assert "One more line." in again.render(REQUESTS[7])[1].text


@pytest.mark.parametrize("record", [{}, {"strategy": "null"}, {"strategy": {"text": 3}}])
def test_record_that_says_nothing_of_prompts_is_refused(record: dict[str, Json]) -> None:
    with pytest.raises(PromptError, match="does not say which prompts"):
        restore(record)


def test_game_without_prompts_is_refused_by_the_file_it_lacks() -> None:
    strategy = parse_strategy('+++\nname = "a"\nversion = 1\nnotes = ""\n+++\n', "a.md")
    with pytest.raises(PromptError, match=r"toy/system\.md\.j2"):
        Prompter(strategy, load_templates(TOY, prompts_path()))
