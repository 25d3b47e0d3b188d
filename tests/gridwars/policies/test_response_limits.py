"""Whatever a server sends, no more is read than an answer needs, and nothing of it holds up the loop."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import time

import pytest

from gridwars.benchmarks.contract import Outcome
from gridwars.policies.policy import PlayStopped
from gridwars.policies.response_limits import (
    MAXIMUM_EVENT_BYTES,
    MAXIMUM_EVENT_LINES,
    ResponseTooLongError,
    _EventSize,
)
from tests.gridwars.policies.behaviours import answering
from tests.gridwars.policies.model_seats import KEY_VARIABLE, RecordingAsking, ask, get_call, make_seat
from tests.servers.dialects import DIALECTS, Dialect
from tests.servers.faulty import Behaviour, Exchange, serve

every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
PIECE = b"x" * 2**16
MOST_SENT = 2**26
"""Bytes that the servers here would send if they were let."""
SLOW_SECONDS = 1.0


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "a-key-for-tests")


def pouring(status: int, content_type: str, begin: bytes, piece: bytes, sent: list[int]) -> Behaviour:
    """Sends and sends; `sent` is told how many bytes the client took."""

    async def behave(exchange: Exchange) -> None:
        exchange.send_head(status, content_type=content_type)
        exchange.send(begin)
        for _ in range(MOST_SENT // len(piece)):
            exchange.send(piece)
            await exchange.writer.drain()
            sent[0] += len(piece)

    return behave


FLOODS = {
    "error": (500, "application/json", b'{"error": {"message": "', PIECE),
    "refusal": (401, "application/json", b'{"error": {"message": "', PIECE),
    "body": (200, "application/json", b'{"text": "', PIECE),
    "line": (200, "text/event-stream", b"data: ", PIECE),
    "lines": (200, "text/event-stream", b"", b"data: x\n" * 2**13),
    "returns": (200, "text/event-stream", b"", b"data: x\r" * 2**13),
}


@every_dialect
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_cut_off_early_and_holds_nothing_up(dialect: Dialect, name: str) -> None:
    status, content_type, begin, piece = FLOODS[name]
    sent = [0]

    async def run() -> tuple[RecordingAsking, float]:
        asking = RecordingAsking()
        async with serve(dialect, pouring(status, content_type, begin, piece, sent)) as server:
            watching = asyncio.ensure_future(measure_longest_hold_up())
            # A refused key stops play, which is as it should be.
            with contextlib.suppress(*([PlayStopped] if status == 401 else [])):
                await ask(make_seat(dialect.kind, server.base_url, calls=1), asking)
            watching.cancel()
            (longest,) = await asyncio.gather(watching)
        return asking, longest

    asking, longest = asyncio.run(run())
    (call,) = asking.calls
    assert call.http_status == status
    assert sent[0] < MOST_SENT // 2
    assert longest < SLOW_SECONDS
    assert len(call.detail) < 2000


async def measure_longest_hold_up() -> float:
    """Seconds for which the loop did nothing else, at most; until it is cancelled."""
    longest = 0.0
    try:
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - began)
    except asyncio.CancelledError:
        return longest


@every_dialect
def test_a_packed_answer_is_refused_unread(dialect: Dialect) -> None:
    async def behave(exchange: Exchange) -> None:
        assert exchange.headers["accept-encoding"] == "identity"
        data = gzip.compress(b"\n" * MOST_SENT)
        exchange.send_whole(data, 200, {"Content-Encoding": "gzip"}, content_type="text/event-stream")

    async def run() -> None:
        asking = RecordingAsking()
        async with serve(dialect, behave) as server:
            answer = await ask(make_seat(dialect.kind, server.base_url, calls=1), asking)
        assert answer.reply.outcome is Outcome.VOID
        assert "packed (gzip)" in asking.calls[0].detail

    asyncio.run(run())


@pytest.mark.slow
@every_dialect
def test_a_long_answer_of_many_events_is_taken(dialect: Dialect) -> None:
    text = "place()\\n" * 50_000

    async def run() -> None:
        async with serve(dialect, answering(text)) as server:
            answer = await ask(make_seat(dialect.kind, server.base_url), RecordingAsking())
        assert answer.reply.text == text
        assert get_call(answer).error == ""

    asyncio.run(run())


@pytest.mark.parametrize("end", [b"\n\n", b"\r\r", b"\r\n\r\n"])
@pytest.mark.parametrize("cut", range(1, 9))
def test_an_event_ends_wherever_its_bytes_are_cut(end: bytes, cut: int) -> None:
    size = _EventSize()
    event = b"data: " + b"x" * 1000 + end
    data = event * (2 * MAXIMUM_EVENT_BYTES // len(event) // 1000 + 3)
    for at in range(0, len(data), 500 + cut):
        size.take(data[at : at + 500 + cut])
    size.take(end)
    for _ in range(MAXIMUM_EVENT_BYTES // len(PIECE)):
        size.take(PIECE)
    with pytest.raises(ResponseTooLongError, match="bytes"):
        size.take(PIECE)


def test_lines_are_counted_within_an_event_alone() -> None:
    size = _EventSize()
    for _ in range(10):
        size.take(b"data: x\n" * (MAXIMUM_EVENT_LINES - 1))
        size.take(b"\n")
    with pytest.raises(ResponseTooLongError, match="lines"):
        size.take(b"data: x\n" * (MAXIMUM_EVENT_LINES + 1))
