"""Derives a game again from its sealed orders and compares everything that was recorded.

It knows which event must come next, takes nothing from the log but the orders, and holds those to the
rules too: limits of texts, the fallback's direction, how an order without one was repaired. A log that
ends before its game does is fine up to there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator

import msgspec

from gridwars.benchmarks.contract import Event, Finding, Origin, Request
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.benchmarks.snake_royale.episode import (
    SnakeRoyaleEpisode,
    choose_fallback,
    find_heading,
    require_own_observation,
)
from gridwars.benchmarks.snake_royale.events import Directive, End
from gridwars.benchmarks.snake_royale.orders import FallbackCause, cap_notes, cap_reason, cap_say, fits_notes
from gridwars.benchmarks.snake_royale.reply import NO_DIRECTION, repair_direction
from gridwars.benchmarks.snake_royale.rules import Direction, SnakeRoyaleConfig

_Recorded = deque[tuple[int, Event]]

_DUE = Directive(
    turn=0,
    seat=0,
    origin=Origin.LLM,
    direction=Direction.UP,
    alternative=None,
    say="",
    notes="",
    repaired=False,
    cause=FallbackCause.NONE,
    reason="",
    repairs=(),
)
"""Stands for any directive where something else is recorded."""


def audit_game(config: SnakeRoyaleConfig, events: Iterable[tuple[int, Event]]) -> Iterator[Finding]:
    """Everything that differs, in the order of the log.

    An event that may not stand where it does ends the walk: nothing after it can be placed.
    """
    episode = SnakeRoyaleEpisode(config)
    rest = deque(events)
    if not (yield from _take(rest, episode.opening, part=1)):
        return
    while (batch := episode.open()) is not None:
        first = rest[0][1] if rest else None
        if isinstance(first, End):
            groups = episode.stop_early(first)
        else:
            orders = []
            for request in batch.requests:
                event = rest[0][1] if rest else None
                due = derive_directive(request, event) if isinstance(event, Directive) else _DUE
                if not (yield from _take(rest, due, part=batch.part)):
                    return
                assert isinstance(event, Directive)
                orders.append(msgspec.structs.replace(event, turn=batch.part, seat=request.seat))
            groups = episode.advance([order for order in map(episode.decision_of, orders) if order])
            next(groups)
        for derived in (event for group in groups for event in group):
            if not (yield from _take(rest, derived, part=batch.part)):
                return
    for sequence, event in rest:
        yield Finding(sequence, "kind", recorded=_kind(event), derived="nothing after the end")
        return


def _take(rest: _Recorded, derived: Event, part: int) -> Generator[Finding, None, bool]:
    """Compares the next event with what it must be; whether the walk can go on."""
    if not rest:
        return False
    sequence, event = rest.popleft()
    if type(event) is not type(derived):
        yield Finding(sequence, "kind", recorded=_kind(event), derived=_kind(derived), part=part)
        return False
    for path, recorded, value in find_differences(event, derived):
        seat = derived.seat if isinstance(derived, Directive) else _seat_of(path)
        yield Finding(sequence, path, render_value(recorded), render_value(value), seat=seat, part=part)
    return True


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def derive_directive(request: Request, event: Directive) -> Directive:
    """What the event must be for the seat that is due, as far as it is not the seat's own choice."""
    observation = require_own_observation(request)
    derived = msgspec.structs.replace(
        event,
        turn=request.part,
        seat=request.seat,
        say=cap_say(event.say),
        notes=event.notes if fits_notes(event.notes) else cap_notes(event.notes),
        reason=cap_reason(event.reason),
    )
    if event.origin is Origin.FALLBACK:
        return msgspec.structs.replace(
            derived,
            direction=choose_fallback(observation),
            alternative=None,
            say="",
            notes="",
            repaired=False,
            cause=event.cause or FallbackCause.PARSE_ERROR,
            reason=derived.reason or "why the fallback was played",
            repairs=(),
        )
    repaired = NO_DIRECTION in event.repairs
    direction = repair_direction(event.alternative, find_heading(observation))
    return msgspec.structs.replace(
        derived,
        direction=direction if repaired else event.direction,
        repaired=repaired,
        cause=FallbackCause.NONE,
        reason="",
    )


def _seat_of(path: str) -> int | None:
    """The seat whose value the path names, where its index is one of a seat."""
    name, bracket, rest = path.removeprefix("results.").partition("[")
    if not bracket or name in ("happenings", "ranking"):
        return None
    return int(rest.partition("]")[0])
