"""A seat that searches: the same every time, resumable, and better than what it started from."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Origin
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.edits import draw_edit
from gridwars.benchmarks.grid_wars.events import Submit
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.search import make_search
from gridwars.benchmarks.grid_wars.submission import compile_or_none, split_script
from gridwars.clock import SystemClock
from gridwars.compare.contestants import make_contestants
from gridwars.compare.tournament import run_tournament
from gridwars.harness.orchestrator import resume_episode
from gridwars.log.events import SeatRecord
from gridwars.log.reader import read_log
from gridwars.policies.policy import PolicyError
from gridwars.policies.registry import make_policies, restore_policies
from gridwars.policies.search import SearchPolicy
from gridwars.rng import NimRand
from tests.gridwars.benchmarks.grid_wars.searched import observe_round, play_head_to_head
from tests.gridwars.playing import play_seats
from tests.gridwars.toy_benchmark import TOY

BENCHMARK = GridWars()
CONFIG = BENCHMARK.configure({"rounds": 2, "ticks": 60, "seed": 3})
SEATS = ("search:250", "painter", "bomber", "sentry")


def play(path: Path) -> None:
    play_seats(path, BENCHMARK, CONFIG, SEATS)


def observe_first_round(seed: int) -> GridWarsObservation:
    batch = BENCHMARK.start(BENCHMARK.configure({"seed": seed, "ticks": 60})).open()
    assert batch is not None
    observation = batch.requests[0].observation
    assert isinstance(observation, GridWarsObservation)
    return observation


def test_search_counts_as_scripted_and_its_episode_is_audited_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "whole.jsonl"
    play(path)
    assert audit_log(path).status is AuditStatus.INTACT
    events = read_log(path).events
    found = [event for event in events if isinstance(event, Submit) and event.seat == 0]
    assert [event.origin for event in found] == [Origin.SCRIPTED] * 2
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:8]))
    asyncio.run(resume_episode(cut, clock=SystemClock(), observe=lambda event, known: None))
    assert read_log(cut).events == events


def test_reply_depends_on_budget_round_and_own_script_and_on_no_seed() -> None:
    decide = make_search(250)
    first = observe_first_round(1)
    assert decide(first) == decide(observe_first_round(2)) == make_search(250)(first)
    assert first.alias != observe_first_round(2).alias
    assert compile_or_none(tuple(decide(first).split("\n"))) is not None


def test_search_finds_what_beats_all_that_it_knows() -> None:
    """On scripts of this test alone, each of which wastes ticks."""
    known = [
        ("while true:", "  place()", "  wait()", "  move(1, 0)"),
        ("while true:", "  place()", "  move(0, 1)", "  move(0, 1)", "  move(0, 1)"),
        ("while true:", "  place()", "  if tick() mod 3 == 0:", "    move(1, 1)"),
    ]
    start = observe_round(1, "\n".join(known[0]), ticks=60)
    found = make_search(1000, known)(start)
    assert split_script(found) not in known
    for rival in known:
        margin = play_head_to_head(found, make_player("\n".join(rival)), range(5), ticks=60)
        assert margin.exact
        assert margin.mean > 0


def test_search_takes_part_in_tournaments() -> None:
    contestants = make_contestants(["search:250", "painter"], BENCHMARK)
    (bout, *_) = run_tournament(BENCHMARK, CONFIG, contestants, [1]).bouts
    assert set(bout.compute_scores()) == {0, 1}


def test_edits_change_a_script_and_never_its_comments() -> None:
    script = ("# 1 + 2 and 3", "var x = 4", "move(x, 5 - 6)")
    rand = NimRand(1)
    edits = {draw_edit(script, rand) for _ in range(300)}
    assert len(edits) > 20
    assert script not in edits
    kept = [edit for edit in edits if len(edit) == 3 and edit[0].startswith("#")]
    assert kept
    assert all(edit[0] == script[0] for edit in kept)
    assert draw_edit(("",), NimRand(1)) in {("",), ("", "")}


def test_budget_is_kept_in_the_record_and_restored() -> None:
    (policy,) = make_policies(["search:250"], ["Bolt"], BENCHMARK)
    assert policy.record == SeatRecord("search:250", "search", "Bolt", {"budget": 250})
    (restored,) = restore_policies([policy.record], BENCHMARK)
    assert isinstance(restored, SearchPolicy)
    assert isinstance(policy, SearchPolicy)
    assert restored.decide(observe_first_round(1)) == policy.decide(observe_first_round(1))
    (default,) = make_policies(["search"], ["Bolt"], BENCHMARK)
    assert default.record.parameters == {"budget": BENCHMARK.search.default_budget if BENCHMARK.search else 0}


def test_what_is_no_search_is_said() -> None:
    for text in ("search:5", "search:many", "search:99999999999"):
        with pytest.raises(
            PolicyError, match=rf'seat "{text}": a budget is a number of battles, 100..1000000'
        ):
            make_policies([text], ["Bolt"], BENCHMARK)
    with pytest.raises(PolicyError, match="Sealed bids has no search"):
        make_policies(["search"], ["Ada"], TOY)
    with pytest.raises(PolicyError, match="the log holds no budget"):
        restore_policies([SeatRecord("search", "search", "Bolt")], BENCHMARK)
    with pytest.raises(PolicyError, match="takes no parameters"):
        make_policies(["search"], ["Bolt"], BENCHMARK, [{"effort": "low"}])
