"""What a person at the keyboard sees of a turn, and what a key says."""

from __future__ import annotations

import json

from gridwars.benchmarks.contract import Key, Stroke
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.keyboard import KEYBOARD
from gridwars.benchmarks.snake_royale.observation import SnakeRoyaleObservation
from gridwars.benchmarks.snake_royale.rules import configure
from tests.gridwars.benchmarks.snake_royale.games import look, order_text, take_turn

FACING = {"right": (Key.RIGHT, "d", "l"), "up": (Key.UP, "w", "k"), "left": (Key.LEFT, "a", "h")}


def draw(seen: SnakeRoyaleObservation, *, compact: bool = False) -> str:
    lines = KEYBOARD.draw(seen, compact)
    return "\n".join("".join(span.text for span in spans).rstrip() for spans in lines)


def strokes_by_direction(seen: SnakeRoyaleObservation, line: str = "") -> dict[str, Stroke]:
    strokes = KEYBOARD.list_strokes(seen, line)
    return {json.loads(stroke.reply)["dir"]: stroke for stroke in strokes}


def test_every_direction_but_the_neck_has_its_keys_and_enter_goes_on() -> None:
    episode = SnakeRoyaleEpisode(configure({}))
    take_turn(episode, {0: order_text("up")})
    strokes = strokes_by_direction(look(episode, 0))
    assert {direction: stroke.keys[:3] for direction, stroke in strokes.items()} == FACING
    assert strokes["up"].keys[3:] == (Key.ENTER, Key.SPACE)
    assert strokes["left"].keys[3:] == ()
    assert "to (12, 0)" in strokes["up"].description


def test_a_snake_of_one_may_turn_round_and_walls_are_named() -> None:
    episode = SnakeRoyaleEpisode(configure({"module": "tron"}))
    for _ in range(2):
        take_turn(episode, {0: order_text("up")})
    strokes = strokes_by_direction(look(episode, 0))
    assert len(strokes) == 3  # in tron it has a tail by now
    assert "a wall" in strokes["up"].description
    assert len(strokes_by_direction(look(SnakeRoyaleEpisode(configure({"module": "tron"})), 0))) == 4


def test_a_line_is_said_and_notes_are_kept() -> None:
    episode = SnakeRoyaleEpisode(configure({}))
    take_turn(episode, {0: order_text("up", notes="go west")})
    (reply, *_) = (json.loads(stroke.reply) for stroke in KEYBOARD.list_strokes(look(episode, 0), "hi"))
    assert reply == {"dir": "up", "say": "hi", "notes": "go west"}


def test_the_picture_shows_the_seat_what_it_may_see_and_nothing_else() -> None:
    episode = SnakeRoyaleEpisode(configure({}))
    texts = {seat: order_text("up", say=f"loud {seat}", notes=f"secret {seat}") for seat in range(4)}
    take_turn(episode, texts)
    shown = draw(look(episode, 1))
    assert "turn 2 of 50: you are B COG-beta" in shown
    assert [f"loud {seat}" in shown for seat in range(4)] == [True, False, True, True]
    assert [f"secret {seat}" in shown for seat in range(4)] == [False, True, False, False]
    rows = shown.split("\n")[1:10]
    assert all(len(row) <= 2 * 17 for row in rows)
    assert ["".join(rows).count(letter) for letter in "ABCD*"] == [1, 1, 1, 1, 3]


def test_the_dead_are_told_of_and_a_low_terminal_has_its_picture() -> None:
    episode = SnakeRoyaleEpisode(configure({}))
    for _ in range(3):
        take_turn(episode, {1: order_text("up"), 0: order_text("up"), 2: order_text("down")})
    seen = look(episode, 1)
    assert "C COG-gamma  died in turn 3: wall" in draw(seen)
    assert len(draw(seen, compact=True).split("\n")) == len(draw(seen).split("\n")) - 4
