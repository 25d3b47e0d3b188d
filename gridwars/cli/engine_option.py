"""The `--engine` option of every verb that plays."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import click

from gridwars.benchmarks.engines import ENGINE_VARIABLE, EngineChoice, find_engine_choice

Function = TypeVar("Function", bound=Callable[..., object])


def engine_option(function: Function) -> Function:
    """Gives a verb its `--engine`, which is put into the environment, for worker processes too."""
    return click.option(
        "--engine",
        type=click.Choice([choice.value for choice in EngineChoice]),
        callback=_choose,
        expose_value=False,
        help="Which engine plays: the fast one, the reference, or both, compared.  "
        f"[default: {ENGINE_VARIABLE}, or the fast one where it works]",
    )(function)


def _choose(context: click.Context, parameter: click.Parameter, name: str | None) -> None:
    if name is not None:
        os.environ[ENGINE_VARIABLE] = name
    # A wrong name in the environment is nobody's log's fault.
    find_engine_choice()
