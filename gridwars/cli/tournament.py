"""`gridwars tournament`: scripted players against each other, and what it proves."""

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
from gridwars.cli.console import (
    examples,
    json_option,
    open_console,
    print_json,
    print_warnings,
    show_progress,
)
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.log.durable import replace_durably

if TYPE_CHECKING:
    from gridwars.compare.estimate import Estimate
    from gridwars.compare.tournament import Duel, Standing, Tournament


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
    help="On how many seeds, from --seed, where chance plays a part.",
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
    """Play warriors against each other: exactly where possible, else on many seeds.

    WARRIOR is a built-in's name, a file, or search:BUDGET; there are at least two. Where none of them draws
    random numbers, more seeds only repeat what was played: every start is played once in every field and
    seating, if these are not too many, and scores are exact. A bout is then the battle of one start.

    Else up to as many as there are seats meet in every seating on every seed, more in a balanced design. A
    bout is an episode, and its score the episode's. Intervals and tests treat a seed as one observation.
    """
    from gridwars.compare.contestants import make_contestants
    from gridwars.compare.tournament import run_tournament
    from gridwars.policies.checks import list_warnings

    if len(warriors) < 2:
        raise click.UsageError("a tournament needs at least two warriors")
    config = benchmark.configure(options)
    first_seed: int = getattr(config, SEED_OPTION)
    benchmark.configure({**options, SEED_OPTION: first_seed + seeds - 1})
    contestants = make_contestants(warriors, benchmark)
    print_warnings(list_warnings(contestants))
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

    rows = tuple(
        (
            str(rank),
            tournament.names[each.contestant],
            f"{each.score.mean:.2f}",
            _render_spread(each.score),
            f"{100 * each.first_share:.0f}",
            str(each.bout_count),
        )
        for rank, each in enumerate(tournament.standings, start=1)
    )
    title = f"{benchmark.title}: {_tell_bouts(tournament)}"
    notes = _EXACT_NOTES if tournament.exact else _SEED_NOTES
    print_blocks(
        open_console(),
        (
            Table(title, ("", "player", "score", "± (95 %)", "first in %", "bouts"), rows),
            _render_matrix(tournament),
            Section("how to read it", notes),
        ),
    )


_EXACT_NOTES = (
    "exact: nobody draws random numbers, and these are all bouts there are; more seeds add nothing",
    "score: mean over every start in every field and seating, each once; first in %: of these",
    "head to head: the row's share of bouts in which it scored more than the column, in %; its mean margin",
)
_SEED_NOTES = (
    "score: mean of an episode; its 95 % t interval takes a seed as one observation",
    "head to head: the row's share of bouts in which it scored more than the column, in %",
    "*: their mean scores differ, p < 0.05 after Holm's correction for all pairs",
)


def _tell_bouts(tournament: Tournament) -> str:
    bout_count, seed_count = len(tournament.bouts), len(tournament.seeds)
    if tournament.exact:
        return f"{bout_count} bouts, all that there are: {seed_count} start{'s' if seed_count > 1 else ''}"
    return f"{bout_count} bouts on {seed_count} seed{'s' if seed_count > 1 else ''}"


def _render_spread(score: Estimate) -> str:
    if score.exact:
        return "exact"
    return "" if score.half_width is None else f"{score.half_width:.2f}"


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
    is_first = row == duel.first
    share = f"{100 * (duel.win_share if is_first else 1 - duel.win_share):.0f}"
    if duel.margin.exact:
        return f"{share}, {duel.margin.mean if is_first else -duel.margin.mean:+.1f}"
    return f"{share}{'' if duel.better is None else '*'}"


def _describe(tournament: Tournament, benchmark: Benchmark, config: msgspec.Struct) -> dict[str, object]:
    names = tournament.names
    return {
        "benchmark": benchmark.name,
        "config": msgspec.to_builtins(config),
        "exact": tournament.exact,
        "bout_config": msgspec.to_builtins(tournament.config),
        "seeds": list(tournament.seeds),
        "bout_count": len(tournament.bouts),
        "standings": [_describe_standing(each, names) for each in tournament.standings],
        "head_to_head": [
            asdict(duel)
            | {
                "first": names[duel.first],
                "second": names[duel.second],
                "better": None if duel.better is None else names[duel.better],
            }
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
