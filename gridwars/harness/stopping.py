"""A wish to stop, shared by all that play: nothing new is begun, and what is under way is given a while."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from gridwars.policies.policy import PlayStopped

GRACE_SECONDS = 30
"""For replies that are under way: they are paid for."""

Result = TypeVar("Result")


class Stopping:
    """Whether play is to stop, and why.

    Attributes:
        reason: in words; "" while nobody has asked for it.
        is_coming: whether a signal has asked for it that the event loop may not have come to yet; who keeps
            the loop busy looks here.
    """

    def __init__(self, grace_seconds: float = GRACE_SECONDS) -> None:
        self.reason = ""
        self.is_coming = False
        self.grace_seconds = grace_seconds
        self._requested = asyncio.Event()

    @property
    def is_requested(self) -> bool:
        return self._requested.is_set()

    def request(self, reason: str) -> None:
        """Asks all that play to stop; the first reason stays."""
        if not self.is_requested:
            self.reason = reason
            self._requested.set()

    def require_going_on(self) -> None:
        """
        Raises:
            PlayStopped: once a stop was asked for.
        """
        if self.is_requested:
            raise PlayStopped(self.reason)

    async def lend_grace(
        self,
        work: Coroutine[Any, Any, Result],  # Any: as Coroutine has it
        *,
        seconds: float | None = None,
    ) -> Result:
        """The result of work that is cancelled if it takes longer than the grace after a stop.

        Args:
            seconds: another grace than the usual one.

        Raises:
            PlayStopped: where it was.
        """
        task = asyncio.ensure_future(work)
        watch = asyncio.ensure_future(
            self._wait_for_end_of_grace(self.grace_seconds if seconds is None else seconds)
        )
        try:
            await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise PlayStopped(self.reason)
        finally:
            task.cancel()
            watch.cancel()
            await asyncio.gather(task, watch, return_exceptions=True)

    async def _wait_for_end_of_grace(self, seconds: float) -> None:
        await self._requested.wait()
        await asyncio.sleep(seconds)
