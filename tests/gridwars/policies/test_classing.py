"""Faults are classed by what providers really say, and waits are read from whatever form they come in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.policies.faults import class_fault, read_fault
from gridwars.policies.provider import ErrorKind, Stop
from gridwars.policies.retry import read_retry_after

CONFIG, MONEY = ErrorKind.FATAL_CONFIG, ErrorKind.FATAL_MONEY
RATE, OVERLOAD, TRANSPORT = ErrorKind.RATE_LIMIT, ErrorKind.OVERLOAD, ErrorKind.TRANSPORT


def anthropic_error(kind: str, message: str = "", code: str | None = None) -> dict[str, object]:
    details = None if code is None else {"error_code": code}
    return {"type": "error", "error": {"type": kind, "message": message, "details": details}}


CASES: tuple[tuple[int | None, object, ErrorKind | Stop], ...] = (
    # Anthropic: spend limits come as 429, 402 and 400; growing too fast is a rate limit.
    (429, anthropic_error("rate_limit_error", code="enforced_spend_limit_reached"), MONEY),
    (429, anthropic_error("rate_limit_error", code="contract_spend_limit_reached"), MONEY),
    (429, anthropic_error("rate_limit_error", code="ramp_limit_exceeded"), RATE),
    (402, anthropic_error("billing_error", code="linked_organization_spend_limit_reached"), MONEY),
    (400, anthropic_error("invalid_request_error", code="organization_on_hold"), MONEY),
    (400, anthropic_error("invalid_request_error", "Your credit balance is too low to access"), MONEY),
    (413, anthropic_error("request_too_large"), Stop.CONTEXT),
    (400, anthropic_error("invalid_request_error", "prompt is too long: 201 tokens > 200"), Stop.CONTEXT),
    (
        400,
        anthropic_error("invalid_request_error", "Output blocked by content filtering policy"),
        Stop.REFUSAL,
    ),
    (400, anthropic_error("invalid_request_error", "max_tokens: too large"), CONFIG),
    (None, anthropic_error("overloaded_error", "Overloaded"), OVERLOAD),
    (200, anthropic_error("overloaded_error", "Overloaded"), OVERLOAD),
    (None, anthropic_error("api_error", "Internal server error"), TRANSPORT),
    (504, anthropic_error("timeout_error"), TRANSPORT),
    # OpenAI.
    (429, {"code": "insufficient_quota", "type": "insufficient_quota", "message": "…"}, MONEY),
    (429, {"code": "rate_limit_exceeded", "type": "tokens", "message": "Rate limit reached"}, RATE),
    (400, {"code": "billing_hard_limit_reached", "type": "invalid_request_error"}, MONEY),
    (400, {"code": "context_length_exceeded", "type": "invalid_request_error"}, Stop.CONTEXT),
    (400, {"code": "invalid_prompt", "message": "flagged as potentially violating our policy"}, Stop.REFUSAL),
    (400, {"code": "unsupported_value", "param": "temperature"}, CONFIG),
    (401, {"code": "invalid_api_key"}, CONFIG),
    (503, {"message": "That model is currently overloaded with other requests"}, OVERLOAD),
    (None, {"code": "server_error", "message": "The server had an error"}, TRANSPORT),
    (None, {"code": "rate_limit_exceeded", "message": "…"}, RATE),
    # Gateways and compatible servers: numbers as codes, words without codes, pages.
    (200, {"error": {"code": 429, "message": "upstream rate limit"}}, RATE),
    (None, {"error": {"code": 502, "message": "upstream failed"}}, TRANSPORT),
    (402, {"error": {"code": 402, "message": "Insufficient credits"}}, MONEY),
    (
        400,
        {"object": "error", "type": "BadRequestError", "message": "maximum context length is 8192"},
        Stop.CONTEXT,
    ),
    (404, {"detail": "Not Found"}, CONFIG),
    (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, CONFIG),
    (403, {"error": {"code": 403, "message": "your input was flagged", "metadata": {}}}, Stop.REFUSAL),
    (502, "<html>Bad gateway</html>", TRANSPORT),
    (500, "model is overloaded, please try again", OVERLOAD),
    (408, "", TRANSPORT),
    (409, {}, TRANSPORT),
    (529, None, OVERLOAD),
    (301, "", CONFIG),
    (None, None, TRANSPORT),
)


@pytest.mark.parametrize(("status", "body", "expected"), CASES)
def test_a_fault_is_classed_by_code_before_status(
    status: int | None, body: object, expected: ErrorKind | Stop
) -> None:
    assert class_fault(read_fault(status, body)) is expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["error", "code", "type", "message", "details", "x"]), inner)
    ),
    max_leaves=15,
)


@given(st.none() | st.integers(100, 599), JSON)
def test_anything_has_a_class(status: int | None, body: object) -> None:
    assert isinstance(class_fault(read_fault(status, body)), ErrorKind | Stop)


NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7),
        ({"RETRY-AFTER": " 7.5 "}, 7.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "Mon, 30 Nov 2026 12:05:00 GMT"}, 300),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Mon, 30 Nov 2026 12:05:00"}, 300),
        ({"retry-after": "later"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_a_wait_is_read_from_seconds_milliseconds_or_a_date(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert read_retry_after(httpx2.Headers(headers), NOON) == seconds


@given(st.integers(0, 10**6))
def test_a_date_says_the_same_as_its_seconds(seconds: int) -> None:
    date = format_datetime(NOON + timedelta(seconds=seconds), usegmt=True)
    assert read_retry_after({"retry-after": date}, NOON) == seconds


@given(st.text(max_size=30))
def test_any_text_is_a_wait_or_none(text: str) -> None:
    wait = read_retry_after({"retry-after": text}, NOON)
    assert wait is None or wait >= 0
