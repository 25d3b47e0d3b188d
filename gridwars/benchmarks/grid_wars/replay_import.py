"""Turns a reference replay into events of ours (Grid Wars spec section 8).

Taken is what the replay records: submissions, seeds, spawns, statistics, curves, digests, results. Derived
by playing it again are only what a replay does not hold or words in its own way: tick digests, fault codes
and texts, the exact fractions of scores, and the ranking. A `compileError` is kept as it is. Where a derived
battle does not agree, nothing of it is taken, and an audit says what differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gridwars.benchmarks.contract import Event, ReplayError
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.replay import (
    SCORE_TOLERANCE,
    Series,
    derive_replay,
    find_misplaced,
)
from gridwars.benchmarks.grid_wars.replay_format import (
    Replay,
    ReplayBattle,
    ReplayEnd,
    ReplayEvent,
    ReplayRound,
    ReplayStart,
    ReplayStats,
    ReplaySubmit,
)
from gridwars.benchmarks.grid_wars.results import GridWarsResults
from gridwars.benchmarks.grid_wars.stats import SeatStats


def import_replay(replay: Replay) -> Series:
    """The replay as events of ours.

    Raises:
        ReplayError: for events out of order, or a number that has no exact form.
    """
    misplaced = find_misplaced(replay)
    if misplaced is not None:
        raise ReplayError(
            f"events[{misplaced.sequence}]: {misplaced.recorded} stands where {misplaced.derived} must"
        )
    derived = derive_replay(replay)
    pairs = zip(_play_events(replay), derived.events, strict=True)
    return Series(
        config=derived.config,
        aliases=replay.names,
        policy_names=replay.policy_names,
        events=tuple(_adopt(event, own, replay) for event, own in pairs),
    )


def _play_events(replay: Replay) -> Iterator[ReplayEvent]:
    """The events that a log has too: not the start, nor a round that was not played."""
    for index, event in enumerate(replay.events):
        unplayed = isinstance(event, ReplayRound) and isinstance(replay.events[index + 1], ReplayEnd)
        if not isinstance(event, ReplayStart) and not unplayed:
            yield event


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
    if abs(recorded - float(Fraction(derived))) <= SCORE_TOLERANCE:
        return derived
    return str(Fraction(repr(recorded)))


def _find_winner(replay: Replay, derived: int | None) -> int | None:
    """The seat that goes by the winner's name; where several do, the derived one if it is among them."""
    seats = [seat for seat, name in enumerate(replay.policy_names) if name == replay.results.winner]
    if derived in seats or not seats:
        return derived if derived in seats else None
    return seats[0]
