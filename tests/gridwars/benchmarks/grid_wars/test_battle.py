"""Whole battles: results, determinism, saving and restoring, and the laws that hold for all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.grid_wars.battle import Battle, BattleResult, compile_seats, run_battle
from gridwars.benchmarks.grid_wars.digest import compute_digest
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, Ending, draw_spawn
from gridwars.benchmarks.grid_wars.state import BattleState
from gridwars.benchmarks.grid_wars.stats import stats_to_vector
from gwl.program import Program

CORNERS = (124, 145, 754, 775)

SCOUT = """
var hops = [1, 0, -1, 1]
proc pick(n) =
  var best = 0
  for i in 0 ..< n:
    if check(hops[i], 1) != ID:
      best = i
  return best
while true:
  if energy() >= BOMBCOST and rand(9) == 0:
    bomb()
  place()
  move(hops[pick(4)], rand(3) - 1)
"""
HUNTER = """
while true:
  for dy in -4 .. 4:
    for dx in -4 .. 4:
      if who(dx, dy) > 0 and who(dx, dy) != ID:
        move(max(-1, min(1, dx)), max(-1, min(1, dy)))
  place()
  move(1, 1)
"""
MINER = """
while true:
  bomb()
  move(rand(3) - 1, 1)
  place()
"""
SLEEPER = "place()"
FAULTY = """
var n = 0
while true:
  n = n + 1
  place()
  move(0, -1)
  if n == 9:
    var oops = 1 div 0
"""
SCRIPTS = [script.strip().split("\n") for script in (SCOUT, HUNTER, MINER, SLEEPER, FAULTY)]
PROGRAMS = compile_seats(SCRIPTS)
assert None not in PROGRAMS

CASTS = st.lists(st.sampled_from((*PROGRAMS, None)), min_size=4, max_size=4)
SPAWNS = st.lists(st.integers(0, 899), min_size=4, max_size=4, unique=True)
SEEDS = st.integers(-(2**63), 2**63 - 1)


def _run(programs: Sequence[Program | None], seed: int = 7, ticks: int = 150) -> BattleResult:
    return run_battle(
        programs, seed=seed, spawn=draw_spawn(seed), ticks=ticks, bomb_cost=3, tick_digests=True
    )


def test_the_same_arguments_give_the_same_battle_and_another_seed_another() -> None:
    assert _run(PROGRAMS[:4]) == _run(PROGRAMS[:4])
    assert _run(PROGRAMS[:4]).digest != _run(PROGRAMS[:4], seed=8).digest


def test_a_script_that_does_not_compile_stands_halted_until_it_is_idle() -> None:
    programs = compile_seats([["move("], *SCRIPTS[:3]])
    assert programs[0] is None
    stats = run_battle(programs, seed=2, spawn=CORNERS, ticks=60, bomb_cost=60).stats[0]
    assert (stats.death_cause, stats.death_tick, stats.ticks_lived) == ("idle", 49, 49)
    assert (stats.stalls, stats.illegal, stats.fault_code) == (0, 0, None)


def test_four_seats_without_a_program_are_a_wipeout() -> None:
    result = run_battle([None] * 4, seed=2, spawn=CORNERS, ticks=400, bomb_cost=12)
    assert (result.reason, result.ticks_played) == (Ending.WIPEOUT, 50)
    assert [stats.round_score_quarters for stats in result.stats] == [0, 0, 0, 0]
    assert result.curve == ((0, 0, 0),) * 4


def test_tick_digests_are_taken_only_when_asked_for_and_change_nothing_else() -> None:
    plain = run_battle(PROGRAMS[:4], seed=7, spawn=draw_spawn(7), ticks=150, bomb_cost=3)
    watched = _run(PROGRAMS[:4])
    assert plain.tick_digests == ""
    assert len(watched.tick_digests) == 8 * watched.ticks_played
    assert watched.tick_digests[-8:] == watched.digest[:8]
    assert {**asdict(watched), "tick_digests": ""} == asdict(plain)


def test_watching_tick_by_tick_gives_what_running_gives() -> None:
    battle = Battle.start(PROGRAMS[:4], seed=7, spawn=draw_spawn(7), ticks=150, bomb_cost=3)
    while not battle.is_over:
        battle.step()
    assert battle.result().digest == compute_digest(battle.state) == _run(PROGRAMS[:4]).digest


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"spawn": [1, 2, 3]}, "spawn"),
        ({"spawn": [1, 2, 3, 3]}, "spawn"),
        ({"spawn": [1, 2, 3, 900]}, "spawn"),
        ({"spawn": [1, 2, 3, -1]}, "spawn"),
        ({"ticks": 0}, "ticks"),
        ({"programs": [None] * 3}, "programs"),
    ],
)
def test_a_battle_that_cannot_be_is_refused_by_the_name_of_its_flaw(
    changed: dict[str, list[int]], named: str
) -> None:
    arguments = {"programs": [None] * 4, "seed": 0, "spawn": CORNERS, "ticks": 20, "bomb_cost": 12}
    with pytest.raises(ValueError, match=f"^{named}: "):
        BattleState.start(**{**arguments, **changed})  # type: ignore[arg-type] # a mixed table of arguments


def test_vectors_and_replays_name_every_statistic() -> None:
    (stats, *_) = _run(PROGRAMS[:4]).stats
    vector = stats_to_vector(stats)
    assert list(vector) == [_camel(name) for name in asdict(stats)]
    assert vector["roundScore"] == stats.round_score_quarters / 4


def _camel(name: str) -> str:
    first, *rest = name.removesuffix("_quarters").split("_")
    return first + "".join(word.capitalize() for word in rest)


@settings(max_examples=25)
@given(CASTS, SPAWNS, SEEDS, st.integers(0, 70))
def test_a_battle_saved_and_restored_at_any_tick_is_the_uninterrupted_one(
    programs: list[Program | None], spawn: list[int], seed: int, cut: int
) -> None:
    through = Battle.start(programs, seed=seed, spawn=spawn, ticks=70, bomb_cost=2)
    paused = Battle.start(programs, seed=seed, spawn=spawn, ticks=70, bomb_cost=2)
    for _ in range(cut):
        if not paused.is_over:
            paused.step()
    text = json.dumps(paused.state.save())
    restored = Battle(BattleState.restore(programs, json.loads(text)))
    assert json.dumps(restored.state.save()) == text
    assert restored.run() == through.run()
    assert json.dumps(restored.state.save()) == json.dumps(through.state.save())


def test_a_restored_battle_shares_nothing_with_the_saved_one() -> None:
    battle = Battle.start(PROGRAMS[:4], seed=7, spawn=CORNERS, ticks=60, bomb_cost=2)
    saved = battle.state.save()
    first = Battle(BattleState.restore(PROGRAMS[:4], saved)).run()
    assert Battle(BattleState.restore(PROGRAMS[:4], saved)).run() == first == battle.run()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tick", "1"),
        ("tick", -1),
        ("owner", b64encode(bytes([5]) * 900).decode()),
        ("corpse", b64encode(bytes([2]) * 900).decode()),
        ("bombs", {"7": {"seat": 0, "fuse": 0}}),
        ("owner", "AAAA"),
        ("warriors", []),
        ("bombs", {"900": {"seat": 0, "fuse": 3}}),
        ("more", 1),
    ],
)
def test_a_damaged_save_is_refused_by_the_name_of_its_flaw(field: str, value: object) -> None:
    saved = Battle.start(PROGRAMS[:4], seed=7, spawn=CORNERS, ticks=60, bomb_cost=2).state.save()
    with pytest.raises(ValueError, match=field):
        BattleState.restore(PROGRAMS[:4], {**saved, field: value})


def test_a_save_whose_seats_are_out_of_order_is_refused() -> None:
    saved = Battle.start(PROGRAMS[:4], seed=7, spawn=CORNERS, ticks=60, bomb_cost=2).state.save()
    warriors = saved["warriors"]
    assert isinstance(warriors, tuple)
    with pytest.raises(ValueError, match="warriors"):
        BattleState.restore(PROGRAMS[:4], {**saved, "warriors": warriors[::-1]})


@settings(max_examples=25)
@given(CASTS, SPAWNS, SEEDS, st.integers(0, 29), st.integers(0, 29))
def test_a_battle_moves_with_its_spawns_when_no_warrior_reads_coordinates(
    programs: list[Program | None], spawn: list[int], seed: int, dx: int, dy: int
) -> None:
    moved_spawn = [_shift(cell, dx, dy) for cell in spawn]
    battle = Battle.start(programs, seed=seed, spawn=spawn, ticks=60, bomb_cost=2)
    moved = Battle.start(programs, seed=seed, spawn=moved_spawn, ticks=60, bomb_cost=2)
    while not battle.is_over:
        battle.step()
        moved.step()
        for there, here in zip(moved.state.warriors, battle.state.warriors, strict=True):
            assert there.cell == _shift(here.cell, dx, dy)
            assert (there.alive, there.energy, there.tiles) == (here.alive, here.energy, here.tiles)
        for cell in range(900):
            assert moved.state.owner[_shift(cell, dx, dy)] == battle.state.owner[cell]
            assert moved.state.corpse[_shift(cell, dx, dy)] == battle.state.corpse[cell]
        assert moved.state.bombs.keys() == {_shift(cell, dx, dy) for cell in battle.state.bombs}
    # Who has a kill depends on the cells' numbers, which do not move along.
    assert sum(w.kills + w.self_kills for w in moved.state.warriors) == sum(
        w.kills + w.self_kills for w in battle.state.warriors
    )


def _shift(cell: int, dx: int, dy: int) -> int:
    x, y = cell % BOARD_SIZE, cell // BOARD_SIZE
    return (y + dy) % BOARD_SIZE * BOARD_SIZE + (x + dx) % BOARD_SIZE


@settings(max_examples=15)
@given(CASTS, SPAWNS, SEEDS)
def test_what_must_hold_after_every_tick(programs: list[Program | None], spawn: list[int], seed: int) -> None:
    battle = Battle.start(programs, seed=seed, spawn=spawn, ticks=60, bomb_cost=2)
    while not battle.is_over:
        battle.step()
        state = battle.state
        living = [warrior for warrior in state.warriors if warrior.alive]
        assert {cell: owner for cell, owner in enumerate(state.occupant) if owner} == {
            warrior.cell: warrior.id for warrior in living
        }
        assert [state.owner.count(warrior.id) for warrior in state.warriors] == [
            warrior.tiles for warrior in state.warriors
        ]
        assert sum(state.corpse) == 4 - len(living)
        assert all(1 <= bomb.fuse <= 4 for bomb in state.bombs.values())
        assert all(0 <= warrior.energy <= 60 for warrior in state.warriors)
        for warrior in state.warriors:
            assert warrior.alive or (warrior.tiles == 0 and state.corpse[warrior.cell])
    assert sum(stats.round_score_quarters for stats in battle.result().stats) == 0


_PRINT_A_BATTLE = """
from tests.gridwars.benchmarks.grid_wars.test_battle import PROGRAMS, _run
print(_run(PROGRAMS[:4]), _run(PROGRAMS[1:]))
"""


def test_neither_hash_seed_nor_optimisation_changes_a_battle() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, *flags, "-c", _PRINT_A_BATTLE],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=Path(__file__).parents[4],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed, flags in (("0", []), ("1", []), ("4000000000", ["-O"]))
    }
    assert len(outputs) == 1
    assert "digest" in outputs.pop()
