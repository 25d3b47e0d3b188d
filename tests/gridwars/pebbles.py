"""A package that brings a game: built as its author would, or with an entry point of one's choice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PEBBLES = Path(__file__).parents[1] / "fixtures" / "pebbles"


def build_wheel(folder: Path) -> Path:
    """The example's wheel, which can stand on a path as it is."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=PEBBLES, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def announce(folder: Path, package: str, entry_point: str) -> Path:
    """What an installed package without any code would leave in a folder of packages."""
    information = folder / f"{package}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[gridwars.benchmarks]\n{entry_point}\n")
    return folder


def run_python(*arguments: str, packages: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    """A Python of its own, since what is installed is read once, with these packages beside the installed."""
    places = os.pathsep.join([*map(str, packages), str(Path(__file__).parents[2])])
    environment = {**os.environ, "PYTHONPATH": places, "COLUMNS": "120"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
