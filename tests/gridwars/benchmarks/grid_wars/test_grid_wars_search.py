"""The search with its default budget beats every built-in head to head, and gets no worse by the round."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.search import _is_above_chance, make_search
from gridwars.benchmarks.grid_wars.warriors import LADDER, load_warriors
from tests.gridwars.benchmarks.grid_wars.searched import observe_round, play_head_to_head

pytestmark = pytest.mark.slow

SEEDS = range(5)


@pytest.fixture(scope="module")
def found() -> list[str]:
    """By round from the first, what the search submits."""
    decide = make_search()
    scripts = [""]
    for number in (1, 2):
        scripts.append(decide(observe_round(number, scripts[-1])))
    return scripts[1:]


@pytest.mark.parametrize("name", LADDER)
def test_the_script_found_beats_every_built_in_beyond_chance(found: list[str], name: str) -> None:
    margin = play_head_to_head(found[0], make_player(load_warriors()[name].source), SEEDS)
    assert margin.exact or margin.half_width is not None
    assert margin.mean - (margin.half_width or 0) > 0, margin.render()


def test_the_next_round_keeps_the_script_or_finds_one_that_beats_it(found: list[str]) -> None:
    first, second = found
    assert second == first or play_head_to_head(second, make_player(first), SEEDS).mean > 0


@pytest.mark.parametrize(("own", "known"), [("warden", "sentry"), ("sentry", "warden")])
def test_the_search_starts_from_its_own_script_or_one_that_beats_it(own: str, known: str) -> None:
    """With a budget for one duel and no edit."""
    warriors = load_warriors()
    reply = make_search(30, [warriors[known].lines])(observe_round(1, warriors[own].source))
    assert reply == warriors["warden"].source


def test_a_search_that_knows_one_script_betters_it_by_playing_against_itself() -> None:
    wasteful = "while true:\n  place()\n  wait()\n  move(1, 0)"
    found = make_search(1000, [tuple(wasteful.split("\n"))])(observe_round(1, wasteful, ticks=60))
    assert play_head_to_head(found, make_player(wasteful), range(2), ticks=60).mean > 0


@pytest.mark.parametrize(
    ("gains", "is_beyond"),
    [([], False), ([0], False), ([1], False), ([1, 1, 1], False), ([1, 1, 1, 1], True), ([2, 0, 0, 1], False),
     ([-1] * 9, False), ([3, -1, 3, -1, 3, -1, 3], False), ([5, 4, 6, 5], True)],
)  # fmt: skip
def test_a_gain_counts_only_where_luck_would_rarely_bring_it(gains: list[int], is_beyond: bool) -> None:
    assert _is_above_chance(gains) is is_beyond
