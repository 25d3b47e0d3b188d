"""Everything that goes wrong between a seat and a model, each with its one outcome, through the real SDKs.

`FAULTS` is the documentation: what the server does, and what becomes of the request. Each is tried with
each kind of provider. Time is the hurrying loop's, so that waits and deadlines are those of real play.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gridwars.benchmarks.contract import Outcome
from gridwars.policies.policy import PlayStopped
from gridwars.policies.provider import ErrorKind
from tests.gridwars.policies.behaviours import (
    TEXT,
    answering,
    begin_and_stop,
    break_json,
    cut,
    dripping,
    end_early,
    failing_in_stream,
    redirect,
    refusing,
    reset,
    say_nothing,
    sending,
    stay_open,
    wait_with_blanks,
)
from tests.gridwars.policies.model_seats import KEY_VARIABLE, RecordingAsking, ask, get_call, make_seat
from tests.hurrying_loop import hurry
from tests.servers.dialects import DIALECTS, Dialect, Ending, Trouble, Usage
from tests.servers.faulty import Behaviour, serve

CALLS = 3


def make_date(seconds: int) -> str:
    return format_datetime(NOON + timedelta(seconds=seconds), usegmt=True)


NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
KEY_REFUSED = Trouble(401, "invalid_api_key", "authentication_error", "no such key")
UNPAID = Trouble(402, "billing_error", "billing_error", "pay first")
FORBIDDEN = Trouble(403, "unsupported_country", "permission_error", "not for you")
NO_MODEL = Trouble(404, "model_not_found", "not_found_error", "no such model")
BAD_PARAMETER = Trouble(400, "unsupported_parameter", "invalid_request_error", "temperature is not supported")
TOO_MANY = Trouble(429, "rate_limit_exceeded", "rate_limit_error", "slow down")
NO_QUOTA = Trouble(429, "insufficient_quota", "rate_limit_error", "You exceeded your current quota")
NO_CREDIT = Trouble(400, "invalid_request", "invalid_request_error", "Your credit balance is too low")
BROKEN = Trouble(500, "server_error", "api_error", "something went wrong")
BUSY = Trouble(503, "server_error", "api_error", "try again")
OVERLOADED = Trouble(529, "overloaded", "overloaded_error", "Overloaded")
TOO_LONG = Trouble(
    400,
    "context_length_exceeded",
    "invalid_request_error",
    "prompt is too long: 250000 tokens > 200000 maximum",
)
FLAGGED = Trouble(
    400, "content_policy_violation", "invalid_request_error", "blocked by content filtering policy"
)


@dataclass(frozen=True)
class Fault:
    """What a server does with every call, and what becomes of a request that may call three times.

    Attributes:
        outcome: of the reply; None where the run stops.
        text: of the reply.
        error: class of each failed call; None where none fails.
        recovers: the first call only fails, and the next one brings the answer.
        waits: seconds, at least and at most, from the question to the answer.
    """

    name: str
    behaviour: Behaviour
    outcome: Outcome | None
    text: str | None = None
    error: ErrorKind | None = None
    recovers: bool = False
    waits: tuple[float, float] | None = None


def stops(name: str, behaviour: Behaviour, error: ErrorKind) -> Fault:
    """No call of this kind can succeed: one is made, and the run stops."""
    return Fault(name, behaviour, None, error=error)


def voids(name: str, behaviour: Behaviour, error: ErrorKind) -> Fault:
    """Nobody's fault: each call fails, the request is void, and one failure is got over."""
    outcome = Outcome.VOID if error is ErrorKind.TRANSPORT else Outcome.THROTTLED
    return Fault(name, behaviour, outcome, error=error)


def recovers(name: str, behaviour: Behaviour, error: ErrorKind, waits: tuple[float, float]) -> Fault:
    return Fault(name, behaviour, Outcome.VALID, TEXT, error, recovers=True, waits=waits)


def takes(name: str, behaviour: Behaviour, outcome: Outcome, text: str | None = None) -> Fault:
    """The model's own doing: one call, and no other would be better."""
    return Fault(name, behaviour, outcome, text)


CONFIG, MONEY = ErrorKind.FATAL_CONFIG, ErrorKind.FATAL_MONEY
RATE, OVERLOAD, TRANSPORT = ErrorKind.RATE_LIMIT, ErrorKind.OVERLOAD, ErrorKind.TRANSPORT

FAULTS = (
    # What is wrong stays wrong.
    stops("401: the key is refused", refusing(KEY_REFUSED), CONFIG),
    stops("402: nobody pays", refusing(UNPAID), MONEY),
    stops("403: forbidden", refusing(FORBIDDEN), CONFIG),
    stops("404: no such model", refusing(NO_MODEL), CONFIG),
    stops("400: a parameter the model does not take", refusing(BAD_PARAMETER), CONFIG),
    stops("429 that is no rate limit: insufficient quota", refusing(NO_QUOTA), MONEY),
    stops("400 that is no mistake: no credit left", refusing(NO_CREDIT), MONEY),
    stops("insufficient quota inside a stream", failing_in_stream(NO_QUOTA), MONEY),
    stops("307: sent elsewhere, where the key must not follow", redirect, CONFIG),
    # Infrastructure: wait and ask again.
    voids("429 without Retry-After", refusing(TOO_MANY), RATE),
    recovers("429 with Retry-After: 7", refusing(TOO_MANY, Retry_After="7"), RATE, (7, 8)),
    recovers("429 with retry-after-ms: 2500", refusing(TOO_MANY, retry_after_ms="2500"), RATE, (2.5, 4)),
    recovers("429 with Retry-After: 300", refusing(TOO_MANY, Retry_After="300"), RATE, (300, 302)),
    recovers("429 with Retry-After beyond the cap", refusing(TOO_MANY, Retry_After="9999"), RATE, (300, 302)),
    recovers(
        "429 with a date",
        refusing(TOO_MANY, Retry_After=make_date(90), Date=make_date(0)),
        RATE,
        (90, 92),
    ),
    recovers("429 with nonsense", refusing(TOO_MANY, Retry_After="soon"), RATE, (1, 3)),
    voids("rate limit inside a stream", failing_in_stream(TOO_MANY), RATE),
    voids("500", refusing(BROKEN), TRANSPORT),
    voids("500 inside a stream", failing_in_stream(BROKEN), TRANSPORT),
    voids("503", refusing(BUSY), OVERLOAD),
    voids("529", refusing(OVERLOADED), OVERLOAD),
    voids("overloaded_error inside a stream of status 200", failing_in_stream(OVERLOADED), OVERLOAD),
    voids("502 with a page of HTML", sending(b"<html>Bad gateway</html>", "text/html", 502), TRANSPORT),
    voids("a stream cut in the middle", cut, TRANSPORT),
    voids("a stream that ends before the answer does", end_early, TRANSPORT),
    voids("accepts and never answers", say_nothing, TRANSPORT),
    voids("begins and never goes on", begin_and_stop, TRANSPORT),
    voids("drips a byte a second", dripping(0), TRANSPORT),
    voids("drips a byte a second amid the answer", dripping(2), TRANSPORT),
    voids("HTML with status 200", sending(b"<html><p>Sign in</p></html>\n\n", "text/html"), TRANSPORT),
    voids("an empty body with status 200", sending(b"", "text/event-stream"), TRANSPORT),
    voids("100 KB of whitespace for a body", sending(b" \n" * 50_000, "text/event-stream"), TRANSPORT),
    voids("bytes that are no UTF-8", sending(b"data: \xff\xfe\n\n", "text/event-stream"), TRANSPORT),
    voids("invalid JSON inside valid SSE", break_json, TRANSPORT),
    voids("reset", reset, TRANSPORT),
    # What the model did.
    takes("an answer", answering(), Outcome.VALID, TEXT),
    takes("100 KB of blanks and comments before the answer", wait_with_blanks, Outcome.VALID, TEXT),
    takes("an answer whose stream is never closed", stay_open, Outcome.VALID, TEXT),
    takes("missing usage", answering(usage=Usage.MISSING), Outcome.VALID, TEXT),
    takes("usage whose details are null", answering(usage=Usage.NULL_DETAILS), Outcome.VALID, TEXT),
    takes("refusal", answering(TEXT, Ending.REFUSAL), Outcome.REFUSED),
    takes("refusal as an error of the request", refusing(FLAGGED), Outcome.REFUSED),
    takes("empty content", answering(""), Outcome.EMPTY),
    takes("100 KB of whitespace", answering(" \n" * 50_000), Outcome.EMPTY),
    takes("only reasoning", answering(TEXT, Ending.REASONING_ONLY), Outcome.EMPTY),
    takes("a tool call instead of text", answering(TEXT, Ending.TOOL), Outcome.EMPTY),
    takes("output limit reached amid the text", answering(TEXT, Ending.LIMIT), Outcome.TRUNCATED, TEXT),
    takes("output limit reached before any text", answering("", Ending.LIMIT), Outcome.TRUNCATED),
    takes("context window full amid the text", answering(TEXT, Ending.CONTEXT), Outcome.TRUNCATED, TEXT),
    takes("context overflow: the prompt is too long", refusing(TOO_LONG), Outcome.TRUNCATED),
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "a-key-for-tests")


def test_every_fault_has_a_name_of_its_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) > 40


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault.name))
def test_a_fault_has_its_one_outcome(fault: Fault, dialect: Dialect) -> None:
    async def run() -> None:
        behaviours = [fault.behaviour, answering()] if fault.recovers else [fault.behaviour]
        async with serve(dialect, *behaviours) as server:
            seat = make_seat(dialect.kind, server.base_url, calls=CALLS)
            asking = RecordingAsking()
            started = asyncio.get_running_loop().time()
            if fault.outcome is None:
                with pytest.raises(PlayStopped):
                    await ask(seat, asking)
                assert [call.error for call in asking.calls] == [str(fault.error)]
                return
            answer = await ask(seat, asking)
            waited = asyncio.get_running_loop().time() - started
        assert (answer.reply.outcome, answer.reply.text) == (fault.outcome, fault.text)
        assert bool(answer.reply.failure) == (fault.text is None or fault.outcome is Outcome.TRUNCATED)
        if fault.name.startswith("output limit"):
            assert "the output limit of 1,000 tokens" in answer.reply.failure
        failed = 0 if fault.error is None else 1 if fault.recovers else CALLS
        assert [call.error for call in asking.calls] == [str(fault.error)] * failed
        assert all(call.detail for call in asking.calls)
        assert len(server.calls) == failed + len(answer.events), "as many calls as are recorded"
        assert len(answer.events) == (0 if fault.outcome is not None and fault.outcome.is_void else 1)
        if fault.waits is not None:
            assert fault.waits[0] <= waited <= fault.waits[1]

    hurry(run())


VOIDING = [fault for fault in FAULTS if fault.outcome is not None and fault.outcome.is_void]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
@pytest.mark.parametrize("fault", VOIDING, ids=lambda fault: str(fault.name))
def test_infrastructure_that_fails_once_costs_a_call_and_no_answer(fault: Fault, dialect: Dialect) -> None:
    async def run() -> None:
        async with serve(dialect, fault.behaviour, answering()) as server:
            asking = RecordingAsking()
            answer = await ask(make_seat(dialect.kind, server.base_url, calls=CALLS), asking)
        assert (answer.reply.outcome, answer.reply.text) == (Outcome.VALID, TEXT)
        assert [call.call_number for call in asking.calls] == [1]
        assert get_call(answer).call_number == 2

    assert VOIDING
    hurry(run())
