"""Keeps a foreign program from reading the log that grows while it plays.

The log holds the seed, and the scripts that faster seats have handed in this round. Linux's Landlock (5.13 or
newer) needs no privilege: a thread gives up rights for itself and all that it starts. It knows only what is
allowed, so everything beside the way to what is hidden is; what is made later in a folder on that way (say,
the current one, when logs go to `runs/`) can be written, but not read before the program's next start. Nor
can who is confined reach into a process outside: not into its memory, its open files or its environment under
`/proc`, where keys are; root gives up for that what would let it. Root can still read a disk as a device.

The file is also the program that confines itself and then becomes the foreign one, so that nothing is done
between a fork and an exec of a process that has threads:

    python -I -S confinement.py HIDDEN PROGRAM ARGUMENTS
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum


class Confinement(StrEnum):
    """How programs are kept from the log; the log says so of each seat that a program plays."""

    LANDLOCK = "landlock"
    NONE = "none"


# From linux/landlock.h and linux/prctl.h; the numbers of the calls are the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_READ_FILE = 1 << 2
_REFER = 1 << 13
"""To move a file to another folder; denied to all who are confined unless it is granted. Since version 2."""
_SET_NO_NEW_PRIVS = 38
_DROP_FROM_BOUNDING_SET = 24
_LOOKING_INTO_PROCESSES = (19, 21, 38)
"""CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON, the last two of which pass by Landlock."""


@functools.cache
def find_confinement() -> Confinement:
    """What this system can do."""
    return Confinement.LANDLOCK if _find_version() > 0 else Confinement.NONE


def confine_command(hidden: str, arguments: Sequence[str]) -> list[str]:
    """The command line that runs another one without a view of a file or folder, where this system can."""
    if find_confinement() is Confinement.NONE:
        return list(arguments)
    return [sys.executable, "-I", "-S", __file__, hidden, *arguments]


def hide(path: str) -> None:
    """Takes from this thread, and from all that it will start, the right to read a file or folder, for good.

    Raises:
        OSError: where the kernel refuses; nothing may be run then.
    """
    handled = _READ_FILE | (_REFER if _find_version() > 1 else 0)
    attributes = handled.to_bytes(8, sys.byteorder)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    for beside in _list_beside(os.path.realpath(path)):
        _allow(ruleset, beside, handled)
    for capability in _LOOKING_INTO_PROCESSES:
        # Refused to all but root, who alone has it.
        _libc().prctl(_DROP_FROM_BOUNDING_SET, *map(ctypes.c_ulong, (capability, 0, 0, 0)))
    if _libc().prctl(_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))):
        raise OSError(ctypes.get_errno(), "cannot give up privileges")
    _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _list_beside(path: str) -> Iterator[str]:
    """Everything that lies beside the path, or beside a folder above it."""
    while (parent := os.path.dirname(path)) != path:  # noqa: PTH120  pathlib takes as long to load as all else
        # What cannot be listed cannot be granted either.
        try:
            names = os.listdir(parent)  # noqa: PTH208
        except OSError:
            names = []
        for name in names:
            beside = os.path.join(parent, name)  # noqa: PTH118
            # Where a link leads to is granted, or not, where that lies.
            if beside != path and not os.path.islink(beside):  # noqa: PTH114
                yield beside
        path = parent


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Grants rights to what is there; what has gone, or is kept from us, needs none."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112
            rights &= _READ_FILE
        rule = rights.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_RULE_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


def _find_version() -> int:
    """Landlock's; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        flags = ctypes.c_uint32(_CREATE_RULESET_VERSION)
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), flags)
    except OSError:
        return 0


def _call(number: int, *arguments: object) -> int:
    result: int = _libc().syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _become(hidden: str, arguments: list[str]) -> None:
    """Turns this process into the program.

    Raises:
        SystemExit: says why it cannot.
    """
    try:
        hide(hidden)
    except OSError as error:
        sys.exit(f"cannot be kept from the log, and is not started: {error.strerror}")
    try:
        os.execvp(arguments[0], arguments)  # noqa: S606  what an operator named, and no shell
    except OSError as error:
        sys.exit(f"cannot be started: {error.strerror}")


if __name__ == "__main__":
    _become(sys.argv[1], sys.argv[2:])
