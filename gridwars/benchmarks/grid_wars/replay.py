"""Reads, checks and writes reference replays (Grid Wars spec section 8).

An import takes what the replay records: submissions, seeds, spawns, statistics, curves, digests, results.
Derived by playing it again are only what a replay does not hold or words in its own way: tick digests,
fault codes and texts, the exact fractions of scores, and the ranking. A `compileError` is kept as it is.
Where a derived battle does not agree, nothing of it is taken, and an audit says what differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import msgspec

from gridwars.benchmarks.contract import Event, Finding, Origin, ReplayError
from gridwars.benchmarks.grid_wars.differences import find_differences, render_value
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.replay_format import (
    PROTOCOL,
    Replay,
    ReplayBattle,
    ReplayConfig,
    ReplayEnd,
    ReplayEvent,
    ReplayResults,
    ReplayRound,
    ReplayStart,
    ReplayStats,
    ReplaySubmit,
    decode_replay,
)
from gridwars.benchmarks.grid_wars.results import EpisodeEnding, GridWarsResults
from gridwars.benchmarks.grid_wars.rules import (
    SEAT_COUNT,
    GridWarsConfig,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
)
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.stats import SeatStats, stats_to_vector
from gridwars.benchmarks.grid_wars.submission import Submission, admit_recorded

_SCORE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Series:
    """A whole episode: what a log holds and a replay too.

    Attributes:
        aliases, policy_names: by seat.
        events: as a log has them, from the first round to the end.
    """

    config: GridWarsConfig
    aliases: tuple[str, ...]
    policy_names: tuple[str, ...]
    events: tuple[Event, ...]


def import_replay(replay: Replay) -> Series:
    """The replay as events of ours.

    Raises:
        ReplayError: for events out of order, or a number that has no exact form.
    """
    misplaced = _find_misplaced(replay)
    if misplaced is not None:
        raise ReplayError(
            f"events[{misplaced.sequence}]: {misplaced.recorded} stands where {misplaced.derived} must"
        )
    derived = _derive(replay)
    recorded = [event for _, event in _play_events(replay)]
    return Series(
        config=derived.config,
        aliases=replay.names,
        policy_names=replay.policy_names,
        events=tuple(_adopt(event, own, replay) for event, own in zip(recorded, derived.events, strict=True)),
    )


def export_replay(series: Series) -> Replay:
    """The episode as a replay.

    Raises:
        ReplayError: for an episode that has not ended.
    """
    end = series.events[-1] if series.events else None
    if not isinstance(end, End):
        raise ReplayError("the episode has not ended; a replay is of a whole one, so resume it first")
    results = end.results
    return Replay(
        protocol=PROTOCOL,
        names=series.aliases,
        policy_names=series.policy_names,
        config=ReplayConfig(
            rounds=series.config.rounds,
            ticks=series.config.ticks,
            bomb_cost=series.config.bomb_cost,
            seed=series.config.seed,
        ),
        events=(ReplayStart(), *_export_events(series)),
        results=ReplayResults(
            names=series.policy_names,
            scores=tuple(float(Fraction(score)) for score in results.scores),
            tiles=results.tiles,
            rounds_won=results.rounds_won,
            kills=results.kills,
            deaths=results.deaths,
            faults=results.faults,
            fallbacks=results.fallbacks,
            rounds=results.rounds,
            max_rounds=results.max_rounds,
            ticks=results.ticks,
            round_reasons=results.round_reasons,
            winner="" if results.winner is None else series.policy_names[results.winner],
            reason=results.reason,
        ),
    )


def audit_replay(data: bytes) -> Iterator[Finding]:
    """Plays a replay again and compares everything in it but the wording of faults and compile errors.

    Raises:
        ReplayError: for what is no replay.
    """
    replay = decode_replay(data)
    misplaced = _find_misplaced(replay)
    if misplaced is not None:
        yield misplaced
        return
    last = len(replay.events) - 1
    parts = [getattr(event, "round", None) for event in replay.events]
    for path, recorded, derived in find_differences(replay, export_replay(_derive(replay))):
        if path.endswith(("faultText", "compileError")) or _is_close(path, recorded, derived):
            continue
        head, _, inner = path.partition("].")
        is_event = head.startswith("events[")
        sequence = (
            int(head.removeprefix("events[")) if is_event else last if head.startswith("results") else 0
        )
        yield Finding(
            sequence,
            inner if is_event else path,
            recorded=render_value(recorded),
            derived=render_value(derived),
            seat=_seat_of(replay.events[sequence], inner) if is_event else None,
            part=parts[sequence] if is_event else None,
        )


def derive_series(config: GridWarsConfig, rounds: Sequence[Sequence[Submission]]) -> tuple[Event, ...]:
    """The events of a series with these submissions; with fewer rounds than planned it ends early."""
    episode = GridWarsEpisode(config)
    events: list[Event] = []
    for submissions in rounds:
        for group in episode.advance(submissions):
            events += group
    if episode.open() is not None:
        for group in episode.stop_early():
            events += group
    return tuple(events)


def _derive(replay: Replay) -> Series:
    config = GridWarsConfig(
        seed=replay.config.seed,
        rounds=replay.config.rounds,
        ticks=replay.config.ticks,
        bomb_cost=replay.config.bomb_cost,
    )
    if config.ticks < 1:
        raise ReplayError(f"config.ticks: {config.ticks}; a battle has at least 1")
    submits = [event for event in replay.events if isinstance(event, ReplaySubmit)]
    submissions = [
        admit_recorded(
            Submission(
                seat=seat % SEAT_COUNT,
                origin=event.origin,
                script=event.script,
                notes=event.text if isinstance(event.text, str) else "",
                banner=event.banner,
                reason=event.compile_error,
            )
        )
        for seat, event in enumerate(submits)
    ]
    rounds = [submissions[start : start + SEAT_COUNT] for start in range(0, len(submissions), SEAT_COUNT)]
    return Series(
        config=config,
        aliases=draw_aliases(config.seed),
        policy_names=replay.policy_names,
        events=derive_series(config, rounds),
    )


def _find_misplaced(replay: Replay) -> Finding | None:
    """The first event of a kind that may not stand where it does."""
    playing: list[type[ReplayEvent]] = [ReplayRound, *[ReplaySubmit] * SEAT_COUNT, ReplayBattle]
    played = sum(isinstance(event, ReplayBattle) for event in replay.events)
    due: list[type[ReplayEvent]] = [ReplayStart, *playing * min(played, max(replay.config.rounds, 0))]
    if played < replay.config.rounds:
        due.append(ReplayRound)
    due.append(ReplayEnd)
    for index in range(max(len(due), len(replay.events))):
        recorded = _kind(type(replay.events[index])) if index < len(replay.events) else "nothing"
        derived = _kind(due[index]) if index < len(due) else "nothing"
        if recorded != derived:
            return Finding(index, "kind", recorded, derived)
    return None


def _kind(event_type: type[ReplayEvent]) -> str:
    return str(event_type.__struct_config__.tag)


def _play_events(replay: Replay) -> Iterator[tuple[int, ReplayEvent]]:
    """The events that a log has too, with their index: not the start, nor a round that was not played."""
    for index, event in enumerate(replay.events):
        unplayed = isinstance(event, ReplayRound) and isinstance(replay.events[index + 1], ReplayEnd)
        if not isinstance(event, ReplayStart) and not unplayed:
            yield index, event


def _is_close(path: str, recorded: object, derived: object) -> bool:
    return (
        path.startswith("results.scores[")
        and isinstance(recorded, float)
        and isinstance(derived, float)
        and abs(recorded - derived) <= _SCORE_TOLERANCE
    )


def _seat_of(event: ReplayEvent, path: str) -> int | None:
    if isinstance(event, ReplaySubmit):
        return event.seat
    _, bracket, rest = path.partition("[")
    return int(rest.partition("]")[0]) if bracket else None


Same = TypeVar("Same", bound=Event)


def _adopt(recorded: ReplayEvent, derived: Event, replay: Replay) -> Event:
    """Our event with what the replay records."""
    match recorded, derived:
        case ReplayRound(), Round():
            return Round(round=recorded.round, seed=recorded.seed, spawn=recorded.spawn, ticks=recorded.ticks)
        case ReplaySubmit(), Submit():
            return Submit(
                round=recorded.round,
                seat=recorded.seat,
                origin=recorded.origin,
                script=recorded.script,
                notes=recorded.text if isinstance(recorded.text, str) else "",
                banner=recorded.banner,
                reason=recorded.compile_error,
                repairs=(),
            )
        case ReplayBattle(), Battle():
            agree = recorded.digest == derived.digest
            return Battle(
                round=recorded.round,
                ticks_played=recorded.ticks_played,
                reason=recorded.reason,
                digest=recorded.digest,
                tick_digests=derived.tick_digests if agree else "",
                stats=tuple(map(_adopt_stats, recorded.stats, derived.stats)),
                curve=recorded.curve,
            )
        case ReplayEnd(), End():
            return End(results=_adopt_results(replay, derived.results))
        case _:
            raise AssertionError("the order of events was checked")


def _adopt_stats(recorded: ReplayStats, derived: SeatStats) -> SeatStats:
    quarters = recorded.round_score * 4
    if not quarters.is_integer():
        raise ReplayError(f"roundScore: {recorded.round_score} is no multiple of 0.25")
    same_fault = recorded.fault_line == derived.fault_line
    return SeatStats(
        tiles=recorded.tiles,
        peak_tiles=recorded.peak_tiles,
        kills=recorded.kills,
        self_kills=recorded.self_kills,
        alive=recorded.alive,
        death_tick=recorded.death_tick,
        death_cause=recorded.death_cause,
        fault_line=recorded.fault_line,
        fault_code=derived.fault_code if same_fault else None,
        fault_text=derived.fault_text if same_fault else recorded.fault_text,
        illegal=recorded.illegal,
        blocked=recorded.blocked,
        refused=recorded.refused,
        stalls=recorded.stalls,
        ticks_lived=recorded.ticks_lived,
        raw=recorded.raw,
        round_score_quarters=int(quarters),
    )


def _adopt_results(replay: Replay, derived: GridWarsResults) -> GridWarsResults:
    recorded = replay.results
    return GridWarsResults(
        scores=tuple(map(_exact_score, recorded.scores, derived.scores)),
        ranking=derived.ranking,
        reason=recorded.reason,
        tiles=recorded.tiles,
        rounds_won=recorded.rounds_won,
        kills=recorded.kills,
        deaths=recorded.deaths,
        faults=recorded.faults,
        fallbacks=recorded.fallbacks,
        rounds=recorded.rounds,
        max_rounds=recorded.max_rounds,
        ticks=recorded.ticks,
        round_reasons=recorded.round_reasons,
        winner=_find_winner(replay, derived.winner),
    )


def _exact_score(recorded: float, derived: str) -> str:
    if abs(recorded - float(Fraction(derived))) <= _SCORE_TOLERANCE:
        return derived
    return str(Fraction(repr(recorded)))


def _find_winner(replay: Replay, derived: int | None) -> int | None:
    """The seat that goes by the winner's name; where several do, the derived one if it is among them."""
    seats = [seat for seat, name in enumerate(replay.policy_names) if name == replay.results.winner]
    if derived in seats or not seats:
        return derived if derived in seats else None
    return seats[0]


def _export_events(series: Series) -> Iterator[ReplayEvent]:
    for event in series.events:
        match event:
            case Round():
                yield ReplayRound(round=event.round, seed=event.seed, ticks=event.ticks, spawn=event.spawn)
            case Submit():
                yield ReplaySubmit(
                    round=event.round,
                    seat=event.seat,
                    script=event.script,
                    lines=len(event.script),
                    origin=event.origin,
                    compile_error=event.reason,
                    banner=event.banner,
                    scripted=event.origin is Origin.SCRIPTED,
                    text=event.notes or msgspec.UNSET,
                )
            case Battle():
                yield ReplayBattle(
                    round=event.round,
                    ticks_played=event.ticks_played,
                    reason=event.reason,
                    digest=event.digest,
                    stats=tuple(
                        msgspec.convert(stats_to_vector(stats), ReplayStats) for stats in event.stats
                    ),
                    curve=event.curve,
                )
            case End():
                if event.results.reason == EpisodeEnding.DEADLINE:
                    # The reference opens a round before it looks at the clock.
                    unplayed = event.results.rounds + 1
                    seed = compute_round_seed(series.config.seed, unplayed)
                    yield ReplayRound(
                        round=unplayed, seed=seed, ticks=series.config.ticks, spawn=draw_spawn(seed)
                    )
                yield ReplayEnd(round=event.results.rounds, text=event.results.reason)
            case _:
                raise AssertionError("an event of another benchmark")
