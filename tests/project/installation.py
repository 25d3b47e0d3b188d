"""Fresh environments for tests: an interpreter that is no venv, and processes without this run's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
BASE_PYTHON = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
"""The interpreter that this run's venv was made from; it has pip, which the venv need not have."""


def run_process(
    command: Sequence[str | Path], *, cwd: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command as a newcomer's shell would; a failure shows all that it said."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV", "GRIDWARS"))
    }
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**inherited, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done
