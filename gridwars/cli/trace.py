"""`gridwars trace`: one warrior of a real battle, tick by tick, as its program went."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import examples, json_option, make_plain, print_json, print_warnings
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.recordings import open_log
from gridwars.policies.seats import name_seat, parse_seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridwars.benchmarks.grid_wars.job import BattleJob
    from gridwars.benchmarks.grid_wars.trace import TraceTick

GAME = "grid-wars"
SEATS = 4
LOG_SUFFIXES = (".jsonl", ".jsonl.gz")
_SPAN = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")


@click.command(
    epilog=examples(
        "gridwars trace mine.gwl",
        "gridwars trace mine.gwl painter --seed 7 --round 2 --ticks 10-40",
        "gridwars trace runs/sample/episode.jsonl --round 3 --seat b --json",
    )
)
@click.argument("players", metavar="LOG | WARRIOR...", nargs=-1, required=True)
@click.option("--seat", default="a", show_default=True, help="Whose program is watched: a to d.")
@click.option(
    "--round", "round_number", type=click.IntRange(1, 12), default=1, show_default=True, help="Which battle."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the episode; a log has its own.")
@click.option("--ticks", "span", default="", help="Only these: 12, or 10-40.")
@json_option
def command(
    players: tuple[str, ...], seat: str, round_number: int, seed: int, span: str, as_json: bool
) -> ExitCode:
    """Watch a warrior's program through a real battle.

    WARRIOR is a built-in's name or a file, up to four by seat; built-ins take the seats that are left. The
    battle is the one that gridwars play has with the same seats, seed and round. One line a tick: the line,
    action, instructions spent, position, energy and tiles at its end, then what went wrong and the variables
    that changed.
    """
    from gridwars.benchmarks.grid_wars.trace import trace_battle

    watched = parse_seat(seat, SEATS)
    if watched is None:
        raise click.UsageError(f'--seat "{seat}": must be one of a to d')
    first, last = _parse_span(span)
    is_log = len(players) == 1 and players[0].endswith(LOG_SUFFIXES)
    scripts, job_seed, ticks, bomb_cost = (
        _read_round(Path(players[0]), round_number) if is_log else _fill_seats(players, seed, round_number)
    )
    job = _make_job(scripts, job_seed, ticks, bomb_cost)
    if job.programs[watched] is None:
        raise click.UsageError(f"seat {name_seat(watched)} has no script that compiles: it stands still")
    shown = [tick for tick in trace_battle(job, watched) if first <= tick.tick <= last]
    if as_json:
        print_json([asdict(tick) for tick in shown])
    else:
        _print(shown, scripts[watched])
    return ExitCode.OK


def _parse_span(span: str) -> tuple[int, int]:
    if not span:
        return 0, 9999
    match = _SPAN.fullmatch(span)
    if match is None:
        raise click.UsageError(f'--ticks "{span}": must be a tick such as 12, or a span such as 10-40')
    return int(match[1]), int(match[2] or match[1])


_Fight: TypeAlias = tuple[list[tuple[str, ...]], int, int, int]
"""Scripts by seat, the round's seed, ticks and what a bomb costs."""


def _fill_seats(players: tuple[str, ...], seed: int, round_number: int) -> _Fight:
    from gridwars.benchmarks.grid_wars.rules import compute_round_seed, configure
    from gridwars.benchmarks.grid_wars.submission import cap_script, split_script
    from gridwars.compare.contestants import make_contestants
    from gridwars.policies.checks import list_warnings

    benchmark = get_benchmark(GAME)
    if len(players) > SEATS:
        raise click.UsageError(f"a battle has {SEATS} seats, not {len(players)}")
    config = configure({"seed": seed, "rounds": 12})
    names = (*players, *benchmark.default_seats[len(players) :])
    contestants = make_contestants(names, benchmark)
    print_warnings(list_warnings(contestants))
    scripts = [cap_script(split_script(each.player.script or "")) for each in contestants]
    return scripts, compute_round_seed(config.seed, round_number), config.ticks, config.bomb_cost


def _read_round(path: Path, round_number: int) -> _Fight:
    from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
    from gridwars.benchmarks.grid_wars.text_view import collect_rounds

    recording = open_log(path).recording
    config = recording.config
    if not isinstance(config, GridWarsConfig):
        raise click.UsageError(f"{path}: only warriors of Grid Wars have a program to watch")
    for record in collect_rounds(recording.events):
        if record.opening.round == round_number and len(record.submits) == SEATS:
            scripts = [submit.script for submit in record.submits]
            return scripts, record.opening.seed, record.opening.ticks, config.bomb_cost
    raise click.UsageError(f"{path}: round {round_number} was not played")


def _make_job(scripts: list[tuple[str, ...]], seed: int, ticks: int, bomb_cost: int) -> BattleJob:
    from gridwars.benchmarks.grid_wars.job import BattleJob
    from gridwars.benchmarks.grid_wars.rules import draw_spawn
    from gridwars.benchmarks.grid_wars.submission import compile_or_none

    programs = [compile_or_none(script) for script in scripts]
    return BattleJob(programs, seed, draw_spawn(seed), ticks, bomb_cost)


def _print(ticks: Iterable[TraceTick], script: tuple[str, ...]) -> None:
    click.echo("tick  line  action        spent   x   y  energy  tiles")
    before: dict[str, object] = {}
    for tick in ticks:
        click.echo(
            f"{tick.tick:4}  {tick.line or '':4}  {tick.action:12}  {tick.spent:5}"
            f"  {tick.x:2}  {tick.y:2}  {tick.energy:6}  {tick.tiles:5}"
        )
        for remark in tick.remarks:
            click.echo(f"      {remark}")
            if remark.startswith(("fault", "stalled")) and 0 < tick.line <= len(script):
                click.echo(f"      {tick.line}: {make_plain(script[tick.line - 1].strip())}")
        changed = {name: value for name, value in tick.variables.items() if before.get(name) != value}
        if changed:
            click.echo(f"      {', '.join(f'{name} = {_render(value)}' for name, value in changed.items())}")
        before = dict(tick.variables)


def _render(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
