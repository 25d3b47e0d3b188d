"""What the harness's own events must agree on among themselves, whatever the benchmark.

Question, calls, reply and judgement of a request stand in this order and are told apart by part, seat
and attempt. A resumed run may ask once more where no reply stood, and counts calls from 1 again then; a
reply is never asked for twice. What a model's reply came from is one call that succeeded, in the line
before it; what has no reply came from calls that failed, or none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.contract import Finding, Outcome
from gridwars.canonical import hash_text
from gridwars.log.called import check_called
from gridwars.log.events import (
    Answered,
    Asked,
    Called,
    Judged,
    RequestEvent,
    SeatRecord,
    Start,
    Text,
)
from gridwars.log.line import Line
from gridwars.log.metering import CONTEXT_FULL, tell_limit

Key = tuple[int, int, int]

_CALL_COUNT = re.compile(r"no answer in (\d+) calls \(")
_ERRORS = {
    Outcome.VOID: frozenset({"transport"}),
    Outcome.THROTTLED: frozenset({"rate_limit", "overload"}),
}
"""What the last call's error must be where a model could not be reached."""


@dataclass(slots=True)
class _Request:
    """How far one request has come.

    Attributes:
        call_count: since it was asked last.
        last_call: the last of those, and where it stands.
    """

    asked: bool = False
    call_count: int = 0
    last_call: tuple[int, Called] | None = None
    answered: bool = False
    judged: bool = False


def check_exchange(lines: Iterable[Line]) -> Iterator[Finding]:
    """Every event that stands without what must come before it, a second time, or against its seat."""
    walk = _Walk()
    for line in lines:
        match line.event:
            case Start(seats=records):
                walk.seats = records
            case Text(digest=digest, text=text):
                derived = hash_text(text)
                if digest != derived:
                    yield Finding(line.sequence, "digest", digest, derived)
                walk.texts.add(digest)
            case RequestEvent() as event if not (0 <= event.seat < len(walk.seats)) or event.attempt not in (
                1,
                2,
            ):
                place = f"seat {event.seat}, attempt {event.attempt}"
                yield _find(line, event, "seat", place, f"seats 0 to {len(walk.seats) - 1}, attempts 1 and 2")
            case Asked() as event:
                yield from walk.take_question(line, event)
            case Called() as event:
                yield from walk.take_call(line, event)
            case Answered() as event:
                yield from walk.take_reply(line, event)
            case Judged() as event:
                yield from walk.take_judgement(line, event)
            case _:
                pass


class _Walk:
    """What has been seen of a log, from its start on."""

    def __init__(self) -> None:
        self.seats: Sequence[SeatRecord] = ()
        self.texts: set[str] = set()
        self._requests: defaultdict[Key, _Request] = defaultdict(_Request)

    def take_question(self, line: Line, event: Asked) -> Iterator[Finding]:
        part, seat, attempt = event.key
        request = self._requests[event.key]
        if self.seats[seat].is_scripted:
            yield _find(line, event, "seat", "a question", "no question to a seat that answers by itself")
        if request.answered:
            yield _find(line, event, "attempt", "a question behind its reply", "no further question")
        if attempt == 2 and not self._requests[part, seat, 1].judged:
            yield _find(line, event, "attempt", "2", "a judgement of the first reply before it")
        for index, message in enumerate(event.prompt):
            if message.digest and message.digest not in self.texts:
                due = "the digest of a text before it"
                yield _find(line, event, f"prompt[{index}].digest", message.digest, due)
        request.asked, request.call_count, request.last_call = True, 0, None

    def take_call(self, line: Line, event: Called) -> Iterator[Finding]:
        request = self._requests[event.key]
        request.call_count += 1
        if not request.asked:
            yield _find(line, event, "attempt", "a call", "a request before it")
        elif request.answered:
            yield _find(line, event, "attempt", "a call behind the reply", "no further call")
        elif request.last_call is not None and not request.last_call[1].error:
            yield _find(line, event, "attempt", "a call behind one that succeeded", "its reply")
        elif event.call_number != request.call_count:
            yield _find(line, event, "call_number", str(event.call_number), str(request.call_count))
        request.last_call = line.sequence, event
        for field, recorded, derived in check_called(event, self.seats[event.seat]):
            yield _find(line, event, field, recorded, derived)

    def take_reply(self, line: Line, event: Answered) -> Iterator[Finding]:
        request = self._requests[event.key]
        if not request.asked:
            yield _find(line, event, "attempt", "a reply", "a request before it")
        if request.answered:
            yield _find(line, event, "attempt", "a second reply", "one reply")
        request.answered = True
        if event.latency_milliseconds < 0:
            yield _find(line, event, "latency_milliseconds", str(event.latency_milliseconds), "0 or more")
        yield from _check_text(line, event, self.seats[event.seat])
        if self.seats[event.seat].is_model:
            yield from _check_calls(line, event, request)

    def take_judgement(self, line: Line, event: Judged) -> Iterator[Finding]:
        request = self._requests[event.key]
        if not request.answered:
            yield _find(line, event, "attempt", "an outcome", "a reply before it")
        if request.judged:
            yield _find(line, event, "attempt", "a second outcome", "one outcome")
        request.judged = True


def _check_text(line: Line, event: Answered, record: SeatRecord) -> Iterator[Finding]:
    """A text is there where it may be taken, and a reason where there is none or not all of it."""
    has_text = event.text is not None
    allowed = event.outcome in (Outcome.VALID, Outcome.TRUNCATED)
    if has_text and not allowed:
        yield _find(line, event, "outcome", event.outcome, "valid or truncated, as there is a text")
    elif not has_text and event.outcome is Outcome.VALID:
        yield _find(line, event, "outcome", event.outcome, "why there is no text")
    elif has_text and event.failure:
        is_cut = event.outcome is Outcome.TRUNCATED
        due = (tell_limit(record.metering), CONTEXT_FULL) if is_cut and record.is_model else ("",)
        if event.failure not in due:
            yield _find(line, event, "failure", event.failure, due[0])


def _check_calls(line: Line, event: Answered, request: _Request) -> Iterator[Finding]:
    """A model's reply is what its last call brought."""
    place, call = request.last_call or (0, None)
    error = call.error if call is not None else ""
    if event.outcome.is_void and event.outcome is not Outcome.WITHHELD:
        count = _CALL_COUNT.match(event.failure)
        if call is not None and not error:
            yield _find(line, event, "outcome", event.outcome, "a reply, as its last call succeeded")
        elif event.outcome in _ERRORS and error not in _ERRORS[event.outcome]:
            due = " or ".join(sorted(_ERRORS[event.outcome]))
            yield _find(line, event, "outcome", event.outcome, f"a call before it that failed by {due}")
        elif count is not None and int(count[1]) != request.call_count:
            yield _find(line, event, "failure", event.failure, f"{request.call_count} calls before it")
    elif call is None or error or place != line.sequence - 1:
        due = "a call that succeeded in the line before it"
        yield _find(line, event, "attempt", "a reply", due)


def _find(line: Line, event: RequestEvent, field: str, recorded: str, derived: str) -> Finding:
    return Finding(line.sequence, field, recorded, derived, seat=event.seat, part=event.part)
