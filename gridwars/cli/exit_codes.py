"""What the process says at its end: every exit code of `gridwars`, with its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType


class ExitCode(IntEnum):
    OK = 0
    FAILED = 1
    USAGE = 2
    FILE = 3
    CHAIN_BROKEN = 4
    RESULT_DIFFERS = 5
    VERSION_DIFFERS = 6
    STOPPED = 7
    VOID = 8
    INTERNAL = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


MEANINGS: Mapping[ExitCode, str] = MappingProxyType(
    {
        ExitCode.OK: "all is well",
        ExitCode.FAILED: "what was checked is wrong: a vector, a script or a seat failed",
        ExitCode.USAGE: "the command line, a configuration value or a seat is wrong",
        ExitCode.FILE: "a file cannot be read or written, or is not what it should be",
        ExitCode.CHAIN_BROKEN: "audit: a log was changed after it was written",
        ExitCode.RESULT_DIFFERS: "audit: a log is whole, but its record does not follow from its decisions",
        ExitCode.VERSION_DIFFERS: "audit: a log was played by other rules than this version's",
        ExitCode.STOPPED: "play: stopped before the end by a provider, a key or a budget; it can be resumed",
        ExitCode.VOID: "play: at the end, but void: a seat was kept from answering by no fault of its own",
        ExitCode.INTERNAL: "a mistake of this program",
        ExitCode.INTERRUPTED: "interrupted from the keyboard",
        ExitCode.BROKEN_PIPE: "whoever read the output stopped reading",
    }
)
"""One line for each code, as `--help` and the README show it."""
