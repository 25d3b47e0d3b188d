"""What was decided in a played episode, read back from its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from gridwars.benchmarks.contract import Benchmark, Decision, Event


def iterate_decisions(
    benchmark: Benchmark, config: msgspec.Struct, events: Sequence[Event]
) -> Iterator[tuple[int, Decision]]:
    """The part and the decision of every request, in the order in which they were sealed.

    The episode is played along, since a decision is read by the moment that it answers; it ends with the
    first batch that the events do not answer in full, whose decisions are given all the same.

    Args:
        events: the benchmark's own, in order.
    """
    episode = benchmark.start(config)
    position = 0
    while (batch := episode.open()) is not None:
        decisions: list[Decision] = []
        while position < len(events) and len(decisions) < len(batch.requests):
            decision = episode.decision_of(events[position])
            position += 1
            if decision is not None:
                decisions.append(decision)
                yield batch.part, decision
        if [each.seat for each in decisions] != [request.seat for request in batch.requests]:
            return
        for _ in episode.advance(decisions):
            pass
