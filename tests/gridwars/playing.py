"""Episodes played into logs, as any test may need one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gridwars.benchmarks.contract import Benchmark
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import Played, play_episode
from gridwars.log.events import Limits
from gridwars.policies.policy import Policy
from gridwars.policies.registry import make_policies


def play_seats(path: Path, benchmark: Benchmark, config: msgspec.Struct, seats: Sequence[str]) -> Played:
    """Plays with who is named, as an operator names them."""
    policies = make_policies(seats, benchmark.start(config).aliases, benchmark)
    return play_policies(path, benchmark, config, policies)


def play_policies(
    path: Path, benchmark: Benchmark, config: msgspec.Struct, policies: Sequence[Policy]
) -> Played:
    return asyncio.run(
        play_episode(
            benchmark,
            config,
            policies,
            path,
            clock=SystemClock(),
            limits=Limits(),
            observe=lambda event, known: None,
        )
    )
