"""What happened in a turn, in plain English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gridwars.benchmarks.snake_royale.events import Directive
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.orders import FallbackCause
from gridwars.benchmarks.snake_royale.rules import ALIASES, DeathCause

_MEMBER = re.compile("([0-3]):([0-9]+)")


def tell_turn(directives: Sequence[Directive], happenings: Sequence[Happening]) -> Iterator[str]:
    """What was said and what came of the turn; moves are too many to tell."""
    for directive in directives:
        alias = ALIASES[directive.seat]
        if directive.cause is not FallbackCause.NONE:
            yield f"{alias} gives no order ({directive.cause}: {directive.reason}); coil moves for it"
        elif directive.repaired:
            yield f"{alias} names no direction and is sent {directive.direction}"
        if directive.say:
            yield f'{alias} says "{directive.say}"'
    for happening in happenings:
        told = tell_happening(happening)
        if told:
            yield told


def tell_happening(happening: Happening) -> str:
    """One sentence; "" for what goes without saying."""
    place = f"({happening.x},{happening.y})"
    who = ALIASES[happening.slot] if happening.slot >= 0 else ""
    match happening.kind:
        case Kind.EAT:
            return f"{who} eats at {place} and is {happening.value} long"
        case Kind.FOOD_SPAWN:
            return f"food appears at {place}"
        case Kind.SHRINK:
            return f"{who} shrinks to {happening.value}"
        case Kind.HEAD_ON:
            return _tell_head_on(happening, place)
        case Kind.DEATH:
            return f"{who} {_tell_death(happening, place)}, {happening.value} long"
        case Kind.TRAPPED:
            return f"{who} is trapped: {happening.value} cells of room, {happening.extra} long"
        case Kind.DECLINE:
            return f"{who} spares {ALIASES[happening.other]}, which it could have killed at {place}"
        case Kind.DUEL:
            return "two are left"
        case _:
            return ""


def _tell_head_on(happening: Happening, place: str) -> str:
    """The members stand in the text as `seat:length`."""
    members = _MEMBER.findall(happening.text)
    names = [f"{ALIASES[int(seat)]} ({length} long)" for seat, length in members]
    fate = f"{ALIASES[happening.other]} lives" if happening.other >= 0 else "nobody lives"
    return f"{' and '.join(names)} meet head on at {place}: {fate}"


def _tell_death(happening: Happening, place: str) -> str:
    killer = ALIASES[happening.other] if happening.other >= 0 else "nobody"
    match happening.text:
        case DeathCause.WALL:
            return f"runs into the wall at {place}"
        case DeathCause.BODY if happening.other == happening.slot:
            return f"runs into itself at {place}"
        case DeathCause.BODY:
            return f"runs into {killer} at {place}"
        case DeathCause.HEAD_ON:
            return f"dies of the meeting at {place}"
        case DeathCause.STARVE:
            return f"starves at {place}"
        case _:
            return f"dies at {place}"
