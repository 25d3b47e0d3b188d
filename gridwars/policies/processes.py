"""Runs a foreign program for one answer: what it sees, how much it may say, and the end of all it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PLAIN_VARIABLES = frozenset(
    {
        *(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TERM",
            "TZ",
            "LANG",
            "LANGUAGE",
            "TMPDIR",
            "TEMP",
            "TMP",
        ),
        *("VIRTUAL_ENV", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA"),
        *("LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"),
    }
)
"""What a program may need to run at all and what holds no secret; `LC_*` too."""

_MARK = "GRIDWARS_CALL"
_STDERR_BYTES = 2000
_DRAIN_SECONDS = 1
"""For what a program wrote before it ended; whoever holds its output open longer is not waited for."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a program came to.

    Attributes:
        exit_code: negative for a signal; None where it was stopped at a limit.
        output: at most one byte more than allowed.
        errors: the end of what it wrote to stderr.
    """

    exit_code: int | None
    output: bytes
    errors: bytes


def choose_environment(names: Sequence[str]) -> dict[str, str]:
    """The environment of a foreign program: nothing secret but what is named."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in PLAIN_VARIABLES or name.startswith("LC_") or name in names
    }


async def run_program(
    arguments: Sequence[str], data: bytes, environment: Mapping[str, str], *, most_bytes: int
) -> Said:
    """Runs a program to its end, or until it has said too much; nothing that it started outlives the call.

    Raises:
        OSError: where it cannot be started.
    """
    loop = asyncio.get_running_loop()
    mark = uuid.uuid4().hex
    transport, listener = await loop.subprocess_exec(
        lambda: _Listener(most_bytes),
        *arguments,
        env={**environment, _MARK: mark},
        start_new_session=True,
    )
    try:
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport), "asked for a pipe"
        stdin.write(data)
        stdin.close()
        await asyncio.wait({listener.exited, listener.overflown}, return_when=asyncio.FIRST_COMPLETED)
        if not listener.overflown.done():
            await asyncio.wait({listener.output_ended}, timeout=_DRAIN_SECONDS)
        exit_code = transport.get_returncode() if listener.exited.done() else None
        return Said(exit_code, bytes(listener.output), bytes(listener.errors))
    finally:
        _kill_all(transport.get_pid(), mark)
        await asyncio.wait({listener.exited}, timeout=_DRAIN_SECONDS)
        transport.close()


class _Listener(asyncio.SubprocessProtocol):
    """Keeps what a program says within its bounds."""

    def __init__(self, most_bytes: int) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.output_ended: asyncio.Future[None] = loop.create_future()
        self.overflown: asyncio.Future[None] = loop.create_future()
        self.output = bytearray()
        self.errors = bytearray()
        self._most_bytes = most_bytes

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.errors += data
            del self.errors[:-_STDERR_BYTES]
            return
        self.output += data[: self._most_bytes + 1 - len(self.output)]
        if len(self.output) > self._most_bytes:
            _settle(self.overflown)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            _settle(self.output_ended)

    def process_exited(self) -> None:
        _settle(self.exited)


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _kill_all(pid: int, mark: str) -> None:
    """Ends the program, its process group, and whoever left the group but still bears the mark."""
    if sys.platform == "win32":
        subprocess.run(  # noqa: S603  no foreign text in it
            ["taskkill", "/F", "/T", "/PID", str(pid)],  # noqa: S607  where Windows keeps it
            capture_output=True,
            check=False,
        )
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    needle = f"{_MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if needle in entry.read_bytes():
                os.kill(int(entry.parent.name), signal.SIGKILL)
