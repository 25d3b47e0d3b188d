"""What `--set` takes: the parameters of every kind of seat, from the descriptions that check them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gridwars.policies.parameters import Parameter


def print_parameters(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """The callback of `--help-set`: prints the list and ends the program."""
    if not wanted or context.resilient_parsing:
        return
    click.echo(render_parameters(context.make_formatter()), nl=False)
    context.exit()


def render_parameters(formatter: click.HelpFormatter) -> str:
    """Every parameter with its values and meaning, by kind of seat."""
    import importlib

    from gridwars.policies import command, llm
    from gridwars.policies.registry import PROVIDERS

    formatter.write_text(
        "--set NAME=VALUE sets a parameter of all models, --set a.NAME=VALUE of seat a alone."
    )
    _write_section(formatter, "Every model", llm.PARAMETERS)
    for kind, module in PROVIDERS.items():
        provider = importlib.import_module(module).PROVIDER
        _write_section(formatter, f"{kind}:MODEL, key from ${provider.key_variable}", provider.parameters)
        others = sorted(provider.sdk_names - provider.parameters.keys())
        with formatter.indentation():
            formatter.write_paragraph()
            formatter.write_text(f"Passed on as they are: {', '.join(others)}.")
    _write_section(formatter, "command:PROGRAM, only with a seat's letter", command.PARAMETERS)
    return formatter.getvalue()


def _write_section(formatter: click.HelpFormatter, title: str, parameters: Mapping[str, Parameter]) -> None:
    with formatter.section(title):
        formatter.write_dl(
            [
                (name, f"{each.help.rstrip('.')}: {each.describe_values()}.")
                for name, each in parameters.items()
            ]
        )
