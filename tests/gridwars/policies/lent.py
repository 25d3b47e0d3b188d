"""What the harness lends to a policy, for tests of one answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gridwars.benchmarks.contract import Event, Rejection, Request
from gridwars.clock import Clock, SystemClock
from gridwars.policies.policy import Progress
from tests.gridwars.toy_benchmark import ToyObservation

OBSERVATION = ToyObservation(round=2, prize=3, limit=9, scores=(1, 2))


def ask(part: int = 2, *, seat: int = 1, attempt: int = 1, rejection: str = "") -> Request:
    return Request(part, seat, attempt, OBSERVATION, Rejection(rejection) if rejection else None)


class Lent:
    """Keeps everything that it is told."""

    def __init__(self, hidden: Path = Path("no-such-log.jsonl")) -> None:
        self.hidden = hidden
        self.clock: Clock = SystemClock()
        self.deadline = float("inf")
        self.events: list[Event] = []
        self.progress: list[Progress] = []

    async def record(self, events: Sequence[Event]) -> None:
        self.events += events

    def watch(self, progress: Progress) -> None:
        self.progress.append(progress)

    async def reserve_call(self) -> str:
        return ""

    def find_stop_reason(self) -> str:
        return ""
