"""`gridwars rebattle`: what the scripts of a log are worth when seat and board are no longer luck."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridwars.benchmarks.presentation import Block, Section, Table
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import examples, json_option, make_plain, open_console, print_json, show_progress
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.recordings import LoggedEpisode, open_log
from gridwars.policies.seats import name_seat

if TYPE_CHECKING:
    from gridwars.compare.rebattle import Rebattle, SeatScores


@click.command(
    epilog=examples(
        "gridwars rebattle runs/sample/episode.jsonl", "gridwars rebattle --seeds 50 --json a.jsonl b.jsonl"
    )
)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--seeds", type=click.IntRange(min=1), default=10, show_default=True, help="How many boards.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The first of them, the same for all logs."
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    show_default="one per core",
    help="How many battles are played at once.",
)
@engine_option
@json_option
def command(logs: tuple[Path, ...], seeds: int, seed: int, threads: int, as_json: bool) -> ExitCode:
    """Fight a log's rounds again in all seatings and on more boards.

    The scripts that were sealed for a round meet in every seating on every board. Their seat-integrated
    scores stand beside the canonical ones, of the battle that was played, for each round and the whole
    series; intervals (95 %) take a board as one observation. Nobody is asked for anything.
    """
    from gridwars.compare.rebattle import run_rebattle

    described = []
    for path in logs:
        episode = open_log(path)
        benchmark = get_benchmark(episode.start.benchmark)
        rematches = benchmark.list_rematches(episode.recording.config, episode.recording.events)
        if not rematches:
            raise click.UsageError(f"{path}: no part of this {benchmark.title} log can be fought again")
        with show_progress(path.name) as progress:
            rebattle = run_rebattle(
                benchmark, rematches, range(seed, seed + seeds), threads=threads, progress=progress
            )
        if as_json:
            described.append(_describe(episode, rebattle))
        else:
            _print(episode, rebattle)
    if as_json:
        print_json(described)
    return ExitCode.OK


def _print(episode: LoggedEpisode, rebattle: Rebattle) -> None:
    from gridwars.cli.drawing import print_blocks

    noun = get_benchmark(episode.start.benchmark).make_view().part_noun
    names = episode.recording.seat_names
    series: Block = Table(
        f"{rebattle.bout_count} rematches, {len(rebattle.seeds)} boards",
        ("seat", "policy", "canonical", "seat-integrated"),
        tuple(
            (name_seat(seat), names[seat], _render_canonical(scores), scores.integrated.render())
            for seat, scores in enumerate(rebattle.series)
        ),
    )
    rounds: Block = Table(
        f"by {noun}: canonical, seat-integrated",
        (noun, *(f"{name_seat(seat)} {name}" for seat, name in enumerate(names))),
        tuple(
            (
                str(part.part),
                *(f"{_render_canonical(scores)}, {scores.integrated.render()}" for scores in part.seats),
            )
            for part in rebattle.parts
        ),
    )
    click.echo(make_plain(str(episode.log.path)))
    remarks = tuple(
        f"{noun} {part.part}, seat {name_seat(seat)}: {remark}"
        for part in rebattle.parts
        for seat, remark in part.remarks
    )
    notes: tuple[Block, ...] = (Section("what was submitted", remarks),) if remarks else ()
    print_blocks(open_console(), (series, rounds, *notes))


def _render_canonical(scores: SeatScores) -> str:
    return "-" if scores.canonical is None else f"{float(scores.canonical):.1f}"


def _describe(episode: LoggedEpisode, rebattle: Rebattle) -> dict[str, object]:
    return {
        "log": str(episode.log.path),
        "benchmark": episode.start.benchmark,
        "policies": list(episode.recording.seat_names),
        "seeds": list(rebattle.seeds),
        "bout_count": rebattle.bout_count,
        "series": [_describe_scores(scores) for scores in rebattle.series],
        "parts": [
            {
                "part": part.part,
                "seats": [_describe_scores(scores) for scores in part.seats],
                "remarks": [{"seat": name_seat(seat), "remark": remark} for seat, remark in part.remarks],
            }
            for part in rebattle.parts
        ],
    }


def _describe_scores(scores: SeatScores) -> dict[str, object]:
    canonical = None if scores.canonical is None else str(scores.canonical)
    return {"canonical": canonical, "integrated": asdict(scores.integrated)}
