"""One line to each provider for all seats of all episodes in a process: its connections and its throttle.

A line belongs to the event loop that its connections belong to, and is closed with it. Whoever asks for
the same provider at the same address with the same key gets the same line.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from gridwars.policies.keys import Key
from gridwars.policies.provider import Connection, Provider
from gridwars.policies.throttle import Gate, Throttle, ThrottleRules


@dataclass(frozen=True, slots=True)
class Line:
    connection: Connection
    gate: Gate


_Name = tuple[str, str, str, float]


@dataclass(slots=True)
class _Lines:
    """The lines of one event loop.

    Attributes:
        closer: an asynchronous generator in its only `yield`: a loop that ends closes those that it has
            begun, so this one's `finally` closes the connections while they still can be.
    """

    by_name: dict[_Name, Line] = field(default_factory=dict)
    closer: AsyncIterator[None] | None = None


_LINES: dict[asyncio.AbstractEventLoop, _Lines] = {}


async def open_line(
    provider: Provider, base_url: str, key: Key, connect_seconds: float, rules: ThrottleRules
) -> Line:
    """The line of the running loop; opens no socket.

    Args:
        rules: where seats of one line differ, the least of their highest limits holds.
    """
    loop = asyncio.get_running_loop()
    if loop not in _LINES:
        lines = _LINES[loop] = _Lines()
        lines.closer = _close_at_end(loop)
        await anext(lines.closer)
    name = (provider.kind, base_url, key.reveal(), connect_seconds)
    by_name = _LINES[loop].by_name
    if name not in by_name:
        by_name[name] = Line(provider.connect(base_url, key, connect_seconds), Gate(Throttle(rules)))
    line = by_name[name]
    line.gate.throttle.lower_limit(rules.highest_limit)
    return line


async def _close_at_end(loop: asyncio.AbstractEventLoop) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for line in _LINES.pop(loop).by_name.values():
            await line.connection.close()
