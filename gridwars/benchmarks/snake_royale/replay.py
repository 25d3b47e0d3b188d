"""Writes a game as a reference replay, reads one as a game of ours, and checks one by playing it again.

A replay's table of turns holds no alternatives, so its own reader cannot repeat a game in which one was
used to repair a neck. They stand in the records of the directives, and here they are taken from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Event, Finding, Origin, ReplayCodec, ReplayError, Request, Transcript
from gridwars.benchmarks.snake_royale.audit import audit_game
from gridwars.benchmarks.snake_royale.baselines import BASELINES, COIL
from gridwars.benchmarks.snake_royale.digest import render_digest
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode, require_own_observation
from gridwars.benchmarks.snake_royale.events import Deal, Directive, End, TurnPlayed
from gridwars.benchmarks.snake_royale.orders import REASON_LENGTH, FallbackCause, Order
from gridwars.benchmarks.snake_royale.replay_format import (
    DEAD,
    MAGIC,
    PROTOCOL,
    BudgetGuard,
    DirectiveRecord,
    FallbackRecord,
    Join,
    Record,
    Register,
    Replay,
    ReplayBoard,
    ReplayConfig,
    ReplayPlayer,
    Result,
    Stop,
    TurnRow,
    decode_replay,
    encode_replay,
)
from gridwars.benchmarks.snake_royale.replay_records import check_records
from gridwars.benchmarks.snake_royale.reply import NO_DIRECTION
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults
from gridwars.benchmarks.snake_royale.results_document import (
    PolicyKind,
    ResultsDocument,
    find_policy_kinds,
    make_document,
)
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    COLOURS,
    DIRECTION_CODES,
    DIRECTIONS,
    EARLY_END_RULES,
    SEAT_COUNT,
    SEATS,
    EndRule,
    SnakeRoyaleConfig,
    draw_spawn_deal,
    list_anchors,
)

_LABEL_LENGTH = 64
_LAST_ATTEMPT = 2
_SOURCES: Mapping[str, Origin] = {
    "llm": Origin.LLM,
    "external": Origin.LLM,
    "scripted": Origin.SCRIPTED,
    "fallback": Origin.FALLBACK,
}


def read_game(replay: Replay) -> Transcript:
    """The replay as events of ours: what it records as recorded, the rest as it follows from the orders.

    Raises:
        ReplayError: for a configuration that nothing can be played with, turns after the end of the game, and
            scores that are no thousandths.
    """
    transcript, turn_count = _follow(replay)
    if turn_count < len(replay.turns):
        raise ReplayError(
            f"turn {turn_count + 1}: the game is over after turn {turn_count} of {len(replay.turns)} recorded"
        )
    return transcript


def _follow(replay: Replay) -> tuple[Transcript, int]:
    """The replay as events of ours, and the number of its turns until the game is over."""
    config = _require_playable(replay.config)
    episode = SnakeRoyaleEpisode(config)
    book = _Book(replay.records)
    events: list[Event] = []
    for row in replay.turns:
        batch = episode.open()
        if batch is None:
            break
        orders = [book.find_order(request, row.codes[request.seat]) for request in batch.requests]
        for event in (event for group in episode.advance(orders) for event in group):
            if isinstance(event, TurnPlayed):
                event = msgspec.structs.replace(event, hash=render_digest(row.digest))
            events.append(event)
    if episode.open() is not None:
        events += [event for group in episode.stop_by(book.early_end_rule) for event in group]
    if not replay.turns:
        events.insert(0, episode.opening)
    if replay.config.spawn_deal:
        opening = events[0]
        assert isinstance(opening, Deal)
        events[0] = msgspec.structs.replace(opening, spawn_deal=replay.config.spawn_deal)
    end = events[-1]
    assert isinstance(end, End)
    if book.results is not None:
        events[-1] = End(results=_adopt_results(book.results, end.results))
    return Transcript(config, ALIASES, _list_policies(replay), tuple(events)), episode.state.turn


def write_game(transcript: Transcript) -> Replay:
    """The game as a replay.

    Raises:
        ReplayError: for a game that has not ended.
    """
    config = transcript.config
    assert isinstance(config, SnakeRoyaleConfig), "a transcript of another benchmark"
    end = transcript.events[-1] if transcript.events else None
    if not isinstance(end, End):
        raise ReplayError("the episode has not ended; a replay is of a whole one, so resume it first")
    directives = [event for event in transcript.events if isinstance(event, Directive)]
    kinds = find_policy_kinds(directives)
    policies = transcript.policy_names
    names = [_name_player(seat, policies[seat]) for seat in SEATS]
    deal = draw_spawn_deal(config.seed)
    by_turn: dict[int, list[Directive]] = {}
    for directive in directives:
        by_turn.setdefault(directive.turn, []).append(directive)
    played = [event for event in transcript.events if isinstance(event, TurnPlayed)]
    records: list[Record] = [
        Register(
            slot=seat,
            alias=ALIASES[seat],
            colour=COLOURS[deal[seat]],
            policy=policies[seat][:_LABEL_LENGTH],
            kind=kinds[seat],
            baseline=policies[seat] if policies[seat] in BASELINES else COIL,
        )
        for seat in SEATS
    ]
    for event in played:
        turn = by_turn[event.turn]
        records += [_write_fallback(directive) for directive in turn if directive.cause]
        records += [write_directive(directive) for directive in turn]
    if end.results.end_rule in EARLY_END_RULES:
        records.append(Stop(turn=end.results.turns, end_rule=end.results.end_rule))
    records.append(Result(make_document(config, end.results, names, kinds)))
    return Replay(
        config=_write_config(config, deal, names, kinds),
        joins=tuple(Join(seat, names[seat], "") for seat in SEATS),
        turns=tuple(TurnRow(_list_codes(by_turn[event.turn]), int(event.hash, 16)) for event in played),
        records=tuple(records),
    )


def _list_codes(directives: Sequence[Directive]) -> tuple[int, ...]:
    codes = [DEAD] * SEAT_COUNT
    for directive in directives:
        codes[directive.seat] = DIRECTION_CODES[directive.direction]
    return tuple(codes)


def audit_replay(data: bytes) -> Iterator[Finding]:
    """Plays a replay again and compares every hash and number in it; see `replay_records` for what is left.

    Raises:
        ReplayError: for what is no replay, or cannot be played.
    """
    replay = decode_replay(data)
    transcript, turn_count = _follow(replay)
    assert isinstance(transcript.config, SnakeRoyaleConfig)
    yield from check_records(replay)
    yield from audit_game(transcript.config, enumerate(transcript.events))
    if turn_count < len(replay.turns):
        yield Finding(len(transcript.events), "turns", str(len(replay.turns)), str(turn_count))


def _decode(data: bytes) -> Transcript:
    return read_game(decode_replay(data))


def _encode(transcript: Transcript) -> bytes:
    return encode_replay(write_game(transcript))


CODEC = ReplayCodec(PROTOCOL, _decode, _encode, magic=MAGIC)


class _Book:
    """The records of a replay, looked up by turn and seat.

    Attributes:
        results: as recorded at the end; None where the replay stops before.
        early_end_rule: why a game that was not over ended.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self._directives: dict[tuple[int, int], DirectiveRecord] = {}
        self._fallbacks: dict[tuple[int, int], FallbackRecord] = {}
        self._guarded = False
        self.results: ResultsDocument | None = None
        self.early_end_rule = EndRule.WALL_CLOCK
        for record in records:
            match record:
                case DirectiveRecord():
                    self._directives[record.turn, record.slot] = record
                case FallbackRecord():
                    self._fallbacks[record.turn, record.slot] = record
                case BudgetGuard():
                    self._guarded = True
                case Stop():
                    self.early_end_rule = record.end_rule
                case Result():
                    self.results = record.results
                case Register():
                    pass

    def find_order(self, request: Request, code: int) -> Order:
        """The order of a living seat, whose direction the table of turns has."""
        observation = require_own_observation(request)
        direction = observation.you.last_dir if code == DEAD else DIRECTIONS[code]
        key = (request.part, request.seat)
        directive = self._directives.get(key)
        if directive is None:
            return Order(seat=request.seat, origin=Origin.SCRIPTED, direction=direction)
        origin = _SOURCES.get(directive.source)
        if origin is None:
            raise ReplayError(f"turn {request.part}, slot {request.seat}: source is {directive.source!r}")
        cause, reason = self._find_cause(key) if origin is Origin.FALLBACK else (FallbackCause.NONE, "")
        return Order(
            seat=request.seat,
            origin=origin,
            direction=direction,
            alternative=directive.alt,
            say=directive.say,
            repaired=directive.repaired,
            repairs=(NO_DIRECTION,) if directive.repaired else (),
            cause=cause,
            reason=reason,
        )

    def _find_cause(self, key: tuple[int, int]) -> tuple[FallbackCause, str]:
        fallback = self._fallbacks.get(key)
        if fallback is not None:
            return fallback.cause, fallback.detail or fallback.cause.value
        cause = FallbackCause.BUDGET_GUARD if self._guarded else FallbackCause.TIMEOUT
        return cause, "the replay does not say"


def _require_playable(recorded: ReplayConfig) -> SnakeRoyaleConfig:
    config = recorded.to_config()
    if recorded.protocol != PROTOCOL:
        raise ReplayError(f"config.protocol: {recorded.protocol[:80]!r}; only {PROTOCOL} can be read")
    lowest = {"board_w": 1, "board_h": 1, "start_length": 1, "max_turns": 1}
    for name, bound in lowest.items():
        if getattr(config, name) < bound:
            raise ReplayError(f"config: {name} is {getattr(config, name)}; nothing can be played so")
    if max(config.board_w, config.board_h) > _LONGEST_SIDE:
        raise ReplayError(f"config.board: a side is longer than {_LONGEST_SIDE} cells")
    return config


_LONGEST_SIDE = 1000
"""Far beyond the rules' range, yet laid out in no time."""


def _list_policies(replay: Replay) -> tuple[str, ...]:
    """By seat, the baseline that plays it, or else the player's name."""
    names = [player.name for player in replay.config.players] + [""] * SEAT_COUNT
    policies = [names[seat] or f"Cog{seat + 1}" for seat in SEATS]
    for record in replay.records:
        if isinstance(record, Register) and record.policy in BASELINES:
            policies[record.slot] = record.policy
    return tuple(policies)


def _name_player(seat: int, policy: str) -> str:
    return f"Cog{seat + 1}" if policy in BASELINES else policy


def _adopt_results(recorded: ResultsDocument, derived: SnakeRoyaleResults) -> SnakeRoyaleResults:
    """Our results with what the replay records."""
    return SnakeRoyaleResults(
        scores=tuple(map(_exact_score, recorded.scores)),
        ranking=derived.ranking,
        reason=recorded.reason,
        end_rule=recorded.end_rule,
        module=recorded.module,
        turns=recorded.turns_played,
        places=recorded.place,
        survived_turns=recorded.survived_turns,
        death_turns=recorded.death_turn,
        death_causes=recorded.death_cause,
        killed_by=recorded.killed_by,
        final_lengths=recorded.final_length,
        max_lengths=recorded.max_length,
        food_eaten=recorded.food_eaten,
        declined_kills=recorded.declined_kills,
        trapped_turns=recorded.trapped_turns,
        reverse_repaired=recorded.reverse_repaired,
        said_turns=recorded.said_turns,
        replies=recorded.llm_turns,
        repaired=recorded.orders_rejected,
        fallbacks=recorded.fallback_turns,
    )


def _exact_score(recorded: float) -> str:
    permille = round(recorded * 1000)
    if permille / 1000 != recorded:
        raise ReplayError(f"results.scores: {recorded} is no multiple of 0.001")
    return str(Fraction(permille, 1000))


def _write_config(
    config: SnakeRoyaleConfig, deal: Sequence[int], names: Sequence[str], kinds: Sequence[PolicyKind]
) -> ReplayConfig:
    return ReplayConfig(
        seed=config.seed,
        module=config.module,
        board=ReplayBoard(config.board_w, config.board_h, config.wrap),
        food_count=config.food_count,
        health_start=config.health_start,
        shrink_every=config.shrink_every,
        leave_trail=config.leave_trail,
        head_to_head=config.head_to_head,
        start_length=config.start_length,
        max_turns=config.max_turns,
        spawn_deal=tuple(deal),
        spawn_anchors=list_anchors(config),
        players=tuple(map(ReplayPlayer, names)),
        aliases=ALIASES,
        colours=tuple(COLOURS[anchor] for anchor in deal),
        policy_kinds=tuple(kind.value for kind in kinds),
        turn_spacing_ms=0,
        say_turns=config.say_turns,
    )


def write_directive(directive: Directive) -> DirectiveRecord:
    origin = Origin.LLM if directive.origin is Origin.RETRY else directive.origin
    return DirectiveRecord(
        turn=directive.turn,
        slot=directive.seat,
        alias=ALIASES[directive.seat],
        source=origin.value,
        latency_ms=0,
        dir=directive.direction,
        repaired=directive.repaired,
        say=directive.say,
        alt=directive.alternative,
    )


def _write_fallback(directive: Directive) -> FallbackRecord:
    return FallbackRecord(
        turn=directive.turn,
        slot=directive.seat,
        attempt=_LAST_ATTEMPT,
        cause=directive.cause,
        detail=directive.reason[:REASON_LENGTH],
    )
