"""Time as an argument: the harness asks a clock, and nothing digested ever does."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The time of day, in UTC; for records only."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards; for deadlines and durations."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
