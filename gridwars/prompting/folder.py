"""Where the prompt files are: beside the packages in a checkout, inside `gridwars` once installed."""

from __future__ import annotations

from pathlib import Path


def prompts_path() -> Path:
    """The folder that holds one folder per benchmark, and `strategies`."""
    package = Path(__file__).parents[1]
    installed = package / "_prompts"
    return installed if installed.is_dir() else package.parent / "prompts"
