"""What a reply comes to: a decision, a rejection that is worth a second question, or neither.

One law for whoever plays and for whoever checks what was played.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from gridwars.benchmarks.contract import Decision, Episode, Outcome, Rejection, Reply, Request
from gridwars.log.events import Judged


@dataclass(frozen=True, slots=True)
class NoReply:
    """Nothing was said, and there is no use in asking again."""

    reason: str
    outcome: Outcome


Reading = Decision | Rejection | NoReply


def judge_reply(episode: Episode, request: Request, reply: Reply) -> tuple[Reading, Judged]:
    """What a reply is to the episode, and how that is recorded."""
    if reply.text is None:
        is_worth_repair = reply.outcome in (Outcome.EMPTY, Outcome.TRUNCATED)
        failure = reply.failure
        return (
            Rejection(failure) if is_worth_repair else NoReply(failure, reply.outcome),
            Judged(*request.key, reply.outcome, failure),
        )
    reading = _read(episode, request, reply)
    if isinstance(reading, Rejection):
        invalid = Outcome.INVALID if reply.outcome is Outcome.VALID else reply.outcome
        reason = f"{reply.failure}: {reading.reason}" if reply.failure else reading.reason
        rejection = msgspec.structs.replace(reading, reason=reason, reply=reply.text)
        return rejection, Judged(*request.key, invalid, reason)
    taken = Outcome.REPAIRED if reading.repairs else Outcome.VALID
    return reading, Judged(*request.key, taken, repairs=reading.repairs)


def _read(episode: Episode, request: Request, reply: Reply) -> Decision | Rejection:
    """What a game reads in a reply; one that its reader stumbles over is refused like any that is no answer.

    A reply is sealed before it is read: an error would come again whenever the episode is gone on with.
    """
    try:
        return episode.read(request, reply)
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        return Rejection(f"the reply cannot be read ({type(error).__name__})")


def make_repair(request: Request, rejection: Rejection) -> Request:
    """The second question, which says what was wrong with the first reply."""
    return msgspec.structs.replace(request, attempt=2, rejection=rejection)


def settle(episode: Episode, request: Request, reading: Reading) -> Decision:
    """What is played, once nobody is asked any more."""
    match reading:
        case Rejection():
            return episode.fallback(request, reading.reason)
        case NoReply():
            return episode.fallback(request, reading.reason, reading.outcome)
        case Decision():
            return reading
