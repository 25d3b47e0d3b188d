"""What a run is played with: the settings file and the command line as one, and back into a file.

Each option is a key of the same name in the file, with `_` for `-`. What a run was begun with is written to
its folder in this form, so that `--config` reads it again.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from gridwars.benchmarks.contract import Benchmark, Option
from gridwars.benchmarks.registry import BENCHMARKS, get_benchmark
from gridwars.canonical import Json
from gridwars.cli.assignments import Assignments, read_options, read_tables, render_tables
from gridwars.cli.benchmark_options import BenchmarkCommand, make_options
from gridwars.cli.parameter_help import print_parameters
from gridwars.cli.toml_text import render_toml
from gridwars.files import read_file
from gridwars.log.events import Limits
from gridwars.log.metering import Budget
from gridwars.policies.seats import name_seat
from gridwars.toml_reading import parse_toml

if TYPE_CHECKING:
    from gridwars.harness.plan import RunPlan, SeatChoice

Result = TypeVar("Result")

RUN_TABLE = "run"
"""The table of a settings file that is no setting: what a folder knows of its run."""

_ASSIGNING = ("seat", "strategy", "set", "budget")
_NO_KEYS = frozenset(
    {"config", "as_json", "help", "help_set", "seats", "strategies", "parameters", "budgets"}
)
"""Options of `play` that are no keys by their own name; the last four are tables."""
_META = "gridwars.settings"
_MILLISECONDS = 1000


@dataclass(frozen=True, slots=True)
class RunSettings:
    """All that decides what is played, and within which limits.

    Attributes:
        options: of the benchmark, as given.
    """

    benchmark: Benchmark
    options: Mapping[str, Json]
    assignments: Assignments
    episodes: int
    parallel: int
    batch_seconds: int
    episode_seconds: int
    reserve_seconds: int
    prices: tuple[Path, ...]

    @property
    def limits(self) -> Limits:
        return Limits(
            self.batch_seconds * _MILLISECONDS,
            self.episode_seconds * _MILLISECONDS,
            self.reserve_seconds * _MILLISECONDS,
            self.assignments.make_budget(Budget()),
        )

    def make_plan(self) -> RunPlan:
        """
        Raises:
            ConfigurationError, PolicyError, PriceError, UsageError: for what cannot be played.
        """
        from gridwars.harness.plan import make_plan
        from gridwars.policies.prices import load_prices

        return make_plan(
            self.benchmark,
            self.options,
            self._choose_seats(),
            prices=load_prices(*self.prices),
            limits=self.limits,
            episode_count=self.episodes,
        )

    def find_seat_problems(self) -> dict[int, str]:
        """Why seats cannot be filled, by seat."""
        from gridwars.harness.plan import find_seat_problems
        from gridwars.policies.prices import load_prices

        return find_seat_problems(
            self.benchmark, self.options, self._choose_seats(), load_prices(*self.prices)
        )

    def _choose_seats(self) -> dict[int, SeatChoice]:
        from gridwars.harness.plan import SeatChoice
        from gridwars.policies.registry import is_model

        given = self.assignments
        nameless = next((seat for seat in given.own if seat not in given.seats), None)
        if nameless is not None:
            raise click.UsageError(f"something is set for seat {name_seat(nameless)}, which names nobody")
        models = {seat for seat, text in given.seats.items() if is_model(text)}
        if given.shared and not models:
            name = next(iter(given.shared))
            raise click.UsageError(
                f"{name} is set for all models, but no seat is a model's; for a single seat it is a.{name}"
            )
        return {
            seat: SeatChoice(text, {**(given.shared if seat in models else {}), **given.own.get(seat, {})})
            for seat, text in given.seats.items()
        }


def run_options(function: Callable[..., Result]) -> Callable[..., Result]:
    """Gives a verb of class `RunCommand` the options of a run, passed to it as one `settings`."""

    @functools.wraps(function)
    def collect_settings(
        *,
        benchmark: Benchmark,
        options: Mapping[str, Json],
        config: Path | None,
        seats: Sequence[str],
        strategies: Sequence[str],
        parameters: Sequence[str],
        budgets: Sequence[str],
        prices: Sequence[Path],
        episodes: int,
        parallel: int,
        batch_seconds: int | None,
        episode_seconds: int,
        reserve_seconds: int,
        **rest: object,
    ) -> Result:
        if reserve_seconds and reserve_seconds >= episode_seconds:
            raise click.UsageError(
                f"--reserve-seconds {reserve_seconds} leaves no time to ask anybody: it must be less than "
                f"--episode-seconds {episode_seconds}"
            )
        document = click.get_current_context().meta[_META]
        below = read_tables(document, f"{config}: ")
        settings = RunSettings(
            benchmark=benchmark,
            options=options,
            assignments=read_options(seats, strategies, parameters, budgets).over(below),
            episodes=episodes,
            parallel=parallel,
            batch_seconds=benchmark.pace.batch_seconds if batch_seconds is None else batch_seconds,
            episode_seconds=episode_seconds,
            reserve_seconds=reserve_seconds,
            prices=tuple(prices),
        )
        return function(settings=settings, **rest)

    for option in reversed(_OPTIONS):
        collect_settings = option(collect_settings)
    return collect_settings


_OPTIONS = (
    click.option(
        "--config",
        type=click.Path(path_type=Path),
        help="A TOML file in which each of these options is a key; the command line goes before it.",
    ),
    click.option(
        "--seat",
        "seats",
        multiple=True,
        metavar="[a=]WHO",
        help="Who plays the next seat, or seat a: a built-in's name, a file, or KIND:... as listed below. "
        "Repeat it; seats left over take built-ins.",
    ),
    click.option(
        "--strategy",
        "strategies",
        multiple=True,
        metavar="[a=]NAME|FILE",
        help="What all models are told, or that of seat a; gridwars prompt --list shows them.",
    ),
    click.option(
        "--set",
        "parameters",
        multiple=True,
        metavar="[a.]NAME=VALUE",
        help="A parameter of all models, or of seat a: effort=low, a.max_output_tokens=8000.",
    ),
    click.option(
        "--help-set",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=print_parameters,
        help="List the parameters that --set takes, and exit.",
    ),
    click.option(
        "--budget",
        "budgets",
        multiple=True,
        metavar="SCOPE.UNIT=AMOUNT",
        help="The most that may be spent, for run, episode or strategy, in dollars, tokens or calls.",
    ),
    click.option(
        "--prices",
        multiple=True,
        type=click.Path(path_type=Path),
        help="A price file that goes before the one of the program.",
    ),
    click.option(
        "--episodes",
        type=click.IntRange(1, 100_000),
        default=1,
        show_default=True,
        help="How many to play, on seeds from the given one on.",
    ),
    click.option(
        "--parallel", type=click.IntRange(1, 1000), default=4, show_default=True, help="Episodes at a time."
    ),
    click.option(
        "--batch-seconds",
        type=click.IntRange(1),
        show_default="the game's own",
        help="How long a round or turn may be thought about, before who has not answered is replaced.",
    ),
    click.option(
        "--episode-seconds",
        type=click.IntRange(0),
        default=0,
        help="Ask nobody any more once this much time is used; 0 means no limit.",
    ),
    click.option(
        "--reserve-seconds",
        type=click.IntRange(0),
        default=0,
        help="Time that must be left for anybody to be asked.",
    ),
)


_WHO = (
    ("NAME", "A built-in; gridwars warriors lists them."),
    ("FILE", "A file's text, each time."),
    ("anthropic:MODEL", "A model of Anthropic; the key is taken from $ANTHROPIC_API_KEY."),
    ("openai:MODEL", "A model of OpenAI; the key is taken from $OPENAI_API_KEY."),
    ("openai-chat:MODEL", "A model behind a compatible server: --set a.base_url=http://127.0.0.1:11434/v1."),
    ("recorded:LOG#SEAT", "What a seat of an old log answered."),
    ("command:PROGRAM", "A program that reads a request as JSON and writes a reply."),
    ("human", "A person: keys in this terminal for snake-royale, $VISUAL or $EDITOR for grid-wars."),
    ("search", "Scripts that win battles of its own, without a model; search:5000 for so many a round."),
)


class RunCommand(BenchmarkCommand):
    """A command with the options of a run: what its settings file says stands where nothing was given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        path = _find_config(args)
        document = {} if path is None else read_settings(path)
        ctx.meta[_META] = document
        if path is not None:
            options = make_options(self._find_options(ctx, args))
            ctx.default_map = _read_keys(path, document, options, ctx)
        return super().parse_args(ctx, args)

    def _find_options(self, ctx: click.Context, args: list[str]) -> tuple[Option, ...]:
        named = bool(args) and not args[0].startswith("-")
        return get_benchmark(args[0] if named else self.find_benchmark_name(ctx, args)).options

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        with formatter.section("Who plays a seat"):
            formatter.write_dl(_WHO)

    def find_benchmark_name(self, ctx: click.Context, args: list[str]) -> str:
        return str(ctx.meta[_META].get("benchmark", next(iter(BENCHMARKS))))


def load_settings(path: Path) -> RunSettings:
    """The settings of a file alone, as a command line that names nothing else would have them.

    Raises:
        UsageError: for a file that is no settings file.
    """

    @click.command(cls=RunCommand)
    @run_options
    def give_back(settings: RunSettings) -> RunSettings:
        return settings

    with give_back.make_context("settings", ["--config", str(path)]) as context:
        settings = give_back.invoke(context)
    assert isinstance(settings, RunSettings), "what the function returns"
    return settings


def read_settings(path: Path) -> dict[str, object]:
    """A settings file as it stands, its keys with `_`.

    Raises:
        UsageError: where it cannot be read.
    """
    try:
        document = parse_toml(read_file(path).decode())
    except OSError as error:
        raise click.UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except ValueError as error:
        raise click.UsageError(f"{path}: {error}") from error
    settings: dict[str, object] = {}
    for key, value in document.items():
        name = key.replace("-", "_")
        if name in settings:
            raise click.UsageError(f"{path}: {name} is set twice, with - and with _")
        settings[name] = value
    return settings


def render_settings(settings: RunSettings, plan: RunPlan) -> str:
    """The settings as a file, every default written out, with the digest of what they come to.

    Raises:
        UsageError: for a value that no file can hold.
    """
    config: Mapping[str, object] = msgspec.to_builtins(plan.config)
    document = {
        "benchmark": settings.benchmark.name,
        **{name: value for name, value in config.items() if value is not None},
        "episodes": settings.episodes,
        "parallel": settings.parallel,
        "batch_seconds": settings.batch_seconds,
        "episode_seconds": settings.episode_seconds,
        "reserve_seconds": settings.reserve_seconds,
        "prices": [str(path) for path in settings.prices],
        **render_tables(settings.assignments),
        RUN_TABLE: {"digest": plan.digest},
    }
    try:
        return render_toml(document)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _read_keys(
    path: Path, document: Mapping[str, object], options: Sequence[click.Parameter], ctx: click.Context
) -> dict[str, object]:
    """The values of a settings file that are options, as click takes them.

    Args:
        options: of the benchmark.

    Raises:
        UsageError: names everything that is wrong with the file, a line for each.
    """
    from gridwars.cli.play import command as play

    known = {option.name: option for option in (*options, *play.params) if option.name not in _NO_KEYS}
    names = [*map(str, known), *_ASSIGNING, "benchmark"]
    values: dict[str, object] = {}
    problems: list[str] = []
    for key, value in document.items():
        if key in known:
            values[key] = [value] if known[key].multiple and not isinstance(value, list) else value
            problems += _find_value_problems(known[key], key, values[key], ctx)
        elif key in _ASSIGNING:
            for part in _split_table(value):
                with _collecting(problems):
                    read_tables({key: part})
        elif key not in ("benchmark", RUN_TABLE):
            close = difflib.get_close_matches(key, names, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(names)}"
            problems.append(f'unknown key "{key}"; {hint}')
    if problems:
        raise click.UsageError("\n".join(f"{path}: {problem}" for problem in problems))
    return values


def _split_table(value: object) -> Iterator[object]:
    """A table entry by entry, so that each can be found fault with."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            for part in _split_table(inner):
                yield {key: part}
    else:
        yield value


@contextlib.contextmanager
def _collecting(problems: list[str]) -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        problems.append(error.message)


def _find_value_problems(
    option: click.Parameter, key: str, value: object, ctx: click.Context
) -> Iterator[str]:
    """What is wrong with a key's value: its type, which TOML knows and a command line does not, or range."""
    if option.multiple and isinstance(value, list):
        for each in value:
            yield from _find_single_problem(option, key, each, ctx)
    else:
        yield from _find_single_problem(option, key, value, ctx)


def _find_single_problem(
    option: click.Parameter, key: str, value: object, ctx: click.Context
) -> Iterator[str]:
    kind, words = next(
        (
            (kind, words)
            for types, kind, words in (
                (click.types.BoolParamType, bool, "true or false"),
                (click.types.IntParamType, int, "a whole number"),
            )
            if isinstance(option.type, types)
        ),
        (str, "a text"),
    )
    if type(value) is not kind:
        yield f"{key} = {value!r} must be {words}"
        return
    try:
        option.type.convert(value, option, ctx)
    except click.BadParameter as error:
        yield f"{key} = {value!r}: {error.message}"


def _find_config(args: Sequence[str]) -> Path | None:
    """The settings file that a command line names, which must be known before its other options are.

    Raises:
        UsageError: where it names several, or none by that option.
    """
    found = []
    for index, arg in enumerate(args):
        if arg == "--config" and index + 1 < len(args):
            found.append(args[index + 1])
        elif arg.startswith("--config="):
            found.append(arg.removeprefix("--config="))
    if len(found) > 1:
        raise click.UsageError(f"--config: {' and '.join(found)} are named; there can be one settings file")
    if found == [""]:
        raise click.UsageError("--config: name a settings file")
    return Path(found[0]) if found else None
