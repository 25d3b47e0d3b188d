"""Reads files that others name: no pipe or device, which may never end, and no more than was meant."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import IO

MOST_BYTES = 2**26
"""Of any file that is read whole."""


def open_regular(path: Path) -> IO[bytes]:
    """Opens a file to read.

    Raises:
        OSError: names the path; for a pipe or a device too, which is opened without waiting for anybody.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return open(descriptor, "rb")  # noqa: PTH123 - a descriptor has no path
    except BaseException:
        os.close(descriptor)
        raise


def read_file(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """What a file holds.

    Raises:
        OSError: as `open_regular`, and for a larger file.
    """
    with open_regular(path) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        problem = f"larger than {most_bytes} bytes; is it the right file?"
        raise OSError(errno.EFBIG, problem, str(path))
    return data
