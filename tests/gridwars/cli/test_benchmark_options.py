"""A verb's options come from whichever benchmark is named, and from nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import click
import pytest
from click.testing import CliRunner, Result

from gridwars.benchmarks.contract import Benchmark, ConfigurationError, Option
from gridwars.canonical import Json
from gridwars.cli import benchmark_options
from gridwars.cli.benchmark_options import BenchmarkCommand


@dataclass(frozen=True)
class FakeBenchmark:
    name: str
    title: str
    options: tuple[Option, ...]


CHESS = FakeBenchmark(
    "chess",
    "Chess",
    (
        Option("moves", 40, "most moves", minimum=1, maximum=300),
        Option("clock_mode", "blitz", "how time runs", choices=("blitz", "slow")),
        Option("castling", True, "whether kings castle"),
    ),
)
DICE = FakeBenchmark("dice", "Dice", (Option("throws", 3, "throws of a turn"),))


@dataclass
class Verb:
    """A command made from the two fakes, that keeps what it was called with."""

    calls: list[tuple[str, dict[str, Json], bool]] = field(default_factory=list)

    def __call__(self, *arguments: str) -> Result:
        @click.command(cls=BenchmarkCommand)
        @click.option("--quiet", is_flag=True, help="Say less.")
        def command(benchmark: Benchmark, options: dict[str, Json], quiet: bool) -> None:
            self.calls.append((benchmark.name, options, quiet))

        return CliRunner().invoke(command, arguments)


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Verb:
    benchmarks = {fake.name: cast(Benchmark, fake) for fake in (CHESS, DICE)}

    def get_benchmark(name: str) -> Benchmark:
        if name not in benchmarks:
            raise ConfigurationError(f'unknown benchmark "{name}"')
        return benchmarks[name]

    monkeypatch.setattr(benchmark_options, "BENCHMARKS", benchmarks)
    monkeypatch.setattr(benchmark_options, "get_benchmark", get_benchmark)
    return Verb()


def test_first_benchmark_is_the_default(verb: Verb) -> None:
    assert verb().exit_code == 0
    assert verb.calls == [("chess", {}, False)]


def test_only_given_options_are_handed_over_with_their_types(verb: Verb) -> None:
    result = verb("chess", "--moves", "7", "--clock-mode", "slow", "--no-castling", "--quiet")
    assert result.exit_code == 0, result.output
    assert verb.calls == [("chess", {"moves": 7, "clock_mode": "slow", "castling": False}, True)]


def test_options_belong_to_the_named_benchmark(verb: Verb) -> None:
    assert verb("dice", "--throws", "5").exit_code == 0
    assert verb("dice", "--moves", "5").exit_code == 2
    assert verb.calls == [("dice", {"throws": 5}, False)]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--moves", "301"], ["--moves", "301", "1<=x<=300"]),
        (["--moves", "many"], ["--moves", "many"]),
        (["--clock-mode", "fast"], ["--clock-mode", "fast", "blitz", "slow"]),
    ],
)
def test_bad_value_is_refused_with_option_value_and_range(
    verb: Verb, arguments: list[str], parts: list[str]
) -> None:
    result = verb(*arguments)
    assert result.exit_code == 2
    assert verb.calls == []
    assert all(part in result.output for part in parts)


def test_benchmark_after_options_is_refused(verb: Verb) -> None:
    result = verb("--moves", "7", "chess")
    assert result.exit_code == 2
    assert "chess" in result.output


def test_unknown_benchmark_is_refused(verb: Verb) -> None:
    assert isinstance(verb("ches").exception, ConfigurationError)


def test_help_shows_options_with_ranges_and_defaults(verb: Verb) -> None:
    text = " ".join(verb("--help").output.split())
    assert "[BENCHMARK]" in text
    assert "dice Dice" in text
    assert "--moves INTEGER RANGE most moves [default: 40; 1<=x<=300]" in text
    assert "--throws" not in text
    assert "--quiet Say less." in text
    assert "--throws" in verb("dice", "--help").output
