"""The folder of a run: its settings in `run.toml`, what they came to in `plan.json`, a log for each episode.

Settings name files, which may change or be elsewhere; the plan holds what stood in them when the run was
begun (scripts, strategies, prices), so that it can be gone on with from anywhere.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock

from gridwars.log.errors import LogLockedError
from gridwars.log.lock import acquire_lock

SETTINGS_NAME = "run.toml"
PLAN_NAME = "plan.json"
LOCK_NAME = "run.lock"

_LOG_NAME = re.compile(r"episode-(\d{4,})(?:-rerun-(\d+))?\.jsonl")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run's files are."""

    path: Path

    @property
    def settings_path(self) -> Path:
        return self.path / SETTINGS_NAME

    @property
    def plan_path(self) -> Path:
        return self.path / PLAN_NAME

    @property
    def is_begun(self) -> bool:
        return self.settings_path.is_file()

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Keeps other processes from playing the run, whose budget they would not share.

        Raises:
            LogLockedError: where one does.
            OSError: where the folder takes no file.
        """
        lock_path = self.path / LOCK_NAME
        try:
            lock = acquire_lock(lock_path)
        except filelock.Timeout:
            message = f"another process is playing this run (it holds {LOCK_NAME}); wait for it or stop it"
            raise LogLockedError(self.path, message) from None
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # while it is held, so that nobody holds a file that is gone
                lock_path.unlink()
            lock.release()

    def list_all_logs(self) -> list[Path]:
        """The logs of all episodes."""
        return sorted(path for path in self.path.glob("episode-*.jsonl") if _LOG_NAME.fullmatch(path.name))

    def list_logs(self, episode_number: int) -> list[Path]:
        """The logs of an episode, first to last: the last counts, those before it were void."""
        found = []
        for path in self.path.glob(f"episode-{episode_number:04}*.jsonl"):
            match = _LOG_NAME.fullmatch(path.name)
            if match and int(match[1]) == episode_number:
                found.append((int(match[2] or 0), path))
        return [path for _, path in sorted(found)]

    def name_log(self, episode_number: int) -> Path:
        """Where the episode's first, or next, log goes."""
        count = len(self.list_logs(episode_number))
        suffix = f"-rerun-{count}" if count else ""
        return self.path / f"episode-{episode_number:04}{suffix}.jsonl"
