"""Writes an episode as a reference replay, and checks one by playing it again (Grid Wars spec section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Event, Finding, Origin, ReplayError
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.benchmarks.engines import EngineChoice
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
from gridwars.benchmarks.grid_wars.results import EpisodeEnding
from gridwars.benchmarks.grid_wars.rules import (
    SEAT_COUNT,
    GridWarsConfig,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
    is_within_rules,
)
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.stats import stats_to_vector
from gridwars.benchmarks.grid_wars.submission import Submission, admit_recorded

MOST_TICKS = 100_000
"""Ticks of a battle that a replay may ask for: far beyond the rules' range, yet played in finite time."""

SCORE_TOLERANCE = 1e-9


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
    misplaced = find_misplaced(replay)
    if misplaced is not None:
        yield misplaced
        return
    last = len(replay.events) - 1
    parts = [getattr(event, "round", None) for event in replay.events]
    for path, recorded, derived in find_differences(replay, export_replay(derive_replay(replay))):
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
    # What the rules don't allow the fast engine need not know; the reference plays anything.
    engine = None if is_within_rules(config) else EngineChoice.REFERENCE
    episode = GridWarsEpisode(config, engine)
    events: list[Event] = []
    for submissions in rounds:
        for group in episode.advance(submissions):
            events += group
    if episode.open() is not None:
        for group in episode.stop_early():
            events += group
    return tuple(events)


def derive_replay(replay: Replay) -> Series:
    """The series that follows from the replay's configuration and submissions, whose order must be right.

    Raises:
        ReplayError: for a configuration that nothing can be played with.
    """
    config = GridWarsConfig(
        seed=replay.config.seed,
        rounds=replay.config.rounds,
        ticks=replay.config.ticks,
        bomb_cost=replay.config.bomb_cost,
    )
    if not 1 <= config.ticks <= MOST_TICKS:
        raise ReplayError(f"config.ticks: {config.ticks} is not in 1..{MOST_TICKS}; nothing can be played so")
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


def find_misplaced(replay: Replay) -> Finding | None:
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


def _is_close(path: str, recorded: object, derived: object) -> bool:
    return (
        path.startswith("results.scores[")
        and isinstance(recorded, float)
        and isinstance(derived, float)
        and abs(recorded - derived) <= SCORE_TOLERANCE
    )


def _seat_of(event: ReplayEvent, path: str) -> int | None:
    if isinstance(event, ReplaySubmit):
        return event.seat
    _, bracket, rest = path.partition("[")
    return int(rest.partition("]")[0]) if bracket else None


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
