"""The harness's own kinds of event; each benchmark adds its own, decoded by the same tag.

A log line is an envelope (`seq`, `time`, `prev`) around one event. The first event of a log is always
`Start`; a benchmark's `End` closes it. Everything a provider is asked or answers stands in `Asked` and
`Answered`; what a seat then submitted stands in the benchmark's sealing events.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gridwars.benchmarks.contract import Event, Outcome, Results
from gridwars.canonical import Json
from gridwars.log.metering import Budget, Metering
from gridwars.log.usage import COUNTERS

FILE_KIND = "file"
"""Of a seat that plays the text among its parameters, whatever it is asked."""


SCRIPTED_KINDS = frozenset({FILE_KIND, "builtin", "search"})
"""Of seats that answer by themselves, at no cost and the same each time."""


ASKED_KINDS = frozenset({*COUNTERS, "command", "human"})
"""Of seats that are asked for every decision, and answer in replies."""


class SeatRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who answers for a seat, as far as it must be known to resume, audit or compare.

    Attributes:
        policy: the policy's name, as the results show it.
        kind: which policy it is, a key of `gridwars.policies.registry.MAKERS`.
        alias: the seat's name in the game.
        parameters: what makes the policy reproducible, such as a file's text.
        digest: SHA-256 of what a scripted policy plays; "" where there is none.
        strategy: name of the operator's strategy text; "" where there is none.
        metering: what its calls may cost; None where they cost nothing.
    """

    policy: str
    kind: str
    alias: str
    parameters: dict[str, Json] = msgspec.field(default_factory=dict)
    digest: str = ""
    strategy: str = ""
    metering: Metering | None = None

    @property
    def is_model(self) -> bool:
        """Whether a provider is called for it."""
        return self.kind in COUNTERS

    @property
    def is_scripted(self) -> bool:
        """Whether it answers by itself, so that nobody is asked and nothing recorded of it."""
        return self.kind in SCRIPTED_KINDS or self.parameters.get("scripted") is True

    @property
    def file_text(self) -> str | None:
        """What a seat plays that plays a file; None for any other, and where the record lacks it."""
        text = self.parameters.get("text") if self.kind == FILE_KIND else None
        return text if isinstance(text, str) else None


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long things may take and what they may cost; never how a decision is judged.

    Attributes:
        batch_milliseconds: from asking a batch until every seat without a reply falls back.
        episode_milliseconds: the episode clock, from the start of play or of a resumed run; 0: none.
        reserve_milliseconds: what must be left on the episode clock for a batch to be opened.
    """

    batch_milliseconds: int = 3_600_000
    episode_milliseconds: int = 0
    reserve_milliseconds: int = 0
    budget: Budget = Budget()


class RunRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which episode of which run this is.

    Attributes:
        digest: of all that decides what the run's episodes are, see `gridwars.log.run_digest`.
        episode_number: from 1; its seed lies as far behind the first episode's.
        episode_count: of the run.
    """

    digest: str
    episode_number: int = 1
    episode_count: int = 1


class Start(Event, frozen=True, tag="start", forbid_unknown_fields=True):
    """What is played, by which rules, with whom.

    Attributes:
        dialogue_version: by which the seats were asked and their replies read (see `Benchmark`).
        package: what brought the game, as name and version; "" for one of our own.
    """

    protocol: str
    benchmark: str
    rules_version: int
    software_version: str
    config: dict[str, Json]
    seats: tuple[SeatRecord, ...]
    limits: Limits = Limits()
    run: RunRecord | None = None
    dialogue_version: int = 1
    package: str = ""


class Budgeted(Event, frozen=True, tag="budget", forbid_unknown_fields=True):
    """From here on the episode is played with this budget, and no longer with the one of its start."""

    budget: Budget


class Text(Event, frozen=True, tag="text", forbid_unknown_fields=True):
    """A long text that several later events refer to by its digest, logged once.

    Attributes:
        digest: SHA-256 of the text's UTF-8, 64 hex digits.
    """

    digest: str
    text: str


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a prompt: its text, or the digest of a `Text` event that holds it."""

    role: str
    text: str = ""
    digest: str = ""


class RequestEvent(Event, frozen=True):
    """An event of one request."""

    part: int
    seat: int
    attempt: int

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells requests apart, as `Request.key`."""
        return (self.part, self.seat, self.attempt)


class Asked(RequestEvent, frozen=True, tag="request", forbid_unknown_fields=True):
    """A policy was asked; written before the question leaves.

    Attributes:
        prompt: what is sent, message by message; none for a policy that is handed the observation itself.
    """

    prompt: tuple[Message, ...] = ()


class Called(RequestEvent, frozen=True, tag="call", forbid_unknown_fields=True):
    """One call to a provider, successful or not; several where it was tried again.

    Written in one group with `Answered` where it brought the answer, so that what was paid is never
    forgotten and never asked for again.

    Attributes:
        call_number: from 1, within the request.
        error: class of what went wrong, such as `rate_limit`; "" where nothing did.
        detail: the provider's words about it, without secrets.
        served_model, served_tier, request_id, stop_reason: as the provider said.
        usage: its own usage record, untouched.
        tokens: disjoint counts by bucket, see `gridwars.log.usage`.
        cost_microdollars: derived from `tokens` and the price table; None where no price is known.
        effective: the parameters that were sent.
        first_byte_milliseconds, total_milliseconds: from sending; None where nothing came.
    """

    call_number: int
    provider: str
    model: str
    error: str = ""
    detail: str = ""
    http_status: int | None = None
    served_model: str = ""
    served_tier: str = ""
    request_id: str = ""
    stop_reason: str = ""
    refusal_category: str = ""
    usage: Json = None
    tokens: dict[str, int] = msgspec.field(default_factory=dict)
    price_table: str = ""
    cost_microdollars: int | None = None
    effective: dict[str, Json] = msgspec.field(default_factory=dict)
    first_byte_milliseconds: int | None = None
    total_milliseconds: int = 0


class Answered(RequestEvent, frozen=True, tag="reply", forbid_unknown_fields=True):
    """What came back, as received; never asked for again once it stands here.

    Attributes:
        outcome: what was known before the text was read (see `Reply`).
    """

    text: str | None
    outcome: Outcome = Outcome.VALID
    failure: str = ""
    latency_milliseconds: int = 0


class Judged(RequestEvent, frozen=True, tag="judged", forbid_unknown_fields=True):
    """What a reply came to once it was read.

    Attributes:
        reason: why it was not taken; "" where it was.
        repairs: what reading put right.
    """

    outcome: Outcome
    reason: str = ""
    repairs: tuple[str, ...] = ()


HARNESS_EVENTS: tuple[type[Event], ...] = (Start, Budgeted, Text, Asked, Called, Answered, Judged)

END_KIND = "end"
"""The tag of the kind that closes a log; every benchmark has its own."""


def kind_of(event: Event) -> str:
    """The tag under which the log holds an event."""
    return str(type(event).__struct_config__.tag)


def is_end(event: Event) -> bool:
    return kind_of(event) == END_KIND


def find_voids(events: Iterable[Event]) -> list[Judged]:
    """The requests that nobody answered by no fault of the policy; with one an episode is void."""
    return [event for event in events if isinstance(event, Judged) and event.outcome.is_void]


def find_call_errors(events: Iterable[Event]) -> dict[tuple[int, int, int], str]:
    """What the last call of each request failed of, by request; one that this program cut off says little."""
    found: dict[tuple[int, int, int], str] = {}
    for event in events:
        if (
            isinstance(event, Called)
            and event.error
            and (event.error != "cancelled" or event.key not in found)
        ):
            found[event.key] = f"{event.error}: {event.detail}" if event.detail else event.error
    return found


def find_budget(events: Iterable[Event]) -> Budget:
    """The budget that an episode is played with at last."""
    budget = Budget()
    for event in events:
        match event:
            case Start(limits=limits):
                budget = limits.budget
            case Budgeted():
                budget = event.budget
            case _:
                pass
    return budget


def list_texts(events: Iterable[Event]) -> tuple[str, ...]:
    """The long texts that a log holds, templates of prompts among them."""
    return tuple(event.text for event in events if isinstance(event, Text))


def find_results(end: Event) -> Results:
    """The results that a log's last event holds, whatever the benchmark."""
    results = getattr(end, "results", None)
    assert is_end(end), "only an end has results"
    assert isinstance(results, Results), "every benchmark's end has results"
    return results
