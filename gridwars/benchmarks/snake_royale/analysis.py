"""The reference's analysis stream: one JSON object for all that happened (Snake Royale spec section 10.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridwars.benchmarks.contract import Event
from gridwars.benchmarks.snake_royale.events import Deal, Directive, End, TurnPlayed
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.replay import write_directive
from gridwars.benchmarks.snake_royale.rules import GAME_VERSION
from gridwars.canonical import Json

_LEFT_OUT = frozenset({Kind.GAME_START, Kind.SPAWN, Kind.END})

Row = dict[str, Json]

DIRECTIVE = "directive"


def list_rows(events: Sequence[Event], *, directives: bool = True) -> list[Row]:
    """The rows of a game that has ended, in order; the last one is the summary.

    Args:
        directives: whether to have the extra rows that say what the seats submitted.
    """
    rows = [row for row in _list_rows(events) if directives or row["k"] != DIRECTIVE]
    turns = sum(isinstance(event, TurnPlayed) for event in events)
    summary: Row = {"type": "summary", "turns": turns, "events": len(rows), "gameVersion": GAME_VERSION}
    return [*rows, summary]


def _list_rows(events: Sequence[Event]) -> Iterator[Row]:
    heads: dict[int, tuple[int, int]] = {}
    directives: list[Directive] = []
    for event in events:
        match event:
            case Deal():
                yield from _list_happenings(event.happenings, heads)
            case Directive():
                directives.append(event)
            case TurnPlayed():
                yield from map(_describe_directive, directives)
                fallbacks = [
                    Happening(
                        Kind.FALLBACK,
                        event.turn,
                        directive.seat,
                        x=heads[directive.seat][0],
                        y=heads[directive.seat][1],
                        text=directive.cause,
                    )
                    for directive in directives
                    if directive.cause
                ]
                yield from _list_happenings((*fallbacks, *event.happenings), heads)
                directives = []
            case End():
                over = Happening(Kind.GAME_OVER, event.results.turns, text=event.results.end_rule)
                yield from _list_happenings((over,), heads)
            case _:
                raise AssertionError("an event of another benchmark")


def _list_happenings(happenings: Sequence[Happening], heads: dict[int, tuple[int, int]]) -> Iterator[Row]:
    """Their rows; `heads` follows where each seat's head is."""
    for happening in happenings:
        if happening.kind in (Kind.SPAWN, Kind.MOVE):
            heads[happening.slot] = (happening.x, happening.y)
        if happening.kind in _LEFT_OUT:
            continue
        row: Row = {"k": happening.kind.value, "t": happening.turn}
        if happening.slot >= 0:
            row["slot"] = happening.slot
        if happening.other >= 0:
            row["other"] = happening.other
        if happening.value:
            row["v"] = happening.value
        if happening.extra:
            row["x"] = happening.extra
        if happening.text:
            row["text"] = happening.text
        row["at"] = [happening.x, happening.y]
        yield row


def _describe_directive(directive: Directive) -> Row:
    record = write_directive(directive)
    return {
        "k": DIRECTIVE,
        "t": record.turn,
        "slot": record.slot,
        "alias": record.alias,
        "source": record.source,
        "dir": record.dir.value,
        "latency_ms": record.latency_ms,
        "repaired": record.repaired,
    }
