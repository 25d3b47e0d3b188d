"""Derives a series again from its sealed submissions and compares everything that was recorded.

The second path to the same result: it walks the events by itself, knows which must come next, takes
nothing from them but the submissions, and says event, seat, field and tick of whatever differs. A log that
ends before its series does is fine up to there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from gridwars.benchmarks.contract import Event, Finding, Origin
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.battle import TICK_DIGEST_LENGTH, BattleResult, compile_seats
from gridwars.benchmarks.grid_wars.engine import EnginesDifferError, start_engine
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.results import EpisodeEnding, PlayedRound, compute_results
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, GridWarsConfig, compute_round_seed, draw_spawn
from gridwars.benchmarks.grid_wars.submission import (
    cap_banner,
    cap_notes,
    cap_reason,
    cap_script,
    find_problem,
    fits_limits,
)


def audit_series(
    config: GridWarsConfig,
    events: Iterable[tuple[int, Event]],
    engine: EngineChoice | None = None,
) -> Iterator[Finding]:
    """Everything that differs, in the order of the log.

    An event that may not stand where it does ends the walk: nothing after it can be placed.
    """
    walk = _Walk(config, engine)
    for sequence, event in events:
        due = walk.describe_due()
        match event:
            case Round() if walk.is_round_due:
                yield from walk.take_round(sequence, event)
            case Submit() if walk.is_submit_due:
                yield from walk.take_submit(sequence, event)
            case Battle() if walk.is_battle_due:
                yield from walk.take_battle(sequence, event)
            case End() if walk.is_end_due:
                yield from walk.take_end(sequence, event)
            case _:
                kind = str(type(event).__struct_config__.tag)
                yield Finding(sequence, "kind", recorded=kind, derived=due, part=walk.round_number)
                return


@dataclass(slots=True)
class _Walk:
    """How far the log has been followed.

    Attributes:
        opened: the round that has begun has its `round` event.
        submits: those of the round that has begun.
        rounds: those whose battle has been derived.
    """

    config: GridWarsConfig
    engine: EngineChoice | None
    opened: bool = False
    ended: bool = False
    submits: list[Submit] = field(default_factory=list)
    rounds: list[PlayedRound] = field(default_factory=list)

    @property
    def round_number(self) -> int:
        return min(len(self.rounds) + 1, max(self.config.rounds, 1))

    @property
    def is_round_due(self) -> bool:
        return not self.ended and not self.opened and len(self.rounds) < self.config.rounds

    @property
    def is_submit_due(self) -> bool:
        return self.opened and len(self.submits) < SEAT_COUNT

    @property
    def is_battle_due(self) -> bool:
        return self.opened and len(self.submits) == SEAT_COUNT

    @property
    def is_end_due(self) -> bool:
        return not self.ended and not self.opened

    def describe_due(self) -> str:
        if self.ended:
            return "nothing after the end"
        if self.is_submit_due:
            return "submit"
        if self.is_battle_due:
            return "battle"
        return "round or end" if self.is_round_due else "end"

    def take_round(self, sequence: int, event: Round) -> Iterator[Finding]:
        self.opened = True
        seed = compute_round_seed(self.config.seed, self.round_number)
        derived = Round(round=self.round_number, seed=seed, spawn=draw_spawn(seed), ticks=self.config.ticks)
        yield from self._compare(sequence, event, derived)

    def take_submit(self, sequence: int, event: Submit) -> Iterator[Finding]:
        seat = len(self.submits)
        self.submits.append(event)
        derived = msgspec.structs.replace(
            event,
            round=self.round_number,
            seat=seat,
            script=event.script if fits_limits(event.script) else cap_script(event.script),
            notes=cap_notes(event.notes),
            banner=cap_banner(event.banner),
            reason=cap_reason(event.reason),
        )
        yield from self._compare(sequence, event, derived, seat=seat)
        yield from self._check_reason(sequence, event, seat)

    def _check_reason(self, sequence: int, event: Submit, seat: int) -> Iterator[Finding]:
        """A reason stands where the fallback was played or a script did not compile, and only there."""
        problem = find_problem(event.script) if event.script else None
        if problem is not None:
            yield self._find(sequence, "script", "a script that does not compile", problem, seat)
        needs_reason = event.origin is Origin.FALLBACK or not event.script
        if needs_reason and not event.reason:
            yield self._find(sequence, "reason", "", "why the seat did not play a script of its own", seat)
        if not needs_reason and event.reason:
            yield self._find(sequence, "reason", event.reason, "", seat)

    def take_battle(self, sequence: int, event: Battle) -> Iterator[Finding]:
        seed = compute_round_seed(self.config.seed, self.round_number)
        job = BattleJob(
            compile_seats([submit.script for submit in self.submits]),
            seed=seed,
            spawn=draw_spawn(seed),
            ticks=self.config.ticks,
            bomb_cost=self.config.bomb_cost,
            tick_digests=True,
        )
        try:
            result = start_engine(self.engine).play_battle(job).result
        except EnginesDifferError as error:
            yield Finding(
                sequence,
                "(the engines)",
                recorded="one battle",
                derived=str(error),
                part=self.round_number,
                tick=error.tick,
            )
            result = start_engine(EngineChoice.REFERENCE).play_battle(job).result
        derived = Battle(
            round=self.round_number,
            ticks_played=result.ticks_played,
            reason=result.reason,
            digest=result.digest,
            tick_digests=result.tick_digests,
            stats=result.stats,
            curve=result.curve,
        )
        yield from self._compare(
            sequence, event, derived, tick=_first_different_tick(event.tick_digests, result.tick_digests)
        )
        self._close_round(result)

    def _close_round(self, result: BattleResult) -> None:
        fallbacks = tuple(submit.origin is Origin.FALLBACK for submit in self.submits)
        self.rounds.append(PlayedRound(result.stats, result.reason, fallbacks))
        self.submits = []
        self.opened = False

    def take_end(self, sequence: int, event: End) -> Iterator[Finding]:
        self.ended = True
        whole = len(self.rounds) == self.config.rounds
        ending = EpisodeEnding.COMPLETE if whole else EpisodeEnding.DEADLINE
        derived = End(results=compute_results(self.config, self.rounds, ending))
        yield from self._compare(sequence, event, derived)

    def _compare(
        self,
        sequence: int,
        recorded: Event,
        derived: Event,
        *,
        seat: int | None = None,
        tick: int | None = None,
    ) -> Iterator[Finding]:
        for path, recorded_value, derived_value in find_differences(recorded, derived):
            yield Finding(
                sequence,
                path,
                recorded=render_value(recorded_value),
                derived=render_value(derived_value),
                seat=_seat_of(path) if seat is None else seat,
                part=self.round_number,
                tick=tick,
            )

    def _find(self, sequence: int, path: str, recorded: str, derived: str, seat: int) -> Finding:
        return Finding(sequence, path, recorded, derived, seat=seat, part=self.round_number)


def _first_different_tick(recorded: str, derived: str) -> int | None:
    """The tick, from 0, whose digests differ first; None where none does."""
    if recorded == derived:
        return None
    for start in range(0, max(len(recorded), len(derived)), TICK_DIGEST_LENGTH):
        if recorded[start : start + TICK_DIGEST_LENGTH] != derived[start : start + TICK_DIGEST_LENGTH]:
            return start // TICK_DIGEST_LENGTH
    return None


def _seat_of(path: str) -> int | None:
    """The seat whose value the path names, where the first index is one of a seat."""
    name, bracket, rest = path.removeprefix("results.").partition("[")
    if not bracket or name in ("round_reasons", "ranking"):
        return None
    return int(rest.partition("]")[0])
