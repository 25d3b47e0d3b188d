"""The tolerant JSON reader: JSON read as JSON, each repair named, cuts and breaks told apart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.tolerant_json import MAX_DEPTH, Bare, Ending, JsonRepair, Value, scan_value

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def _plain(value: Value) -> object:
    """The value as the standard library reads it."""
    match value:
        case Bare():
            return json.loads(value.text)
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case str():
            return value


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_json_is_read_as_json_without_a_repair(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    scan = scan_value(text, 0, 1000)
    assert scan.ending is Ending.WHOLE
    assert scan.end == len(text)
    assert scan.value is not None
    assert _plain(scan.value) == value
    assert scan.repairs == frozenset()


@given(JSON_VALUES.filter(lambda value: isinstance(value, str | list | dict)), st.data())
def test_every_shorter_piece_is_cut_short(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    length = data.draw(st.integers(0, len(text) - 1))
    scan = scan_value(text[:length], 0, 1000)
    assert (scan.ending, scan.value) == (Ending.CUT_SHORT, None)


@pytest.mark.parametrize(
    ("text", "value", "repair"),
    [
        ('["a", "b",]', ["a", "b"], JsonRepair.TRAILING_COMMA),
        ('{"a": "b",\n}', {"a": "b"}, JsonRepair.TRAILING_COMMA),
        ('["a"\n "b"]', ["a", "b"], JsonRepair.MISSING_COMMA),
        ('{"a": "b" "c": "d"}', {"a": "b", "c": "d"}, JsonRepair.MISSING_COMMA),
        ('["a\nb\tc"]', ["a\nb\tc"], JsonRepair.RAW_BREAK),
        (r'["a\_b\'c\x41"]', ["a_b'cA"], JsonRepair.INVALID_ESCAPE),
        (r"['a\'b', 'say \"hi\"']", ["a'b", 'say "hi"'], JsonRepair.SINGLE_QUOTES),
        ('{a: "b", $c_1: "d"}', {"a": "b", "$c_1": "d"}, JsonRepair.BARE_KEY),
        ("[None, True]", [Bare("None"), Bare("True")], JsonRepair.LITERAL),
        ('[ // one\n "a", /* two */ "b" # three\n]', ["a", "b"], JsonRepair.COMMENT),
        (r'["\ud83d\ude00\ud800!"]', ["\U0001f600\ufffd!"], JsonRepair.SURROGATE),
    ],
)
def test_what_models_write_is_read_and_the_repair_is_named(
    text: str, value: Value, repair: JsonRepair
) -> None:
    scan = scan_value(text, 0, 1000)
    assert (scan.ending, scan.value) == (Ending.WHOLE, value)
    assert repair in scan.repairs


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a]", "a first item or the closing bracket"),
        ('["a" b]', '"," or the closing bracket'),
        ('["a",,"b"]', "another item"),
        ('{"a" "b"}', '":" after the key'),
        ('{"a": }', "a value"),
        ('{1: "a"}', "a key in quotes"),
        ('["a"}', '"]"'),
        ('{"a": "b"]', '"}"'),
        ('{"a": "say "hi" to"}', '"," or the closing bracket'),
        ("[" * (MAX_DEPTH + 1), f"no more than {MAX_DEPTH} brackets inside each other"),
    ],
)
def test_what_can_be_read_in_two_ways_is_broken_and_says_what_was_expected(text: str, problem: str) -> None:
    scan = scan_value(text, 0, 1000)
    assert (scan.ending, scan.value, scan.problem) == (Ending.BROKEN, None, problem)


def test_the_item_limit_stops_the_reading() -> None:
    text = "[" + "1," * 20
    assert scan_value(text, 0, 5).ending is Ending.BROKEN
    assert scan_value(text, 0, 5).item_count == 5
    assert scan_value(text, 0, 50).ending is Ending.CUT_SHORT


def test_the_open_keys_of_a_cut_value_are_known() -> None:
    scan = scan_value('{"x": 1, "script": ["a", {"y": "', 0, 1000)
    assert scan.open_keys == {"x", "script", "y"}


@given(st.text(alphabet="{}[]\",:\\/*#'\n ab1\ud800", max_size=60))
def test_no_text_raises(text: str) -> None:
    scan = scan_value(text, 0, 1000)
    assert 0 <= scan.end <= len(text)
