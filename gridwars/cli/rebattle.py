"""`gridwars rebattle`: what the scripts of a log are worth when seat and board are no longer luck."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
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
    from gridwars.compare.episodes import EpisodeTally
    from gridwars.compare.rebattle import Rebattle, SeatScores
    from gridwars.compare.summary import GameSummary


@click.command(
    epilog=examples(
        "gridwars rebattle runs/sample/episode.jsonl",
        "gridwars rebattle --seeds 50 --json a.jsonl b.jsonl",
        "gridwars rebattle runs/duel",
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
@click.option(
    "--csv",
    "csv_path",
    type=click.Path(path_type=Path),
    help="Write a row for every seat of every part of every log here.",
)
@engine_option
@json_option
def command(
    logs: tuple[Path, ...], seeds: int, seed: int, threads: int, csv_path: Path | None, as_json: bool
) -> ExitCode:
    """Fight a log's rounds again in all seatings and on more boards.

    The scripts that were sealed for a round meet in every seating on every board. Their seat-integrated
    scores stand beside the canonical ones, of the battle that was played, for each round and the whole
    series; intervals (95 %) take a board as one observation. Nobody is asked for anything. Where none of a
    round's scripts draws random numbers, all battles there are of it are fought, and its scores are exact.

    Of several logs, or of a folder of them such as a run's, both scores of each model with each strategy
    follow, over the episodes that are finished and not void.
    """
    from gridwars.audit import expand_paths
    from gridwars.cli.summary_report import write_rows
    from gridwars.compare.episodes import tally_episode
    from gridwars.compare.rebattle import run_rebattle
    from gridwars.compare.summary import summarise

    described: list[dict[str, object]] = []
    rows: list[Mapping[str, object]] = []
    tallies: dict[str, EpisodeTally] = {}
    fought: dict[str, Rebattle] = {}
    for path in expand_paths(logs):
        episode = open_log(path)
        benchmark = get_benchmark(episode.start.benchmark)
        rematches = benchmark.list_rematches(episode.recording.config, episode.recording.events)
        if not rematches:
            problem = f"{path}: no part of this {benchmark.title} log can be fought again"
            if path in logs:
                raise click.UsageError(problem)
            click.echo(f"gridwars: {make_plain(problem)}; left out", err=True)
            continue
        with show_progress(path.name) as progress:
            rebattle = run_rebattle(
                benchmark, rematches, range(seed, seed + seeds), threads=threads, progress=progress
            )
        tally = tally_episode(episode.log)
        tallies[tally.head], fought[tally.head] = tally, rebattle
        rows += _list_rows(tally, rebattle)
        if as_json:
            described.append(_describe(episode, rebattle))
        else:
            _print(episode, rebattle)
    games = summarise(tallies.values())
    if csv_path is not None:
        write_rows(rows, csv_path)
    if as_json:
        print_json({"logs": described, "games": [_describe_players(game, fought) for game in games]})
    elif len(tallies) > 1:
        _print_players(games, fought)
    return ExitCode.OK


def _print_players(games: Sequence[GameSummary], fought: Mapping[str, Rebattle]) -> None:
    from gridwars.cli.drawing import print_blocks
    from gridwars.cli.summary_report import drop_empty, name_game
    from gridwars.compare.rebattle_summary import summarise_rebattles

    tables = [
        Table(
            f"{name_game(game)}: players over {len(game.episodes)} logs",
            ("player", "strategy", "with", "counted", "canonical", "seat-integrated"),
            tuple(
                (
                    each.player.policy,
                    each.player.strategy,
                    each.player.variant,
                    str(each.player.episode_count),
                    "-" if each.canonical is None else each.canonical.render(),
                    "-" if each.integrated is None else each.integrated.render(),
                )
                for each in summarise_rebattles(game, fought)
            ),
        )
        for game in games
    ]
    print_blocks(open_console(), map(drop_empty, tables))


def _describe_players(game: GameSummary, fought: Mapping[str, Rebattle]) -> dict[str, object]:
    from gridwars.compare.rebattle_summary import summarise_rebattles

    return {
        "benchmark": game.benchmark,
        "config": dict(game.config),
        "players": [
            {
                "policy": each.player.policy,
                "strategy": each.player.strategy,
                "variant": each.player.variant,
                "episodes_counted": each.player.episode_count,
                "canonical": None if each.canonical is None else asdict(each.canonical),
                "integrated": None if each.integrated is None else asdict(each.integrated),
            }
            for each in summarise_rebattles(game, fought)
        ],
    }


def _print(episode: LoggedEpisode, rebattle: Rebattle) -> None:
    from gridwars.cli.drawing import print_blocks

    noun = get_benchmark(episode.start.benchmark).make_view().part_noun
    names = episode.recording.seat_names
    series: Block = Table(
        f"{rebattle.bout_count} rematches, {_tell_boards(rebattle)}",
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
    if any(scores.integrated.exact for part in rebattle.parts for scores in part.seats):
        exact = f"exact: no script of the {noun} draws random numbers; more seeds add nothing"
        notes = (*notes, Section("how to read it", (exact,)))
    print_blocks(open_console(), (series, rounds, *notes))


def _tell_boards(rebattle: Rebattle) -> str:
    boards = len(rebattle.seeds)
    return f"{boards} board{'s' if boards > 1 else ''}" if boards else "all that there are"


def _render_canonical(scores: SeatScores) -> str:
    return "-" if scores.canonical is None else f"{float(scores.canonical):.1f}"


def _describe(episode: LoggedEpisode, rebattle: Rebattle) -> dict[str, object]:
    return {
        "log": str(episode.log.path),
        "benchmark": episode.start.benchmark,
        "policies": list(episode.recording.seat_names),
        "exact": not rebattle.seeds,
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


def _list_rows(tally: EpisodeTally, rebattle: Rebattle) -> Iterator[Mapping[str, object]]:
    for part in rebattle.parts:
        for seat, scores in zip(tally.seats, part.seats, strict=True):
            yield {
                "log": str(tally.path),
                "benchmark": tally.benchmark,
                "episode": tally.episode_number,
                "seed": tally.seed,
                "status": tally.standing.value,
                "part": part.part,
                "seat": name_seat(seat.seat),
                "policy": seat.record.policy,
                "strategy": seat.record.strategy,
                "canonical": None if scores.canonical is None else float(scores.canonical),
                "canonical_exact": scores.canonical,
                "integrated": scores.integrated.mean,
                "integrated_is_exact": scores.integrated.exact,
                "half_width_95": scores.integrated.half_width,
                "boards": scores.integrated.block_count,
            }


def _describe_scores(scores: SeatScores) -> dict[str, object]:
    """The canonical score is exact, so it stands as a fraction beside the number."""
    canonical = scores.canonical
    return {
        "canonical": None if canonical is None else float(canonical),
        "canonical_exact": None if canonical is None else str(canonical),
        "integrated": asdict(scores.integrated),
    }
