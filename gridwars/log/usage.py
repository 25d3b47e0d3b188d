"""Counts tokens in disjoint buckets, from each provider's own record of usage.

Providers count alike things differently: one counts cached tokens among its input and another beside it,
one counts reasoning among its output and another gives no number. The buckets are disjoint, so that each
has one price and their sum is what passed through the model. The record itself stays in the log. A record
that says less than what was read and written, or anything odd, says nothing: what it cost is not known.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from enum import StrEnum


class Bucket(StrEnum):
    """The keys of `Called.tokens`; a bucket with nothing in it is left out."""

    INPUT = "input"
    """Read afresh: neither from a cache nor into one."""
    CACHE_READ = "cache_read"
    CACHE_WRITE = "cache_write"
    """Written to a cache whose time to live is not told."""
    CACHE_WRITE_5M = "cache_write_5m"
    CACHE_WRITE_30M = "cache_write_30m"
    CACHE_WRITE_1H = "cache_write_1h"
    CACHE_WRITE_12H = "cache_write_12h"
    OUTPUT = "output"
    """Visible."""
    REASONING = "reasoning"


Counter = Callable[[object], dict[str, int]]
"""From a usage record to its buckets; none where it cannot be read."""

MOST_TOKENS = 10**12
"""Of one call; a number beyond is no count."""


class _OddRecordError(ValueError):
    """A record in which a count is no count."""


def _say_nothing_of_odd_records(counter: Counter) -> Counter:
    @functools.wraps(counter)
    def count(record: object) -> dict[str, int]:
        try:
            return counter(record)
        except _OddRecordError:
            return {}

    return count


@_say_nothing_of_odd_records
def count_responses_tokens(record: object) -> dict[str, int]:
    """OpenAI's Responses API: input holds what was cached and written, output holds reasoning."""
    usage, details = _table(record), _table(record, "input_tokens_details")
    return _count_openai(
        usage,
        whole_input=_require_count(usage, "input_tokens"),
        cached=_count(details, "cached_tokens"),
        written=details,
        whole_output=_require_count(usage, "output_tokens"),
        reasoning=_count(_table(record, "output_tokens_details"), "reasoning_tokens"),
    )


@_say_nothing_of_odd_records
def count_chat_tokens(record: object) -> dict[str, int]:
    """Chat completions, OpenAI's and those of compatible servers."""
    usage, details = _table(record), _table(record, "prompt_tokens_details")
    return _count_openai(
        usage,
        whole_input=_require_count(usage, "prompt_tokens"),
        cached=_count(details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens"),
        written=details,
        whole_output=_require_count(usage, "completion_tokens"),
        reasoning=_count(_table(record, "completion_tokens_details"), "reasoning_tokens"),
    )


@_say_nothing_of_odd_records
def count_anthropic_tokens(record: object) -> dict[str, int]:
    """Anthropic's Messages: cache reads and writes stand beside the input, thinking within the output."""
    usage, written = _table(record), _table(record, "cache_creation")
    by_ttl = {
        Bucket.CACHE_WRITE_5M: _count(written, "ephemeral_5m_input_tokens"),
        Bucket.CACHE_WRITE_1H: _count(written, "ephemeral_1h_input_tokens"),
    }
    reasoning = _count(_table(record, "output_tokens_details"), "thinking_tokens")
    whole_output = _require_count(usage, "output_tokens")
    return _keep(
        {
            Bucket.INPUT: _require_count(usage, "input_tokens"),
            Bucket.CACHE_READ: _count(usage, "cache_read_input_tokens"),
            Bucket.CACHE_WRITE: _count(usage, "cache_creation_input_tokens") - sum(by_ttl.values()),
            **by_ttl,
            Bucket.OUTPUT: whole_output - reasoning,
            Bucket.REASONING: min(reasoning, whole_output),
        }
    )


def _count_openai(
    usage: Mapping[str, object],
    *,
    whole_input: int,
    cached: int,
    written: Mapping[str, object],
    whole_output: int,
    reasoning: int,
) -> dict[str, int]:
    ttl = _table(written, "cache_write_tokens_details")
    by_ttl = {
        Bucket.CACHE_WRITE_30M: _count(ttl, "ttl_30m_tokens"),
        Bucket.CACHE_WRITE_12H: _count(ttl, "ttl_12h_tokens"),
    }
    all_written = max(_count(written, "cache_write_tokens"), sum(by_ttl.values()))
    # Some compatible servers count reasoning beside the output; their total gives it away.
    if reasoning and _count(usage, "total_tokens") == whole_input + whole_output + reasoning:
        whole_output += reasoning
    return _keep(
        {
            Bucket.INPUT: whole_input - cached - all_written,
            Bucket.CACHE_READ: cached,
            Bucket.CACHE_WRITE: all_written - sum(by_ttl.values()),
            **by_ttl,
            Bucket.OUTPUT: whole_output - reasoning,
            Bucket.REASONING: min(reasoning, whole_output),
        }
    )


COUNTERS: Mapping[str, Counter] = {
    "anthropic": count_anthropic_tokens,
    "openai": count_responses_tokens,
    "openai-chat": count_chat_tokens,
}
"""By the kind of seat that keeps its provider's record."""


def _keep(counts: Mapping[Bucket, int]) -> dict[str, int]:
    return {bucket.value: count for bucket, count in counts.items() if count > 0}


def _table(value: object, *path: str) -> Mapping[str, object]:
    """The object at a path; an empty one where there is none, or null."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _count(table: Mapping[str, object], name: str) -> int:
    """A count that may be left out."""
    value = table.get(name)
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_TOKENS:
        raise _OddRecordError(name)
    return value


def _require_count(table: Mapping[str, object], name: str) -> int:
    if table.get(name) is None:
        raise _OddRecordError(name)
    return _count(table, name)
