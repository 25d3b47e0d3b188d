"""The `gwl` command: what it prints, where, and with which exit status."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gwl.__main__ import main

GOOD = "while true:\n  place()\n  move(1, 0)\n"
BAD = "var a = \nplace(\nbombs() = 1\n"
FAULTY = "place()\nvar a = [1]\n  # a comment\ndiscard a[1]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("good.gwl", GOOD), ("bad.gwl", BAD), ("faulty.gwl", FAULTY)):
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.gwl").write_bytes(b"place()\n# caf\xe9\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gwl(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)


@pytest.mark.usefixtures("folder")
class TestCheck:
    def test_a_warrior_that_compiles_is_named_and_the_status_is_0(self) -> None:
        result = gwl("check", "good.gwl")
        assert (result.exit_code, result.stdout) == (0, "good.gwl: compiles\n")

    def test_every_error_is_told_with_its_place(self) -> None:
        result = gwl("check", "bad.gwl", "good.gwl")
        assert result.exit_code == 1
        assert "bad.gwl:1:" in result.stdout
        assert "bad.gwl:3:" in result.stdout
        assert "good.gwl: compiles" in result.stdout

    def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_checked(self) -> None:
        result = gwl("check", "missing.gwl", "latin.gwl", ".", "bad.gwl", "good.gwl")
        assert result.exit_code == 3
        assert "missing.gwl: No such file" in result.stderr
        assert "latin.gwl:2: not UTF-8 text (byte 0xe9)" in result.stderr
        assert ".: Is a directory" in result.stderr
        assert "bad.gwl:1:" in result.stdout
        assert "good.gwl: compiles" in result.stdout

    def test_json_has_every_error_of_every_file(self) -> None:
        result = gwl("check", "--json", "good.gwl", "bad.gwl")
        good, bad = json.loads(result.stdout)
        assert result.exit_code == 1
        assert good == {"file": "good.gwl", "compiles": True, "diagnostics": []}
        assert (bad["file"], bad["compiles"]) == ("bad.gwl", False)
        assert len(bad["diagnostics"]) > 1
        assert bad["diagnostics"][0]["severity"] == "error"
        assert bad["diagnostics"][0]["code"] == "bad-expression"
        assert bad["diagnostics"][0]["line"] == 1

    def test_a_warning_leaves_the_status_unless_strictness_is_asked_for(self) -> None:
        result = gwl("check", "-", stdin="scan(1)\nplace()\n")
        assert result.exit_code == 0
        assert "<stdin>:1:1: warning:" in result.stdout
        assert result.stdout.endswith("<stdin>: compiles\n")
        assert gwl("check", "--strict", "-", stdin="scan(1)\n").exit_code == 1
        assert gwl("check", "--strict", "good.gwl").exit_code == 0

    def test_a_dash_is_standard_input(self) -> None:
        assert gwl("check", "-", stdin=GOOD).stdout == "<stdin>: compiles\n"
        assert "<stdin>:1:" in gwl("check", "-", stdin=BAD).stdout

    def test_a_byte_order_mark_and_carriage_returns_are_no_errors(self) -> None:
        assert gwl("check", "-", stdin=b"\xef\xbb\xbfplace()\r\nplace()\r\n").exit_code == 0

    def test_no_file_is_wrong_usage(self) -> None:
        assert gwl("check").exit_code == 2


@pytest.mark.usefixtures("folder")
class TestRun:
    def test_every_tick_is_a_line(self) -> None:
        result = gwl("run", "--ticks", "3", "good.gwl")
        assert result.exit_code == 0
        assert result.stdout.splitlines() == [
            "tick  line  action         spent   x   y  energy  tiles",
            "   0     2  place()            4   4   4      13      1",
            "   1     3  move(1, 0)         3   5   4      14      1",
            "   2     2  place()            4   5   4      15      2",
        ]

    def test_options_reach_the_warrior(self) -> None:
        script = "move(ID, BOMBCOST)\nmove(rand(1000), 0)\n"
        options = ("run", "--json", "--ticks", "2", "--bomb-cost", "7", "--seat", "2")
        actions = []
        for seed in ("1", "2"):
            trace = json.loads(gwl(*options, "--seed", seed, "-", stdin=script).stdout)
            assert trace[0]["action"] == "move(3, 7)"
            actions.append(trace[1]["action"])
        assert actions[0] != actions[1]

    def test_a_fault_is_told_with_its_line_and_the_status_is_1(self) -> None:
        result = gwl("run", "faulty.gwl")
        assert result.exit_code == 1
        assert result.stdout.splitlines()[-3:] == [
            "   1     4  -                  6   4   4      14      1  faulted",
            "faulty.gwl:4: fault: index 1 is out of range for an array of 1 (valid: 0 to 0) [index-range]",
            "    discard a[1]",
        ]

    def test_json_is_one_document_with_the_fault_on_its_tick(self) -> None:
        result = gwl("run", "--json", "faulty.gwl")
        trace = json.loads(result.stdout)
        assert result.exit_code == 1
        assert [line["outcome"] for line in trace] == ["done", "faulted"]
        assert trace[1]["fault"]["code"] == "index-range"
        assert trace[0]["fault"] is None

    def test_a_warrior_that_does_not_compile_does_not_run(self) -> None:
        result = gwl("run", "bad.gwl")
        assert result.exit_code == 1
        assert result.stdout.startswith("bad.gwl:1:")
        assert "tick" not in result.stdout

    @pytest.mark.parametrize("options", [("--ticks", "0"), ("--seat", "4"), ("--bomb-cost", "61")])
    def test_an_option_out_of_range_is_refused_with_the_range(self, options: tuple[str, str]) -> None:
        result = gwl("run", *options, "good.gwl")
        assert result.exit_code == 2
        assert "range" in result.stderr


@pytest.mark.usefixtures("folder")
class TestDis:
    def test_instructions_stand_under_their_lines_in_words(self) -> None:
        source = (
            "proc f(n) =\n  return -n\nvar a = [1]\nfor i in a:\n  ghost = f(i) + max(1, 2)\nmove(a[0], 1)\n"
        )
        result = gwl("dis", "-", stdin=source)
        assert result.exit_code == 0
        for text in (
            "   1 | proc f(n) =",
            "  0  jump         to 7",
            "enter        f, 1 locals",
            "load         local 0",
            "unary        -",
            "array        of 1",
            "store        hidden 2",
            "call         f/1",
            "call         max/2",
            "binary       +",
            "store        ghost (undefined)",
            "action       move",
            "branch       if false, to",
            "halt",
        ):
            assert text in result.stdout

    def test_every_instruction_is_listed(self) -> None:
        listed = [line for line in gwl("dis", "good.gwl").stdout.splitlines() if "|" not in line]
        assert [int(line.split()[0]) for line in listed] == list(range(9))

    def test_a_file_that_cannot_be_read_is_named(self) -> None:
        result = gwl("dis", "missing.gwl")
        assert (result.exit_code, result.stderr) == (3, "Error: missing.gwl: No such file or directory\n")


UGLY = "while   true :\n    place( )\n"
TIDY = "while true:\n  place()\n"


class TestFmt:
    def test_a_file_is_rewritten_in_place_and_named(self, folder: Path) -> None:
        (folder / "ugly.gwl").write_text(UGLY)
        result = gwl("fmt", "ugly.gwl", "good.gwl")
        assert (result.exit_code, result.stdout) == (0, "ugly.gwl: formatted\n")
        assert (folder / "ugly.gwl").read_bytes() == TIDY.encode()
        assert (folder / "good.gwl").read_text() == GOOD
        assert gwl("fmt", "ugly.gwl").stdout == ""

    def test_checking_writes_nothing_and_fails_where_a_file_would_change(self, folder: Path) -> None:
        (folder / "ugly.gwl").write_text(UGLY)
        result = gwl("fmt", "--check", "ugly.gwl", "good.gwl")
        assert (result.exit_code, result.stdout) == (1, "ugly.gwl: not formatted\n")
        assert (folder / "ugly.gwl").read_text() == UGLY
        assert gwl("fmt", "--check", "good.gwl").exit_code == 0

    def test_a_diff_shows_what_would_change_and_writes_nothing(self, folder: Path) -> None:
        (folder / "ugly.gwl").write_text(UGLY)
        result = gwl("fmt", "--diff", "ugly.gwl")
        assert result.exit_code == 0
        assert "-while   true :\n" in result.stdout
        assert "+while true:\n" in result.stdout
        assert (folder / "ugly.gwl").read_text() == UGLY

    def test_standard_input_goes_to_standard_output(self) -> None:
        assert gwl("fmt", "-", stdin=UGLY).stdout == TIDY
        assert gwl("fmt", "-", stdin=TIDY).stdout == TIDY
        assert gwl("fmt", "--check", "-", stdin=UGLY).exit_code == 1

    def test_line_ends_become_newlines_and_a_byte_order_mark_goes(self, folder: Path) -> None:
        (folder / "dos.gwl").write_bytes(b"\xef\xbb\xbfplace()\r\n")
        gwl("fmt", "dos.gwl")
        assert (folder / "dos.gwl").read_bytes() == b"place()\n"

    def test_what_does_not_compile_or_cannot_be_read_stays_as_it_is(self, folder: Path) -> None:
        (folder / "ugly.gwl").write_text(UGLY)
        result = gwl("fmt", "bad.gwl", "latin.gwl", "ugly.gwl")
        assert result.exit_code == 3
        assert "bad.gwl:1:" in result.stdout
        assert "latin.gwl:2:" in result.stderr
        assert (folder / "bad.gwl").read_text() == BAD
        assert (folder / "ugly.gwl").read_text() == TIDY
        assert gwl("fmt", "bad.gwl").exit_code == 1

    def test_a_file_that_cannot_be_written_is_named(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "ugly.gwl").write_text(UGLY)
        monkeypatch.setattr(Path, "write_text", _refuse)
        result = gwl("fmt", "ugly.gwl")
        assert (result.exit_code, result.stderr) == (3, "Error: ugly.gwl: Permission denied\n")


def _refuse(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_help_shows_an_example_of_every_command() -> None:
    commands = sorted(main.commands)
    assert commands == ["check", "dis", "fmt", "run"]
    for command in commands:
        result = gwl(command, "--help")
        assert result.exit_code == 0
        assert f"  gwl {command} " in result.stdout.partition("Examples:")[2]


def test_the_version_is_that_of_the_distribution() -> None:
    assert gwl("--version").stdout.startswith("gwl, version ")


def test_output_into_a_pipe_has_no_colours(folder: Path) -> None:
    command = [sys.executable, "-m", "gwl", "run", "faulty.gwl"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"faulted" in done.stdout
    assert b"\x1b" not in done.stdout


def test_help_comes_at_once_and_without_the_parser() -> None:
    """Processor time, since the wall clock also measures whatever else the machine does."""
    script = "import sys; from gwl.__main__ import main; main(['--help'], standalone_mode=False); "
    script += "sys.exit('lark' in sys.modules or 'msgspec' in sys.modules)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3
