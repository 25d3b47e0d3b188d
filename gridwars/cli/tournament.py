"""`gridwars tournament`: scripted players against each other on many seeds, with what it proves."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from gridwars.benchmarks.contract import SEED_OPTION, Benchmark
from gridwars.benchmarks.presentation import Section, Table
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import Json
from gridwars.cli.benchmark_options import BenchmarkCommand
from gridwars.cli.console import examples, json_option, open_console, print_json, show_progress
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.log.durable import replace_durably

if TYPE_CHECKING:
    from gridwars.compare.tournament import Duel, Standing, Tournament

SIGNIFICANT = 0.05


class TournamentCommand(BenchmarkCommand):
    """Takes a first argument that is no benchmark's name for a warrior."""

    def names_benchmark(self, args: list[str]) -> bool:
        return bool(args) and args[0] in BENCHMARKS


@click.command(
    cls=TournamentCommand,
    epilog=examples(
        "gridwars tournament painter bomber sentry mine.gwl",
        "gridwars tournament old.gwl new.gwl --seeds 100 --csv bouts.csv",
        "gridwars tournament search painter bomber --seeds 5",
        "gridwars tournament snake-royale coil forager --seeds 5 --json",
    ),
)
@click.argument("warriors", metavar="WARRIOR...", nargs=-1)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="On how many seeds, from --seed.",
)
@click.option(
    "--csv",
    "csv_path",
    type=click.Path(path_type=Path),
    help="Write a row for every seat of every bout here.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one per core",
    help="How many bouts are played at once, where the game can.",
)
@engine_option
@json_option
def command(
    benchmark: Benchmark,
    options: Mapping[str, Json],
    warriors: tuple[str, ...],
    seeds: int,
    csv_path: Path | None,
    threads: int,
    as_json: bool,
) -> ExitCode:
    """Play warriors against each other on many seeds, with intervals.

    WARRIOR is a built-in's name, a file, or search:BUDGET; there are at least two. Up to as many as there are
    seats meet in every seating on every seed; more meet in a balanced design. A bout is an episode, and its
    score the episode's. Intervals and tests treat a seed as one observation.
    """
    from gridwars.compare.contestants import make_contestants
    from gridwars.compare.tournament import run_tournament

    if len(warriors) < 2:
        raise click.UsageError("a tournament needs at least two warriors")
    config = benchmark.configure(options)
    first_seed: int = getattr(config, SEED_OPTION)
    benchmark.configure({**options, SEED_OPTION: first_seed + seeds - 1})
    contestants = make_contestants(warriors, benchmark)
    with show_progress("Playing") as progress:
        tournament = run_tournament(
            benchmark,
            config,
            contestants,
            range(first_seed, first_seed + seeds),
            threads=threads,
            progress=progress,
        )
    if csv_path is not None:
        _write_bouts(tournament, csv_path)
    if as_json:
        print_json(_describe(tournament, benchmark, config))
    else:
        _print(tournament, benchmark)
    return ExitCode.OK


def _print(tournament: Tournament, benchmark: Benchmark) -> None:
    from gridwars.cli.drawing import print_blocks

    seed_count, bout_count = len(tournament.seeds), len(tournament.bouts)
    title = f"{benchmark.title}: {bout_count} bouts on {seed_count} seed{'s' if seed_count > 1 else ''}"
    rows = tuple(
        (
            str(rank),
            tournament.names[each.contestant],
            f"{each.score.mean:.2f}",
            "" if each.score.half_width is None else f"{each.score.half_width:.2f}",
            f"{100 * each.first_share:.0f}",
            str(each.bout_count),
        )
        for rank, each in enumerate(tournament.standings, start=1)
    )
    print_blocks(
        open_console(),
        (
            Table(title, ("", "player", "score", "± (95 %)", "first in %", "bouts"), rows),
            _render_matrix(tournament),
            Section(
                "how to read it",
                (
                    "score: mean of an episode; its 95 % t interval takes a seed as one observation",
                    "head to head: the row's share of bouts in which it scored more than the column, in %",
                    "*: their mean scores differ, p < 0.05 after Holm's correction for all pairs",
                ),
            ),
        ),
    )


def _render_matrix(tournament: Tournament) -> Table:
    order = [standing.contestant for standing in tournament.standings]
    duels = {(duel.first, duel.second): duel for duel in tournament.duels}
    rows = tuple(
        (tournament.names[row], *(_render_cell(row, column, duels) for column in order)) for row in order
    )
    return Table("head to head", ("", *(tournament.names[column] for column in order)), rows)


def _render_cell(row: int, column: int, duels: Mapping[tuple[int, int], Duel]) -> str:
    if row == column:
        return ""
    duel = duels[min(row, column), max(row, column)]
    if duel.margin is None:
        return "-"
    share = duel.win_share if row == duel.first else 1 - duel.win_share
    return f"{100 * share:.0f}{'*' if duel.p_value < SIGNIFICANT else ''}"


def _describe(tournament: Tournament, benchmark: Benchmark, config: msgspec.Struct) -> dict[str, object]:
    names = tournament.names
    return {
        "benchmark": benchmark.name,
        "config": msgspec.to_builtins(config),
        "seeds": list(tournament.seeds),
        "bout_count": len(tournament.bouts),
        "standings": [_describe_standing(each, names) for each in tournament.standings],
        "head_to_head": [
            asdict(duel) | {"first": names[duel.first], "second": names[duel.second]}
            for duel in tournament.duels
        ],
    }


def _describe_standing(standing: Standing, names: tuple[str, ...]) -> dict[str, object]:
    described = asdict(standing)
    del described["contestant"]
    return {"player": names[standing.contestant], **described}


def _write_bouts(tournament: Tournament, path: Path) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("bout", "seed", "seat", "player", "score", "rank"))
    for number, bout in enumerate(tournament.bouts):
        for seat, player in enumerate(bout.seating):
            score, rank = bout.results.scores[seat], bout.results.ranking.index(seat) + 1
            writer.writerow((number, bout.seed, seat, tournament.names[player], float(Fraction(score)), rank))
    replace_durably(path, text.getvalue().encode())
