"""What the harness's own events must agree on among themselves, whatever the benchmark.

Question, calls, reply and judgement of a request stand in this order and are told apart by part, seat
and attempt. A resumed run may ask once more where no reply stood; a reply is never asked for twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gridwars.benchmarks.contract import Finding
from gridwars.canonical import hash_text
from gridwars.log.events import Answered, Asked, Called, Judged, RequestEvent, SeatRecord, Start, Text
from gridwars.log.line import Line

_Key = tuple[int, int, int]


def check_exchange(lines: Iterable[Line]) -> Iterator[Finding]:
    """Every event that stands without what must come before it, or a second time."""
    texts: set[str] = set()
    asked: set[_Key] = set()
    answered: set[_Key] = set()
    judged: set[_Key] = set()
    seats: tuple[SeatRecord, ...] = ()
    for line in lines:
        match line.event:
            case Text(digest=digest, text=text):
                derived = hash_text(text)
                if digest != derived:
                    yield Finding(line.sequence, "digest", digest, derived)
                texts.add(digest)
            case Asked(prompt=prompt) as event:
                asked.add(event.key)
                for index, message in enumerate(prompt):
                    if message.digest and message.digest not in texts:
                        field = f"prompt[{index}].digest"
                        yield _find(line, event, field, message.digest, "the digest of a text before it")
            case Start(seats=records):
                seats = records
            case Called() as event:
                if event.key not in asked:
                    yield _find(line, event, "attempt", "a call", "a request before it")
                yield from _check_cost(line, event, seats)
            case Answered() as event:
                if event.key not in asked:
                    yield _find(line, event, "attempt", "a reply", "a request before it")
                if event.key in answered:
                    yield _find(line, event, "attempt", "a second reply", "one reply")
                answered.add(event.key)
            case Judged() as event:
                if event.key not in answered:
                    yield _find(line, event, "attempt", "an outcome", "a reply before it")
                if event.key in judged:
                    yield _find(line, event, "attempt", "a second outcome", "one outcome")
                judged.add(event.key)
            case _:
                pass


def _check_cost(line: Line, event: Called, seats: tuple[SeatRecord, ...]) -> Iterator[Finding]:
    """A cost that is stated is that of the tokens at the seat's price."""
    metering = seats[event.seat].metering if 0 <= event.seat < len(seats) else None
    derived = None if metering is None else metering.compute_cost(event.tokens, event.served_tier)
    if event.cost_microdollars is not None and event.cost_microdollars != derived:
        yield _find(line, event, "cost_microdollars", str(event.cost_microdollars), str(derived))


def _find(line: Line, event: RequestEvent, field: str, recorded: str, derived: str) -> Finding:
    return Finding(line.sequence, field, recorded, derived, seat=event.seat, part=event.part)
