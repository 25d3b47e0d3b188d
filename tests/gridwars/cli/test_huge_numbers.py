"""A number of any length, wherever somebody may write one, is an error of his that names the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run

HUGE = "1" * 5000
HEAD = '+++\nname = "mine"\nversion = 1\nnotes = "x"\n+++\n'

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


@pytest.mark.parametrize(
    ("arguments", "name", "text", "said"),
    [
        (["play", "--config"], "s.toml", f"rounds = {HUGE}", "s.toml: a number has more than 4300 digits"),
        (["play", "--config"], "s.toml", "rounds = " + "[" * 100_000, "s.toml: values are nested too deeply"),
        (["play", "--config"], "s.toml", f'[budget.run]\ncalls = "{HUGE}"', "budget.run.calls"),
        (["play", "--prices"], "p.toml", f'table = "x"\n[[price]]\ninput = {HUGE}', "p.toml: a number has"),
        (
            ["play", "--prices"],
            "p.toml",
            'table = "x"\n[[price]]\nprovider = "openai"\nmodels = ["a"]\ninput = 1e999\noutput = 1',
            "input is Decimal('1E+999'); it must be dollars",
        ),
        (["prompt", "--preview"], "mine.md", HEAD + f"{{{{ {HUGE} }}}}", "mine.md: holds a number"),
        (["prompt", "--preview"], "mine.md", f"+++\nversion = {HUGE}\n+++\n", "mine.md:2: a number has more"),
        (["prompt", "--preview"], "mine.md", HEAD + "{{ " + "-" * 20_000 + "1 }}", "mine.md: is nested too"),
    ],
)
def test_in_a_file(
    arguments: list[str],
    name: str,
    text: str,
    said: str,
    write: Write,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run([*arguments, str(write(name, text))])
    assert code is ExitCode.USAGE
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seed", HUGE],
        ["--rounds", HUGE],
        ["--budget", f"run.dollars={HUGE}"],
        ["--budget", "run.dollars=1e400"],
        ["--budget", f"run.calls={HUGE}"],
        ["--seat", f"search:{HUGE}"],
        ["--seat", "openai-chat:x", "--set", f"max_output_tokens={HUGE}"],
        ["--seat", "openai-chat:x", "--set", "temperature=1e999"],
        ["--batch-seconds", HUGE],
        ["--episode-seconds", "1e400"],
    ],
)
def test_on_the_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", *arguments]) is ExitCode.USAGE
    said = capsys.readouterr().err
    assert arguments[-2].lstrip("-").replace("_", "-") in said or arguments[-1].partition("=")[0] in said
