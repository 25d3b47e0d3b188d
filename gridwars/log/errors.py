"""What can go wrong with a log, each with the path and what can be done."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class Problem(Protocol):
    """The first thing wrong inside a log; its text names the line."""

    @property
    def line_number(self) -> int: ...

    def __str__(self) -> str: ...


class LogError(Exception):
    """Any of the errors below.

    Attributes:
        path: the log.
        reason: the message without the path.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class LogUnreadableError(LogError):
    """The file cannot be read, or is no log at all."""


class LogWriteError(LogError):
    """The disk did not take what was to be written; what the log held before stays valid."""


class LogLockedError(LogError):
    """Another writer has the log."""


class LogExistsError(LogError):
    """A new log was to be begun where there is something already."""


class LogEndedError(LogError):
    """Something was to be appended to an episode that has ended."""


class LogDamagedError(LogError):
    """The log holds something that was not written there by its writer, or not for this version.

    Attributes:
        problem: what, and in which line.
    """

    def __init__(self, path: Path, problem: Problem) -> None:
        super().__init__(path, str(problem))
        self.problem = problem
