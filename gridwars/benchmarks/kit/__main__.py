"""`python -m gridwars.benchmarks.kit MODULE:CLASS`: checks a game, and says of each check what it came to."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Mapping
from typing import cast

import click

from gridwars.benchmarks.contract import Benchmark, ConfigurationError
from gridwars.benchmarks.kit import CHECKS, Trial, Verdict, VerdictKind, run_check
from gridwars.benchmarks.packages import list_members
from gridwars.canonical import Json


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("game", metavar="MODULE:CLASS")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="For short episodes.")
@click.option("--hidden", multiple=True, metavar="FIELD", help="Of a decision: no other seat may see it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def command(game: str, options: tuple[str, ...], hidden: tuple[str, ...], as_json: bool) -> None:
    """Check a game against what gridwars asks of every game.

    A game is a class as gridwars.benchmarks.contract.Benchmark describes it. Give --option such that an
    episode is short: it is played many times. The exit code is 1 where a check fails.
    """
    benchmark = _load(game)
    try:
        trial = Trial(benchmark, dict(map(_read_option, options)), hidden)
        trial.configure()
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    verdicts: dict[str, Verdict] = {}
    for name, check in CHECKS.items():
        verdicts[name] = verdict = run_check(check, trial)
        if not as_json:
            _print(name, verdict)
    if as_json:
        click.echo(json.dumps(_describe(benchmark, verdicts), indent=2))
    sys.exit(int(any(verdict.kind is VerdictKind.FAILED for verdict in verdicts.values())))


def _load(game: str) -> Benchmark:
    module, _, name = game.partition(":")
    # As for `python -m`, the caller's own folder counts, wherever this was installed.
    if os.getcwd() not in sys.path:  # noqa: PTH109  as it stands in sys.path
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
    if not module or not name:
        raise click.UsageError(f'"{game}" is no MODULE:CLASS, such as pebbles:Pebbles')
    try:
        benchmark = getattr(importlib.import_module(module), name)()
    except Exception as error:
        raise click.UsageError(f'"{game}" cannot be loaded: {type(error).__name__}: {error}') from error
    if lacks := [member for member in list_members(Benchmark) if not hasattr(benchmark, member)]:
        raise click.UsageError(f'"{game}" is no benchmark, it lacks {", ".join(lacks)}')
    return cast(Benchmark, benchmark)


def _read_option(text: str) -> tuple[str, Json]:
    """A name and its value, which is JSON or else a text."""
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _print(name: str, verdict: Verdict) -> None:
    colour = {VerdictKind.PASSED: "green", VerdictKind.FAILED: "red", VerdictKind.SKIPPED: "yellow"}
    click.echo(f"{click.style(f'{verdict.kind.value:8}', fg=colour[verdict.kind])} {name}")
    for detail in verdict.details:
        click.echo(f"         {ascii(detail)[1:-1] if not detail.isprintable() else detail}")


def _describe(benchmark: Benchmark, verdicts: Mapping[str, Verdict]) -> Json:
    return {
        "benchmark": benchmark.name,
        "checks": [
            {"check": name, "verdict": verdict.kind.value, "details": list(verdict.details)}
            for name, verdict in verdicts.items()
        ],
    }


if __name__ == "__main__":
    command(prog_name="python -m gridwars.benchmarks.kit")
