"""Seats played by a recording: what a seat of an old log answered is answered again, whatever happens now.

Where the log holds the seat's replies they are given word for word, failures too. A seat that was never
asked (a built-in, an imported recording) gives its sealed decisions as replies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gridwars.benchmarks.contract import Benchmark, Decision, Origin, Outcome, Reply, Request
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import Json
from gridwars.log.errors import LogError
from gridwars.log.events import HARNESS_EVENTS, Answered, Message, SeatRecord
from gridwars.log.reader import Log, read_log
from gridwars.log.replies import RecordedReply
from gridwars.policies.making import Making, require_no_parameters
from gridwars.policies.policy import Answer, Asking, PolicyError
from gridwars.policies.seats import parse_seat

KIND = "recorded"


class RecordedPolicy:
    """The replies of a seat, kept whole in the seat's record, so that a resumed run needs no old log."""

    def __init__(self, record: SeatRecord) -> None:
        self.record = record
        try:
            lines = msgspec.convert(record.parameters["replies"], tuple[RecordedReply, ...])
            self.scripted = msgspec.convert(record.parameters["scripted"], bool)
        except (KeyError, msgspec.ValidationError) as error:
            raise PolicyError(f'seat "{record.policy}": the log holds no recording for it: {error}') from None
        self._lines = {(line.part, line.attempt): line for line in lines}

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        line = self._lines.get((request.part, request.attempt))
        if line is None:
            failure = f"the recording holds no reply {request.attempt} for part {request.part}"
            return Answer(Reply(None, failure=failure, outcome=Outcome.INVALID))
        return Answer(Reply(line.text, self.scripted, line.failure, line.outcome))


def make_recorded(text: str, making: Making) -> RecordedPolicy:
    """The policy for `LOG#SEAT`, the seat by letter or alias.

    Raises:
        PolicyError: for a log that cannot be read or is of another game, and for a seat that it lacks.
    """
    require_no_parameters(f"{KIND}:{text}", making)
    place = f'seat "{KIND}:{text}"'
    path, mark, seat_text = text.rpartition("#")
    if not mark:
        raise PolicyError(f"{place}: say which seat of the log, such as {KIND}:{text}#a")
    log = _read(place, Path(path), making.benchmark)
    start = log.start
    assert start is not None, "checked by _read"
    aliases = [record.alias for record in start.seats]
    seat = aliases.index(seat_text) if seat_text in aliases else parse_seat(seat_text, len(aliases))
    if seat is None:
        raise PolicyError(f'{place}: the log has no seat "{seat_text}"; its seats are {", ".join(aliases)}')
    lines = [
        RecordedReply(event.part, event.attempt, event.text, event.outcome, event.failure)
        for event in log.events
        if isinstance(event, Answered) and event.seat == seat
    ]
    scripted = False
    if not lines:
        decisions = list(_list_decisions(log, making.benchmark, seat))
        scripted = all(decision.origin in (Origin.SCRIPTED, Origin.FALLBACK) for _, decision in decisions)
        lines = [_render(part, decision, making.benchmark, scripted) for part, decision in decisions]
    parameters: dict[str, Json] = {
        "log": path,
        "head": log.lines[-1].digest,
        "seat": seat,
        "scripted": scripted,
        "replies": msgspec.to_builtins(lines),
    }
    name = f"{start.seats[seat].policy}, recorded"
    return RecordedPolicy(SeatRecord(policy=name, kind=KIND, alias=making.alias, parameters=parameters))


def restore_recorded(record: SeatRecord, benchmark: Benchmark) -> RecordedPolicy:
    return RecordedPolicy(record)


def _read(place: str, path: Path, benchmark: Benchmark) -> Log:
    try:
        log = read_log(path, benchmarks={**BENCHMARKS, benchmark.name: benchmark}).require_sound()
    except LogError as error:
        raise PolicyError(f"{place}: {error}") from error
    if log.start is None:
        raise PolicyError(f"{place}: {path} holds no whole line")
    if log.start.benchmark != benchmark.name:
        raise PolicyError(f"{place}: {path} is of {log.start.benchmark}, not of {benchmark.name}")
    return log


def _list_decisions(log: Log, benchmark: Benchmark, seat: int) -> Iterator[tuple[int, Decision]]:
    """The seat's sealed decisions with their parts; the episode is played again, as only it can tell them."""
    assert log.start is not None, "checked by _read"
    episode = benchmark.start(benchmark.configure(log.start.config))
    own = [event for event in log.events if not isinstance(event, HARNESS_EVENTS)]
    for opened in Following(episode, own):
        decisions = opened.decisions or ()
        yield from ((opened.batch.part, decision) for decision in decisions if decision.seat == seat)


def _render(part: int, decision: Decision, benchmark: Benchmark, scripted: bool) -> RecordedReply:
    if decision.origin is Origin.FALLBACK:
        return RecordedReply(part, 1, None, Outcome.INVALID, "the recorded seat gave no usable reply")
    return RecordedReply(part, 1, benchmark.render_reply(decision, scripted=scripted))
