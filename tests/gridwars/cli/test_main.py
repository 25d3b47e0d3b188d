"""The frame of the command line: verbs, errors and exit codes."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gridwars.cli import main as frame
from gridwars.cli.exit_codes import MEANINGS, ExitCode
from gridwars.cli.main import VERBS, run


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> ExitCode:
    """What becomes of an error that a verb raises."""

    def verb() -> None:
        raise error

    monkeypatch.setattr(frame._VerbGroup, "get_command", lambda *_: click.Command("play", callback=verb))
    return run(["play"])


def test_help_lists_every_verb_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) is ExitCode.OK
    text = " ".join(capsys.readouterr().out.split())
    assert VERBS
    assert all(f" {verb} {line}" in text for verb, line in VERBS.items())
    assert all(f" {code.value} {MEANINGS[code]}" in text for code in ExitCode)


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) is ExitCode.OK
    assert capsys.readouterr().out.startswith("gridwars, version ")


@pytest.mark.parametrize("verb", VERBS)
def test_verb_explains_itself_with_examples(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = importlib.import_module(f"gridwars.cli.{verb}").command
    assert run([verb, "--help"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert command.help.splitlines()[0] == VERBS[verb]
    assert f"  gridwars {verb}" in text.partition("Examples:")[2]
    assert "--json" in text or isinstance(command, click.Group)


def test_unknown_verb_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audti"]) is ExitCode.USAGE
    message = capsys.readouterr().err
    assert "audti" in message
    assert "audit" in message.replace("audti", "")


def test_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--nonsense"]) is ExitCode.USAGE
    assert "--nonsense" in capsys.readouterr().err


def test_missing_file_is_named_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = FileNotFoundError(2, "No such file or directory", "gone.jsonl")
    assert fail_with(monkeypatch, error) is ExitCode.FILE
    assert capsys.readouterr().err == "gridwars: gone.jsonl: No such file or directory\n"


def test_own_mistake_is_called_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fail_with(monkeypatch, AssertionError("tiles add up")) is ExitCode.INTERNAL
    message = capsys.readouterr().err
    assert "AssertionError: tiles add up" in message
    assert "GRIDWARS_TRACEBACK=1" in message


def test_own_mistake_shows_its_traceback_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDWARS_TRACEBACK", "1")
    with pytest.raises(AssertionError, match="tiles add up"):
        fail_with(monkeypatch, AssertionError("tiles add up"))


def test_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(monkeypatch, KeyboardInterrupt()) is ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "gridwars: interrupted\n"


def test_reader_that_goes_away_ends_quietly() -> None:
    done = _run_with_output(_closed_pipe())
    assert done.returncode == ExitCode.BROKEN_PIPE
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_disk_under_the_output_is_said() -> None:
    with Path("/dev/full").open("wb") as full:
        done = _run_with_output(full.fileno())
    assert done.returncode == ExitCode.FILE
    assert done.stderr == "gridwars: No space left on device\n"


def _run_with_output(output: int) -> subprocess.CompletedProcess[str]:
    program = "from gridwars.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, "--help"],
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def _closed_pipe() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing
