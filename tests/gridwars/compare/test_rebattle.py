"""Rounds fought again: the seat's luck is gone, and the canonical scores are the log's."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gridwars.benchmarks.contract import Event, Origin
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.events import Submit
from gridwars.benchmarks.grid_wars.results import GridWarsResults
from gridwars.benchmarks.kit.playing import answer_with_baselines, play
from gridwars.benchmarks.scripted import play_episode
from gridwars.compare.rebattle import run_rebattle

BENCHMARK = GridWars()
CONFIG = BENCHMARK.configure({"rounds": 2, "ticks": 60, "seed": 3})
PLAYERS = ("painter", "gambler", "sentry", "painter")
"""The gambler draws, so that boards are."""


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return play(BENCHMARK.start(CONFIG), answer_with_baselines(BENCHMARK, PLAYERS))


def test_canonical_scores_are_the_episodes_own(events: list[Event]) -> None:
    results = events[-1].results  # type: ignore[attr-defined]  # the last event is the end
    assert isinstance(results, GridWarsResults)
    rematches = BENCHMARK.list_rematches(CONFIG, events)
    assert [rematch.part for rematch in rematches] == [1, 2]
    rebattle = run_rebattle(BENCHMARK, rematches, range(2))
    assert [scores.canonical for scores in rebattle.series] == [Fraction(score) for score in results.scores]
    assert rebattle.bout_count == 2 * 2 * 24


def test_the_battle_itself_is_among_the_rematches_on_its_seed(events: list[Event]) -> None:
    rematch = BENCHMARK.list_rematches(CONFIG, events)[0]
    config = BENCHMARK.configure({"rounds": 1, "ticks": 60, "seed": 3})
    assert play_episode(BENCHMARK.start(config), rematch.players).scores == rematch.scores


def test_equal_scripts_are_equal_once_seats_are_integrated(events: list[Event]) -> None:
    rebattle = run_rebattle(BENCHMARK, BENCHMARK.list_rematches(CONFIG, events), range(2))
    assert PLAYERS[0] == PLAYERS[3]
    first, *_, last = rebattle.series
    assert first.canonical != last.canonical
    assert first.integrated == last.integrated
    assert sum(scores.integrated.mean for scores in rebattle.series) == pytest.approx(0)
    assert first.integrated.block_count == 2


def test_round_that_was_sealed_but_not_played_has_no_canonical_score(events: list[Event]) -> None:
    sealed = [index for index, event in enumerate(events) if isinstance(event, Submit)]
    (rematch, last) = BENCHMARK.list_rematches(CONFIG, events[: sealed[-1] + 1])
    assert (len(rematch.scores), last.scores) == (4, ())
    rebattle = run_rebattle(BENCHMARK, [rematch, last], [0])
    assert rebattle.parts[1].seats[0].canonical is None
    assert rebattle.series[0].canonical == rebattle.parts[0].seats[0].canonical
    assert BENCHMARK.list_rematches(CONFIG, events[:3]) == ()


def test_script_that_was_none_stands_still(events: list[Event]) -> None:
    opening = events[0]
    submits = [
        Submit(1, seat, Origin.LLM, script, "", "", "", ())
        for seat, script in enumerate(
            [(), ("while true:", "  place()", "  move(1, 0)"), ("wait()",), ("wait()",)]
        )
    ]
    (rematch,) = BENCHMARK.list_rematches(CONFIG, [opening, *submits])
    rebattle = run_rebattle(BENCHMARK, [rematch], [0])
    halted, painter, _, waiting = rebattle.series
    assert painter.integrated.mean > halted.integrated.mean == waiting.integrated.mean
