"""Where a run is written: a log, or a folder that is begun with the run's settings, or gone on with."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import click

from gridwars.cli.run_settings import RUN_TABLE, RunSettings, load_settings, read_settings, render_settings
from gridwars.files import read_file
from gridwars.harness.folder import SETTINGS_NAME, RunFolder
from gridwars.harness.plan import PlanError, RunPlan, decode_plan, encode_plan, recall_plan
from gridwars.log.durable import replace_durably
from gridwars.log.errors import LogError
from gridwars.log.reader import read_log
from gridwars.policies.command import KIND as COMMAND_KIND

DEFAULT_FOLDER = Path("runs")
"""Below the working folder."""

_RERUN = re.compile(r"-rerun-\d+(?=\.[^.]*$)")

_FREE_KEYS = frozenset({"budget", "parallel", "prices", RUN_TABLE})
"""What may differ between two runs of the program that play one run."""


def choose_place(out: Path | None, benchmark_name: str, episode_count: int) -> tuple[Path, bool]:
    """Where to write, and whether that is a run's folder.

    Raises:
        UsageError: where several episodes are to go into one log.
    """
    if out is None:
        suffix = "" if episode_count > 1 else ".jsonl"
        return find_free(DEFAULT_FOLDER, benchmark_name, suffix), episode_count > 1
    if out.is_dir() or not out.suffix:
        return out, True
    if episode_count > 1:
        raise click.UsageError(f"--out {out}: several episodes go into a folder; leave out the {out.suffix}")
    return out, False


def find_free(folder: Path, name: str, suffix: str) -> Path:
    """A name for something new that is told apart by the time of day."""
    stem = f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = (f"{stem}{number}{suffix}" for number in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for each in names if not (path := folder / each).exists())


def open_folder(path: Path, settings: RunSettings, plan: RunPlan) -> RunFolder:
    """Begins a run's folder; one that holds the same run already is gone on with.

    Raises:
        UsageError: for a folder that holds something else.
    """
    folder = RunFolder(path)
    if folder.is_begun:
        require_same_run(folder, plan, settings)
        return folder
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise click.UsageError(f"--out {path}: is no run's folder, and not empty; name a new one, or a log")
    path.mkdir(parents=True, exist_ok=True)
    rendered = render_settings(settings, plan).encode()
    replace_durably(folder.plan_path, encode_plan(plan, Path.cwd()))
    replace_durably(folder.settings_path, rendered)  # the last: with it the folder is begun
    return folder


def read_plan(path: Path) -> tuple[RunPlan, RunFolder]:
    """The plan that a folder was begun with, whatever has become of the files that its settings name.

    A folder of a version that wrote no plan has it in its logs. Programs that sit in seats are started
    where they were when the run was begun: that becomes the working directory, and the folder absolute.

    Raises:
        UsageError: for a folder that is no run's, or whose plan cannot be read.
        ConfigurationError, PolicyError, PriceError: as `RunSettings.make_plan`, where there is no log yet.
    """
    folder = RunFolder(path)
    if not folder.is_begun:
        raise click.UsageError(f"{path}: is no run's folder: it holds no {SETTINGS_NAME}")
    try:
        plan, directory = decode_plan(read_file(folder.plan_path))
    except FileNotFoundError:
        return _recall_plan(folder), folder
    except (PlanError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(f"{folder.plan_path}: {reason}") from None
    if any(seat.kind == COMMAND_KIND for seat in plan.seats) and directory != Path.cwd():
        folder = RunFolder(path.resolve())
        try:
            os.chdir(directory)
        except OSError as error:
            raise click.UsageError(
                f"{path}: its programs are started in {directory}, which is not to be had: {error.strerror}"
            ) from None
    return plan, folder


def _recall_plan(folder: RunFolder) -> RunPlan:
    for path in folder.list_all_logs():
        with contextlib.suppress(LogError):
            log = read_log(path)
            if log.start is not None and log.start.run is not None:
                return recall_plan(log.start, log.events)
    settings = load_settings(folder.settings_path)
    plan = settings.make_plan()
    require_same_run(folder, plan, settings)
    return plan


def read_parallel(folder: RunFolder) -> int:
    """How many episodes were to be played at a time when the folder was begun."""
    count = read_settings(folder.settings_path).get("parallel")
    return count if isinstance(count, int) and count > 0 else 1


def list_tries(path: Path) -> list[Path]:
    """A single episode's log and those of the times that it was played again, the last of which counts.

    Args:
        path: of any of them.
    """
    first = path.with_name(_RERUN.sub("", path.name))
    found = [first if first.exists() else path]
    while (following := name_next_try(found[0], len(found))).exists():
        found.append(following)
    return found


def name_next_try(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-rerun-{number}{path.suffix}")


def require_same_run(folder: RunFolder, plan: RunPlan, settings: RunSettings) -> None:
    """
    Raises:
        UsageError: where the folder was begun with another run; says what differs.
    """
    recorded = read_settings(folder.settings_path)
    own = recorded.get(RUN_TABLE)
    if isinstance(own, dict) and own.get("digest") == plan.digest:
        return
    import tomllib

    present = tomllib.loads(render_settings(settings, plan))
    keys = sorted((recorded.keys() | present.keys()) - _FREE_KEYS)
    differing = [key for key in keys if recorded.get(key) != present.get(key)]
    what = (
        f"{', '.join(differing)} differ"
        if differing
        else "a file, strategy or template that it was begun with has changed"
    )
    raise click.UsageError(
        f"{folder.path} holds another run: {what}; name another folder, or resume this one"
    )
