"""One digest for all that decides what the episodes of a run are, so that a run is not mixed with another.

It covers game, configuration, seats and deadlines. It leaves out what differs between the episodes of a run
(the seed, aside from the first, and the aliases) and what only bounds the cost: budget and prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from gridwars.benchmarks.contract import SEED_OPTION
from gridwars.canonical import Json, compute_digest
from gridwars.log.events import Limits, SeatRecord, Start
from gridwars.log.metering import Budget


def compute_run_digest(
    *,
    benchmark: str,
    rules_version: int,
    config: Mapping[str, Json],
    seats: Sequence[SeatRecord],
    limits: Limits,
    episode_count: int,
) -> str:
    """
    Args:
        config: of the first episode.
        seats: of any episode.
    """
    return compute_digest(
        {
            "benchmark": benchmark,
            "rules_version": rules_version,
            "config": dict(config),
            "seats": [_describe(seat) for seat in seats],
            "limits": msgspec.to_builtins(msgspec.structs.replace(limits, budget=Budget())),
            "episode_count": episode_count,
        }
    )


def recompute_run_digest(start: Start) -> str | None:
    """The digest of the run that a log says it is part of; None where it says nothing of a run."""
    if start.run is None:
        return None
    config = dict(start.config)
    seed = config.get(SEED_OPTION)
    if isinstance(seed, int):
        config[SEED_OPTION] = seed - (start.run.episode_number - 1)
    return compute_run_digest(
        benchmark=start.benchmark,
        rules_version=start.rules_version,
        config=config,
        seats=start.seats,
        limits=start.limits,
        episode_count=start.run.episode_count,
    )


def _describe(seat: SeatRecord) -> Json:
    described: Json = msgspec.to_builtins(msgspec.structs.replace(seat, alias="", metering=None))
    return described
