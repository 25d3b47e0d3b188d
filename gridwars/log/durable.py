"""Bytes that are on the disk when the call returns."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def write_all(descriptor: int, data: bytes) -> None:
    """Writes with as few calls as the system lets it, one as a rule."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def write_durably(path: Path, data: bytes, *, flags: int) -> None:
    """Creates a file with this content; `flags` say what happens where there is one (O_EXCL, O_TRUNC)."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags | getattr(os, "O_BINARY", 0), 0o666)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_durably(path: Path, data: bytes) -> None:
    """Puts this content into a file in one step: whatever goes wrong, the old one or the new one is whole.

    What is no plain file, such as `/dev/stdout`, is written to as it is.

    Raises:
        OSError: names `path`.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        temporary = target.with_name(f"{target.name}.tmp")
        try:
            write_durably(temporary, data, flags=os.O_TRUNC)
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def make_directory(path: Path) -> None:
    """Creates a directory and what is missing above it."""
    if not path.is_dir():
        make_directory(path.parent)
        path.mkdir(exist_ok=True)
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Makes names that were created, replaced or removed in a directory durable."""
    if os.name == "nt":
        return  # a directory cannot be opened there, and names are durable with the file
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
