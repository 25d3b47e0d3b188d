"""The `gridwars` command: its verbs by name, and what becomes of an error.

A verb is one file of this package that holds a click command called `command`; it is imported when it is
called and not before, so that `--help` answers at once. A verb returns its `ExitCode`, or None for OK.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from types import MappingProxyType

import click

import gridwars
from gridwars.cli.ending import end, guard_end
from gridwars.cli.exit_codes import MEANINGS, ExitCode
from gwl.terminal import protect_terminal

VERBS = MappingProxyType(
    {
        "play": "Play an episode, or a run of several, and show who won and why.",
        "resume": "Go on with what was cut short.",
        "preflight": "Check a run's keys, models, parameters and prices, and estimate what it takes.",
        "show": "Show what happened in a log, or in many.",
        "audit": "Check logs: derive everything again and name the first difference.",
        "sign": "Sign a log, or the logs of a run, with an SSH key.",
        "trace": "Watch a warrior's program through a real battle.",
        "tournament": "Play warriors against each other: exactly where possible, else on many seeds.",
        "rebattle": "Fight a log's rounds again in all seatings and on more boards.",
        "replay": "Import and export reference replays.",
        "prompt": "Show what models are asked.",
        "warriors": "List the built-in warriors, or print one's source.",
        "conformance": "Run golden vectors and name the first difference of each case.",
    }
)
"""Every verb with its line in `--help`, which is also the first line of its own help."""

TRACEBACK_VARIABLE = "GRIDWARS_TRACEBACK"


def main() -> None:
    """The entry point of the installed command."""
    guard_end()
    end(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> ExitCode:
    """Runs one command line; whatever goes wrong ends as a message on stderr and an exit code."""
    try:
        _require_streams()
        protect_terminal()
        code = _run_verb(arguments)
        sys.stdout.flush()
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        code = ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        _tell("interrupted")
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        code = ExitCode.BROKEN_PIPE
    except Exception as error:  # noqa: BLE001  the one edge where an error becomes a message
        code = _report(error)
    _drop_unwritable_output()
    return code


def _require_streams() -> None:
    """Refuses to work for nobody; Python has no stream where its parent closed one.

    Raises:
        OSError: where stdout is closed.
    """
    # For as long as the process lives, as a closed stderr loses no more than messages.
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        raise OSError(errno.EBADF, "is closed, so that nothing can be printed", "standard output")


def _run_verb(arguments: Sequence[str]) -> ExitCode:
    try:
        with _group.make_context("gridwars", list(arguments)) as context:
            return ExitCode(_group.invoke(context) or ExitCode.OK)
    except click.exceptions.Exit as request:
        return ExitCode(request.exit_code)


class _VerbGroup(click.Group):
    """Knows its verbs' names and lines without their modules."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"gridwars.cli.{cmd_name}").command
        assert isinstance(command, click.Command), f"gridwars.cli.{cmd_name}.command is no click command"
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=VERBS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code.value), meaning) for code, meaning in MEANINGS.items()])


@click.group(
    cls=_VerbGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="gridwars COMMAND --help tells more, with examples.",
)
@click.version_option(gridwars.__version__, prog_name="gridwars")
def _group() -> None:
    """A benchmark in which language models write warriors for a deterministic arena."""


def _report(error: Exception) -> ExitCode:
    from gridwars.cli.failures import describe, find_exit_code

    if os.environ.get(TRACEBACK_VARIABLE):
        raise error
    code = find_exit_code(error)
    message = describe(error)
    if code is ExitCode.INTERNAL:
        message = (
            f"internal error: {type(error).__name__}: {error}\n"
            f"This is a mistake of gridwars, not yours. {TRACEBACK_VARIABLE}=1 shows where it happened."
        )
    _tell(message)
    return code


def _tell(message: str) -> None:
    with contextlib.suppress(OSError):  # A terminal that was closed takes no message, and the code stays.
        click.echo(f"gridwars: {message}", err=True)


def _drop_unwritable_output() -> None:
    """What a stream can't write goes nowhere, so that the interpreter's own last flush can't fail."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
