"""Where a run is written: a log, or a folder that is begun with the run's settings, or gone on with."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from gridwars.cli.run_settings import RUN_TABLE, RunSettings, read_settings, render_settings
from gridwars.harness.folder import RunFolder
from gridwars.harness.plan import RunPlan
from gridwars.log.durable import sync_directory, write_durably

DEFAULT_FOLDER = Path("runs")
"""Below the working folder."""

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
    temporary = folder.settings_path.with_suffix(".tmp")
    write_durably(temporary, render_settings(settings, plan).encode(), flags=os.O_TRUNC)
    temporary.replace(folder.settings_path)
    sync_directory(path)
    return folder


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
