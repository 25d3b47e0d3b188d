"""The end that an interrupt makes: within a second, whatever other threads, processes or the kernel are at.

What unwinds is given that long; a battle in a thread, or a call into the kernel, which no interrupt reaches,
is not waited for. Nothing is lost by that: lines of a log are durable one by one, files are replaced whole.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NoReturn

from gridwars.cli.exit_codes import ExitCode

UNWINDING_SECONDS = 0.6

_ENDING = {signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])}
_SHOW_CURSOR = "\r\x1b[K\x1b[?25h"

_spared = threading.Semaphore(0)
"""How many signals to come end nothing, as what is under way is stopped in good order first."""


def guard_end() -> None:
    """From here on an interrupt ends the process; for the main thread of a process that is all ours."""
    signal.signal(signal.SIGINT, _interrupt_once)
    if sys.platform == "win32":
        return  # asyncio has the one descriptor that there is for signals
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    # The main thread may be in the kernel, where it runs no handler; this is written to even so.
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(target=_watch, args=(reading, _remember_terminal()), name="ending", daemon=True)
    watch.start()


@contextlib.contextmanager
def sparing_first() -> Iterator[None]:
    """The first signal that comes meanwhile does not end the process."""
    _spared.release()
    try:
        yield
    finally:
        _spared.acquire(blocking=False)


def end(code: ExitCode) -> NoReturn:
    """Ends the process, without waiting for threads once it was interrupted."""
    main = threading.main_thread()
    if code is ExitCode.INTERRUPTED and any(t is not main and not t.daemon for t in threading.enumerate()):
        _leave(code)
    sys.exit(code)


def _interrupt_once(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # A second one would interrupt the unwinding.
    raise KeyboardInterrupt


def _watch(signals: int, restore_terminal: Callable[[], None]) -> None:
    while numbers := os.read(signals, 1):
        if numbers[0] in _ENDING and not _spared.acquire(blocking=False):
            time.sleep(UNWINDING_SECONDS)
            restore_terminal()
            with contextlib.suppress(OSError):
                os.write(2, b"gridwars: interrupted\n")
            _leave(ExitCode.INTERRUPTED)


def _leave(code: ExitCode) -> NoReturn:
    if "multiprocessing" in sys.modules:  # importing it takes long, and without it there are none
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    os._exit(code)


def _remember_terminal() -> Callable[[], None]:
    """What gives the terminal back as it is now, where there is one."""
    if sys.platform == "win32" or not os.isatty(0):
        return _show_cursor
    import termios

    settings = termios.tcgetattr(0)

    def restore() -> None:
        with contextlib.suppress(OSError, termios.error):
            if os.tcgetpgrp(0) == os.getpgrp():  # Another's terminal is left alone.
                termios.tcsetattr(0, termios.TCSANOW, settings)
        _show_cursor()

    return restore


def _show_cursor() -> None:
    if os.isatty(2):
        with contextlib.suppress(OSError):
            os.write(2, _SHOW_CURSOR.encode())
