"""`gridwars play`: one episode from its first batch to its results."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from gridwars.benchmarks.contract import Benchmark
from gridwars.canonical import Json
from gridwars.cli.benchmark_options import BenchmarkCommand
from gridwars.cli.console import json_option
from gridwars.cli.exit_codes import ExitCode

DEFAULT_PICTURES_PER_SECOND = 40
_MILLISECONDS = 1000


@click.command(
    cls=BenchmarkCommand,
    epilog="""
\b
Examples:
  gridwars play
  gridwars play --seat painter --seat my.gwl --seed 7 --watch
  gridwars play --rounds 1 --ticks 200 --out duel.jsonl --json
""",
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="NAME|FILE",
    help="Who plays the next seat: a built-in's name or a file. Repeat it; seats left over take built-ins.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The log to write, or a folder for it.  [default: a new file in runs/]",
)
@click.option("--watch", is_flag=True, help="Draw every battle in the terminal as it is played.")
@click.option(
    "--speed",
    type=click.IntRange(1, 1000),
    default=DEFAULT_PICTURES_PER_SECOND,
    show_default=True,
    help="Ticks a second, with --watch.",
)
@click.option(
    "--episode-seconds",
    type=click.IntRange(0),
    default=0,
    help="Play no further round once this much time is used; 0 means no limit.",
)
@click.option(
    "--reserve-seconds",
    type=click.IntRange(0),
    default=0,
    help="Time that must be left for a round to be begun.",
)
@json_option
def command(
    benchmark: Benchmark,
    options: dict[str, Json],
    seats: Sequence[str],
    out: Path | None,
    watch: bool,
    speed: int,
    episode_seconds: int,
    reserve_seconds: int,
    as_json: bool,
) -> ExitCode:
    """Play an episode and show who won and why.

    Without any option it is a whole series of built-in players. The log is written as the episode is
    played; it can be shown, audited and, where play was cut short, resumed.
    """
    from gridwars.cli.playing import Spectator, find_log_path
    from gridwars.clock import SystemClock
    from gridwars.harness.orchestrator import play_episode
    from gridwars.log.events import Limits
    from gridwars.policies.registry import make_policies

    config = benchmark.configure(options)
    aliases = benchmark.start(config).aliases
    if len(seats) > len(aliases):
        raise click.UsageError(f"{len(seats)} seats are named; {benchmark.title} has {len(aliases)}")
    named = [*seats, *benchmark.default_seats[len(seats) : len(aliases)]]
    policies = make_policies(named, aliases, benchmark)
    clock = SystemClock()
    path = find_log_path(out, benchmark.name, clock)
    limits = Limits(
        episode_milliseconds=episode_seconds * _MILLISECONDS,
        reserve_milliseconds=reserve_seconds * _MILLISECONDS,
    )
    spectator = Spectator(path, watch=watch and not as_json, speed=speed, as_json=as_json)
    return spectator.follow(
        lambda: asyncio.run(
            play_episode(
                benchmark, config, policies, path, clock=clock, limits=limits, observe=spectator.observe
            )
        )
    )
