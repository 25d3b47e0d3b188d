"""The `gwl` command: check, try, disassemble and format warriors without an arena."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from gwl.terminal import protect_terminal

if TYPE_CHECKING:
    from gwl.errors import Diagnostic
    from gwl.program import Program
    from gwl.solo import TraceLine

STDIN = "-"

Function = TypeVar("Function", bound=Callable[..., object])


class Status(IntEnum):
    """Exit statuses, the same as `gridwars` has; 2 is wrong usage."""

    OK = 0
    FOUND = 1
    """A warrior that does not compile, faults, or is not formatted."""
    UNREADABLE = 3
    """A file that cannot be read or written."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class FileError(click.ClickException):
    """A file that the system or its encoding keeps from us."""

    exit_code = Status.UNREADABLE


class _Verbs(click.Group):
    """The verbs of this file, and those that other packages bring as entry points of `gwl.verbs`."""

    def list_commands(self, context: click.Context) -> list[str]:
        from importlib.metadata import entry_points

        return sorted({*super().list_commands(context), *entry_points(group="gwl.verbs").names})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        own = super().get_command(context, name)
        if own is not None:
            return own
        from importlib.metadata import entry_points

        for found in entry_points(group="gwl.verbs", name=name):
            command = found.load()
            assert isinstance(command, click.Command), f"{found.value} is no command"
            return command
        return None


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="gwl COMMAND --help tells more, with examples. A FILE may be - for standard input.",
)
@click.version_option(package_name="gridwars", prog_name="gwl")
def main() -> None:
    """Check, try and format warriors written in GWL, the language of Grid Wars."""


def _examples(*lines: str) -> str:
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))


def _files_argument(function: Function) -> Function:
    return click.argument("files", metavar="FILE...", nargs=-1, required=True)(function)


def _file_argument(function: Function) -> Function:
    return click.argument("file", metavar="FILE")(function)


def _json_option(function: Function) -> Function:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")(
        function
    )


@main.command(
    epilog=_examples("gwl check warrior.gwl", "gwl check --json a.gwl b.gwl", "gwl check - < a.gwl")
)
@_files_argument
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
@_json_option
def check(files: tuple[str, ...], strict: bool, as_json: bool) -> None:
    """Report every error in warriors, or else every warning.

    The exit status is 0 where all compile, 1 where one does not, and 3 where a file can't be read.
    """
    from gwl import Severity, check_source

    status = Status.OK
    reports: list[dict[str, object]] = []
    for file in files:
        try:
            diagnostics = check_source(_read_lines(file))
        except FileError as error:
            error.show()
            status = Status.UNREADABLE
            continue
        compiles = all(found.severity is Severity.WARNING for found in diagnostics)
        if not compiles or (strict and diagnostics):
            status = max(status, Status.FOUND)
        if as_json:
            found = [{"severity": found.severity, **dataclasses.asdict(found)} for found in diagnostics]
            reports.append({"file": file, "compiles": compiles, "diagnostics": found})
        else:
            _print_diagnostics(file, diagnostics)
            if compiles:
                click.echo(f"{_display_name(file)}: {click.style('compiles', fg='green')}")
    if as_json:
        _print_json(reports)
    _exit(status)


@main.command(epilog=_examples("gwl run warrior.gwl", "gwl run --ticks 50 --seed 7 warrior.gwl"))
@_file_argument
@click.option("--ticks", type=click.IntRange(min=1), default=400, show_default=True, help="Ticks at most.")
@click.option("--seed", type=int, default=0, show_default=True, help="For rand.")
@click.option(
    "--bomb-cost", type=click.IntRange(0, 60), default=12, show_default=True, help="Energy per bomb."
)
@click.option(
    "--seat", type=click.IntRange(0, 3), default=0, show_default=True, help="Decides ID and corner."
)
@_json_option
def run(file: str, ticks: int, seed: int, bomb_cost: int, seat: int, as_json: bool) -> None:
    """Run a warrior alone on an empty board, one line a tick.

    The exit status is 1 where the warrior does not compile or faults.
    """
    from gwl.solo import run_solo

    lines = _read_lines(file)
    program = _compile(file, lines)
    ticks_run = run_solo(program, seat=seat, seed=seed, bomb_cost=bomb_cost, ticks=ticks)
    trace = list(ticks_run) if as_json else _print_trace(ticks_run)
    if as_json:
        _print_json([dataclasses.asdict(line) for line in trace])
    fault = trace[-1].fault
    if fault is None:
        return
    if not as_json:
        text = click.style(f"fault: {fault.message}", fg="red")
        click.echo(f"{_display_name(file)}:{fault.line}: {text} [{fault.code}]")
        click.echo(f"    {lines[fault.line - 1].strip()}")
    _exit(Status.FOUND)


@main.command(epilog=_examples("gwl dis warrior.gwl"))
@_file_argument
def dis(file: str) -> None:
    """List the instructions of a warrior under its lines; each instruction costs 1 of a tick's 2000."""
    from gwl.disassembly import render_disassembly

    lines = _read_lines(file)
    click.echo(render_disassembly(_compile(file, lines), lines), nl=False)


@main.command(
    epilog=_examples(
        "gwl fmt warrior.gwl", "gwl fmt --check *.gwl", "gwl fmt --diff a.gwl", "gwl fmt - < a.gwl"
    )
)
@_files_argument
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit with 1 where a file would change."
)
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(files: tuple[str, ...], only_check: bool, show_diff: bool) -> None:
    """Format warriors in place; standard input goes to standard output.

    A file that does not compile stays as it is, and the exit status is 1.
    """
    from gwl import CompileError

    status = Status.OK
    for file in files:
        try:
            changes = _format(file, write=not only_check and not show_diff, show_diff=show_diff)
        except CompileError as error:
            _print_diagnostics(file, error.diagnostics)
            status = max(status, Status.FOUND)
        except FileError as error:
            error.show()
            status = Status.UNREADABLE
        else:
            if only_check and changes:
                click.echo(f"{_display_name(file)}: not formatted")
                status = max(status, Status.FOUND)
    _exit(status)


def _format(file: str, *, write: bool, show_diff: bool) -> bool:
    """Formats one file and tells whether that changes it."""
    from gwl import format_source, split_source

    text = _read_text(file)
    lines = split_source(text)
    formatted_lines = format_source(lines)
    formatted = "".join(f"{line}\n" for line in formatted_lines)
    if show_diff:
        _print_diff(file, lines, formatted_lines)
    if write and file == STDIN:
        click.echo(formatted, nl=False)
    elif write and formatted != text:
        _write_text(file, formatted)
        click.echo(f"{file}: formatted")
    return formatted != text


def _compile(file: str, lines: list[str]) -> Program:
    from gwl import CompileError, compile_source

    try:
        return compile_source(lines)
    except CompileError as error:
        _print_diagnostics(file, error.diagnostics)
        _exit(Status.FOUND)


def _read_lines(file: str) -> list[str]:
    from gwl import split_source

    return split_source(_read_text(file))


def _read_text(file: str) -> str:
    """Raises FileError for a file that is missing, kept from us, or no UTF-8."""
    try:
        if file != STDIN and Path(file).exists() and not (Path(file).is_file() or Path(file).is_dir()):
            raise FileError(f"{file}: not a regular file; - is standard input")
        data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise FileError(f"{file}: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            f"{_display_name(file)}:{line_number}: not UTF-8 text (byte 0x{data[error.start]:02x})"
        ) from error


def _write_text(file: str, text: str) -> None:
    # Beside it first, so that a full disk leaves the warrior as it was.
    target = Path(file).resolve()
    temporary = target.with_name(f"{target.name}.tmp")
    try:
        with target.open("ab"):
            pass
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FileError(f"{file}: {error.strerror}") from error


def _display_name(file: str) -> str:
    return "<stdin>" if file == STDIN else file


def _print_diagnostics(file: str, diagnostics: Sequence[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        click.echo(f"{click.style(_display_name(file), bold=True)}:{diagnostic.render()}")


def _print_trace(trace: Iterable[TraceLine]) -> list[TraceLine]:
    """Prints each line as soon as its tick has run, and returns them all."""
    click.echo("tick  line  action         spent   x   y  energy  tiles")
    printed = []
    for line in trace:
        outcome = "" if line.outcome == "done" else click.style(f"  {line.outcome}", fg="yellow")
        click.echo(
            f"{line.tick:4}  {line.line or '':4}  {line.action:12}  {line.spent:6}"
            f"  {line.x:2}  {line.y:2}  {line.energy:6}  {line.tiles:5}{outcome}"
        )
        printed.append(line)
    return printed


def _print_diff(file: str, before: list[str], after: list[str]) -> None:
    import difflib

    name = _display_name(file)
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in difflib.unified_diff(before, after, name, f"{name} (formatted)", lineterm=""):
        click.secho(line, fg=colours.get(line[0]))


def _print_json(document: object) -> None:
    click.echo(json.dumps(document, indent=2))


def _exit(status: int) -> NoReturn:
    click.get_current_context().exit(status)


def run_command_line() -> NoReturn:
    """The entry point of the installed command."""
    status: int
    try:
        if sys.stdout is None:
            raise FileError("standard output is closed, so that nothing can be printed")
        protect_terminal()
        # click's own way would end with 1 for an interrupt, and where nobody reads on.
        status = main.main(prog_name="gwl", standalone_mode=False) or Status.OK
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except click.Abort:
        click.echo("gwl: interrupted", err=True)
        status = Status.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = Status.BROKEN_PIPE
    sys.exit(status)


if __name__ == "__main__":
    run_command_line()
