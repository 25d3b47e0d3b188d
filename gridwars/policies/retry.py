"""How often a call is made again, and when: the one loop around every provider, with no retry beneath it."""

from __future__ import annotations

import email.utils
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import tenacity

from gridwars.policies.provider import CallError, ErrorKind

RETRIED = frozenset({ErrorKind.RATE_LIMIT, ErrorKind.OVERLOAD, ErrorKind.TRANSPORT})

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RetryRules:
    """Bounds of the loop.

    Attributes:
        calls: how many are made in all before the request is void.
        first_wait_seconds: doubled with every further call.
        longest_wait_seconds: of our own accord.
        longest_retry_after_seconds: a provider that asks for more is asked again after this.
    """

    calls: int = 6
    first_wait_seconds: float = 1
    longest_wait_seconds: float = 60
    longest_retry_after_seconds: float = 300


async def run_with_retries(
    call: Callable[[], Awaitable[Result]], rules: RetryRules, tell: Callable[[int, float, CallError], None]
) -> Result:
    """Makes a call until it succeeds, fails for good, or was made often enough.

    Args:
        tell: told the number of the next call, the seconds until then, and what went wrong.

    Raises:
        CallError: the last one.
    """
    first = rules.first_wait_seconds
    doubled = tenacity.wait_exponential(multiplier=first, max=rules.longest_wait_seconds)
    backoff = doubled + tenacity.wait_random(0, first)

    def compute_wait(state: tenacity.RetryCallState) -> float:
        asked = _get_error(state).retry_after_seconds or 0
        return max(backoff(state), min(asked, rules.longest_retry_after_seconds))

    def tell_of_wait(state: tenacity.RetryCallState) -> None:
        tell(state.attempt_number + 1, state.upcoming_sleep, _get_error(state))

    retrying = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception(_is_retried),
        wait=compute_wait,
        stop=tenacity.stop_after_attempt(rules.calls),
        before_sleep=tell_of_wait,
        reraise=True,
    )
    return await retrying(call)


def read_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """How long a response asks to be left alone, in seconds; None where it does not say so.

    Args:
        headers: a mapping that ignores case, as every HTTP client's does.
        now: the time of day, for a date.
    """
    for name, scale in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / scale
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def _is_retried(error: BaseException) -> bool:
    return isinstance(error, CallError) and error.kind in RETRIED


def _get_error(state: tenacity.RetryCallState) -> CallError:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, CallError), "only a CallError is waited for"
    return error
