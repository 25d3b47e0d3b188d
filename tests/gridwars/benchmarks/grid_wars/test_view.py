"""What a viewer is shown of a battle: pictures whose letters alone tell the board, small ones in colours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Recording
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.events import Battle
from gridwars.benchmarks.grid_wars.frames import Frame, FrameEvent, Happening
from gridwars.benchmarks.grid_wars.rules import DeathCause, cell_at, draw_aliases
from gridwars.benchmarks.grid_wars.telling import tell_deaths
from gridwars.benchmarks.presentation import Picture, Section, Table
from gridwars.log.reader import read_log
from tests.gridwars.playing import play_seats


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    path: Path = tmp_path_factory.mktemp("view") / "log.jsonl"
    benchmark = GridWars()
    config = benchmark.configure({"rounds": 2, "ticks": 60, "seed": 3})
    names = ["painter", "bomber", "sentry", "painter"]
    play_seats(path, benchmark, config, names)
    return Recording(config, names, read_log(path).events[1:])


def render(picture: Picture) -> list[str]:
    return ["".join(span.text for span in spans).rstrip() for spans in picture.lines]


def test_a_battle_is_pictured_from_before_its_first_tick_to_its_last(recording: Recording) -> None:
    pictures = list(GridWars().make_view().iterate_pictures(recording, 2))
    assert [picture.moment for picture in pictures] == list(range(-1, 60))
    first = render(pictures[0])
    assert len(first) == 30 + 4
    assert sorted("".join(first[:30]).replace(".", "").split()) == ["A", "B", "C", "D"]
    assert any("plants a bomb" in told for picture in pictures for told in picture.happenings)


def test_a_compact_picture_fits_a_terminal_of_24_lines(recording: Recording) -> None:
    view = GridWars().make_view()
    small = list(view.iterate_pictures(recording, 1, compact=True))
    assert {len(picture.lines) for picture in small} == {15 + 4}
    assert [picture.happenings for picture in small] == [
        picture.happenings for picture in view.iterate_pictures(recording, 1)
    ]
    styles = {span.style for spans in small[-1].lines[:15] for span in spans}
    assert len(styles) > 3


def test_the_verdict_names_the_winner_first(recording: Recording) -> None:
    view = GridWars().make_view()
    standings = view.render_summary(recording)[0]
    assert isinstance(standings, Table)
    winner = standings.rows[0]
    sentences = view.tell_result(recording)
    assert len(sentences) == 5
    assert sentences[0].startswith(f"{winner[2]} (seat {winner[1].replace(' ', ', ')}) wins")
    assert view.tell_result(Recording(recording.config, recording.seat_names, ())) == ()


def test_a_round_tells_whose_bomb_killed_whom_and_where(tmp_path: Path) -> None:
    benchmark = GridWars()
    config = benchmark.configure({"rounds": 1, "seed": 1})
    names = ["hunter", "bomber", "painter", "raider"]
    play_seats(tmp_path / "log.jsonl", benchmark, config, names)
    recording = Recording(config, names, read_log(tmp_path / "log.jsonl").events[1:])
    [battle] = [event for event in recording.events if isinstance(event, Battle)]
    [told] = [
        block
        for block in benchmark.make_view().render_part(recording, 1)
        if isinstance(block, Section) and block.title == "who died"
    ]
    killed = [stats for stats in battle.stats if stats.death_cause is DeathCause.BOMB]
    assert killed
    assert len(told.lines) == sum(not stats.alive for stats in battle.stats)
    for line in told.lines:
        places = [tuple(map(int, found)) for found in re.findall(r"\((\d+),(\d+)\)", line)]
        assert len(places) == 2
        assert sum(min(abs(a - b), 30 - abs(a - b)) for a, b in zip(*places, strict=True)) <= 1
    for alias, stats in zip(draw_aliases(1), battle.stats, strict=True):
        assert sum(f": {alias}'s bomb" in line for line in told.lines) == stats.kills
        assert any(line.startswith(f"tick {stats.death_tick}:") for line in told.lines) is not stats.alive


def test_own_bombs_and_the_lowest_of_several_that_reach_are_named() -> None:
    frame = Frame(
        7,
        b"",
        (),
        (),
        (),
        (
            FrameEvent(Happening.BLAST, 2, cell_at(9, 3)),
            FrameEvent(Happening.BLAST, 1, cell_at(4, 3)),
            FrameEvent(Happening.BLAST, 1, cell_at(4, 4)),
            FrameEvent(Happening.BOMB_DEATH, 0, cell_at(4, 4), 1),
            FrameEvent(Happening.BOMB_DEATH, 2, cell_at(9, 4), 2),
            FrameEvent(Happening.IDLE_DEATH, 3, cell_at(0, 0)),
        ),
    )
    assert list(tell_deaths([frame], "ABCD")) == [
        "tick 7: B's bomb at (4,3) kills A at (4,4)",
        "tick 7: C dies at (9,4) of its own bomb at (9,3)",
        "tick 7: D has stood still for too long and dies at (0,0)",
    ]
    assert list(tell_deaths([], "ABCD")) == []
