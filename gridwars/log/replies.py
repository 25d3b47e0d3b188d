"""Whether what the seats were asked, and what they submitted, follows from the episode and their replies.

The episode is played along. Each request that it opens says what its seat may see, so the prompt is rendered
again, and every reply is read again. The text of a file, and a recording, are replies that stand in the
seat's record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from gridwars.benchmarks.contract import (
    Decision,
    Episode,
    Finding,
    Origin,
    Outcome,
    Rejection,
    Reply,
    Request,
)
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.benchmarks.following import Following
from gridwars.log.events import (
    ASKED_KINDS,
    HARNESS_EVENTS,
    Answered,
    Asked,
    Judged,
    Message,
    RequestEvent,
    SeatRecord,
    Start,
    Text,
)
from gridwars.log.judging import NoReply, Reading, judge_reply, make_repair, settle
from gridwars.log.line import Line

Render = Callable[[Request], Sequence[Message] | None]
"""The prompt of a request; None where it cannot be derived."""

_Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """How seats are asked and their replies read.

    Attributes:
        is_ours: whether the log was played by the same as this version's; what differs is no finding else.
    """

    render: Render
    is_ours: bool = True


class RecordedReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reply of a recording, as the record of a seat that plays it holds it."""

    part: int
    attempt: int
    text: str | None
    outcome: Outcome = Outcome.VALID
    failure: str = ""


def check_replies(episode: Episode, lines: Sequence[Line], dialogue: Dialogue) -> Iterator[Finding]:
    """What does not follow; what follows such a finding is derived from the log's side.

    Built-ins, searches and the seats of an imported episode are taken at their word.

    Args:
        episode: at its start.
        lines: of a log that is right in all else: its events follow from its sealed decisions.
    """
    log = _Log(lines, dialogue)
    if log.needs_no_check:
        return
    own = [line for line in lines if not isinstance(line.event, HARNESS_EVENTS)]
    sealed_before = 1
    for opened in Following(episode, [line.event for line in own]):
        batch, sealed = opened
        whole = opened.decisions is not None
        place = range(sealed_before, own[sealed[0].place].sequence if sealed else len(lines) + 1)
        log.begin(place, is_sealed=whole)
        derived = [log.derive(episode, request) for request in batch.requests]
        yield from log.take_findings()
        if not whole:
            break
        sealed_before = own[sealed[-1].place].sequence
        for (index, decision), due in zip(sealed, derived, strict=True):
            yield from log.check_decision(own[index], decision, due, batch.part)
    yield from log.find_unopened()


class _Log:
    """The exchange that a log holds, by request, and the replies that its seats' records hold."""

    def __init__(self, lines: Sequence[Line], dialogue: Dialogue) -> None:
        self._dialogue = dialogue
        self._findings: list[Finding] = []
        self._events: defaultdict[_Key, list[tuple[int, RequestEvent]]] = defaultdict(list)
        self._opened: set[_Key] = set()
        self._seats: Sequence[SeatRecord] = ()
        self._texts: dict[str, str] = {}
        self._place = range(0)
        self._is_sealed = False
        self._recordings: dict[int, Mapping[tuple[int, int], RecordedReply]] = {}
        for line in lines:
            match line.event:
                case Start(seats=seats):
                    self._seats = seats
                    self._recordings = {
                        seat: {(each.part, each.attempt): each for each in replies}
                        for seat, record in enumerate(seats)
                        if (replies := _list_recorded(record)) is not None
                    }
                case Text(digest=digest, text=text):
                    self._texts[digest] = text
                case RequestEvent() as event:
                    self._events[event.key].append((line.sequence, event))
                case _:
                    pass

    @property
    def needs_no_check(self) -> bool:
        """Whether nobody was asked or had to be, and no record holds what its seat plays."""
        held = any(record.file_text is not None or record.kind in ASKED_KINDS for record in self._seats)
        return not (self._events or self._recordings or held)

    def take_findings(self) -> list[Finding]:
        """What was found since they were taken last."""
        found, self._findings = self._findings, []
        return found

    def begin(self, place: range, *, is_sealed: bool) -> None:
        """Turns to the next batch.

        Args:
            place: the lines among which its exchange must stand.
            is_sealed: whether its decisions follow behind that place, so that nothing may be missing.
        """
        self._place = place
        self._is_sealed = is_sealed

    def derive(self, episode: Episode, request: Request) -> Decision | None:
        """What the seat's replies come to, or its record says; None where it has neither."""
        record = self._seats[request.seat]
        if record.file_text is not None:
            reply = Reply(text=record.file_text, scripted=True)
            return settle(episode, request, judge_reply(episode, request, reply)[0])
        if record.is_scripted and request.seat in self._recordings:
            reply = self._find_recorded(request)
            return settle(episode, request, judge_reply(episode, request, reply)[0])
        reading = self._judge(episode, request)
        if isinstance(reading, Rejection):
            repair = make_repair(request, reading)
            repaired = self._judge(episode, repair)
            if repaired is None:
                self._note_lack(repair, "no second reply", "a second reply, as the first was not taken")
            reading = reading if repaired is None else repaired
        elif reading is not None and self._dialogue.is_ours:
            second = (request.part, request.seat, 2)
            self._opened.add(second)
            for sequence, event in self._events[second][:1]:
                due = "no second question after a reply that was taken"
                if isinstance(reading, NoReply):
                    due = "no second question where no reply can come"
                self._findings.append(Finding(sequence, "attempt", "2", due, event.seat, event.part))
        return None if reading is None else settle(episode, request, reading)

    def check_decision(
        self, line: Line, decision: Decision, due: Decision | None, part: int
    ) -> Iterator[Finding]:
        """Compares what was submitted with what it must be."""
        must_be_asked = self._seats[decision.seat].kind in ASKED_KINDS
        if due is not None:
            if self._dialogue.is_ours:
                yield from _compare(line.sequence, decision, due, decision.seat, part)
        elif decision.origin in (Origin.LLM, Origin.RETRY) or must_be_asked:
            yield Finding(line.sequence, "origin", decision.origin, "a reply before it", decision.seat, part)

    def find_unopened(self) -> Iterator[Finding]:
        """Exchange that belongs to no request of the episode."""
        for key in sorted(self._events.keys() - self._opened):
            if self._events[key] and (self._dialogue.is_ours or key[2] == 1):
                sequence, event = self._events[key][0]
                due = "none, as the episode asks for none such"
                yield Finding(sequence, "attempt", f"attempt {event.attempt}", due, event.seat, event.part)

    def _judge(self, episode: Episode, request: Request) -> Reading | None:
        """What the reply to a request comes to, with everything recorded about it held against it."""
        self._opened.add(request.key)
        answer: Answered | None = None
        judged: tuple[int, Judged] | None = None
        for sequence, event in self._events[request.key]:
            if sequence not in self._place:
                due = f"between lines {self._place.start} and {self._place.stop}"
                self._note(sequence, "seq", str(sequence), due, request)
            match event:
                case Asked(prompt=prompt):
                    self._check_prompt(sequence, prompt, request)
                case Answered():
                    self._check_recorded(sequence, event, request)
                    answer = event
                case Judged():
                    judged = sequence, event
                case _:
                    pass
        if answer is None:
            return None
        reply = Reply(text=answer.text, failure=answer.failure, outcome=answer.outcome)
        reading, derived = judge_reply(episode, request, reply)
        if judged is not None and self._dialogue.is_ours:
            self._findings += _compare(*judged, derived, request.seat, request.part)
        elif judged is None:
            self._note_lack(request, "no judgement", f"a judgement: {derived.outcome}")
        return reading

    def _check_prompt(self, sequence: int, prompt: Sequence[Message], request: Request) -> None:
        due = self._dialogue.render(request)
        if due is None:
            return
        sent = [(message.role, self._texts.get(message.digest, message.text)) for message in prompt]
        wanted = [(message.role, message.text) for message in due]
        if len(sent) != len(wanted):
            self._note(sequence, "prompt", f"{len(sent)} messages", f"{len(wanted)} messages", request)
        for index, (recorded, derived) in enumerate(zip(sent, wanted, strict=False)):
            for name, left, right in zip(("role", "text"), recorded, derived, strict=True):
                if left != right:
                    self._note(sequence, f"prompt[{index}].{name}", *_show_difference(left, right), request)

    def _check_recorded(self, sequence: int, answer: Answered, request: Request) -> None:
        if request.seat not in self._recordings:
            return
        reply = self._find_recorded(request)
        for name in ("text", "outcome", "failure"):
            left, right = getattr(answer, name), getattr(reply, name)
            if left != right:
                self._note(sequence, name, render_value(left), render_value(right), request)

    def _find_recorded(self, request: Request) -> Reply:
        line = self._recordings[request.seat].get((request.part, request.attempt))
        if line is None:
            failure = f"the recording holds no reply {request.attempt} for part {request.part}"
            return Reply(None, failure=failure, outcome=Outcome.INVALID)
        return Reply(line.text, self._seats[request.seat].is_scripted, line.failure, line.outcome)

    def _note_lack(self, request: Request, recorded: str, derived: str) -> None:
        """Something is missing before the batch's decisions, of a seat that is asked for each of its own."""
        kind = self._seats[request.seat].kind
        is_asked = kind in ASKED_KINDS or request.seat in self._recordings
        if self._is_sealed and is_asked and self._dialogue.is_ours:
            self._note(self._place.stop, "origin", recorded, derived, request)

    def _note(self, sequence: int, field: str, recorded: str, derived: str, request: Request) -> None:
        self._findings.append(Finding(sequence, field, recorded, derived, request.seat, request.part))


def _list_recorded(record: SeatRecord) -> tuple[RecordedReply, ...] | None:
    """The replies that a seat's record holds; None for all but recordings."""
    if record.kind != "recorded" or "replies" not in record.parameters:
        return None
    return msgspec.convert(record.parameters["replies"], tuple[RecordedReply, ...])


def _compare(sequence: int, recorded: object, derived: object, seat: int, part: int) -> Iterator[Finding]:
    for path, left, right in find_differences(recorded, derived):
        yield Finding(sequence, path, render_value(left), render_value(right), seat, part)


def _show_difference(recorded: str, derived: str) -> tuple[str, str]:
    """Two texts from shortly before they differ, as they may be long."""
    pairs = enumerate(zip(recorded, derived, strict=False))
    shared = min(len(recorded), len(derived))
    start = max(0, next((index for index, (a, b) in pairs if a != b), shared) - 20)
    mark = "…" if start else ""
    return tuple(render_value(mark + text[start : start + 80]) for text in (recorded, derived))  # type: ignore[return-value]  # two
