"""The kinds of event that a Grid Wars log holds, in the order of a round: round, four submits, battle.

The round and its submissions are one group: sealed before the first tick is computed. `end` closes a log.
"""

from __future__ import annotations

from gridwars.benchmarks.contract import Event, Origin
from gridwars.benchmarks.grid_wars.results import GridWarsResults
from gridwars.benchmarks.grid_wars.rules import Ending
from gridwars.benchmarks.grid_wars.stats import SeatStats


class Round(Event, frozen=True, tag="round", forbid_unknown_fields=True):
    """A round begins.

    Attributes:
        round: from 1.
        seed: the round's.
        spawn: by seat the cell it starts on.
        ticks: the most that will be played.
    """

    round: int
    seed: int
    spawn: tuple[int, ...]
    ticks: int


class Submit(Event, frozen=True, tag="submit", forbid_unknown_fields=True):
    """What one seat plays in the round; for the fields see `Submission`."""

    round: int
    seat: int
    origin: Origin
    script: tuple[str, ...]
    notes: str
    banner: str
    reason: str
    repairs: tuple[str, ...]


class Battle(Event, frozen=True, tag="battle", forbid_unknown_fields=True):
    """What the round's battle came to; for the fields see `BattleResult`."""

    round: int
    ticks_played: int
    reason: Ending
    digest: str
    tick_digests: str
    stats: tuple[SeatStats, ...]
    curve: tuple[tuple[int, ...], ...]


class End(Event, frozen=True, tag="end", forbid_unknown_fields=True):
    """The episode is over; `results.reason` says why."""

    results: GridWarsResults


EVENT_TYPES: tuple[type[Event], ...] = (Round, Submit, Battle, End)
