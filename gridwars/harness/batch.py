"""One batch: every seat asked at the same time, decisions back in seat order, no seat ever missing.

Concurrent inside, ordered outside. A reply that cannot be taken is asked for once more, in one smaller
batch with the exact error; a seat that fails again, or can give no reply at all, plays the fallback.
Replies are in the log before they are read, so none is ever asked for twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.contract import Batch, Decision, Episode, Event, Outcome, Rejection, Reply, Request
from gridwars.canonical import hash_text
from gridwars.clock import Clock
from gridwars.harness.budget import Till
from gridwars.harness.stopping import Stopping
from gridwars.log.events import Answered, Asked, Judged, Message, Text
from gridwars.log.judging import Reading, judge_reply, make_repair, settle
from gridwars.log.spending import count_bytes
from gridwars.policies.policy import Answer, Phase, PlayStopped, Policy, Progress, Watcher

Record = Callable[[Sequence[Event]], Awaitable[None]]
"""Makes a group of events durable before it returns."""

Key = tuple[int, int, int]
"""Part, seat and attempt: what tells requests apart."""

LONG_TEXT = 1024
"""Code points from which a message that every seat shares is logged once and named by its digest."""


@dataclass(slots=True)
class Memory:
    """What the log holds already of the requests of an episode.

    Attributes:
        answers: by request key.
        judged: keys of the requests whose outcome is recorded.
        texts: digests of the texts that are recorded.
    """

    answers: dict[Key, Answered]
    judged: set[Key]
    texts: set[str]

    @classmethod
    def recall(cls, events: Collection[Event]) -> Memory:
        return cls(
            answers={e.key: e for e in events if isinstance(e, Answered)},
            judged={e.key for e in events if isinstance(e, Judged)},
            texts={e.digest for e in events if isinstance(e, Text)},
        )


@dataclass(frozen=True, slots=True)
class Desk:
    """What stays the same for all batches of an episode: who is asked, and where it is written.

    Attributes:
        till: lets calls through that the budget has room for.
        stopping: whether nothing new is to be begun.
    """

    episode: Episode
    policies: Sequence[Policy]
    memory: Memory
    record: Record
    watch: Watcher
    clock: Clock
    till: Till
    stopping: Stopping


async def decide_batch(
    batch: Batch, desk: Desk, *, timeout_seconds: float, closed: str = ""
) -> tuple[Decision, ...]:
    """One decision for every request of the batch, in its order.

    Args:
        closed: why nobody may be asked, so that scripted seats alone answer; "" where all are.

    Raises:
        PlayStopped: where a policy or the budget of the run says so, or before a repair once a stop was
            asked for; replies that came are in the log.
    """
    deadline = desk.clock.monotonic() + timeout_seconds
    outcomes = await _ask(batch.requests, desk, deadline, closed)
    repairs = [
        make_repair(request, outcome)
        for request, outcome in zip(batch.requests, outcomes, strict=True)
        if isinstance(outcome, Rejection) and not desk.policies[request.seat].scripted
    ]
    if any(repair.key not in desk.memory.answers for repair in repairs):
        desk.stopping.require_going_on()
    repaired = dict(zip((r.seat for r in repairs), await _ask(repairs, desk, deadline, closed), strict=True))
    return tuple(
        settle(desk.episode, request, repaired.get(request.seat, first))
        for request, first in zip(batch.requests, outcomes, strict=True)
    )


async def _ask(requests: Sequence[Request], desk: Desk, deadline: float, closed: str) -> list[Reading]:
    """What each request came to, in order."""
    prompts = [desk.policies[request.seat].render_prompt(request) for request in requests]
    lacks = [
        _find_lack(request, prompt, desk, closed) for request, prompt in zip(requests, prompts, strict=True)
    ]
    await _record_questions(requests, prompts, desk)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_Answering(request, desk, deadline).run(prompt, lack))
                for request, prompt, lack in zip(requests, prompts, lacks, strict=True)
            ]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    replies: list[Reply] = []
    for task in tasks:
        reply = task.result()
        if isinstance(reply, PlayStopped):
            raise reply
        replies.append(reply)
    readings = [
        judge_reply(desk.episode, request, reply) for request, reply in zip(requests, replies, strict=True)
    ]
    await _record_outcomes([judged for _, judged in readings], desk)
    return [reading for reading, _ in readings]


def _find_lack(request: Request, prompt: Sequence[Message], desk: Desk, closed: str) -> str:
    """Why a request may not be asked; "" where it may, its cost then being set aside, or need not be."""
    if desk.policies[request.seat].scripted or request.key in desk.memory.answers:
        return ""
    return closed or desk.till.reserve(request.key, sum(count_bytes(message.text) for message in prompt))


async def _record_questions(
    requests: Sequence[Request], prompts: Sequence[tuple[Message, ...]], desk: Desk
) -> None:
    events: list[Event] = []
    for request, prompt in zip(requests, prompts, strict=True):
        if desk.policies[request.seat].scripted or request.key in desk.memory.answers:
            continue
        messages = []
        for message in prompt:
            if message.role == "system" and len(message.text) >= LONG_TEXT:
                digest = hash_text(message.text)
                if digest not in desk.memory.texts:
                    desk.memory.texts.add(digest)
                    events.append(Text(digest=digest, text=message.text))
                message = Message(role=message.role, digest=digest)
            messages.append(message)
        events.append(Asked(*request.key, prompt=tuple(messages)))
    if events:
        await desk.record(events)


async def _record_outcomes(outcomes: Sequence[Judged], desk: Desk) -> None:
    new = [
        judged
        for judged in outcomes
        if not desk.policies[judged.seat].scripted and judged.key not in desk.memory.judged
    ]
    if new:
        await desk.record(new)


class _Answering:
    """One request being answered: what the policy is lent (see `Asking`)."""

    def __init__(self, request: Request, desk: Desk, deadline: float) -> None:
        self._request = request
        self._desk = desk
        self.deadline = deadline

    @property
    def clock(self) -> Clock:
        return self._desk.clock

    async def record(self, events: Sequence[Event]) -> None:
        await self._desk.record(events)

    def watch(self, progress: Progress) -> None:
        self._desk.watch(progress)

    def find_spent_budget(self) -> str:
        return self._desk.till.find_lack(self._request.key)

    def find_stop_reason(self) -> str:
        return self._desk.stopping.reason

    async def run(self, prompt: Sequence[Message], lack: str) -> Reply | PlayStopped:
        """The reply, in the log before it is returned; the one that the log holds already, if any.

        A stop is a value, and a request to all others, so that replies under way are not lost with it.

        Args:
            lack: why there is no budget to ask with; "" where there is.
        """
        request, desk = self._request, self._desk
        recorded = desk.memory.answers.get(request.key)
        if recorded is not None:
            return Reply(text=recorded.text, failure=recorded.failure, outcome=recorded.outcome)
        policy = desk.policies[request.seat]
        started = desk.clock.monotonic()
        try:
            async with asyncio.timeout(max(0.0, self.deadline - started)):
                answer = (
                    _give_up(lack, Outcome.BUDGET) if lack else await policy.answer(request, prompt, self)
                )
        except TimeoutError:
            answer = _give_up("no reply before the batch's deadline", Outcome.LATE)
        except PlayStopped as stop:
            desk.stopping.request(str(stop))
            return stop
        reply = answer.reply
        if not policy.scripted:
            milliseconds = round((desk.clock.monotonic() - started) * 1000)
            answered = Answered(*request.key, reply.text, reply.outcome, reply.failure, milliseconds)
            await desk.record([*answer.events, answered])
        self.watch(Progress(request.seat, request.attempt, Phase.DONE))
        return reply


def _give_up(failure: str, outcome: Outcome) -> Answer:
    return Answer(Reply(text=None, failure=failure, outcome=outcome))
