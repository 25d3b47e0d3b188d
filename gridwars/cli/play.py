"""`gridwars play`: episodes from their first batch to their results."""

from __future__ import annotations

from pathlib import Path

import click

from gridwars.cli.console import json_option, print_warnings
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.run_settings import RunCommand, RunSettings, run_options

DEFAULT_PICTURES_PER_SECOND = 40

speed_option = click.option(
    "--speed",
    type=click.IntRange(1, 1000),
    default=DEFAULT_PICTURES_PER_SECOND,
    show_default=True,
    help="Pictures a second, with --watch.",
)


@click.command(
    cls=RunCommand,
    epilog="""
\b
Examples:
  gridwars play
  gridwars play --seat painter --seat my.gwl --seed 7 --watch
  gridwars play snake-royale --seat human
  gridwars play --rounds 1 --ticks 200 --out duel.jsonl --json
  gridwars play --seat a=anthropic:MODEL --seat b=openai:MODEL --strategy plan --set effort=low
  gridwars play snake-royale --module geese --seat human --seat forager --watch
  gridwars play --config run.toml --episodes 20 --budget run.dollars=5 --out runs/duel
  gridwars play --seat human --seat 'command:python3 agent.py' --seat recorded:old.jsonl#b
""",
)
@run_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The log to write, such as duel.jsonl, or, without an ending, the run's folder; one that is begun "
    "is gone on with.  [default: a new one in runs/]",
)
@click.option("--rerun-void", is_flag=True, help="Play void episodes of the run again, on their seeds.")
@click.option("--watch", is_flag=True, help="Draw a single episode as it is played.")
@speed_option
@click.option("--quiet", is_flag=True, help="Show no progress.")
@engine_option
@json_option
def command(
    settings: RunSettings,
    out: Path | None,
    rerun_void: bool,
    watch: bool,
    speed: int,
    quiet: bool,
    as_json: bool,
) -> ExitCode:
    """Play an episode, or a run of several, and show who won and why.

    Without any option it is a whole series of built-in players. The log is written as the episode is
    played; it can be shown, audited and, where play was cut short, resumed. Several episodes are a run with a
    folder of its own, one log for each. Interrupted once, play stops in good order; twice, at once.
    """
    from gridwars.cli.playing import Manner, follow_episode, follow_run
    from gridwars.cli.run_places import choose_place, open_folder
    from gridwars.harness.run import play_one
    from gridwars.policies.checks import list_warnings

    plan = settings.make_plan()
    print_warnings(list_warnings(plan.fill_seats(1)))
    manner = Manner(watch, speed, as_json, quiet)
    path, is_folder = choose_place(out, settings.benchmark.name, settings.episodes)
    if is_folder:
        folder = open_folder(path, settings, plan)
        return follow_run(plan, folder, manner, parallel=settings.parallel, rerun_void=rerun_void)
    path.parent.mkdir(parents=True, exist_ok=True)
    return follow_episode(lambda stage: play_one(plan, path, stage), path, manner, plan.limits.budget)
