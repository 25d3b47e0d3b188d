"""The harness's own kinds of event; each benchmark adds its own, decoded by the same tag.

A log line is an envelope (`seq`, `time`, `prev`) around one event. The first event of a log is always
`Start`; a benchmark's `End` closes it. Everything a provider is asked or answers stands in `Asked` and
`Answered`; what a seat then submitted stands in the benchmark's sealing events.
"""

from __future__ import annotations

import msgspec

from gridwars.benchmarks.contract import Event
from gridwars.canonical import Json


class SeatRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who answers for a seat, as far as it must be known to resume, audit or compare.

    Attributes:
        policy: the policy's name, as the results show it.
        kind: which policy it is, a key of `gridwars.policies.registry.KINDS`.
        alias: the seat's name in the game.
        parameters: what makes the policy reproducible, such as a file's text.
        digest: SHA-256 of what a scripted policy plays; "" where there is none.
    """

    policy: str
    kind: str
    alias: str
    parameters: dict[str, Json] = {}
    digest: str = ""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long things may take; they bound play and never change how a decision is judged.

    Attributes:
        batch_milliseconds: from asking a batch until every seat without a reply falls back.
        episode_milliseconds: the episode clock, from the start of play or of a resumed run; 0: none.
        reserve_milliseconds: what must be left on the episode clock for a batch to be opened.
    """

    batch_milliseconds: int = 600_000
    episode_milliseconds: int = 0
    reserve_milliseconds: int = 0


class Start(Event, frozen=True, tag="start", forbid_unknown_fields=True):
    """What is played, by which rules, with whom."""

    protocol: str
    benchmark: str
    rules_version: int
    software_version: str
    config: dict[str, Json]
    seats: tuple[SeatRecord, ...]
    limits: Limits = Limits()


class Asked(Event, frozen=True, tag="request", forbid_unknown_fields=True):
    """A policy was asked; written before the question leaves."""

    part: int
    seat: int
    attempt: int
    prompt: Json = None
    """What was sent, exactly; None for a policy that is handed the observation itself."""
    prompt_digest: str = ""


class Answered(Event, frozen=True, tag="reply", forbid_unknown_fields=True):
    """What came back, as received; never asked for again once it stands here."""

    part: int
    seat: int
    attempt: int
    text: str | None
    failure: str = ""
    latency_milliseconds: int = 0


HARNESS_EVENTS: tuple[type[Event], ...] = (Start, Asked, Answered)

END_KIND = "end"
"""The tag of the kind that closes a log; every benchmark has its own."""


def kind_of(event: Event) -> str:
    """The tag under which the log holds an event."""
    return str(type(event).__struct_config__.tag)


def is_end(event: Event) -> bool:
    return kind_of(event) == END_KIND
