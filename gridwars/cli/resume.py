"""`gridwars resume`: goes on with an episode, or a run, that was cut short."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from gridwars.cli.console import json_option
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.play import speed_option

if TYPE_CHECKING:
    from gridwars.cli.assignments import Assignments
    from gridwars.cli.playing import Manner
    from gridwars.harness.run import EpisodeReport, Stage


@click.command(
    epilog="""
\b
Examples:
  gridwars resume runs/grid-wars-20260401-120000.jsonl
  gridwars resume --watch duel.jsonl
  gridwars resume --rerun-void duel.jsonl
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
@click.option("--rerun-void", is_flag=True, help="Play what is void again, on its seed.")
@click.option("--watch", is_flag=True, help="Draw what is still to be played.")
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
    is only shown. A run's folder holds all that is needed; the files that it was begun with may be elsewhere.
    """
    from gridwars.cli.assignments import read_options
    from gridwars.cli.playing import Manner, follow_run
    from gridwars.harness.budget import require_prices
    from gridwars.harness.folder import PLAN_NAME, SETTINGS_NAME

    manner = Manner(watch, speed, as_json, quiet)
    changed = read_options((), (), (), budgets)
    if path.name in (SETTINGS_NAME, PLAN_NAME):
        path = path.parent
    if not path.is_dir():
        return _resume_log(path, manner, changed if budgets else None, rerun_void=rerun_void)
    from gridwars.cli.run_places import read_parallel, read_plan

    plan, folder = read_plan(path)
    budget = changed.make_budget(plan.limits.budget)
    require_prices(budget, plan.seats)
    plan = replace(plan, limits=msgspec.structs.replace(plan.limits, budget=budget))
    parallel = parallel or read_parallel(folder)
    return follow_run(plan, folder, manner, parallel=parallel, rerun_void=rerun_void)


def _resume_log(path: Path, manner: Manner, changed: Assignments | None, *, rerun_void: bool) -> ExitCode:
    """Goes on with a single episode, or plays it again where it is void and that is wanted.

    Args:
        changed: the budget, where it is to be another.
    """
    from gridwars.cli.playing import follow_episode
    from gridwars.cli.recordings import open_log
    from gridwars.cli.run_places import list_tries, name_next_try
    from gridwars.harness.budget import require_prices
    from gridwars.harness.plan import recall_plan
    from gridwars.harness.run import play_one, resume_one
    from gridwars.log.events import find_voids

    start = open_log(path).start if rerun_void or changed is not None else None
    budget = None
    if start is not None and changed is not None:
        budget = changed.make_budget(start.limits.budget)
        require_prices(budget, start.seats)
    if start is None or not rerun_void:
        return follow_episode(lambda stage: resume_one(path, stage), path, manner, budget)
    if start.run is not None and start.run.episode_count > 1:
        raise click.UsageError(
            f"{path} is an episode of a run; use --rerun-void with its folder, {path.parent}"
        )
    *past, last = list_tries(path)
    log = open_log(last).log
    if log.ended and find_voids(log.events):
        past, last = [*past, last], name_next_try((past or [last])[0], len(past) + 1)
    plan = recall_plan(start, log.events)
    finished = [open_log(each).log for each in past]

    def play(stage: Stage) -> Coroutine[Any, Any, EpisodeReport]:  # Any: as Coroutine has it
        for each in finished:
            if stage.terms.treasury is not None:
                stage.terms.treasury.charge_finished(start.seats, each.events)
        return play_one(plan, last, stage) if not last.exists() else resume_one(last, stage)

    return follow_episode(play, last, manner, budget or start.limits.budget)
