"""Who answers for a seat: the one protocol that built-ins, files, programs, people and models share."""

from __future__ import annotations

from typing import Protocol

from gridwars.benchmarks.contract import Reply, Request
from gridwars.log.events import SeatRecord


class Policy(Protocol):
    """One seat's answerer, made for one episode.

    Attributes:
        record: what the log keeps of it; enough to make it again when the episode is resumed.
        scripted: true where answers cost nothing and are a pure function of record and observation,
            so that they need no log of their own.
    """

    @property
    def record(self) -> SeatRecord: ...

    @property
    def scripted(self) -> bool: ...

    async def answer(self, request: Request) -> Reply:
        """Answers one request.

        Whatever the world does is a value: a `Reply` without text that says why. Cancellation (the
        batch's deadline) must leave nothing running.
        """
        ...


class PolicyError(ValueError):
    """A seat cannot be filled as asked; the message names the seat's text and what would be right."""
