"""What replies are taken, beyond the golden ones: what models write, and what nobody should."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Rejection
from gridwars.benchmarks.snake_royale.orders import cap_notes, cap_say, fits_notes
from gridwars.benchmarks.snake_royale.reply import NO_DIRECTION, Heading, Reading, read_reply, read_strictly
from gridwars.benchmarks.snake_royale.rules import Direction

HEADING = Heading(Direction.LEFT, (False, True, True, False))


def read(text: str) -> Reading:
    reading = read_reply(text, HEADING)
    assert isinstance(reading, Reading), reading
    return reading


@pytest.mark.parametrize(
    "text",
    [
        '{"dir": "up"}',
        'Sure!\n```json\n{"dir": "up"}\n```',
        '{"dir": "up",}',
        '{"dir": /* north */ "up"}',
        '{"dir": 0}',
        '{"dir": "North!"}',
        '{"dir": "down", "dir": "up"}',
        '{bad} {"dir": "up"}',
        "{'dir': 'up'}",
        "{dir: 'up'}",
        '"{\\"dir\\": \\"up\\"}"',
        '<think>{"dir"</think>{"dir": "up"}',
        "so " * 5000 + '{"dir": "up"}',
        '\ufeff{"dir": "up"}',
    ],
)
def test_the_direction_is_found(text: str) -> None:
    assert read(text).direction is Direction.UP


def test_of_two_objects_the_first_counts_as_for_the_reference() -> None:
    assert read('{"dir": "up"} or rather {"dir": "down"}').direction is Direction.UP


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ('{"dir": "sideways", "alt": "up"}', Direction.UP),
        ('{"alt": 3}', Direction.LEFT),
        ('{"dir": 2.0}', Direction.RIGHT),
        ('{"dir": true}', Direction.RIGHT),
        ('{"dir": "2"}', Direction.RIGHT),
        ("{}", Direction.RIGHT),
        ('{"say": "hello"}', Direction.RIGHT),
    ],
)
def test_an_order_without_a_direction_is_given_one_and_says_so(text: str, direction: Direction) -> None:
    reading = read(text)
    assert reading.repaired
    assert NO_DIRECTION in reading.repairs
    assert reading.direction is direction


def test_without_any_legal_direction_it_goes_on_as_it_did() -> None:
    reading = read_reply("{}", Heading(Direction.DOWN, (False,) * 4))
    assert isinstance(reading, Reading)
    assert reading.direction is Direction.DOWN


@pytest.mark.parametrize(
    "text", ["", "up", "[1, 2]", '"up"', '{"dir": "up"', '"dir": "up"}', "{", "}{", "null", "```json\n```"]
)
def test_what_holds_no_object_is_rejected_with_what_is_asked_for(text: str) -> None:
    rejection = read_reply(text, HEADING)
    assert isinstance(rejection, Rejection)
    assert '{"dir": "up"' in rejection.reason


def test_what_the_reference_cannot_use_is_a_named_repair() -> None:
    text = "{'dir': 'up'}"
    assert read_strictly(text, HEADING) is None
    assert read(text).repairs


@given(st.text())
def test_any_text_is_read_or_rejected(text: str) -> None:
    assert isinstance(read_reply(text, HEADING), Reading | Rejection)


@given(st.text(alphabet='{}"\\,:[] \ndirup/*#\ud800', max_size=300))
def test_any_near_miss_is_read_or_rejected(text: str) -> None:
    assert isinstance(read_reply(text, HEADING), Reading | Rejection)


@pytest.mark.parametrize("text", ["{" * 1_000_000, '{"a":' * 200_000, '"' * 1_000_000, "}{[" * 300_000])
def test_hostile_texts_cost_no_more_than_their_length(text: str) -> None:
    begun = time.process_time()
    assert isinstance(read_reply(text, HEADING), Rejection)
    assert time.process_time() - begun < 5


@given(st.text(), st.text())
def test_shouts_and_notes_fit_and_are_capped_once(say: str, notes: str) -> None:
    kept = cap_say(say)
    assert len(kept) <= 24
    assert kept.isascii()
    assert not set(kept) & set("{}\n\r\t")
    assert cap_say(kept) == kept
    assert fits_notes(cap_notes(notes))


def test_notes_are_kept_whole_where_they_fit() -> None:
    text = json.dumps({"dir": "up", "notes": "  ★ hold\nthe north ★  "})
    assert read(text).notes == "★ hold the north ★"
    assert read_reply(json.dumps({"dir": "up", "notes": "n" * 500}), HEADING) == Reading(
        Direction.UP, None, "", "n" * 160, False
    )
