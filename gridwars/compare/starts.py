"""Whether chance can be played out whole: every start in every seating once, so that a mean is exact.

Players who draw nothing play the same game again on most seeds, and a game again is no evidence. Where
all games there are can be played, no more seeds could tell anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridwars.benchmarks.contract import Benchmark, Player, Starts
from gridwars.compare.design import count_seatings

MOST_BOUTS = 25_000
"""Played for an exact mean; the fields and seatings of seven players in the 24 starts of four."""


def find_starts(
    benchmark: Benchmark,
    config: msgspec.Struct,
    players: Sequence[Player],
    seat_count: int,
    *,
    most_bouts: int = MOST_BOUTS,
) -> Starts | None:
    """The starts of bouts between these; None where seeds must be drawn, or there are too many bouts."""
    starts = benchmark.list_starts(config, players)
    if starts is None or len(starts.seeds) * count_seatings(len(players), seat_count) > most_bouts:
        return None
    return starts
