"""Tokens come in disjoint buckets, whatever a provider counts and leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.log.usage import (
    Bucket,
    count_anthropic_tokens,
    count_chat_tokens,
    count_responses_tokens,
)
from gridwars.policies.parameters import freeze, keep_usage, thaw

COUNTERS = (count_responses_tokens, count_chat_tokens, count_anthropic_tokens)
Count = Callable[[object], dict[str, int]]

CASES: tuple[tuple[str, Count, object, dict[str, int]], ...] = (
    (
        "OpenAI: input holds cached and written tokens, output holds reasoning",
        count_responses_tokens,
        {
            "input_tokens": 1000,
            "input_tokens_details": {
                "cached_tokens": 600,
                "cache_write_tokens": 300,
                "cache_write_tokens_details": {"ttl_30m_tokens": 200, "ttl_12h_tokens": 50},
            },
            "output_tokens": 500,
            "output_tokens_details": {"reasoning_tokens": 450},
        },
        {
            "input": 100,
            "cache_read": 600,
            "cache_write": 50,
            "cache_write_30m": 200,
            "cache_write_12h": 50,
            "output": 50,
            "reasoning": 450,
        },
    ),
    (
        "OpenAI: nothing cached, nothing reasoned",
        count_responses_tokens,
        {"input_tokens": 10, "output_tokens": 5},
        {"input": 10, "output": 5},
    ),
    (
        "OpenAI: details are null",
        count_responses_tokens,
        {"input_tokens": 10, "input_tokens_details": None, "output_tokens": 5, "output_tokens_details": None},
        {"input": 10, "output": 5},
    ),
    (
        "chat: reasoning within the completion",
        count_chat_tokens,
        {
            "prompt_tokens": 10,
            "completion_tokens": 30,
            "total_tokens": 40,
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
        {"input": 10, "output": 10, "reasoning": 20},
    ),
    (
        "chat: reasoning beside the completion, as the total tells",
        count_chat_tokens,
        {
            "prompt_tokens": 10,
            "completion_tokens": 30,
            "total_tokens": 60,
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
        {"input": 10, "output": 30, "reasoning": 20},
    ),
    (
        "chat: cache hits by another name",
        count_chat_tokens,
        {"prompt_tokens": 10, "prompt_cache_hit_tokens": 8, "completion_tokens": 1},
        {"input": 2, "cache_read": 8, "output": 1},
    ),
    (
        "Anthropic: cache reads and writes beside the input",
        count_anthropic_tokens,
        {
            "input_tokens": 100,
            "cache_read_input_tokens": 600,
            "cache_creation_input_tokens": 300,
            "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 100},
            "output_tokens": 50,
            "output_tokens_details": {"thinking_tokens": 40},
        },
        {
            "input": 100,
            "cache_read": 600,
            "cache_write_5m": 200,
            "cache_write_1h": 100,
            "output": 10,
            "reasoning": 40,
        },
    ),
    (
        "Anthropic: written, without a time to live",
        count_anthropic_tokens,
        {"input_tokens": 1, "cache_creation_input_tokens": 300, "cache_creation": None, "output_tokens": 2},
        {"input": 1, "cache_write": 300, "output": 2},
    ),
)


@pytest.mark.parametrize(("count", "record", "tokens"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_tokens_are_counted_in_disjoint_buckets(count: Count, record: object, tokens: dict[str, int]) -> None:
    assert count(record) == tokens


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        "input_tokens",
        "output_tokens",
        "prompt_tokens",
        "input_tokens_details",
        "cache_creation",
        "cached_tokens",
    ]
)


@pytest.mark.parametrize("count", COUNTERS)
@given(record=JSON | st.dictionaries(NAMES, JSON))
def test_any_record_is_counted_without_a_negative_or_an_empty_bucket(count: Count, record: object) -> None:
    tokens = count(record)
    assert tokens.keys() <= {bucket.value for bucket in Bucket}
    assert all(isinstance(number, int) and number > 0 for number in tokens.values())


@pytest.mark.parametrize("count", COUNTERS)
@pytest.mark.parametrize("record", [None, {}, [], "usage", 7])
def test_missing_usage_is_no_tokens(count: Count, record: object) -> None:
    assert count(record) == {}


@given(JSON)
def test_a_frozen_value_holds_no_float_and_thaws_to_itself(value: object) -> None:
    frozen = freeze(value)
    assert "float" not in {type(part).__name__ for part in walk(frozen)}
    assert thaw(frozen) == value


def walk(value: object) -> list[object]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for item in inner for part in walk(item))]


def test_a_record_nested_beyond_reason_is_not_kept() -> None:
    record: object = 1
    for _ in range(500):
        record = [record]
    assert keep_usage(record) is None
    assert keep_usage({"cost": 0.5}) == {"cost": {"$float": "0.5"}}


COUNTED = {
    count_responses_tokens: ("input_tokens", "output_tokens"),
    count_chat_tokens: ("prompt_tokens", "completion_tokens"),
    count_anthropic_tokens: ("input_tokens", "output_tokens"),
}


@pytest.mark.parametrize("count", COUNTERS)
@pytest.mark.parametrize("odd", [-1, 1000.0, "1000", float("inf"), float("nan"), True, [7], {}, 10**30])
def test_an_odd_record_says_nothing(count: Count, odd: object) -> None:
    read, written = COUNTED[count]
    assert count({read: 5, written: 7}) == {"input": 5, "output": 7}
    for record in ({read: odd, written: 7}, {read: 5, written: odd}):
        assert count(record) == {}
        assert count(keep_usage(record)) == {}


@pytest.mark.parametrize("count", COUNTERS)
def test_a_record_without_what_was_read_or_written_says_nothing(count: Count) -> None:
    read, written = COUNTED[count]
    records: tuple[object, ...] = (None, {}, [], "1000", {read: 5}, {written: 7}, {read: None, written: 7})
    for record in records:
        assert count(record) == {}
