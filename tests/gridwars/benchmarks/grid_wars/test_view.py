"""What a viewer is shown of a battle: pictures whose letters alone tell the board, small ones in colours."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Recording
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.presentation import Picture, Table
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
