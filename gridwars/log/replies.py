"""Whether what the seats submitted follows from what they replied: every reply of a log is read again.

So is the text of a file, which is the same reply every time. The episode is played along, to know what each
reply was an answer to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gridwars.benchmarks.contract import Decision, Episode, Finding, Origin, Rejection, Reply, Request
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.log.events import HARNESS_EVENTS, Answered, Judged, Start
from gridwars.log.judging import Reading, judge_reply, make_repair, settle
from gridwars.log.line import Line

_Key = tuple[int, int, int]


def check_replies(episode: Episode, lines: Sequence[Line]) -> Iterator[Finding]:
    """What does not follow from the replies; what follows such a finding is derived from the log's side.

    Other seats without any reply, which are built-ins or of an imported episode, are taken at their word.

    Args:
        episode: at its start.
        lines: of a log that is right in all else: its events follow from its sealed decisions.
    """
    exchange = _Exchange(lines)
    if not exchange.answers and not exchange.files:
        return
    own = iter([line for line in lines if not isinstance(line.event, HARNESS_EVENTS)])
    while (batch := episode.open()) is not None:
        sealed = list(_take_sealed(episode, own, len(batch.requests)))
        derived = [exchange.derive(episode, request) for request in batch.requests]
        yield from exchange.findings
        exchange.findings.clear()
        if len(sealed) < len(batch.requests):
            return
        recorded = [decision for _, decision in sealed]
        for (line, decision), due in zip(sealed, derived, strict=True):
            yield from _check_decision(line, decision, due, batch.part)
        for _ in episode.advance(recorded):
            pass


def _take_sealed(episode: Episode, own: Iterator[Line], count: int) -> Iterator[tuple[Line, Decision]]:
    """The sealed decisions of the open batch, as many of them as the log holds."""
    found = 0
    while found < count and (line := next(own, None)) is not None:
        decision = episode.decision_of(line.event)
        if decision is not None:
            found += 1
            yield line, decision


def _check_decision(line: Line, decision: Decision, due: Decision | None, part: int) -> Iterator[Finding]:
    if due is not None:
        yield from _compare(line.sequence, decision, due, decision.seat, part)
    elif decision.origin in (Origin.LLM, Origin.RETRY):
        yield Finding(line.sequence, "origin", decision.origin, "a reply before it", decision.seat, part)


def _compare(sequence: int, recorded: object, derived: object, seat: int, part: int) -> Iterator[Finding]:
    for path, left, right in find_differences(recorded, derived):
        yield Finding(sequence, path, render_value(left), render_value(right), seat, part)


class _Exchange:
    """The replies and judgements of a log, by request, and the files that are replies to any.

    Attributes:
        files: by seat the text of those that play one.
        findings: what was found wrong with them so far; whoever takes them removes them.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self.answers: dict[_Key, tuple[int, Answered]] = {}
        self.files: dict[int, str] = {}
        self.findings: list[Finding] = []
        self._judgements: dict[_Key, tuple[int, Judged]] = {}
        for line in lines:
            match line.event:
                case Start(seats=seats):
                    texts = enumerate(record.file_text for record in seats)
                    self.files = {seat: text for seat, text in texts if text is not None}
                case Answered() as event:
                    self.answers[event.key] = line.sequence, event
                case Judged() as event:
                    self._judgements[event.key] = line.sequence, event
                case _:
                    pass

    def derive(self, episode: Episode, request: Request) -> Decision | None:
        """What the seat's replies come to, or its file; None where it has neither."""
        if request.seat in self.files:
            reply = Reply(text=self.files[request.seat], scripted=True)
            return settle(episode, request, judge_reply(episode, request, reply)[0])
        reading = self._judge(episode, request)
        repair = self.answers.get((request.part, request.seat, 2))
        if isinstance(reading, Rejection):
            if repair is not None:
                reading = self._judge(episode, make_repair(request, reading))
        elif repair is not None:
            sequence, event = repair
            due = "no second reply to one that was taken"
            self.findings.append(Finding(sequence, "attempt", "2", due, event.seat, event.part))
        return None if reading is None else settle(episode, request, reading)

    def _judge(self, episode: Episode, request: Request) -> Reading | None:
        if request.key not in self.answers:
            return None
        _, answer = self.answers[request.key]
        reply = Reply(text=answer.text, failure=answer.failure, outcome=answer.outcome)
        reading, derived = judge_reply(episode, request, reply)
        if request.key in self._judgements:
            sequence, judged = self._judgements[request.key]
            self.findings += _compare(sequence, judged, derived, request.seat, request.part)
        return reading
