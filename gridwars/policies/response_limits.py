"""Bounds what is read of a response before anybody parses it.

A server may send anything: an error of 200 MB, a line that never ends, an event of a million lines, a small
body that unpacks to a large one. Both SDKs take a body or an event whole, so each is cut or ended here, byte
by byte as it comes, where it grows beyond what any answer needs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

MAXIMUM_ERROR_BYTES = 2**16
"""Of an error's body, which is cut there."""
MAXIMUM_BODY_BYTES = 2**22
"""Of a body that is no stream of events."""
MAXIMUM_EVENT_BYTES = 2**23
"""Of one event: the last one may hold the whole answer once more."""
MAXIMUM_EVENT_LINES = 1000
MAXIMUM_STREAM_BYTES = 2**28

_EVENT_ENDS = (b"\n\n", b"\r\r", b"\r\n\r\n")
_LONGEST_END = 4
_FIRST_ERROR_STATUS = 400


class ResponseTooLongError(httpx2.RemoteProtocolError):
    """A response that goes on beyond what is read of one."""


async def limit_response(response: httpx2.Response) -> None:
    """Bounds a response whose head has come; what an `httpx2` client calls for each.

    Raises:
        ResponseTooLongError: for a body that is packed, though none was asked for so.
    """
    encoding = response.headers.get("content-encoding", "identity")
    if encoding != "identity":
        raise ResponseTooLongError(f"the answer is packed ({encoding[:20]}), though it was not asked for so")
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream), "only asynchronous clients are limited"
    if response.status_code >= _FIRST_ERROR_STATUS:
        response.stream = _CutBody(stream)
    elif response.headers.get("content-type", "").startswith("text/event-stream"):
        response.stream = _LimitedEvents(stream)
    else:
        response.stream = _LimitedBody(stream)


class _Limited(httpx2.AsyncByteStream):
    """A stream that is read from another one."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def aclose(self) -> None:
        await self._stream.aclose()


class _CutBody(_Limited):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAXIMUM_ERROR_BYTES
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return


class _LimitedBody(_Limited):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAXIMUM_BODY_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise ResponseTooLongError(f"the answer is longer than {MAXIMUM_BODY_BYTES} bytes")
            yield chunk


class _LimitedEvents(_Limited):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        event = _EventSize()
        left = MAXIMUM_STREAM_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise ResponseTooLongError(f"the stream is longer than {MAXIMUM_STREAM_BYTES} bytes")
            event.take(chunk)
            yield chunk


class _EventSize:
    """How much of an event has come that has not ended yet."""

    def __init__(self) -> None:
        self._bytes = 0
        self._lines = 0
        self._tail = b""

    def take(self, chunk: bytes) -> None:
        """Takes the next bytes.

        Raises:
            ResponseTooLongError: where the event is too long with them.
        """
        seen = self._tail + chunk
        ends = [at + len(end) for end in _EVENT_ENDS if (at := seen.rfind(end)) >= 0]
        # An end that lies in what was seen before was counted then.
        rest = seen[max(ends) :] if ends and max(ends) > len(self._tail) else None
        if rest is None:
            self._bytes += len(chunk)
            self._lines += chunk.count(b"\n") + chunk.count(b"\r")
        else:
            self._bytes, self._lines = len(rest), rest.count(b"\n") + rest.count(b"\r")
        self._tail = seen[-(_LONGEST_END - 1) :]
        if self._bytes > MAXIMUM_EVENT_BYTES:
            raise ResponseTooLongError(f"an event is longer than {MAXIMUM_EVENT_BYTES} bytes")
        if self._lines > MAXIMUM_EVENT_LINES:
            raise ResponseTooLongError(f"an event has more than {MAXIMUM_EVENT_LINES} lines")
