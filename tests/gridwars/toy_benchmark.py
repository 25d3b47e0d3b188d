"""A toy game behind the whole contract: in every round the one highest bid takes the prize.

Small enough to be read at once, it is what tests of the log, the audit and the harness play.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from gridwars.benchmarks.contract import (
    Baseline,
    BaselineNote,
    Batch,
    Bout,
    ConfigurationError,
    Decision,
    Event,
    Finding,
    Keyboard,
    Observation,
    Option,
    Origin,
    Pace,
    Painter,
    Player,
    Recording,
    Rejection,
    Rematch,
    ReplayAudit,
    ReplayCodec,
    ReplayError,
    Reply,
    Request,
    Results,
    Search,
    Starts,
    Worksheet,
)
from gridwars.benchmarks.contract import Outcome as Ending
from gridwars.benchmarks.presentation import Block, Picture, Section, Span, Table
from gridwars.benchmarks.scripted import play_bouts
from gridwars.canonical import Json, render_canonical
from gridwars.vectors import Runner

ALIASES = ("Ada", "Bob", "Cyd", "Dot")


class ToyConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seed: int = 0
    rounds: int = 3
    seats: int = 3
    limit: int = 9


class ToyObservation(Observation, frozen=True):
    round: int
    prize: int
    limit: int
    scores: tuple[int, ...]


class BidDecision(Decision, frozen=True):
    amount: int
    reason: str = ""


class Bid(Event, frozen=True, tag="bid", forbid_unknown_fields=True):
    """Seals what one seat bids."""

    round: int
    seat: int
    origin: Origin
    amount: int
    reason: str


class Outcome(Event, frozen=True, tag="outcome", forbid_unknown_fields=True):
    """Who took the prize; `winner` is -1 where the highest bid was not alone."""

    round: int
    prize: int
    winner: int
    scores: tuple[int, ...]


class End(Event, frozen=True, tag="end", forbid_unknown_fields=True):
    reason: str
    results: Results


class ToyEpisode:
    def __init__(self, config: ToyConfig) -> None:
        self._config = config
        self._round = 1
        self._scores = [0] * config.seats
        self._reason = ""

    @property
    def aliases(self) -> tuple[str, ...]:
        return tuple(ALIASES[(seat + self._config.seed) % 4] for seat in range(self._config.seats))

    def open(self) -> Batch | None:
        if self._reason:
            return None
        observation = ToyObservation(self._round, self._prize, self._config.limit, tuple(self._scores))
        seats = range(self._config.seats)
        return Batch(self._round, tuple(Request(self._round, seat, 1, observation) for seat in seats))

    def read(self, request: Request, reply: Reply) -> BidDecision | Rejection:
        text = (reply.text or "").strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= self._config.limit):
            return Rejection(f"not a whole number from 0 to {self._config.limit}: {text[:40]!r}")
        origin = Origin.SCRIPTED if reply.scripted else Origin.LLM if request.attempt == 1 else Origin.RETRY
        return BidDecision(int(text), seat=request.seat, origin=origin)

    def fallback(self, request: Request, reason: str, outcome: Ending = Ending.INVALID) -> BidDecision:
        return BidDecision(0, reason, seat=request.seat, origin=Origin.FALLBACK)

    def advance(self, decisions: Sequence[Decision]) -> Iterator[Sequence[Event]]:
        bids = [decision for decision in decisions if isinstance(decision, BidDecision)]
        assert [bid.seat for bid in bids] == list(range(self._config.seats)), "one bid a seat, in seat order"
        yield [Bid(self._round, bid.seat, bid.origin, bid.amount, bid.reason) for bid in bids]
        highest = max(bid.amount for bid in bids)
        leaders = [bid.seat for bid in bids if bid.amount == highest]
        winner = leaders[0] if len(leaders) == 1 else -1
        if winner >= 0:
            self._scores[winner] += self._prize
        yield [Outcome(self._round, self._prize, winner, tuple(self._scores))]
        self._round += 1
        if self._round > self._config.rounds:
            yield from self._end("complete")

    def stop_early(self, recorded: Event | None = None) -> Iterator[Sequence[Event]]:
        yield from self._end("deadline")

    def decision_of(self, event: Event) -> BidDecision | None:
        if isinstance(event, Bid) and event.round == self._round:
            return BidDecision(event.amount, event.reason, seat=event.seat, origin=event.origin)
        return None

    def results(self) -> Results:
        ranking = sorted(range(self._config.seats), key=lambda seat: (-self._scores[seat], seat))
        return Results(tuple(map(str, self._scores)), tuple(ranking), self._reason)

    @property
    def _prize(self) -> int:
        return 1 + (self._config.seed + 7 * self._round) % 5

    def _end(self, reason: str) -> Iterator[Sequence[Event]]:
        self._reason = reason
        yield [End(reason, self.results())]


class ToyView:
    part_noun = "round"
    batch_noun = "round"
    moment_noun = "bid"

    def ends_batch(self, event: Event) -> bool:
        return isinstance(event, Outcome)

    def ends_part(self, event: Event) -> bool:
        return isinstance(event, Outcome)

    def count_parts(self, recording: Recording) -> int:
        return sum(isinstance(event, Bid) and event.seat == 0 for event in recording.events)

    def render_summary(self, recording: Recording) -> Sequence[Block]:
        outcomes = [event for event in recording.events if isinstance(event, Outcome)]
        rows = tuple((str(outcome.round), str(outcome.winner)) for outcome in outcomes)
        return (Table("rounds", ("round", "winner"), rows),)

    def tell_result(self, recording: Recording) -> Sequence[str]:
        return [f"the end: {event.reason}" for event in recording.events if isinstance(event, End)]

    def render_part(self, recording: Recording, part: int) -> Sequence[Block]:
        bids = [event for event in recording.events if isinstance(event, Bid) and event.round == part]
        return (Section(f"round {part}", tuple(f"{bid.seat} bids {bid.amount}" for bid in bids)),)

    def iterate_pictures(
        self, recording: Recording, part: int, *, compact: bool = False
    ) -> Iterator[Picture]:
        for event in recording.events:
            if isinstance(event, Bid) and event.round == part:
                yield _draw_bid(event)

    def start_pictures(self, config: msgspec.Struct, *, compact: bool = False) -> Painter:
        return lambda event: iter([_draw_bid(event)] if isinstance(event, Bid) else [])


def _draw_bid(bid: Bid) -> Picture:
    return Picture(f"round {bid.round}", bid.seat, ((Span("*" * bid.amount),),), ())


class Toy:
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Sealed bids"
    rules_version: ClassVar[int] = 1
    dialogue_version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = range(2, 5)
    options: ClassVar[tuple[Option, ...]] = (
        Option("seed", 0, "Moves prizes and names.", 0, 1000),
        Option("rounds", 3, "How many prizes there are.", 1, 12),
        Option("seats", 3, "How many bid.", 2, 4),
        Option("limit", 9, "The highest bid.", 1, 99),
    )
    event_types: ClassVar[tuple[type[Event], ...]] = (Bid, Outcome, End)
    baselines: ClassVar[Mapping[str, Baseline]] = {
        "miser": lambda observation: "0",
        "fair": lambda observation: str(observation.prize) if isinstance(observation, ToyObservation) else "",
        "rash": lambda observation: str(observation.limit) if isinstance(observation, ToyObservation) else "",
    }
    default_seats: ClassVar[tuple[str, ...]] = ("fair", "miser", "rash", "fair")
    baseline_notes: ClassVar[Mapping[str, BaselineNote]] = {
        "miser": BaselineNote("Bids nothing."),
        "fair": BaselineNote("Bids the prize."),
        "rash": BaselineNote("Bids the limit."),
    }
    search: ClassVar[Search | None] = None
    pace: ClassVar[Pace] = Pace(batch_seconds=3600, plays_on=False)
    keyboard: ClassVar[Keyboard | None] = None
    replay_codec: ClassVar[ReplayCodec | None] = None
    vector_runners: ClassVar[Mapping[str, Runner]] = {}
    replay_audits: ClassVar[Mapping[str, ReplayAudit]] = {"toy.sum.v1": lambda data: _audit_sum(data)}

    def configure(self, options: Mapping[str, Json]) -> ToyConfig:
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            option = known.get(name)
            if option is None:
                raise ConfigurationError(f"{name}: no such option; there is: {', '.join(known)}")
            if type(value) is not int or not option.minimum <= value <= option.maximum:  # type: ignore[operator]  # integers have both
                raise ConfigurationError(f"{name}: {value!r} is not in {option.minimum}..{option.maximum}")
        return msgspec.convert(dict(options), ToyConfig)

    def count_most_batches(self, config: msgspec.Struct) -> int:
        assert isinstance(config, ToyConfig)
        return config.rounds

    def make_view(self) -> ToyView:
        return ToyView()

    def prompt_facts(self) -> Mapping[str, Json]:
        return {"rules": {"most_seats": 4}}

    def tell_moment(self, observation: Observation) -> Mapping[str, Json]:
        return {}

    def sample_observations(self) -> Sequence[Observation]:
        return (ToyObservation(round=1, prize=3, limit=9, scores=(1, 2)),)

    def render_reply(self, decision: Decision, *, scripted: bool) -> str:
        assert isinstance(decision, BidDecision)
        return str(decision.amount)

    def render_worksheet(self, observation: Observation, problem: str, draft: str) -> Worksheet:
        assert isinstance(observation, ToyObservation)
        said = "".join(f"# {line}\n" for line in problem.splitlines())
        return Worksheet(f"# prize {observation.prize}\n{said}{draft or '0'}\n", ".txt")

    def read_worksheet(self, text: str) -> str | Rejection:
        bid = "".join(line for line in text.splitlines() if not line.startswith("#")).strip()
        return bid if bid.isdecimal() else Rejection(f"not a number: {bid[:40]!r}")

    def check_script(self, text: str) -> str | None:
        return None if text.strip().isdecimal() else f"not a number: {text[:40]!r}"

    def review_script(self, text: str) -> str:
        return "a bid of nothing" if text.strip() == "0" else ""

    def start(self, config: msgspec.Struct) -> ToyEpisode:
        assert isinstance(config, ToyConfig)
        return ToyEpisode(config)

    def play_bouts(
        self, config: msgspec.Struct, bouts: Sequence[Bout], *, threads: int = 1
    ) -> Iterator[Results]:
        return play_bouts(self.start, config, bouts)

    def list_starts(self, config: msgspec.Struct, players: Sequence[Player]) -> Starts | None:
        return None

    def list_rematches(self, config: msgspec.Struct, events: Sequence[Event]) -> Sequence[Rematch]:
        return ()

    def audit(self, config: msgspec.Struct, events: Sequence[tuple[int, Event]]) -> Iterator[Finding]:
        episode = self.start(config)
        rest = list(events)
        while rest:
            batch = episode.open()
            if batch is None:
                yield Finding(rest[0][0], "kind", type(rest[0][1]).__name__, "the end")
                return
            sealed = [episode.decision_of(event) for _, event in rest[: len(batch.requests)]]
            bids = [bid for bid in sealed if bid is not None]
            if isinstance(rest[0][1], End):
                groups = episode.stop_early()
            elif [bid.seat for bid in bids] == list(range(len(batch.requests))):
                groups = episode.advance(bids)
            elif [bid.seat for bid in bids] == list(range(len(rest))):
                return  # cut while it was sealed
            else:
                yield Finding(
                    rest[0][0], "kind", type(rest[0][1]).__name__, "one bid a seat", part=batch.part
                )
                return
            for derived in (event for group in groups for event in group):
                if rest:
                    sequence, recorded = rest.pop(0)
                    yield from _compare(sequence, batch.part, recorded, derived)


def _compare(sequence: int, part: int, recorded: Event, derived: Event) -> Iterator[Finding]:
    left = msgspec.to_builtins(recorded)
    right = msgspec.to_builtins(derived)
    for field in right:
        if left.get(field) != right[field]:
            shown = render_canonical(left.get(field)), render_canonical(right[field])
            yield Finding(sequence, field, *shown, seat=right.get("seat"), part=part)


def _audit_sum(data: bytes) -> Iterator[Finding]:
    replay = json.loads(data)
    try:
        derived, recorded = sum(replay["bids"]), replay["sum"]
    except (KeyError, TypeError) as error:
        raise ReplayError(f"no bids or no sum: {error}") from None
    if derived != recorded:
        yield Finding(0, "sum", str(recorded), str(derived))


TOY = Toy()
BENCHMARKS: Mapping[str, Toy] = {"toy": TOY}
"""To be given to whatever looks a benchmark up by name."""
