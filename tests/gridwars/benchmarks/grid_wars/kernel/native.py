"""The kernel compiled for this machine with sanitizers, as a process to talk to."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

from gridwars.benchmarks.grid_wars.kernel.build import FOLDER

COMPILER = shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")
_OPTIONS = ("-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")


def build_driver(folder: Path) -> Path:
    """Compiles kernel and driver into `folder`."""
    assert COMPILER is not None
    driver = folder / "driver"
    sources = map(str, (*FOLDER.glob("*.c"), Path(__file__).with_name("driver.c")))
    options = (*_OPTIONS, *_SANITIZERS, "-I", str(FOLDER), "-o", str(driver))
    subprocess.run([COMPILER, *options, *sources], check=True)
    return driver


class NativeKernel:
    """A `Kernel` in a process of its own, which a sanitizer ends at the first thing wrong."""

    def __init__(self, driver: Path) -> None:
        self._process = subprocess.Popen(
            [driver], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def load(self, program: bytes) -> int:
        return self._command(b"l", program)

    def unload(self) -> None:
        self._command(b"u", b"")

    def play(self, jobs: bytes, count: int, result_size: int) -> bytes:
        played = self._command(b"p", jobs)
        assert played == count
        return self._read(result_size)

    def close(self) -> None:
        """Ends the process and checks that it was content to the last."""
        _, complaint = self._process.communicate()
        assert self._process.returncode == 0, complaint.decode()

    def _command(self, letter: bytes, payload: bytes) -> int:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(letter + struct.pack("<I", len(payload)) + payload)
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # What `_read` finds says more.
        (number,) = struct.unpack("<i", self._read(4))
        assert isinstance(number, int)
        return number

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        if len(data) < size:
            assert self._process.stderr is not None
            raise AssertionError(self._process.stderr.read().decode())
        return data
