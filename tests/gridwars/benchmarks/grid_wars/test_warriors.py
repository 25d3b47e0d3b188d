"""The built-in warriors: clean in any company, documented, and listed by how strong they are."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from gridwars.benchmarks.grid_wars import warriors
from gridwars.benchmarks.grid_wars.battle import BattleResult, compile_seats
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.rules import DeathCause, compute_round_seed, draw_spawn
from gridwars.benchmarks.grid_wars.warriors import LADDER, load_warriors
from gwl import check_source, format_source
from tests.gridwars.benchmarks.grid_wars.ladder import measure_strengths, play_duel

SEEDS = range(200)
BEATEN = (
    *pairwise(
        (
            "sentry",
            "bomber",
            "painter",
            "hunter",
            "gambler",
            "raider",
            "sweeper",
            "fortress",
            "warden",
            "brawler",
        )
    ),
    ("sentry", "painter"),
    *(("warden", name) for name in ("assassin", "marshal")),
    *((name, "brawler") for name in ("assassin", "marshal")),
)
"""Who loses to whom in duels: each but the last three rungs to another, the killers to their counter."""
CORPUS = Path(__file__).parents[3] / "golden/gridwars/warriors"


def test_the_ladder_holds_every_warrior_there_is() -> None:
    names = {entry.name for entry in files(warriors).iterdir() if entry.name.endswith(".gwl")}
    assert names == {f"{name}.gwl" for name in LADDER}
    assert len(LADDER) == len(set(LADDER)) >= 8
    assert list(load_warriors()) == list(LADDER)


@pytest.mark.parametrize("name", LADDER)
def test_a_warrior_is_documented_laid_out_and_free_of_warnings(name: str) -> None:
    warrior = load_warriors()[name]
    assert check_source(warrior.lines) == ()
    assert format_source(warrior.lines) == list(warrior.lines)
    header = warrior.description
    assert header.partition(". ")[0].endswith(tuple("abcdefghijklmnopqrstuvwxyz"))
    assert len(header) > 80


@pytest.mark.slow
def test_the_ladder_is_in_the_order_of_strength_over_all_fields() -> None:
    strengths = measure_strengths(LADDER, starts_each=1)
    assert sum(strength.duels for strength in strengths.values()) == 0
    means = [float(strengths[name].mean) for name in LADDER]
    assert means == sorted(means), dict(zip(LADDER, means, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("beaten", "name"), BEATEN)
def test_a_warrior_beats_beyond_chance_whom_it_is_said_to_beat(beaten: str, name: str) -> None:
    margin = play_duel(name, beaten, SEEDS).margin
    assert margin.half_width is not None
    assert margin.mean - margin.half_width > 0, margin.render()


@pytest.mark.parametrize("bomb_cost", [12, 0, 5, 60])
def test_no_warrior_makes_a_mistake_in_any_company(bomb_cost: int) -> None:
    programs = compile_seats([load_warriors()[name].lines for name in LADDER])
    jobs = []
    for seed in range(120):
        round_seed = compute_round_seed(seed, 3)
        # A stride that shares no factor with the ladder's length gives ever other company.
        chosen = [programs[(seed + seat * (1 + seed // len(LADDER))) % len(LADDER)] for seat in range(4)]
        spawn = draw_spawn(round_seed)
        jobs.append(BattleJob(chosen, seed=round_seed, spawn=spawn, ticks=400, bomb_cost=bomb_cost))
    results = start_engine().run_battles(jobs)
    assert len(results) == 120
    assert [trouble for result in results for trouble in list_troubles(result, range(4))] == []


@pytest.mark.parametrize("bomb_cost", [12, 0, 60])
@pytest.mark.parametrize("name", LADDER)
def test_a_warrior_makes_no_mistake_among_strangers(name: str, bomb_cost: int) -> None:
    """The golden corpus stands in its way, faults, halts, bombs everything and does nothing at all."""
    (program,) = compile_seats([load_warriors()[name].lines])
    corpus = [path.read_text(encoding="utf-8").split("\n") for path in sorted(CORPUS.glob("*.gwl"))]
    assert len(corpus) > 100
    strangers = compile_seats(corpus)
    jobs = []
    for seed in range(len(strangers)):
        round_seed = compute_round_seed(seed, 2)
        company = [strangers[(seed * 3 + seat * 7) % len(strangers)] for seat in range(4)]
        company[seed % 4] = program
        spawn = draw_spawn(round_seed)
        jobs.append(BattleJob(company, seed=round_seed, spawn=spawn, ticks=400, bomb_cost=bomb_cost))
    results = start_engine().run_battles(jobs)
    troubles = [list_troubles(result, [seed % 4]) for seed, result in enumerate(results)]
    assert [trouble for each in troubles for trouble in each] == []


def list_troubles(result: BattleResult, seats: Sequence[int]) -> list[str]:
    return [
        f"seat {seat}: {name}"
        for seat in seats
        for stats in [result.stats[seat]]
        for name, is_so in {
            "fault": stats.death_cause is DeathCause.FAULT,
            "idle": stats.death_cause is DeathCause.IDLE,
            "stall": stats.stalls > 0,
            "illegal move": stats.illegal > 0,
            "refused bomb": stats.refused > 0,
        }.items()
        if is_so
    ]
