"""An event loop whose clock jumps to the next timer once nothing else is to be done.

Code that waits minutes is tested in milliseconds, and against real sockets too where both ends live in the
loop: whatever one end has written, the other can read at once. Threads are waited for in real time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, TypeVarTuple

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

_PATIENCE_SECONDS = 0.003
"""Real time in which the kernel carries bytes from one socket of this machine to another."""

_EPOCH = datetime(2026, 11, 30, 12, tzinfo=UTC)


class HurryingLoop(asyncio.SelectorEventLoop):
    """Attributes:
    thread_count: of those at work for this loop.
    """

    def __init__(self) -> None:
        self.thread_count = 0
        self._jumped = 0.0
        super().__init__(_HurryingSelector(self))

    def time(self) -> float:
        return super().time() + self._jumped

    def jump(self, seconds: float) -> None:
        self._jumped += seconds

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        future = super().run_in_executor(executor, func, *args)
        self.thread_count += 1
        future.add_done_callback(self._count_end)
        return future

    def _count_end(self, future: asyncio.Future[Any]) -> None:
        self.thread_count -= 1


class LoopClock:
    """The running loop's time, for whatever takes a clock."""

    def now(self) -> datetime:
        return _EPOCH + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()


def hurry(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run` on a loop that hurries."""
    with asyncio.Runner(loop_factory=HurryingLoop) as runner:
        return runner.run(coroutine)


class _HurryingSelector(selectors.DefaultSelector):
    def __init__(self, loop: HurryingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= _PATIENCE_SECONDS or self._loop.thread_count > 0:
            return self._select(timeout)
        ready = self._select(_PATIENCE_SECONDS)
        if not ready:
            self._loop.jump(timeout - _PATIENCE_SECONDS)
        return ready

    def _select(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(timeout)
        return ready
