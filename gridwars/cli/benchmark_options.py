"""A command that takes BENCHMARK first and has the options which that benchmark declares.

Nothing here knows any one game: names, defaults, ranges and help come from `Benchmark.options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, cast

import click

from gridwars.benchmarks.contract import Benchmark, Option
from gridwars.benchmarks.registry import BENCHMARKS, find_package, get_benchmark

Function = TypeVar("Function", bound=Callable[..., object])

_CHOSEN = "gridwars.benchmark"


def benchmark_option(function: Function) -> Function:
    """Gives a verb `--benchmark`, passed as the object; for verbs without options of the benchmark's own."""
    return click.option(
        "--benchmark",
        metavar="NAME",
        default=lambda: next(iter(BENCHMARKS)),
        show_default=next(iter(BENCHMARKS)),
        callback=lambda ctx, param, name: get_benchmark(name),
        help="Of which game.",
    )(function)


class BenchmarkCommand(click.Command):
    """Calls its function with `benchmark` (the object) and `options` (only what the user gave), and its own.

    The benchmark must come first where it is named, since what follows are its options; without a name it
    is the registry's first.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = self.names_benchmark(args)
        benchmark = get_benchmark(args[0] if named else self.find_benchmark_name(ctx, args))
        ctx.meta[_CHOSEN] = benchmark
        rest = super().parse_args(ctx, args[1:] if named else args)
        names = [option.name for option in benchmark.options]
        given = {name: ctx.params.pop(name) for name in names}
        ctx.params["benchmark"] = benchmark
        ctx.params["options"] = {
            name: value
            for name, value in given.items()
            if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        }
        return rest

    def names_benchmark(self, args: list[str]) -> bool:
        """Whether the command line begins with a benchmark's name."""
        return bool(args) and not args[0].startswith("-")

    def find_benchmark_name(self, ctx: click.Context, args: list[str]) -> str:
        """The benchmark where the command line does not begin with one."""
        return next(iter(BENCHMARKS))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*make_options(_chosen(ctx).options), *super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["[BENCHMARK]", *super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        benchmark = _chosen(ctx)
        with formatter.section("Benchmarks"):
            formatter.write_dl([(name, _describe(name)) for name in BENCHMARKS])
        with formatter.section(f"Options of {benchmark.name}"):
            formatter.write_dl(_help_records(make_options(benchmark.options), ctx))
        with formatter.section("Options"):
            formatter.write_dl(_help_records(super().get_params(ctx), ctx))


def _describe(name: str) -> str:
    """Its title; of a game that a package brings, the package, so that none is imported to be listed."""
    package = find_package(name)
    return f"of the package {package}" if package else get_benchmark(name).title


def _chosen(ctx: click.Context) -> Benchmark:
    benchmark = ctx.meta[_CHOSEN]
    return cast(Benchmark, benchmark)


def make_options(options: Iterable[Option]) -> list[click.Parameter]:
    """A benchmark's options for a command line."""
    return [_make_option(option) for option in options]


def _make_option(option: Option) -> click.Option:
    flag = option.name.replace("_", "-")
    names = [f"--{flag}/--no-{flag}" if isinstance(option.default, bool) else f"--{flag}", option.name]
    return click.Option(
        names,
        type=_find_type(option),
        multiple=isinstance(option.default, tuple),
        default=option.default,
        show_default=True,
        help=option.help,
    )


def _find_type(option: Option) -> click.ParamType[object] | None:
    match option.default:
        case bool():
            return None
        case int() | None:
            return click.IntRange(option.minimum, option.maximum)
        case str() | tuple():
            return click.Choice(option.choices) if option.choices else click.STRING


def _help_records(parameters: list[click.Parameter], ctx: click.Context) -> list[tuple[str, str]]:
    records = (parameter.get_help_record(ctx) for parameter in parameters)
    return [record for record in records if record is not None]
