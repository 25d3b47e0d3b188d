"""Which engine plays: a setting of the process, since engines differ in speed alone and never in a result."""

from __future__ import annotations

import os
from enum import StrEnum

from gridwars.benchmarks.contract import ConfigurationError

ENGINE_VARIABLE = "GRIDWARS_ENGINE"
"""Names the engine for this process and those it starts; a benchmark with one engine pays no heed."""


class EngineChoice(StrEnum):
    """What an operator may ask for."""

    AUTO = "auto"
    """The fast engine where it works, else the reference, with a warning in the program's log."""
    FAST = "fast"
    REFERENCE = "reference"
    BOTH = "both"
    """Both play, and a difference is an error that names where they part."""


def find_engine_choice() -> EngineChoice:
    """The engine that the environment names, else `AUTO`.

    Raises:
        ConfigurationError: for a name that is none.
    """
    name = os.environ.get(ENGINE_VARIABLE) or EngineChoice.AUTO
    try:
        return EngineChoice(name)
    except ValueError:
        known = ", ".join(EngineChoice)
        raise ConfigurationError(f"{ENGINE_VARIABLE}: {name!r} is no engine; there are {known}") from None
