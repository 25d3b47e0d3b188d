"""Appends to an episode's log beside the event loop: in order, and with one write for all that waits.

Making events durable takes milliseconds in which other episodes can go on, and the disk takes many logs'
events in the time of one. What comes while a write is under way goes with the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from weakref import WeakKeyDictionary

from gridwars.benchmarks.contract import Event
from gridwars.log.writer import LogWriter

_WRITER_COUNT = 16
_WRITERS: WeakKeyDictionary[asyncio.AbstractEventLoop, ThreadPoolExecutor] = WeakKeyDictionary()
"""Threads of each loop that are not those of its battles, so that no log waits for one."""


class Recorder:
    """One log's way to the disk, for one event loop."""

    def __init__(self, writer: LogWriter, tell: Callable[[Event], None]) -> None:
        """
        Args:
            tell: told of each event, in the log's order, once it is durable.
        """
        self._writer = writer
        self._tell = tell
        self._waiting: list[Event] = []
        self._under_way: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def record(self, events: Sequence[Event]) -> None:
        """Returns once the events are durable and told of; they are recorded whole, even if it is cancelled.

        Raises:
            LogError: as `LogWriter.append`.
        """
        self._waiting += events
        if self._next is None:
            self._next = asyncio.ensure_future(self._write_behind(self._under_way))
        await asyncio.shield(self._next)

    def record_here(self, events: Sequence[Event]) -> None:
        """The same in the event loop itself, which waits for the disk; while nothing else is being recorded.

        Raises:
            LogError: as `LogWriter.append`.
        """
        assert self._next is None, "events would overtake others"
        self._writer.append(events)
        for event in events:
            self._tell(event)

    async def finish(self) -> None:
        """Waits for what is still to be written; whoever recorded it learns how that went."""
        for task in (self._under_way, self._next):
            if task is not None:
                await asyncio.wait([task])

    async def _write_behind(self, previous: asyncio.Task[None] | None) -> None:
        if previous is not None:
            await asyncio.wait([previous])
        events, self._waiting = self._waiting, []
        self._under_way, self._next = self._next, None
        loop = asyncio.get_running_loop()
        if loop not in _WRITERS:
            _WRITERS[loop] = ThreadPoolExecutor(_WRITER_COUNT, thread_name_prefix="log")
        await loop.run_in_executor(_WRITERS[loop], self._writer.append, events)
        for event in events:
            self._tell(event)
