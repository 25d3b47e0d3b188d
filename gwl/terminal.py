"""Keeps a terminal from showing text in another order than it stands in.

A file's name or a line of a script may hold controls that turn the direction of writing, so that what is
read is not what is there (Trojan Source, CVE-2021-42574). Nothing of ours needs them: a terminal is shown
their numbers instead. What goes to a file or a pipe stays as it is.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO, cast

_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_SHOWN = {code: f"\\u{code:04x}" for code in _TURNING}


def protect_terminal() -> None:
    """From here on, for as long as the process lives, where stdout or stderr is a terminal."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.isatty() and not isinstance(stream, _PlainStream):
            setattr(sys, name, cast(TextIO, _PlainStream(stream)))


class _PlainStream:
    """A text stream that writes such controls as their numbers, and is another one in all else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(text.translate(_SHOWN))
        return len(text)

    def writelines(self, lines: Any) -> None:  # Any: as TextIO has it
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # Any: whatever the stream has
        return getattr(self._stream, name)
