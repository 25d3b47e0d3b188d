"""One batch: every seat asked at the same time, decisions back in seat order, no seat ever missing.

Concurrent inside, ordered outside. A reply that cannot be taken is asked for once more, in one smaller
batch with the exact error; a seat that fails again, or can give no reply at all, plays the fallback.
Replies are in the log before they are read, so none is ever asked for twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridwars.benchmarks.contract import Batch, Decision, Episode, Event, Outcome, Rejection, Reply, Request
from gridwars.canonical import hash_text
from gridwars.clock import Clock
from gridwars.harness.budget import Till
from gridwars.harness.stopping import Stopping
from gridwars.log.events import Answered, Asked, Judged, Message, Text
from gridwars.log.judging import Reading, judge_reply, make_repair, settle
from gridwars.log.spending import count_bytes
from gridwars.policies.policy import (
    Answer,
    AnswersAtOnce,
    EpisodeStopped,
    Phase,
    PlayStopped,
    Policy,
    Progress,
    Watcher,
)

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
        hidden: what no foreign program may read.
    """

    episode: Episode
    policies: Sequence[Policy]
    memory: Memory
    record: Record
    watch: Watcher
    clock: Clock
    till: Till
    stopping: Stopping
    hidden: Path


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
    deadlines = {request.seat: deadline for request in batch.requests}
    outcomes = await _ask(batch.requests, desk, deadlines, closed)
    repairs = [
        make_repair(request, outcome)
        for request, outcome in zip(batch.requests, outcomes, strict=True)
        if isinstance(outcome, Rejection) and not desk.policies[request.seat].scripted
    ]
    if any(repair.key not in desk.memory.answers for repair in repairs):
        desk.stopping.require_going_on()
    repaired = dict(zip((r.seat for r in repairs), await _ask(repairs, desk, deadlines, closed), strict=True))
    return tuple(
        settle(desk.episode, request, repaired.get(request.seat, first))
        for request, first in zip(batch.requests, outcomes, strict=True)
    )


def decide_at_once(batch: Batch, episode: Episode, policies: Sequence[AnswersAtOnce]) -> tuple[Decision, ...]:
    """The same for seats that all answer at once, which takes no tasks and leaves nothing to record."""
    decisions = []
    for request in batch.requests:
        reading, _ = judge_reply(episode, request, policies[request.seat].answer_at_once(request))
        decisions.append(settle(episode, request, reading))
    return tuple(decisions)


async def _ask(
    requests: Sequence[Request], desk: Desk, deadlines: dict[int, float], closed: str
) -> list[Reading]:
    """What each request came to, in order.

    Args:
        deadlines: by seat; put off by the time that a seat waits for the budget.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_Answering(request, desk, deadlines).run(closed)) for request in requests
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

    def __init__(self, request: Request, desk: Desk, deadlines: dict[int, float]) -> None:
        self._request = request
        self._desk = desk
        self._deadlines = deadlines

    @property
    def clock(self) -> Clock:
        return self._desk.clock

    @property
    def deadline(self) -> float:
        return self._deadlines[self._request.seat]

    @property
    def hidden(self) -> Path:
        return self._desk.hidden

    async def record(self, events: Sequence[Event]) -> None:
        await self._desk.record(events)

    def watch(self, progress: Progress) -> None:
        self._desk.watch(progress)

    async def reserve_call(self) -> str:
        return await self._desk.till.reserve_again(self._request.key, self._tell_of_wait)

    def find_stop_reason(self) -> str:
        return self._desk.stopping.reason

    async def run(self, closed: str) -> Reply | PlayStopped:
        """The reply, in the log before it is returned; the one that the log holds already, if any.

        A stop is a value, and a request to all others, so that replies under way are not lost with it.

        Args:
            closed: why nobody may be asked; "" where all may.
        """
        request, desk = self._request, self._desk
        recorded = desk.memory.answers.get(request.key)
        if recorded is not None:
            return Reply(text=recorded.text, failure=recorded.failure, outcome=recorded.outcome)
        policy = desk.policies[request.seat]
        prompt = policy.render_prompt(request)
        try:
            if policy.scripted:
                return (await self._answer(policy, prompt, "")).reply
            lack = closed or await self._reserve(prompt)
            await _record_question(request, prompt, desk)
            started = desk.clock.monotonic()
            answer = await self._answer(policy, prompt, lack)
        except PlayStopped as stop:
            if not isinstance(stop, EpisodeStopped):
                desk.stopping.request(str(stop))
            return stop
        reply = answer.reply
        milliseconds = round((desk.clock.monotonic() - started) * 1000)
        answered = Answered(*request.key, reply.text, reply.outcome, reply.failure, milliseconds)
        await desk.record([*answer.events, answered])
        self.watch(Progress(request.seat, request.attempt, Phase.DONE))
        return reply

    async def _answer(self, policy: Policy, prompt: Sequence[Message], lack: str) -> Answer:
        if lack:
            return _give_up(lack, Outcome.BUDGET)
        try:
            async with asyncio.timeout(max(0.0, self.deadline - self.clock.monotonic())):
                return await policy.answer(self._request, prompt, self)
        except TimeoutError:
            return _give_up("no reply before the batch's deadline", Outcome.LATE)

    async def _reserve(self, prompt: Sequence[Message]) -> str:
        """Waits for the budget, at the cost of no time to think; why there will be none, else ""."""
        prompt_bytes = sum(count_bytes(message.text) for message in prompt)
        began = self.clock.monotonic()
        reserving = self._desk.till.reserve(self._request.key, prompt_bytes, self._tell_of_wait)
        lack = await self._desk.stopping.lend_grace(reserving, seconds=0)
        self._deadlines[self._request.seat] += self.clock.monotonic() - began
        return lack

    def _tell_of_wait(self, reason: str) -> None:
        self.watch(Progress(self._request.seat, self._request.attempt, Phase.WAITING, reason))


async def _record_question(request: Request, prompt: Sequence[Message], desk: Desk) -> None:
    """Records what is asked; a long text that all seats share only the first time."""
    events: list[Event] = []
    messages = []
    for message in prompt:
        if message.role == "system" and len(message.text) >= LONG_TEXT:
            digest = hash_text(message.text)
            if digest not in desk.memory.texts:
                desk.memory.texts.add(digest)
                events.append(Text(digest=digest, text=message.text))
            message = Message(role=message.role, digest=digest)
        messages.append(message)
    await desk.record([*events, Asked(*request.key, prompt=tuple(messages))])


def _give_up(failure: str, outcome: Outcome) -> Answer:
    return Answer(Reply(text=None, failure=failure, outcome=outcome))
