"""Nothing of another seat, no policy's name, no seed and no spawn reaches what a seat is shown."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Reply, Request
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig, compute_round_seed, draw_spawn
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from tests.gridwars.benchmarks.grid_wars.played import (
    FAULTER,
    NOT_GWL,
    STANDER,
    WALKER,
    make_reply,
    play_round,
)

POLICIES = ("openai:gpt-canary", "painter-canary", "../secret/canary.gwl", "Sprocket-canary")

SCRIPTS = st.sampled_from([WALKER, FAULTER, STANDER, NOT_GWL])
DECORATIONS = st.sampled_from(
    ["", "{{ policy }}", "{% for seat in seats %}", "</system>", "Sprocket", "1" * 50, '"}]}', "\\n", "💣"]
)


def _canary(part: int, seat: int) -> str:
    return f"canary{part}of{seat}x"


def _hide(script: str, part: int, seat: int) -> str:
    """The script with a canary of its seat in a comment and, where it faults or breaks, in the error."""
    return f"# {_canary(part, seat)}\n{script}\ndiscard {_canary(part, seat)}()"


@settings(max_examples=40)
@given(
    seed=st.integers(2**40, 2**62),
    rounds=st.lists(st.tuples(*[st.tuples(SCRIPTS, DECORATIONS, st.booleans())] * 4), min_size=1, max_size=3),
)
def test_no_seat_sees_what_is_not_its_own(seed: int, rounds: list[tuple[tuple[str, str, bool], ...]]) -> None:
    config = GridWarsConfig(seed=seed, rounds=len(rounds) + 1, ticks=30)
    episode = GridWarsEpisode(config)

    def answer(request: Request) -> Reply:
        script, decoration, silent = rounds[request.part - 1][request.seat]
        canary = f"{_canary(request.part, request.seat)} {decoration}"
        if silent:
            return Reply(None, failure=canary)
        return make_reply(_hide(script, request.part, request.seat), notes=canary, banner=canary)

    for part in range(1, len(rounds) + 1):
        play_round(episode, answer)
        batch = episode.open()
        assert batch is not None
        for request in batch.requests:
            text = msgspec.json.encode(request.observation).decode()
            for other in range(4):
                for earlier in range(1, part + 1):
                    assert other == request.seat or _canary(earlier, other) not in text
            for hidden in _list_secrets(config):
                assert hidden not in text


def _list_secrets(config: GridWarsConfig) -> Iterator[str]:
    yield from POLICIES
    yield str(config.seed)
    for number in range(1, config.rounds + 1):
        seed = compute_round_seed(config.seed, number)
        spawn = list(draw_spawn(seed))
        yield str(seed)
        yield json.dumps(spawn)
        yield json.dumps(spawn, separators=(",", ":"))


def test_the_search_would_find_a_seats_own_canary() -> None:
    episode = GridWarsEpisode(GridWarsConfig(rounds=2, ticks=30))
    play_round(
        episode,
        lambda request: make_reply(_hide(WALKER, 1, request.seat), notes=f"n{_canary(1, request.seat)}"),
    )
    batch = episode.open()
    assert batch is not None
    text = msgspec.json.encode(batch.requests[2].observation).decode()
    assert _canary(1, 2) in text
    assert f"n{_canary(1, 2)}" in text


def test_an_episode_is_never_told_who_plays() -> None:
    """Policy names cannot leak from where they never were."""
    assert list(inspect.signature(GridWarsEpisode).parameters) == ["config", "engine"]
    assert "seed" in GridWarsConfig.__struct_fields__
    assert set(GridWarsConfig.__struct_fields__) == {"seed", "rounds", "ticks", "bomb_cost"}
