"""Model servers that others wrote, each a process on 127.0.0.1, to meet the protocols as others read them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import filelock

AIMOCK = "@copilotkit/aimock@1.43.0"
_READY_SECONDS = 60
_STOP_SECONDS = 10


class InstallError(Exception):
    """A package that cannot be had here; the message is what its installer said last."""


def find_npm() -> str | None:
    return shutil.which("npm")


def install_aimock(cache: Path) -> Path:
    """The program's script; installed into the cache where it is not there yet.

    Raises:
        InstallError: where the registry is out of reach.
    """
    script = cache / "node_modules/@copilotkit/aimock/dist/cli.js"
    cache.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(cache / "install.lock"):
        if not script.is_file():
            npm = find_npm()
            assert npm is not None, "asked for only where npm is"
            arguments = ["install", "--prefix", str(cache), "--no-save", "--no-audit", "--no-fund"]
            arguments += ["--fetch-retries=1", "--fetch-timeout=20000", AIMOCK]
            _run_npm([npm, *arguments])
    return script


def _run_npm(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired as error:
        raise InstallError("no answer in 300 s") from error
    if done.returncode:
        raise InstallError((done.stderr.strip() or done.stdout.strip())[-300:])


@contextlib.contextmanager
def run_aimock(script: Path, folder: Path, replies: Sequence[str]) -> Iterator[str]:
    """Runs it; gives its address.

    Args:
        replies: to the calls, in order; the last one from then on.
    """
    fixtures = [
        {"match": {"sequenceIndex": index}, "response": {"content": reply}}
        for index, reply in enumerate(replies[:-1])
    ]
    fixtures.append({"match": {}, "response": {"content": replies[-1]}})
    file = folder / "aimock.json"
    file.write_text(json.dumps({"fixtures": fixtures}), encoding="utf-8")
    port = _find_port()
    with _run(
        ["node", str(script), "-p", str(port), "-f", str(file), "--strict"], port, folder / "aimock.log"
    ):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def run_llm_mock(folder: Path, reply: str) -> Iterator[str]:
    """Runs llm-mock-api, which gives one reply to everything; gives its address."""
    port = _find_port()
    program = Path(sys.executable).with_name("llm-mock-api")
    options = ["-p", str(port), "-c", "50", "--config", str(folder / "none.json"), "-f", reply]
    with _run([str(program), "start", *options], port, folder / "llm-mock-api.log"):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def _run(command: list[str], port: int, output: Path) -> Iterator[None]:
    with output.open("wb") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, env=_environment()
        )
    try:
        _wait_until_ready(process, port, output)
        yield
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _environment() -> dict[str, str]:
    """Ours without the keys: a mock has no use for them."""
    return {name: value for name, value in os.environ.items() if "KEY" not in name and "TOKEN" not in name}


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, output: Path) -> None:
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {output.read_text(errors='replace')}")


def _find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
