"""Grid Wars: a benchmark harness in which language models write warriors for a deterministic arena.

Python programs play battles with `gridwars.battle` and `gridwars.battles`; see `gridwars.api`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridwars.api import Battle as Battle
    from gridwars.api import Script as Script
    from gridwars.api import ScriptError as ScriptError
    from gridwars.api import Setup as Setup
    from gridwars.api import battle as battle
    from gridwars.api import battles as battles
    from gridwars.api import play as play
    from gridwars.api import tabulate as tabulate
    from gridwars.api import to_pandas as to_pandas
    from gridwars.api import to_polars as to_polars

__version__ = "0.1.0"

LOG_PROTOCOL = "gridwars.log.v2"
"""Format of the event log; raised when a reader of the old one could misread a new log."""

LOG_PROTOCOLS = ("gridwars.log.v1", LOG_PROTOCOL)
"""All that can be read. The first holds no prompt templates, and its times go back where the clock did."""

_API = (
    "Battle",
    "Script",
    "ScriptError",
    "Setup",
    "battle",
    "battles",
    "play",
    "tabulate",
    "to_pandas",
    "to_polars",
)


def __getattr__(name: str) -> object:
    # At its first use, so that whoever needs the version alone does not wait for the engines.
    if name not in _API:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("gridwars.api"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_API])
