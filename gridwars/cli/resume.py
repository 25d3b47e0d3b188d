"""`gridwars resume`: goes on with an episode, or a run, that was cut short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from gridwars.cli.console import json_option
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.play import speed_option
from gridwars.log.metering import Budget


@click.command(
    epilog="""
\b
Examples:
  gridwars resume runs/grid-wars-20260401-120000.jsonl
  gridwars resume --watch duel.jsonl
  gridwars resume runs/duel --rerun-void --budget run.dollars=8
"""
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    metavar="SCOPE.UNIT=AMOUNT",
    help="Another budget than before, all that was spent included: run, episode or strategy; dollars, tokens "
    "or calls.",
)
@click.option(
    "--parallel", type=click.IntRange(1, 1000), help="Episodes of a run at a time.  [default: as begun]"
)
@click.option("--rerun-void", is_flag=True, help="Play void episodes of a run again, on their seeds.")
@click.option("--watch", is_flag=True, help="Draw every battle that is still to be played.")
@speed_option
@click.option("--quiet", is_flag=True, help="Show no progress.")
@engine_option
@json_option
def command(
    path: Path,
    budgets: Sequence[str],
    parallel: int | None,
    rerun_void: bool,
    watch: bool,
    speed: int,
    quiet: bool,
    as_json: bool,
) -> ExitCode:
    """Go on with what was cut short.

    PATH is a log, or the folder of a run, all of whose episodes are gone on with. Everything that a log holds
    stands: decisions that were sealed are played, replies that came are not asked for again. What is finished
    is only shown.
    """
    from gridwars.cli.assignments import read_options
    from gridwars.cli.playing import Manner, follow_episode, follow_run
    from gridwars.harness.run import resume_one

    manner = Manner(watch, speed, as_json, quiet)
    budget = read_options((), (), (), budgets)
    if not path.is_dir():
        if rerun_void:
            raise click.UsageError(
                "--rerun-void is for a run's folder; play a single episode again with play"
            )
        base = _read_budget(path) if budgets else None
        changed = budget.make_budget(base) if base is not None else None
        return follow_episode(lambda stage: resume_one(path, stage), path, manner, changed)
    from gridwars.cli.run_places import require_same_run
    from gridwars.cli.run_settings import load_settings
    from gridwars.harness.folder import SETTINGS_NAME, RunFolder

    folder = RunFolder(path)
    if not folder.is_begun:
        raise click.UsageError(f"{path}: is no run's folder: it holds no {SETTINGS_NAME}")
    settings = load_settings(folder.settings_path)
    settings = replace(settings, assignments=budget.over(settings.assignments))
    plan = settings.make_plan()
    require_same_run(folder, plan, settings)
    return follow_run(plan, folder, manner, parallel=parallel or settings.parallel, rerun_void=rerun_void)


def _read_budget(path: Path) -> Budget:
    """The budget that an episode was begun with."""
    from gridwars.cli.recordings import open_log

    return open_log(path).start.limits.budget
