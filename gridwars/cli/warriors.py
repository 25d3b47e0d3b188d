"""`gridwars warriors`: what a seat can be filled with by name, and how it is written."""

from __future__ import annotations

import difflib

import click

from gridwars.benchmarks.contract import Benchmark
from gridwars.benchmarks.presentation import Table
from gridwars.cli.benchmark_options import benchmark_option
from gridwars.cli.console import examples, json_option, open_console, print_json
from gridwars.cli.exit_codes import ExitCode


@click.command(
    epilog=examples("gridwars warriors", "gridwars warriors painter", "gridwars warriors painter > mine.gwl")
)
@click.argument("name", required=False)
@benchmark_option
@json_option
def command(name: str | None, benchmark: Benchmark, as_json: bool) -> ExitCode:
    """List the built-in warriors, or print one's source."""
    notes = benchmark.baseline_notes
    if name is None:
        if as_json:
            print_json([{"name": each, "description": note.description} for each, note in notes.items()])
        else:
            _print_list(benchmark)
        return ExitCode.OK
    if name not in notes:
        close = difflib.get_close_matches(name, notes, n=1)
        hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(notes)}"
        raise click.UsageError(f'no built-in of {benchmark.name} is called "{name}"; {hint}')
    note = notes[name]
    if as_json:
        print_json({"name": name, "description": note.description, "source": note.source})
    else:
        click.echo(note.source or note.description)
    return ExitCode.OK


def _print_list(benchmark: Benchmark) -> None:
    from gridwars.cli.drawing import print_blocks

    rows = tuple((name, note.description) for name, note in benchmark.baseline_notes.items())
    print_blocks(open_console(), [Table(f"built-in for {benchmark.title}", ("name", "what it does"), rows)])
