"""Follows a played episode along its recorded events: the one fold below resuming, auditing and showing.

An episode can only be told by playing it: a decision is read by the moment that it answers. So the events
give every batch its decisions, as far as they have sealed them, and what follows is derived again, to stand
beside what is recorded or to be left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridwars.benchmarks.contract import Batch, Decision, Episode, Event


class Sealed(NamedTuple):
    """A decision that an event holds.

    Attributes:
        place: of that event, from 0, among those that are followed.
    """

    place: int
    decision: Decision


class Opened(NamedTuple):
    """The open batch, with as many of its decisions as are recorded."""

    batch: Batch
    sealed: tuple[Sealed, ...]

    @property
    def decisions(self) -> tuple[Decision, ...] | None:
        """One for every request, in seat order; None where the events do not hold them all."""
        decisions = tuple(each.decision for each in self.sealed)
        seats = [request.seat for request in self.batch.requests]
        return decisions if [decision.seat for decision in decisions] == seats else None


class Following:
    """An episode, and how far its events have been followed.

    Iterating gives every batch before it is played, the last one perhaps without all its decisions.
    """

    def __init__(self, episode: Episode, events: Sequence[Event]) -> None:
        """
        Args:
            episode: at its start.
            events: the benchmark's own, in order; more may come while they are followed.
        """
        self.episode = episode
        self._events = events
        self._next = 0

    def __iter__(self) -> Iterator[Opened]:
        while (opened := self.open()) is not None:
            yield opened
            if not self.play(opened):
                return

    @property
    def next_event(self) -> Event | None:
        """The first that has not been passed; None where there is no further one."""
        return self._events[self._next] if self._next < len(self._events) else None

    def open(self) -> Opened | None:
        """The batch that must be answered now; None once the episode is over."""
        batch = self.episode.open()
        if batch is None:
            return None
        sealed: list[Sealed] = []
        for place in range(self._next, len(self._events)):
            decision = self.episode.decision_of(self._events[place])
            if decision is not None:
                sealed.append(Sealed(place, decision))
            if len(sealed) == len(batch.requests):
                break
        return Opened(batch, tuple(sealed))

    def play(self, opened: Opened) -> bool:
        """Plays the batch, if its decisions are recorded, without a look at what is recorded of the rest."""
        decisions = opened.decisions
        if decisions is None:
            return False
        self._next = opened.sealed[-1].place + 1
        for _ in self.episode.advance(decisions):
            pass
        return True

    def compare(self, groups: Iterator[Sequence[Event]]) -> Iterator[tuple[Sequence[Event], Sequence[Event]]]:
        """Each derived group beside the events recorded for it: as many, or fewer where they end.

        The next group is derived only when it is asked for.
        """
        for group in groups:
            recorded = self._events[self._next : self._next + len(group)]
            self._next += len(recorded)
            yield group, recorded
