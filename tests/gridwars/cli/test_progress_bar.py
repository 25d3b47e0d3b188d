"""A bar on the terminal leaves the lines alone that are printed meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a terminal as POSIX has it", allow_module_level=True)

from tests.gridwars.terminal import Person

SCRIPT = """
from gridwars.cli.console import show_progress
with show_progress("Working") as progress:
    for number in range(3):
        progress(number + 1, 3)
        progress.say(f"line {number}")
"""


def test_lines_begin_where_the_bar_was_taken_away() -> None:
    person = Person(columns=80)
    command = [sys.executable, "-c", SCRIPT]
    terminal = person.follower
    environment = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment)
    try:
        person.read_to_end()
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        person.close()
    assert b"Working" in person.received
    for number in range(3):
        assert b"\x1b[1A\x1b[2Kline %d\r\n" % number in person.received, "the bar's line is erased first"
    assert person.received.endswith(b"\x1b[1A\x1b[2K")
