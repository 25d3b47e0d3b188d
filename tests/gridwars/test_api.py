"""Battles from Python: what may fill a seat, in which order results come, and the tables made of them."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

import gridwars
from gridwars.benchmarks.contract import ConfigurationError, Origin, Reply
from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.events import Battle as BattleEvent
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig, compute_round_seed
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.warriors import load_warriors

SEATS = ("painter", "bomber", "sentry", "painter")
PAINTER = load_warriors()["painter"]


def test_import_is_lazy_and_the_package_lists_what_it_offers() -> None:
    program = "import sys, gridwars; assert 'gridwars.api' not in sys.modules; gridwars.battle; print('ok')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "ok\n"
    assert {"battle", "battles", "to_pandas", "__version__"} <= set(dir(gridwars))
    with pytest.raises(AttributeError, match="no attribute 'batle'"):
        getattr(gridwars, "batle")  # noqa: B009  mypy would see that it is missing


def test_battle_is_the_one_that_an_episode_plays() -> None:
    config = GridWarsConfig(seed=5, rounds=1)
    episode = GridWarsEpisode(config)
    batch = episode.open()
    assert batch is not None
    decisions = []
    for request, name in zip(batch.requests, SEATS, strict=True):
        decision = episode.read(request, Reply(load_warriors()[name].source, scripted=True))
        assert getattr(decision, "origin", None) is Origin.SCRIPTED
        decisions.append(decision)
    events = [event for group in episode.advance(decisions) for event in group]  # type: ignore[arg-type]  # asserted
    (played,) = (event for event in events if isinstance(event, BattleEvent))
    battle = gridwars.battle(SEATS, seed=compute_round_seed(5, 1))
    assert battle.result.digest == played.digest
    assert battle.stats == played.stats
    assert battle.names == SEATS
    assert sum(battle.scores) == 0
    assert battle.winner is not None
    assert battle.scores[battle.winner] == max(battle.scores)


def test_text_lines_file_and_name_of_one_script_play_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mine.gwl"
    path.write_text(PAINTER.source.replace("\n", "\r\n"), encoding="utf-8")
    forms: list[gridwars.Script] = ["painter", PAINTER.source, PAINTER.lines, path]
    played = gridwars.battles([(form, *SEATS[1:]) for form in forms], ticks=60)
    assert len({battle.result.digest for battle in played}) == 1
    named, text, lines, file = (battle.names[0] for battle in played)
    assert (named, file) == ("painter", "mine")
    assert text == lines
    assert text.startswith("script-")


def test_none_is_a_warrior_that_stands_and_dies_of_it() -> None:
    played = gridwars.battle([None, *SEATS[1:]], seed=1)
    assert played.names[0] == "none"
    assert (played.stats[0].alive, played.stats[0].death_cause) == (False, "idle")


def test_battles_come_set_by_set_and_seed_by_seed_however_many_threads_play() -> None:
    sets = list(itertools.permutations(SEATS))[:3]
    alone = gridwars.battles(sets, seeds=range(30), ticks=40, threads=1)
    together = gridwars.battles(iter(sets), seeds=iter(range(30)), ticks=40, threads=3)
    assert alone == together
    assert [battle.seed for battle in alone] == [*range(30)] * 3
    assert [battle.names for battle in alone[::30]] == sets


def test_engines_give_the_same_and_both_compares_them() -> None:
    fast, reference, both = (
        gridwars.battle(SEATS, seed=3, ticks=50, engine=engine)
        for engine in ("fast", EngineChoice.REFERENCE, "both")
    )
    assert fast == reference == both


def test_setup_fixes_where_warriors_start() -> None:
    setup = gridwars.Setup(SEATS, seed=3, spawn=[0, 10, 20, 30], ticks=20)
    (played,) = gridwars.play([setup])
    assert played.spawn == (0, 10, 20, 30)
    with pytest.raises(ValueError, match="spawn"):
        gridwars.battle(SEATS, spawn=[0, 0, 1, 2])


def test_author_is_told_which_seat_is_wrong_and_how() -> None:
    with pytest.raises(gridwars.ScriptError, match=r'seat 1: no built-in is called "bombr"; did you mean "b'):
        gridwars.battle(["painter", "bombr", "sentry", "painter"])
    with pytest.raises(gridwars.ScriptError, match="seat 2: 2:3: ") as caught:
        gridwars.battle(["painter", "bomber", ["while true:", "  plcae"], "painter"])
    assert caught.value.seat == 2
    assert caught.value.diagnostics[0].line == 2
    with pytest.raises(ValueError, match="4 scripts, not 3"):
        gridwars.battle(SEATS[:3])
    with pytest.raises(ConfigurationError, match="ticks: 5 is not an integer of 20"):
        gridwars.battle(SEATS, ticks=5)
    with pytest.raises(FileNotFoundError):
        gridwars.battle([Path("nowhere.gwl"), *SEATS[1:]])


def test_table_has_a_row_for_each_seat_of_each_battle() -> None:
    played = gridwars.battles([SEATS], seeds=(4, 9), ticks=50)
    table = gridwars.tabulate(played)
    assert {len(column) for column in table.values()} == {8}
    assert table["battle"] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert table["name"] == [*SEATS, *SEATS]
    assert table["score"] == [*played[0].scores, *played[1].scores]
    assert table["tiles"] == [stats.tiles for battle in played for stats in battle.stats]
    assert sum(won is True for won in table["won"]) <= 2


def test_a_battle_prints_as_a_table() -> None:
    shown = str(gridwars.battle(["sentry", ["var x = 1 div 0"], None, "painter"], seed=5, ticks=60))
    head, *rows = shown.split("\n")
    assert head == "seed 5, 60 ticks, horizon"
    assert [row.split()[0] for row in rows] == ["sentry", "script-159b4304", "none", "painter"]
    assert rows[0].endswith("alive")
    assert rows[1].endswith('fault in tick 0: "div" by zero: 1 div 0 has no value, line 1')
    assert rows[2].endswith("idle in tick 49")


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_hold_the_table(library: str) -> None:
    played = gridwars.battles([SEATS], seeds=range(2), ticks=50)
    frame = getattr(gridwars, f"to_{library}")(played)
    assert frame.shape == (8, len(gridwars.tabulate(played)))
    assert list(frame["tiles"]) == gridwars.tabulate(played)["tiles"]
