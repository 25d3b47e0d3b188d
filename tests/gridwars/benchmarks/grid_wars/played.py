"""Series for tests, played through the episode's own doors from replies given as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from gridwars.benchmarks.contract import Batch, Event, Rejection, Reply, Request
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.submission import Submission

Answerer = Callable[[Request], Reply]

WALKER = "while true:\n  place()\n  move(1, 0)"
STANDER = "while true:\n  wait()"
FAULTER = "var a = [1]\nwait()\na[3] = 0"
BOMBER = "while true:\n  bomb()\n  wait()"
NOT_GWL = "while true\n  place()"


def make_reply(script: str, notes: str = "", banner: str = "") -> Reply:
    """A model's reply."""
    return Reply(json.dumps({"script": script.split("\n"), "notes": notes, "banner": banner}))


def decide(episode: GridWarsEpisode, batch: Batch, answer: Answerer) -> list[Submission]:
    """What each seat comes to, asked once: a rejection or no reply means the fallback."""
    decisions = []
    for request in batch.requests:
        reply = answer(request)
        outcome = Rejection(reply.failure) if reply.text is None else episode.read(request, reply)
        if isinstance(outcome, Rejection):
            outcome = episode.fallback(request, outcome.reason)
        decisions.append(outcome)
    return decisions


def play_round(episode: GridWarsEpisode, answer: Answerer) -> list[Event]:
    batch = episode.open()
    assert batch is not None
    return [event for group in episode.advance(decide(episode, batch, answer)) for event in group]


def play_series(config: GridWarsConfig, answer: Answerer, stop_after: int | None = None) -> list[Event]:
    """All events of a series, ended early after so many rounds."""
    episode = GridWarsEpisode(config)
    events: list[Event] = []
    while (batch := episode.open()) is not None:
        if batch.part - 1 == stop_after:
            for group in episode.stop_early():
                events += group
            break
        events += play_round(episode, answer)
    return events


def play_scripts(config: GridWarsConfig, rounds: Sequence[Sequence[str]]) -> list[Event]:
    """A series of models that give these scripts, by round and seat."""
    return play_series(
        config, lambda request: make_reply(rounds[request.part - 1][request.seat]), stop_after=len(rounds)
    )


SCRIPTS = st.sampled_from([WALKER, STANDER, FAULTER, BOMBER, NOT_GWL, "wait()", "discard nosuch()"])
CONFIGS = st.builds(
    GridWarsConfig,
    seed=st.integers(-(2**63), 2**63 - 1),
    rounds=st.integers(1, 4),
    ticks=st.integers(20, 60),
    bomb_cost=st.integers(0, 60),
)


@st.composite
def series(draw: st.DrawFn) -> tuple[GridWarsConfig, list[Event]]:
    """A configuration and the events of a series played with it, perhaps ended early."""
    config = draw(CONFIGS)
    scripts = draw(
        st.lists(st.tuples(*[SCRIPTS] * 4), min_size=1, max_size=config.rounds).filter(lambda rounds: rounds)
    )
    return config, play_scripts(config, scripts)
