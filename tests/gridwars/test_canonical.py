from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.canonical import (
    MAXIMUM_DEPTH,
    CanonicalError,
    Json,
    compute_digest,
    parse_canonical,
    render_canonical,
)


def _has_no_pair(text: str) -> bool:
    return text == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


_TEXTS = st.text(st.characters(exclude_categories=())).filter(_has_no_pair)
_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


def _nest(depth: int) -> Json:
    value: Json = 0
    for _ in range(depth):
        value = [value]
    return value


def test_keys_are_sorted_and_text_stays_readable() -> None:
    assert render_canonical({"b": [1, True, None], "a": "é\n"}) == '{"a":"é\\n","b":[1,true,null]}'


def test_keys_keep_their_order_where_that_is_asked_for() -> None:
    assert render_canonical({"b": 1, "a": 2}, sort_keys=False) == '{"b":1,"a":2}'


def test_a_digest_is_of_the_canonical_text() -> None:
    assert compute_digest({"b": 1, "a": 2}) == compute_digest({"a": 2, "b": 1})
    assert compute_digest([]) == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"


@given(_VALUES, st.booleans())
def test_what_is_rendered_is_read_back_the_same(value: Json, sort_keys: bool) -> None:
    data = render_canonical(value, sort_keys=sort_keys).encode()
    assert b"\n" not in data
    assert parse_canonical(data, sort_keys=sort_keys) == value


@given(st.binary() | _VALUES.map(lambda value: json.dumps(value).encode()))
def test_bytes_are_either_refused_or_the_one_text_of_their_value(data: bytes) -> None:
    try:
        value = parse_canonical(data)
    except CanonicalError:
        return
    assert render_canonical(value).encode() == data


def test_a_lone_surrogate_is_an_escape_and_a_pair_the_character_it_means() -> None:
    assert render_canonical("a\ud800\\b") == '"a\\ud800\\\\b"'
    assert render_canonical("\ud83d\ude00") == '"😀"'


@pytest.mark.parametrize("value", [1.0, [1, 0.5], {"a": {"b": float("nan")}}, {1: 2}, (1, (2.0,))])
def test_floats_and_keys_that_are_no_text_are_refused(value: Json) -> None:
    with pytest.raises(TypeError):
        render_canonical(value)


def test_depth_is_bounded_the_same_for_writing_and_reading() -> None:
    deepest = _nest(MAXIMUM_DEPTH)
    assert parse_canonical(render_canonical(deepest).encode()) == deepest
    with pytest.raises(ValueError, match="deeper"):
        render_canonical(_nest(MAXIMUM_DEPTH + 1))
    for depth in (MAXIMUM_DEPTH + 1, 100_000):
        with pytest.raises(CanonicalError, match="deeper"):
            parse_canonical(b"[" * depth + b"]" * depth)


def test_a_value_that_holds_itself_is_refused() -> None:
    loop: list[Json] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="deeper"):
        render_canonical(loop)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"1 2", "Extra data"),
        (b"\xff", r"not UTF-8 \(byte 1\)"),
        (b'"\x00"', "control character"),
        (b"\xef\xbb\xbf1", "is not JSON"),
        (b"NaN", "float or constant: NaN"),
        (b"-Infinity", "float or constant"),
        (b"[1.0]", "float or constant: 1.0"),
        (b"1e400", "float or constant"),
        (b"9" * 5000, "is not canonical JSON"),
        (b"-0", "from character 1"),
        (b'{"a":1,"a":1}', "from character 7"),
        (b'{"b":1,"a":1}', "from character 3"),
        (b'{"a": 1}', "from character 6"),
        (b"[] ", "from character 3"),
        (rb'"\u0041"', "from character 2"),
        (rb'"\/"', "from character 2"),
        (rb'"\uD800"', "from character 4"),
    ],
)
def test_other_texts_are_refused_with_their_place(data: bytes, reason: str) -> None:
    with pytest.raises(CanonicalError, match=reason):
        parse_canonical(data)
