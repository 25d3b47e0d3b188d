"""How a battle goes for each seat, as results, logs, vectors and replays say it."""

from __future__ import annotations

from dataclasses import dataclass

from gridwars.benchmarks.grid_wars.rules import (
    DeathCause,
    compute_raw_score,
    compute_round_scores_quarters,
)
from gridwars.benchmarks.grid_wars.state import BattleState, Warrior
from gwl.errors import Fault, FaultCode


@dataclass(frozen=True, slots=True)
class SeatStats:
    """How a battle went for one seat (Grid Wars spec section 2).

    Attributes:
        tiles: owned at the end.
        death_tick: -1 for a survivor.
        fault_line: line of its fault, kept even where something else killed it first; 0 without one.
        fault_code: None without a fault.
        fault_text: the fault in words, for the seat's author.
        blocked, refused: moves and bombs that came to nothing.
        round_score_quarters: four times the round score.
    """

    tiles: int
    peak_tiles: int
    kills: int
    self_kills: int
    alive: bool
    death_tick: int
    death_cause: DeathCause
    fault_line: int
    fault_code: FaultCode | None
    fault_text: str
    illegal: int
    blocked: int
    refused: int
    stalls: int
    ticks_lived: int
    raw: int
    round_score_quarters: int


def compute_stats(state: BattleState) -> tuple[SeatStats, ...]:
    """The statistics of all seats as of the end of the last tick, as if the battle ended there."""
    raw_scores = [
        compute_raw_score(warrior.tiles, warrior.alive, warrior.kills, warrior.self_kills)
        for warrior in state.warriors
    ]
    return tuple(
        _describe_seat(warrior, machine.fault, raw, quarters)
        for warrior, machine, raw, quarters in zip(
            state.warriors,
            state.machines,
            raw_scores,
            compute_round_scores_quarters(raw_scores),
            strict=True,
        )
    )


def stats_to_vector(stats: SeatStats) -> dict[str, object]:
    """A seat's statistics under the names that vectors and replays give them.

    A vector has no `faultText`, a replay no `faultCode`; both are here.
    """
    return {
        "tiles": stats.tiles,
        "peakTiles": stats.peak_tiles,
        "kills": stats.kills,
        "selfKills": stats.self_kills,
        "alive": stats.alive,
        "deathTick": stats.death_tick,
        "deathCause": stats.death_cause.value,
        "faultLine": stats.fault_line,
        "faultCode": "" if stats.fault_code is None else stats.fault_code.value,
        "faultText": stats.fault_text,
        "illegal": stats.illegal,
        "blocked": stats.blocked,
        "refused": stats.refused,
        "stalls": stats.stalls,
        "ticksLived": stats.ticks_lived,
        "raw": stats.raw,
        "roundScore": stats.round_score_quarters / 4,
    }


def _describe_seat(warrior: Warrior, fault: Fault | None, raw: int, quarters: int) -> SeatStats:
    return SeatStats(
        tiles=warrior.tiles,
        peak_tiles=warrior.peak_tiles,
        kills=warrior.kills,
        self_kills=warrior.self_kills,
        alive=warrior.alive,
        death_tick=warrior.death_tick,
        death_cause=warrior.death_cause,
        fault_line=0 if fault is None else fault.line,
        fault_code=None if fault is None else fault.code,
        fault_text="" if fault is None else fault.message,
        illegal=warrior.illegal,
        blocked=warrior.blocked,
        refused=warrior.refused,
        stalls=warrior.stalls,
        ticks_lived=warrior.ticks_lived,
        raw=raw,
        round_score_quarters=quarters,
    )
