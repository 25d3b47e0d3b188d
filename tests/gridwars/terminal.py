"""A pseudo-terminal with a person before it, who waits for what the screen says and then types."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from typing import Any

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 60


class Person:
    """Sits before `follower`, which a program is to have as its terminal.

    Attributes:
        received: all that was shown so far.
        screen: the same without what only moves the cursor or colours.
    """

    def __init__(self, *, lines: int = 24, columns: int = 80) -> None:
        self.leader, self.follower = pty.openpty()
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.received = b""
        self._seen = 0

    @property
    def settings(self) -> list[Any]:
        return termios.tcgetattr(self.follower)

    @property
    def screen(self) -> str:
        return ESCAPE.sub("", self.received.decode("utf-8", "replace"))

    @property
    def highest_line(self) -> int:
        """The highest line that the cursor was on, 0 being that on which it began."""
        line = highest = 0
        for move in re.finditer(rb"\n|\x1b\[([0-9]+)A", self.received):
            line += -int(move[1]) if move[1] else 1
            highest = min(highest, line)
        return highest

    def type(self, keys: str) -> None:
        os.write(self.leader, keys.encode())

    def wait_for(self, text: str) -> str:
        """What is shown up to this text, from where the last wait ended."""
        deadline = time.monotonic() + SECONDS
        while (at := self.screen.find(text, self._seen)) < 0:
            assert time.monotonic() < deadline, f"never shown: {text!r}\n{self.screen}"
            assert self._receive(), f"closed before it showed {text!r}\n{self.screen}"
        begin, self._seen = self._seen, at + len(text)
        return self.screen[begin : self._seen]

    def read_to_end(self) -> str:
        """What is shown from where the last wait ended until nobody has the terminal any more."""
        self.close_follower()
        while self._receive():
            pass
        return self.screen[self._seen :]

    def leave(self) -> None:
        """Closes the terminal, as one closes its window."""
        os.close(self.leader)
        self.leader = -1

    def close_follower(self) -> None:
        if self.follower >= 0:
            os.close(self.follower)
            self.follower = -1

    def close(self) -> None:
        self.close_follower()
        if self.leader >= 0:
            self.leave()

    def _receive(self) -> bool:
        ready, _, _ = select.select([self.leader], [], [], 1)
        if not ready:
            return True
        try:
            data = os.read(self.leader, 65536)
        except OSError:
            return False
        self.received += data
        return bool(data)
