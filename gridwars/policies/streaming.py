"""Reads a provider's stream within four deadlines, and classes whatever keeps it from its end.

Both official SDKs come from one generator and run on httpx2, so that their streams and errors have one
shape; a provider's file adds what its events mean. Events are read as plain JSON: the SDKs' typed models
take eight times the processor's time for the thousands of events of a long answer, and hide what a
compatible server leaves out.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

import anyio
import httpx2

from gridwars.policies.faults import Fault, class_fault, read_fault
from gridwars.policies.keys import Key
from gridwars.policies.provider import Call, CallError, Completion, Deadlines, ErrorKind, Receipt, Stop
from gridwars.policies.response_limits import limit_response
from gridwars.policies.retry import read_retry_after

MAXIMUM_LENGTH = 1_000_000
"""Code points of an answer; a model that goes on beyond them is cut like one at its output limit."""

_GRACE_SECONDS = 5
"""For what follows a whole answer, such as its usage or the stream's end."""

_STEP_SECONDS = 0.2

_IDLE_CONNECTIONS = 20
"""Kept for calls to come; the pool probes each of them twice in every call."""

# The last is one that httpx2 lets through when TLS ends without a word.
_BROKEN = (httpx2.HTTPError, httpx2.StreamError, OSError, ValueError, RecursionError, anyio.EndOfStream)


class SdkStream(Protocol):
    """What both SDKs return for `stream=True` and plain JSON: each server-sent event, comments aside."""

    response: httpx2.Response

    def __aiter__(self) -> AsyncIterator[object]: ...
    async def close(self) -> None: ...


class Fold(Protocol):
    """One answer being put together from its events.

    Attributes:
        text: visible, received so far.
        length: code points received so far, reasoning included.
        done: the answer is whole; what may still come is an accessory, or the stream's end.
    """

    @property
    def text(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def done(self) -> bool: ...

    def take(self, event: Mapping[str, object]) -> None:
        """Takes the next event.

        Raises:
            Fault: where it says that there will be no answer.
        """
        ...

    def finish(self) -> Completion:
        """The answer.

        Raises:
            Fault: where the stream broke off before its end.
        """
        ...


def make_http_client(connect_seconds: float) -> httpx2.AsyncClient:
    """A client for many calls at once that leaves every deadline but one to `read_stream`.

    It follows no redirect: key and prompt go where the operator sent them, and nowhere else. What the
    libraries would write to Python's logging (headers, bodies) is kept from it too, whatever variable asks.
    """
    for library in ("openai", "anthropic", "httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.WARNING)
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(None, connect=connect_seconds),
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=_IDLE_CONNECTIONS),
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [limit_response]},
    )


async def read_stream(
    open_stream: Callable[[], Awaitable[SdkStream]],
    fold: Fold,
    call: Call,
    key: Key,
    sdk_error: type[Exception],
) -> Completion:
    """Opens a stream, folds it to its end and closes it.

    Args:
        sdk_error: the root of the SDK's errors.

    Raises:
        CallError
    """
    deadline = _Deadline(call.deadlines)
    try:
        async with deadline.timeout:
            await _fold_stream(await open_stream(), fold, call, deadline)
        return _finish(fold)
    except Fault as fault:
        return _end(fault, call.receipt, key)
    except (TimeoutError, *_BROKEN, sdk_error) as error:
        if fold.done:  # answered and paid for; a stream that then breaks or stays open took nothing away
            return fold.finish()
        if isinstance(error, TimeoutError):
            raise CallError(ErrorKind.TRANSPORT, deadline.reason) from None
        if isinstance(error, sdk_error):
            return _take_sdk_error(error, call.receipt, key)
        raise CallError(ErrorKind.TRANSPORT, _describe(error, key)) from None


async def look_up(
    ask: Callable[[], Awaitable[object]], key: Key, sdk_error: type[Exception], seconds: float
) -> object:
    """Asks something that is answered at once and costs nothing.

    Raises:
        CallError
    """
    try:
        async with asyncio.timeout(seconds):
            return await ask()
    except TimeoutError:
        raise CallError(ErrorKind.TRANSPORT, f"no answer within {seconds:g} s") from None
    except sdk_error as error:
        _take_sdk_error(error, Receipt(), key)
        raise CallError(ErrorKind.FATAL_CONFIG, key.hide_in_words(str(error))) from None
    except _BROKEN as error:
        raise CallError(ErrorKind.TRANSPORT, _describe(error, key)) from None


async def _fold_stream(stream: SdkStream, fold: Fold, call: Call, deadline: _Deadline) -> None:
    receipt, headers = call.receipt, stream.response.headers
    _note_response(stream.response, receipt)
    now = asyncio.get_running_loop().time
    try:
        async for event in stream:
            time = now()
            if receipt.first_byte_at is None:
                receipt.first_byte_at = time
            if isinstance(event, dict):
                fold.take(event)
            if deadline.extend(time, done=fold.done):
                call.tell(fold.length)
            if fold.length > MAXIMUM_LENGTH:
                break
        if receipt.first_byte_at is None:
            kind = headers.get("content-type", "of no type").partition(";")[0]
            raise Fault(None, (), f"no event in an answer that is {kind}")
    finally:
        await stream.close()


def _finish(fold: Fold) -> Completion:
    if fold.length > MAXIMUM_LENGTH and not fold.done:
        return Completion(fold.text[:MAXIMUM_LENGTH], Stop.LIMIT)
    return fold.finish()


class _Deadline:
    """The one that is due next, moved on as events come."""

    def __init__(self, deadlines: Deadlines) -> None:
        now = asyncio.get_running_loop().time()
        self._idle = deadlines.idle
        # Moving a timer costs more than reading an event, so it is moved for many of them.
        self._step = min(_STEP_SECONDS, deadlines.idle / 100)
        self._next_step = now
        self._end = now + deadlines.total
        self._end_reason = f"no end after {deadlines.total:g} s"
        self.reason = f"no answer began within {deadlines.first_byte:g} s"
        self.timeout = asyncio.timeout_at(self._limit(now + deadlines.first_byte))

    def extend(self, now: float, *, done: bool) -> bool:
        """Takes note of an event; tells whether the deadline was moved, as it is now and then.

        Args:
            done: nothing but accessories can follow.
        """
        if now < self._next_step and not done:
            return False
        self._next_step = now + self._step
        self.reason = f"nothing more for {self._idle:g} s"
        idle = min(self._idle, _GRACE_SECONDS) if done else self._idle + self._step
        self.timeout.reschedule(self._limit(now + idle))
        return True

    def _limit(self, due: float) -> float:
        if due >= self._end:
            self.reason = self._end_reason
            return self._end
        return due


def _take_sdk_error(error: Exception, receipt: Receipt, key: Key) -> Completion:
    response: object = getattr(error, "response", None)
    body = getattr(error, "body", None) or str(error)
    if isinstance(response, httpx2.Response):
        _note_response(response, receipt)
        wait = read_retry_after(response.headers, _read_date(response))
        return _end(read_fault(response.status_code, body), receipt, key, wait)
    if isinstance(error.__cause__, Exception):
        raise CallError(ErrorKind.TRANSPORT, _describe(error.__cause__, key)) from None
    return _end(read_fault(None, body), receipt, key)


def _end(fault: Fault, receipt: Receipt, key: Key, retry_after_seconds: float | None = None) -> Completion:
    """The model's own outcome as a completion, anything else as an error."""
    ending = class_fault(fault)
    words = key.hide_in_words(fault.message)
    if isinstance(ending, Stop):
        receipt.stop_reason = " ".join(sorted(fault.codes - {"error"}))
        return Completion("", ending, words)
    if fault.status is not None:
        words = f"{fault.status}: {words}"
    raise CallError(ending, words, status=fault.status, retry_after_seconds=retry_after_seconds) from None


def _note_response(response: httpx2.Response, receipt: Receipt) -> None:
    receipt.http_status = response.status_code
    receipt.request_id = response.headers.get("x-request-id") or response.headers.get("request-id") or ""


def _read_date(response: httpx2.Response) -> datetime:
    """When the response left, by the server's own clock where it says so: its dates are by that clock."""
    try:
        date = parsedate_to_datetime(response.headers.get("date", ""))
    except ValueError:
        return datetime.now(UTC)
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)


def _describe(error: Exception, key: Key) -> str:
    return key.hide_in_words(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
