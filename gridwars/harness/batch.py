"""One batch: every seat asked at the same time, decisions back in seat order, no seat ever missing.

Concurrent inside, ordered outside. A reply that cannot be taken is asked for once more, in one smaller
batch with the exact error; a seat that fails again, or gives no reply at all, plays the fallback.
Replies are in the log before they are read, so none is ever asked for twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

import msgspec

from gridwars.benchmarks.contract import Batch, Decision, Episode, Event, Rejection, Reply, Request
from gridwars.clock import Clock
from gridwars.log.events import Answered, Asked
from gridwars.policies.policy import Policy

Record = Callable[[Sequence[Event]], None]
"""Makes a group of events durable before it returns."""

Answers = Mapping[tuple[int, int, int], Answered]
"""Replies that the log holds already, by request key."""


async def decide_batch(
    batch: Batch,
    episode: Episode,
    policies: Sequence[Policy],
    *,
    answers: Answers,
    record: Record,
    clock: Clock,
    timeout_seconds: float,
) -> tuple[Decision, ...]:
    """One decision for every request of the batch, in its order."""
    deadline = clock.monotonic() + timeout_seconds
    asking = _Asking(episode, policies, answers, record, clock, deadline)
    outcomes = await asking.ask(batch.requests)
    repairs = [
        msgspec.structs.replace(request, attempt=2, rejection=outcome)
        for request, outcome in zip(batch.requests, outcomes, strict=True)
        if isinstance(outcome, Rejection) and not policies[request.seat].scripted
    ]
    repaired = dict(zip((r.seat for r in repairs), await asking.ask(repairs), strict=True))
    decisions = []
    for request, first in zip(batch.requests, outcomes, strict=True):
        outcome = repaired.get(request.seat, first)
        if isinstance(outcome, Rejection):
            outcome = episode.fallback(request, outcome.reason)
        elif isinstance(outcome, Reply):
            outcome = episode.fallback(request, outcome.failure)
        decisions.append(outcome)
    return tuple(decisions)


class _Asking:
    """The means to ask: shared by a batch's first attempt and its repair."""

    def __init__(
        self,
        episode: Episode,
        policies: Sequence[Policy],
        answers: Answers,
        record: Record,
        clock: Clock,
        deadline: float,
    ) -> None:
        self._episode = episode
        self._policies = policies
        self._answers = answers
        self._record = record
        self._clock = clock
        self._deadline = deadline

    async def ask(self, requests: Sequence[Request]) -> list[Decision | Rejection | Reply]:
        """What each request came to, in order: a decision, a rejection, or a reply without text."""
        logged = [
            Asked(part=request.part, seat=request.seat, attempt=request.attempt)
            for request in requests
            if not self._policies[request.seat].scripted and request.key not in self._answers
        ]
        if logged:
            self._record(logged)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._reply(request)) for request in requests]
        replies = [task.result() for task in tasks]
        return [
            reply if reply.text is None else self._episode.read(request, reply)
            for request, reply in zip(requests, replies, strict=True)
        ]

    async def _reply(self, request: Request) -> Reply:
        policy = self._policies[request.seat]
        if request.key in self._answers:
            answer = self._answers[request.key]
            return Reply(text=answer.text, failure=answer.failure)
        started = self._clock.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self._deadline - started)):
                reply = await policy.answer(request)
        except TimeoutError:
            reply = Reply(text=None, failure="no reply before the batch's deadline")
        if not policy.scripted:
            self._record([_render_answered(request, reply, self._clock.monotonic() - started)])
        return reply


def _render_answered(request: Request, reply: Reply, seconds: float) -> Answered:
    return Answered(
        part=request.part,
        seat=request.seat,
        attempt=request.attempt,
        text=reply.text,
        failure=reply.failure,
        latency_milliseconds=round(seconds * 1000),
    )
