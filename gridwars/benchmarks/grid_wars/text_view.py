"""A series as tables and lines of text, for whoever prints them: rounds, seats, boards.

Texts of models (notes, banners, reasons) come as they are; whoever prints to a terminal makes them plain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Event, Origin
from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.battle import compile_seats
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.results import (
    EpisodeEnding,
    GridWarsResults,
    PlayedRound,
    compute_results,
    find_round_winner,
    render_decimal,
)
from gridwars.benchmarks.grid_wars.rules import COLOURS, SEAT_COUNT, GridWarsConfig
from gridwars.benchmarks.grid_wars.stats import SeatStats
from gridwars.benchmarks.grid_wars.telling import tell_deaths
from gridwars.benchmarks.presentation import Section, Table


class RoundRecord(msgspec.Struct, frozen=True):
    """What a log holds of one round; the battle is None where the log ends before it."""

    opening: Round
    submits: tuple[Submit, ...]
    battle: Battle | None


def collect_rounds(events: Iterable[Event]) -> tuple[RoundRecord, ...]:
    """The rounds of a log, as far as it goes."""
    rounds: list[RoundRecord] = []
    for event in events:
        match event:
            case Round():
                rounds.append(RoundRecord(event, (), None))
            case Submit() if rounds:
                rounds[-1] = msgspec.structs.replace(rounds[-1], submits=(*rounds[-1].submits, event))
            case Battle() if rounds:
                rounds[-1] = msgspec.structs.replace(rounds[-1], battle=event)
            case _:
                pass
    return tuple(rounds)


def render_series(
    config: GridWarsConfig, aliases: Sequence[str], policy_names: Sequence[str], events: Sequence[Event]
) -> tuple[Table, Table]:
    """The standings, best first, and one row for every round."""
    rounds = collect_rounds(events)
    return (
        _render_standings(find_results(config, events), aliases, policy_names),
        _render_rounds(rounds, aliases),
    )


def render_round(
    config: GridWarsConfig,
    aliases: Sequence[str],
    record: RoundRecord,
    engine: EngineChoice | None = None,
) -> tuple[Table | Section, ...]:
    """One round in full: what was submitted, how each seat fared and died, tile curves, the final board."""
    submitted = _render_submits(record, aliases)
    if record.battle is None:
        return (submitted,)
    return (
        submitted,
        _render_seats(record.battle, aliases),
        _render_deaths(config, record, aliases, engine),
        _render_curve(record.battle, aliases),
        Section("final board", compute_board(config, record, engine)),
    )


def compute_board(
    config: GridWarsConfig, record: RoundRecord, engine: EngineChoice | None = None
) -> tuple[str, ...]:
    """The final board of a round, 30 lines: the log holds no board, so the battle is played again."""
    return tuple(start_engine(engine).play_battle(make_job(config, record)).board.split("\n"))


def make_job(config: GridWarsConfig, record: RoundRecord) -> BattleJob:
    """The battle of a round whose four seats have submitted."""
    return BattleJob(
        compile_seats([submit.script for submit in record.submits]),
        seed=record.opening.seed,
        spawn=record.opening.spawn,
        ticks=record.opening.ticks,
        bomb_cost=config.bomb_cost,
    )


def find_results(config: GridWarsConfig, events: Sequence[Event]) -> GridWarsResults:
    """The recorded results, or where the log has none yet those of the rounds so far."""
    for event in reversed(events):
        if isinstance(event, End):
            return event.results
    played = [
        PlayedRound(
            stats=record.battle.stats,
            reason=record.battle.reason,
            fallbacks=tuple(submit.origin is Origin.FALLBACK for submit in record.submits),
        )
        for record in collect_rounds(events)
        if record.battle is not None and len(record.submits) == SEAT_COUNT
    ]
    return compute_results(config, played, EpisodeEnding.NONE)


def _render_standings(results: GridWarsResults, aliases: Sequence[str], policy_names: Sequence[str]) -> Table:
    ending = f", {results.reason}" if results.reason else ", unfinished"
    return Table(
        f"series: {results.rounds} of {results.max_rounds} rounds{ending}",
        ("", "seat", "policy", "alias", "score", "won", "tiles", "kills", "deaths", "faults", "fallbacks"),
        tuple(
            (
                str(place),
                _name_seat(seat),
                policy_names[seat],
                aliases[seat],
                render_decimal(Fraction(results.scores[seat])),
                str(results.rounds_won[seat]),
                str(results.tiles[seat]),
                str(results.kills[seat]),
                str(results.deaths[seat]),
                str(results.faults[seat]),
                str(results.fallbacks[seat]),
            )
            for place, seat in enumerate(results.ranking, start=1)
        ),
        key=1,
    )


def _render_rounds(rounds: Sequence[RoundRecord], aliases: Sequence[str]) -> Table:
    return Table(
        "rounds",
        ("round", "ticks", "ending", "won by", *aliases),
        tuple(_render_round_row(record, aliases) for record in rounds),
    )


def _render_round_row(record: RoundRecord, aliases: Sequence[str]) -> tuple[str, ...]:
    battle = record.battle
    if battle is None:
        return (str(record.opening.round), "", "not played yet", "", *("" for _ in aliases))
    winner = find_round_winner(battle.stats)
    return (
        str(battle.round),
        str(battle.ticks_played),
        battle.reason.value,
        "nobody" if winner is None else aliases[winner],
        *(_render_score(stats) for stats in battle.stats),
    )


def _render_submits(record: RoundRecord, aliases: Sequence[str]) -> Table:
    return Table(
        f"round {record.opening.round}: submissions",
        ("seat", "alias", "origin", "lines", "banner", "notes", "repairs", "reason"),
        tuple(
            (
                _name_seat(submit.seat),
                aliases[submit.seat],
                submit.origin.value,
                str(len(submit.script)),
                submit.banner,
                submit.notes,
                ", ".join(submit.repairs),
                submit.reason,
            )
            for submit in record.submits
        ),
    )


def _render_seats(battle: Battle, aliases: Sequence[str]) -> Table:
    return Table(
        f"round {battle.round}: {battle.reason.value}, {battle.ticks_played} ticks, digest {battle.digest}",
        (
            *("seat", "alias", "score", "raw", "tiles", "peak", "kills", "self-kills", "fate", "lived"),
            *("illegal", "blocked", "refused", "stalls", "fault"),
        ),
        tuple(
            (
                _name_seat(seat),
                aliases[seat],
                _render_score(stats),
                str(stats.raw),
                str(stats.tiles),
                str(stats.peak_tiles),
                str(stats.kills),
                str(stats.self_kills),
                "alive" if stats.alive else f"{stats.death_cause.value} at tick {stats.death_tick}",
                str(stats.ticks_lived),
                str(stats.illegal),
                str(stats.blocked),
                str(stats.refused),
                str(stats.stalls),
                f"line {stats.fault_line}: {stats.fault_text}" if stats.fault_line else "",
            )
            for seat, stats in enumerate(battle.stats)
        ),
    )


def _render_deaths(
    config: GridWarsConfig, record: RoundRecord, aliases: Sequence[str], engine: EngineChoice | None
) -> Section:
    """The log holds no tick, so the battle is played again."""
    frames = start_engine(engine).iterate_frames(make_job(config, record))
    return Section("who died", tuple(tell_deaths(frames, aliases)) or ("nobody",))


def _render_curve(battle: Battle, aliases: Sequence[str]) -> Section:
    width = max(map(len, aliases))
    return Section(
        "tiles every 25 ticks and at the end",
        tuple(
            f"{alias:<{width}} {' '.join(f'{tiles:>3}' for tiles in curve)}"
            for alias, curve in zip(aliases, battle.curve, strict=True)
        ),
    )


def _render_score(stats: SeatStats) -> str:
    return render_decimal(Fraction(stats.round_score_quarters, 4))


def _name_seat(seat: int) -> str:
    return f"{seat + 1} {COLOURS[seat]}"
