"""What an interrupt does to play: the first stops it in good order, the second at once."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

from gridwars.cli.ending import sparing_first
from gridwars.harness.stopping import Stopping
from gridwars.policies.policy import INTERRUPTED

Result = TypeVar("Result")


def run_interruptibly(
    work: Callable[[], Coroutine[Any, Any, Result]],  # Any: as Coroutine has it
    stopping: Stopping,
    tell: Callable[[str], None],
) -> Result:
    """Runs work that heeds `stopping` to its end.

    Args:
        tell: told what the first interrupt does.

    Raises:
        KeyboardInterrupt: for the second one; what is in the logs is whole.
    """
    runner = asyncio.Runner()
    try:
        with sparing_first():
            result = runner.run(_run(work, stopping, tell))
    except KeyboardInterrupt:
        raise  # Closing would wait for threads, in which battles may still be played for nobody.
    except BaseException:
        runner.close()
        raise
    runner.close()
    return result


async def _run(
    work: Callable[[], Coroutine[Any, Any, Result]], stopping: Stopping, tell: Callable[[str], None]
) -> Result:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work())
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        if stopping.is_requested:
            interrupted = True
            task.cancel()
            return
        stopping.request(INTERRUPTED)
        tell(
            f"stopping: what is under way is awaited for up to {stopping.grace_seconds:g} s and kept; "
            f"interrupt again to stop at once"
        )

    def catch(number: int, frame: FrameType | None) -> None:
        stopping.is_coming = True
        loop.call_soon_threadsafe(interrupt)

    # Only the main thread may say what a signal does; a program that plays from another one has its own way.
    is_main = threading.current_thread() is threading.main_thread()
    numbers = _list_signals() if is_main else ()
    previous = {number: signal.signal(number, catch) for number in numbers}
    try:
        return await task
    except asyncio.CancelledError:
        if interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _list_signals() -> list[int]:
    """Those that stop play: an interrupt, a termination, and a hang-up unless it is to be outlived."""
    numbers: list[int] = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    return numbers
