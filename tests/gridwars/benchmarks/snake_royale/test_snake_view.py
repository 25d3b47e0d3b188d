"""Tables, stories and pictures of a game."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.contract import Event, Recording
from gridwars.benchmarks.presentation import Picture, Section, Table
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.rules import SnakeRoyaleConfig, configure
from gridwars.benchmarks.snake_royale.telling import tell_happening
from gridwars.benchmarks.snake_royale.view import SnakeRoyaleView
from tests.gridwars.benchmarks.snake_royale.games import order_text, take_turn

CONFIG = configure({"seed": 3, "max_turns": 9})
NAMES = ("ann", "bob", "cyd", "dot")
VIEW = SnakeRoyaleView()


def play(config: SnakeRoyaleConfig = CONFIG, turns: int = 200) -> Recording:
    episode = SnakeRoyaleEpisode(config)
    events: list[Event] = []
    while episode.open() is not None and episode.state.turn < turns:
        events += take_turn(episode, {0: order_text("up", say="[bold]hi", notes="a plan"), 1: "?"})
    return Recording(config, NAMES, events)


def draw(recording: Recording, *, compact: bool = False) -> list[Picture]:
    return list(VIEW.iterate_pictures(recording, 1, compact=compact))


def text_of(picture: Picture) -> list[str]:
    return ["".join(span.text for span in spans) for spans in picture.lines]


def test_the_board_is_readable_without_colours() -> None:
    recording = play(turns=1)
    before, after = draw(recording)
    lines = text_of(before)[: CONFIG.board_h]
    assert {len(line) for line in lines} == {2 * CONFIG.board_w}
    board = "".join(lines)
    assert [board.count(letter) for letter in "ABCD*"] == [1, 1, 1, 1, 3]
    assert [board.count(letter) for letter in "abcd"] == [0, 0, 0, 0]
    board = "".join(text_of(after)[: CONFIG.board_h])
    assert [board.count(letter) for letter in "ABCDabcd"] == [1] * 8
    assert (before.moment, after.moment) == (-1, 1)


def test_the_legend_shows_length_health_bubble_and_fate() -> None:
    pictures = draw(play())
    legend = text_of(pictures[1])[CONFIG.board_h :]
    assert len(legend) == 4
    assert legend[0].startswith("A COG-alpha")
    assert "length  3" in legend[0]
    assert "health 29" in legend[0]
    assert '"[bold]hi"' in legend[0]
    assert any("in turn" in line for line in text_of(pictures[-1])[CONFIG.board_h :])


@pytest.mark.parametrize("size", [(31, 21), (7, 5), (8, 6)])
def test_a_compact_picture_fits_a_low_terminal(size: tuple[int, int]) -> None:
    config = configure({"board_w": size[0], "board_h": size[1], "max_turns": 5})
    for picture in draw(play(config), compact=True):
        assert len(picture.lines) == (size[1] + 1) // 2 + 4 <= 15
        assert {len(line) for line in text_of(picture)[:-4]} == {size[0]}


def test_the_story_tells_of_words_fallbacks_deaths_and_food() -> None:
    told = [
        line for block in VIEW.render_part(play(), 1) if isinstance(block, Section) for line in block.lines
    ]
    assert any('COG-alpha says "[bold]hi"' in line for line in told)
    assert any("COG-beta gives no order (parse_error" in line for line in told)
    assert any("runs into" in line for line in told)
    assert any(line.endswith("COG-alpha: a plan") for line in told)


def test_standings_name_policies_and_an_unfinished_game_says_so() -> None:
    (table,) = VIEW.render_summary(play())
    assert isinstance(table, Table)
    assert sorted(row[2] for row in table.rows) == sorted(NAMES)
    assert "goes on after turn 2" in " ".join(VIEW.tell_result(play(turns=2)))
    assert VIEW.tell_result(Recording(CONFIG, NAMES, [])) == ()


@pytest.mark.parametrize(
    ("happening", "told"),
    [
        (Happening(Kind.EAT, 3, 0, x=1, y=2, value=4), "COG-alpha eats at (1,2) and is 4 long"),
        (Happening(Kind.SHRINK, 3, 1, value=2), "COG-beta shrinks to 2"),
        (
            Happening(Kind.HEAD_ON, 3, 0, 2, 5, 5, 2, 5, "0:3,2:5"),
            "COG-alpha (3 long) and COG-gamma (5 long) meet head on at (5,5): COG-gamma lives",
        ),
        (
            Happening(Kind.HEAD_ON, 3, 0, -1, 5, 5, 2, 0, "0:3,1:3"),
            "COG-alpha (3 long) and COG-beta (3 long) meet head on at (5,5): nobody lives",
        ),
        (
            Happening(Kind.DEATH, 3, 0, -1, -1, 4, 3, 0, "wall"),
            "COG-alpha runs into the wall at (-1,4), 3 long",
        ),
        (
            Happening(Kind.DEATH, 3, 0, 0, 1, 4, 3, 0, "body"),
            "COG-alpha runs into itself at (1,4), 3 long",
        ),
        (
            Happening(Kind.DEATH, 3, 0, 3, 1, 4, 3, 0, "body"),
            "COG-alpha runs into COG-delta at (1,4), 3 long",
        ),
        (
            Happening(Kind.DEATH, 3, 0, -1, 1, 4, 3, 0, "starve"),
            "COG-alpha starves at (1,4), 3 long",
        ),
        (Happening(Kind.MOVE, 3, 0, x=1, y=1), ""),
    ],
)
def test_happenings_are_told_in_plain_english(happening: Happening, told: str) -> None:
    assert tell_happening(happening) == told


def test_every_kind_of_happening_can_be_told() -> None:
    texts = {Kind.HEAD_ON: "0:3,1:2", Kind.DEATH: "wall"}
    for kind in Kind:
        assert isinstance(tell_happening(Happening(kind, 1, 0, 1, text=texts.get(kind, ""))), str)
