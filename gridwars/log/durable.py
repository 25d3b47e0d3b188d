"""Bytes that are on the disk when the call returns."""

from __future__ import annotations

import os
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
