"""What a seat sees: the list in the rules' last section, as data, and nothing else.

A template can show only what is here, so what is hidden from a seat (other scripts, notes and banners,
policy names, round seeds, spawns) must never become a field.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridwars.benchmarks.contract import Observation
from gridwars.benchmarks.grid_wars.results import (
    EpisodeEnding,
    PlayedRound,
    compute_results,
    compute_score,
    render_decimal,
)
from gridwars.benchmarks.grid_wars.rules import COLOURS, SEAT_COUNT, GridWarsConfig
from gridwars.benchmarks.grid_wars.stats import SeatStats


class Diagnostics(msgspec.Struct, frozen=True):
    """How the seat's warrior did in the round before.

    Attributes:
        fallback: whether the fallback was played instead of the seat's own script; all counts are then its.
        reason: why: the compile error, or what was wrong with the reply. Where the seat's own script was
            played: what was cut off it, and by which limit; "" for nothing.
        fault_line: 0 where nothing faulted.
        death_cause: "" for a survivor.
        curve: tiles every 25 ticks and at the end.
    """

    fallback: bool
    reason: str
    fault_line: int
    fault_text: str
    ticks_lived: int
    death_cause: str
    tiles: int
    peak_tiles: int
    kills: int
    self_kills: int
    illegal: int
    blocked: int
    refused: int
    stalls: int
    curve: tuple[int, ...]


class Standing(msgspec.Struct, frozen=True):
    """One seat's line in the series table, as all seats see it.

    Attributes:
        score: mean round score so far, a decimal.
        tiles, kills, deaths: over all rounds.
        round_scores: by round, decimals.
    """

    alias: str
    warrior_id: int
    score: str
    rounds_won: int
    tiles: int
    kills: int
    deaths: int
    round_scores: tuple[str, ...]


class GridWarsObservation(Observation, frozen=True):
    """All that a seat sees when it is asked for a script.

    Attributes:
        round: the one that is about to be played, of `rounds`.
        ticks, bomb_cost: of every battle.
        script: the seat's own current script: the last of its own that was played, at first the seed script.
        diagnostics: None before the first round has been played.
        table: by seat.
        board: the last round's final board, 30 lines; none before the first.
        notes: what the seat left for itself.
    """

    alias: str
    warrior_id: int
    colour: str
    round: int
    rounds: int
    ticks: int
    bomb_cost: int
    script: tuple[str, ...]
    diagnostics: Diagnostics | None
    table: tuple[Standing, ...]
    board: tuple[str, ...]
    notes: str


class SeatView(msgspec.Struct, frozen=True):
    """What only this seat may see.

    Attributes:
        curve, reason: of the last round.
    """

    seat: int
    script: tuple[str, ...]
    notes: str = ""
    reason: str = ""
    curve: tuple[int, ...] = ()


def build_observation(
    config: GridWarsConfig,
    aliases: Sequence[str],
    rounds: Sequence[PlayedRound],
    board: Sequence[str],
    own: SeatView,
) -> GridWarsObservation:
    """What the seat sees before the next round.

    Args:
        rounds: those played so far.
        board: the last one's final board.
    """
    return GridWarsObservation(
        alias=aliases[own.seat],
        warrior_id=own.seat + 1,
        colour=COLOURS[own.seat],
        round=len(rounds) + 1,
        rounds=config.rounds,
        ticks=config.ticks,
        bomb_cost=config.bomb_cost,
        script=own.script,
        diagnostics=_diagnose(rounds[-1], own) if rounds else None,
        table=build_table(config, aliases, rounds),
        board=tuple(board),
        notes=own.notes,
    )


def build_table(
    config: GridWarsConfig, aliases: Sequence[str], rounds: Sequence[PlayedRound]
) -> tuple[Standing, ...]:
    results = compute_results(config, rounds, EpisodeEnding.NONE)
    quarters = [[played.stats[seat].round_score_quarters for played in rounds] for seat in range(SEAT_COUNT)]
    return tuple(
        Standing(
            alias=aliases[seat],
            warrior_id=seat + 1,
            score=render_decimal(compute_score(quarters[seat])),
            rounds_won=results.rounds_won[seat],
            tiles=results.tiles[seat],
            kills=results.kills[seat],
            deaths=results.deaths[seat],
            round_scores=tuple(render_decimal(compute_score([score])) for score in quarters[seat]),
        )
        for seat in range(SEAT_COUNT)
    )


def _diagnose(played: PlayedRound, own: SeatView) -> Diagnostics:
    stats: SeatStats = played.stats[own.seat]
    return Diagnostics(
        fallback=played.fallbacks[own.seat],
        reason=own.reason,
        fault_line=stats.fault_line,
        fault_text=stats.fault_text,
        ticks_lived=stats.ticks_lived,
        death_cause=stats.death_cause.value,
        tiles=stats.tiles,
        peak_tiles=stats.peak_tiles,
        kills=stats.kills,
        self_kills=stats.self_kills,
        illegal=stats.illegal,
        blocked=stats.blocked,
        refused=stats.refused,
        stalls=stats.stalls,
        curve=own.curve,
    )
