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
from tests.project.installation import ROOT


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


SAMPLE = ROOT / "runs" / "sample" / "episode.jsonl"


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as POSIX shells do")
@pytest.mark.parametrize("verb", ["--help", f"show {SAMPLE}", f"show --json {SAMPLE}", f"audit {SAMPLE}"])
class TestStreams:
    """What stands at the other end of a stream may be gone, in every verb and however it is buffered."""

    def test_a_reader_that_has_enough_ends_quietly(self, verb: str) -> None:
        done = _run_in_shell(
            f"set -o pipefail; $GRIDWARS {verb} | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
        )
        # A short output is written before its reader is gone.
        assert done.returncode in (ExitCode.OK, ExitCode.BROKEN_PIPE)
        assert done.stderr == ""

    def test_a_closed_stdout_is_said(self, verb: str) -> None:
        done = _run_in_shell(f"$GRIDWARS {verb} >&-")
        assert done.returncode == ExitCode.FILE
        assert done.stderr == "gridwars: standard output: is closed, so that nothing can be printed\n"

    def test_a_closed_stderr_loses_messages_alone(self, verb: str) -> None:
        assert _run_in_shell(f"$GRIDWARS {verb} 2>&-").returncode == ExitCode.OK


def test_a_long_output_that_nobody_reads_on_has_the_code_of_a_broken_pipe() -> None:
    done = _run_with_output(_closed_pipe(), "show", str(SAMPLE))
    assert (done.returncode, done.stderr) == (ExitCode.BROKEN_PIPE, "")


def _run_in_shell(command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["GRIDWARS"] = f"{sys.executable} -m gridwars"
    return subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )


def _run_with_output(output: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = "from gridwars.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *(arguments or ["--help"])],
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


def _closed_pipe() -> int:
    reading, writing = os.pipe()
    os.close(reading)
    return writing
