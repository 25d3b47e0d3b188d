"""A server on 127.0.0.1 that speaks HTTP by hand, so that it can fail at every byte.

It lives in the event loop of the test and does with each call what it is told: a list of `Behaviour`s, of
which the last goes on for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import queue
import socket
import struct
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.servers.dialects import Dialect


@dataclass
class Exchange:
    """One call, as the server has it.

    Attributes:
        path: ends with the dialect's own for a call; anything else is a question about models.
        body: what was asked.
        number: of the call, from 1.
        connection_number: of the call, from 1, within its connection.
        closes: the connection ends with this call.
    """

    dialect: Dialect
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    writer: asyncio.StreamWriter
    number: int
    connection_number: int
    closes: bool = False

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    def send_head(
        self,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        *,
        content_type: str = "text/event-stream",
        length: int | None = None,
    ) -> None:
        """Without a length the body's end is the connection's."""
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {content_type}", "x-request-id: req_1"]
        lines.append("Connection: close" if length is None else f"Content-Length: {length}")
        self.closes = length is None
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode())

    def send_whole(
        self, data: bytes, status: int = 200, headers: Mapping[str, str] | None = None, *, content_type: str
    ) -> None:
        self.send_head(status, headers, content_type=content_type, length=len(data))
        self.send(data)

    def reset(self) -> None:
        """Ends the connection with a reset instead of a farewell."""
        self.closes = True
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Behaviour = Callable[[Exchange], Awaitable[None]]

MODELS = ("test-model",)


async def tell_models(exchange: Exchange) -> None:
    """Answers questions about models as all three providers do."""
    name = exchange.path.partition("/models/")[2]
    if name and name not in MODELS:
        data, status = b'{"error": {"type": "not_found_error", "message": "no such model"}}', 404
    elif name:
        data, status = json.dumps({"id": name}).encode(), 200
    else:
        data, status = json.dumps({"data": [{"id": model} for model in MODELS]}).encode(), 200
    exchange.send_whole(data, status, content_type="application/json")


@dataclass
class FaultyServer:
    """Attributes:
    calls: what came, in order.
    open_count: calls being answered at this moment.
    hung_up: calls that the client ended while they were being answered.
    questions: about models; they are no calls.
    """

    dialect: Dialect
    behaviours: Sequence[Behaviour]
    on_question: Behaviour = tell_models
    calls: list[Exchange] = field(default_factory=list)
    questions: list[Exchange] = field(default_factory=list)
    open_count: int = 0
    most_open: int = 0
    hung_up: int = 0
    base_url: str = ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for number in itertools.count(1):
                exchange = await self._read(reader, writer, number)
                if exchange is None:
                    break
                behaviour = self._choose(exchange)
                self.open_count += 1
                self.most_open = max(self.most_open, self.open_count)
                try:
                    await self._run(behaviour, exchange, reader)
                finally:
                    self.open_count -= 1
                await writer.drain()
                if exchange.closes:
                    break
        except ConnectionError:
            self.hung_up += 1
        finally:
            writer.close()

    def _choose(self, exchange: Exchange) -> Behaviour:
        if not exchange.path.endswith(self.dialect.path):
            assert "/models" in exchange.path, f"a request for {exchange.path}"
            self.questions.append(exchange)
            return self.on_question
        self.calls.append(exchange)
        return self.behaviours[min(exchange.number, len(self.behaviours)) - 1]

    async def _run(self, behaviour: Behaviour, exchange: Exchange, reader: asyncio.StreamReader) -> None:
        """The behaviour, ended early where the client hangs up."""
        work = asyncio.ensure_future(behaviour(exchange))
        hang_up = asyncio.ensure_future(reader.read(1))
        await asyncio.wait([work, hang_up], return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            self.hung_up += 1
        work.cancel()
        hang_up.cancel()
        endings = await asyncio.gather(work, hang_up, return_exceptions=True)
        if isinstance(endings[0], Exception):
            raise endings[0]

    async def _read(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection_number: int
    ) -> Exchange | None:
        """The next call; None where the client has no more."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        lines = head.decode().split("\r\n")
        pairs = [line.split(": ", 1) for line in lines[1:] if line]
        headers = {name.lower(): value for name, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        path = lines[0].split()[1]
        number = len(self.calls) + 1
        return Exchange(
            self.dialect, path, headers, json.loads(body or b"{}"), writer, number, connection_number
        )


@contextlib.asynccontextmanager
async def serve(dialect: Dialect, *behaviours: Behaviour) -> AsyncIterator[FaultyServer]:
    """Runs a server until the body is done; whatever is being answered then is cut off."""
    server = FaultyServer(dialect, behaviours)
    tasks: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(
            asyncio.CancelledError
        ):  # Python 3.11's streams cannot tell it from a failure
            await server.handle(reader, writer)

    listener = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    server.base_url = f"http://127.0.0.1:{port}" + ("" if dialect.kind == "anthropic" else "/v1")
    try:
        yield server
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)


@contextlib.contextmanager
def serve_in_thread(dialect: Dialect, *behaviours: Behaviour) -> Iterator[FaultyServer]:
    """The same beside whatever runs an event loop of its own."""
    started: queue.SimpleQueue[tuple[FaultyServer, asyncio.AbstractEventLoop, asyncio.Event]] = (
        queue.SimpleQueue()
    )

    async def run() -> None:
        end = asyncio.Event()
        async with serve(dialect, *behaviours) as server:
            started.put((server, asyncio.get_running_loop(), end))
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    server, loop, end = started.get(timeout=10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
