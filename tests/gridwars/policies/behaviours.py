"""What a faulty server can be told to do with a call."""

from __future__ import annotations

import asyncio
import json

from tests.servers.dialects import Ending, Trouble, Usage
from tests.servers.faulty import Behaviour, Exchange

TEXT = '{"script": ["wait"]}'


def answering(text: str = TEXT, ending: Ending = Ending.END, usage: Usage = Usage.FULL) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        dialect = exchange.dialect
        data = dialect.render_whole(dialect.answer(text, ending, usage))
        exchange.send_whole(data, content_type="text/event-stream")

    return behave


def refusing(trouble: Trouble, **headers: str) -> Behaviour:
    """An error as a response."""

    async def behave(exchange: Exchange) -> None:
        data = json.dumps(exchange.dialect.error(trouble)).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        exchange.send_whole(data, trouble.status, named, content_type="application/json")

    return behave


def failing_in_stream(trouble: Trouble) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        dialect = exchange.dialect
        begun = dialect.answer(TEXT)[:2]
        exchange.send_head()
        exchange.send(dialect.render([*begun, dialect.error_event(trouble)]))

    return behave


def sending(data: bytes, content_type: str, status: int = 200) -> Behaviour:
    async def behave(exchange: Exchange) -> None:
        exchange.send_whole(data, status, content_type=content_type)

    return behave


async def cut(exchange: Exchange) -> None:
    data = exchange.dialect.render(exchange.dialect.answer(TEXT))
    exchange.send_head()
    exchange.send(data[: len(data) // 2])


async def end_early(exchange: Exchange) -> None:
    """A stream that ends well formed, but before the model did."""
    exchange.send_head()
    exchange.send(exchange.dialect.render(exchange.dialect.answer(TEXT)[:2]))


async def say_nothing(exchange: Exchange) -> None:
    await asyncio.Event().wait()


async def begin_and_stop(exchange: Exchange) -> None:
    exchange.send_head()
    exchange.send(exchange.dialect.render(exchange.dialect.answer(TEXT)[:2]))
    await asyncio.Event().wait()


def dripping(begun: int) -> Behaviour:
    """A byte a second, behind so many whole events."""

    async def behave(exchange: Exchange) -> None:
        exchange.send_head()
        events = exchange.dialect.answer(TEXT * 100)
        exchange.send(exchange.dialect.render(events[:begun]))
        for byte in exchange.dialect.render(events)[-1000:]:
            exchange.send(bytes([byte]).replace(b"\n", b" "))
            await asyncio.sleep(1)

    return behave


async def stay_open(exchange: Exchange) -> None:
    """Answers, and never ends the stream."""
    exchange.send_head()
    exchange.send(exchange.dialect.render(exchange.dialect.answer(TEXT)))
    await asyncio.Event().wait()


async def break_json(exchange: Exchange) -> None:
    data = exchange.dialect.render(exchange.dialect.answer(TEXT)[:2])
    exchange.send_head()
    exchange.send(data + b'event: message_delta\ndata: {"type": "message_delta", "del\n\n')


async def wait_with_blanks(exchange: Exchange) -> None:
    """What gateways send to keep a connection open: blank lines and comments."""
    data = exchange.dialect.render_whole(exchange.dialect.answer(TEXT))
    exchange.send_head()
    exchange.send(b": waiting\n\n" * 5000 + b"\n" * 50_000 + data)


async def reset(exchange: Exchange) -> None:
    exchange.reset()


async def redirect(exchange: Exchange) -> None:
    exchange.send_whole(b"", 307, {"Location": "http://127.0.0.1:9/elsewhere"}, content_type="text/plain")
