"""`gridwars resume`: goes on with an episode that was cut short."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from gridwars.cli.console import json_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.play import DEFAULT_PICTURES_PER_SECOND


@click.command(
    epilog="""
\b
Examples:
  gridwars resume runs/grid-wars-20260401-120000.jsonl
  gridwars resume --watch duel.jsonl
"""
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--watch", is_flag=True, help="Draw every battle that is still to be played.")
@click.option(
    "--speed",
    type=click.IntRange(1, 1000),
    default=DEFAULT_PICTURES_PER_SECOND,
    show_default=True,
    help="Ticks a second, with --watch.",
)
@json_option
def command(path: Path, watch: bool, speed: int, as_json: bool) -> ExitCode:
    """Go on with an episode that was cut short.

    Everything that PATH, a log, holds stands: decisions that were sealed are played, replies that came
    are not asked for again. A finished log is only shown.
    """
    from gridwars.cli.playing import Spectator
    from gridwars.clock import SystemClock
    from gridwars.harness.orchestrator import resume_episode

    spectator = Spectator(path, watch=watch and not as_json, speed=speed, as_json=as_json)
    return spectator.follow(
        lambda: asyncio.run(resume_episode(path, clock=SystemClock(), observe=spectator.observe))
    )
