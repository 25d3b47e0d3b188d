"""The folder of a run: its settings in `run.toml`, and one log for each episode, with those played again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SETTINGS_NAME = "run.toml"

_LOG_NAME = re.compile(r"episode-(\d{4,})(?:-rerun-(\d+))?\.jsonl")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run's files are."""

    path: Path

    @property
    def settings_path(self) -> Path:
        return self.path / SETTINGS_NAME

    @property
    def is_begun(self) -> bool:
        return self.settings_path.is_file()

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
