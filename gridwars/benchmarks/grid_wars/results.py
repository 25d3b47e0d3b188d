"""Scores and tables of a series, exact, from the rounds that were played (Grid Wars spec section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from gridwars.benchmarks.contract import Results
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, DeathCause, Ending, GridWarsConfig
from gridwars.benchmarks.grid_wars.stats import SeatStats


class EpisodeEnding(StrEnum):
    """Why an episode ended."""

    COMPLETE = "complete"
    DEADLINE = "deadline"
    NONE = ""
    """It has not."""


class GridWarsResults(Results, frozen=True, forbid_unknown_fields=True):
    """The results of a series; what is a tuple of four is by seat, and counts are over all rounds.

    Attributes:
        scores: mean round score.
        rounds_won: rounds whose highest raw score was the seat's alone.
        faults: deaths by fault.
        fallbacks: rounds in which the seat gave no usable reply.
        rounds: played; `max_rounds` were to be.
        ticks: the most ticks of one battle.
        winner: the seat that ranks first; None where no round was played.
    """

    tiles: tuple[int, ...]
    rounds_won: tuple[int, ...]
    kills: tuple[int, ...]
    deaths: tuple[int, ...]
    faults: tuple[int, ...]
    fallbacks: tuple[int, ...]
    rounds: int
    max_rounds: int
    ticks: int
    round_reasons: tuple[Ending, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """What the results need of a round.

    Attributes:
        fallbacks: by seat, whether the fallback was played for it.
    """

    stats: tuple[SeatStats, ...]
    reason: Ending
    fallbacks: tuple[bool, ...]


def compute_results(
    config: GridWarsConfig, rounds: Sequence[PlayedRound], ending: EpisodeEnding
) -> GridWarsResults:
    """The results of the rounds played.

    Seats rank by score, then rounds won, then tiles, then the lowest seat.
    """
    by_seat = [[played.stats[seat] for played in rounds] for seat in range(SEAT_COUNT)]
    scores = [compute_score([stats.round_score_quarters for stats in seat_rounds]) for seat_rounds in by_seat]
    winners = [find_round_winner(played.stats) for played in rounds]
    rounds_won = tuple(winners.count(seat) for seat in range(SEAT_COUNT))
    tiles = tuple(sum(stats.tiles for stats in seat_rounds) for seat_rounds in by_seat)
    ranking = tuple(
        sorted(range(SEAT_COUNT), key=lambda seat: (-scores[seat], -rounds_won[seat], -tiles[seat], seat))
    )
    return GridWarsResults(
        scores=tuple(str(score) for score in scores),
        ranking=ranking,
        reason=ending.value,
        tiles=tiles,
        rounds_won=rounds_won,
        kills=tuple(sum(stats.kills for stats in seat_rounds) for seat_rounds in by_seat),
        deaths=tuple(sum(not stats.alive for stats in seat_rounds) for seat_rounds in by_seat),
        faults=tuple(
            sum(stats.death_cause is DeathCause.FAULT for stats in seat_rounds) for seat_rounds in by_seat
        ),
        fallbacks=tuple(sum(played.fallbacks[seat] for played in rounds) for seat in range(SEAT_COUNT)),
        rounds=len(rounds),
        max_rounds=config.rounds,
        ticks=config.ticks,
        round_reasons=tuple(played.reason for played in rounds),
        winner=ranking[0] if rounds else None,
    )


def compute_score(round_scores_quarters: Sequence[int]) -> Fraction:
    """The mean of round scores given in quarters; 0 of none."""
    if not round_scores_quarters:
        return Fraction(0)
    return Fraction(sum(round_scores_quarters), 4 * len(round_scores_quarters))


def find_round_winner(stats: Sequence[SeatStats]) -> int | None:
    """The seat with the highest raw score of a round, None where two share it."""
    raw_scores = [seat_stats.raw for seat_stats in stats]
    best = max(raw_scores)
    return raw_scores.index(best) if raw_scores.count(best) == 1 else None


def render_decimal(value: Fraction) -> str:
    """The value with two decimals, halves to the even one: exact for round scores."""
    hundredths = round(value * 100)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"
