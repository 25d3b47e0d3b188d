"""`gridwars show`: an episode from its log, as a whole, by its parts, or as a picture of any moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from gridwars.benchmarks.contract import Event, View
from gridwars.benchmarks.presentation import Block, Picture
from gridwars.benchmarks.registry import get_benchmark
from gridwars.canonical import Json
from gridwars.cli.console import examples, json_option, open_console, print_json
from gridwars.cli.drawing import print_blocks, print_picture, print_sentences, render_svg
from gridwars.cli.engine_option import engine_option
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.recordings import LoggedEpisode, open_log, warn_of_problem
from gridwars.log.durable import replace_durably
from gridwars.log.events import find_call_errors, find_voids, kind_of


@click.command(
    epilog=examples(
        "gridwars show runs/sample/episode.jsonl",
        "gridwars show --round 2 runs/sample/episode.jsonl",
        "gridwars show --round 2 --tick 120 --svg battle.svg runs/sample/episode.jsonl",
        "gridwars show --script b --round 3 runs/sample/episode.jsonl > b.gwl",
        "gridwars show runs/duel --csv seats.csv",
    )
)
@click.argument("paths", metavar="LOG...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    *("--round", "--match", "--part", "part"),
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="One part in full, whatever the game calls it; parts count from 1.",
)
@click.option(
    *("--tick", "--turn", "--moment", "moment"),
    type=click.IntRange(min=-1),
    metavar="NUMBER",
    help="The board after this moment of the part, from 0; -1 is before the first.",
)
@click.option(
    "--svg", type=click.Path(path_type=Path), help="Write the board to an SVG file; without --tick the last."
)
@click.option(
    "--csv",
    "csv_path",
    type=click.Path(path_type=Path),
    help="Write a row for every seat of every log here: scores, outcomes, tokens, cost, seconds.",
)
@click.option(
    "--script",
    metavar="SEAT",
    help="What a seat (b, 2, or its name in the game) submitted in that part, or last.",
)
@click.option("--reply", metavar="SEAT", help="What it answered word for word, with what became of that.")
@click.option("--diff", metavar="SEAT", help="How what it submitted differs from the time before.")
@engine_option
@json_option
def command(
    paths: tuple[Path, ...],
    part: int | None,
    moment: int | None,
    svg: Path | None,
    script: str | None,
    reply: str | None,
    diff: str | None,
    csv_path: Path | None,
    as_json: bool,
) -> ExitCode:
    """Show what happened in a log, or in many.

    Of one log: who won and why, and how every round went. A log that is still being written, or was cut, is
    shown as far as it goes; so is one that was damaged, with the exit code that an audit would give.

    Of several, or of all below a folder such as a run's: how each model with each strategy did, and what it
    took. Only episodes that are finished and not void count for a score.
    """
    from gridwars.cli.submissions import Wanted, show_submission

    seats = ((Wanted.SCRIPT, script), (Wanted.REPLY, reply), (Wanted.DIFF, diff))
    submissions = [(wanted, seat) for wanted, seat in seats if seat is not None]
    single = [each for each in (part, moment, svg, script, reply, diff) if each is not None]
    if len(paths) > 1 or paths[0].is_dir() or csv_path is not None:
        if single:
            raise click.UsageError(
                "a part, a picture or what a seat did is shown of one log; name one, and no folder"
            )
        return _show_many(paths, csv_path, as_json)
    episode = open_log(paths[0], damaged=True)
    shown = _Shown(episode, get_benchmark(episode.start.benchmark).make_view())
    if submissions:
        if len(submissions) > 1 or svg is not None:
            raise click.UsageError("give one of --script, --reply, --diff and --svg")
        named = {shown.view.part_noun: part, shown.view.moment_noun: moment}
        numbers = {noun: number for noun, number in named.items() if number is not None}
        show_submission(*submissions[0], episode, numbers, as_json)
        return warn_of_problem(episode)
    if part is None and (moment is not None or svg is not None):
        part = shown.find_only_part()
    if part is not None:
        shown.require_part(part)
    if part is not None and (moment is not None or svg is not None):
        _show_picture(shown.find_picture(part, moment), svg, as_json)
    elif part is not None:
        _show_blocks(shown.view.render_part(episode.recording, part), shown, as_json, part=part)
    else:
        _show_blocks(shown.view.render_summary(episode.recording), shown, as_json)
    return warn_of_problem(episode)


def _show_many(paths: Sequence[Path], csv_path: Path | None, as_json: bool) -> ExitCode:
    from gridwars.cli.recordings import collect_tallies
    from gridwars.cli.run_report import describe_account
    from gridwars.cli.summary_report import describe_games, render_games, write_seats
    from gridwars.cli.tracking import describe_spend, was_paid
    from gridwars.compare.summary import summarise
    from gridwars.log.spending import Account

    tallies, code = collect_tallies(paths)
    games = summarise(tallies)
    account = Account()
    for tally in tallies:
        account = account.plus(tally.account)
    if csv_path is not None:
        write_seats(games, csv_path)
    if as_json:
        print_json({"cost": describe_account(account), "games": describe_games(games)})
    else:
        console = open_console()
        print_blocks(console, render_games(games))
        if was_paid(account):
            console.print(f"cost  {describe_spend(account)}")
    return code


@dataclass(frozen=True, slots=True)
class _Shown:
    """An episode and who pictures it."""

    episode: LoggedEpisode
    view: View

    def find_only_part(self) -> int:
        count = self.view.count_parts(self.episode.recording)
        if count > 1:
            noun = self.view.part_noun
            raise click.UsageError(f"the log has {count} {noun}s; say which with --{noun} NUMBER")
        return 1

    def require_part(self, part: int) -> None:
        count = self.view.count_parts(self.episode.recording)
        if part > count:
            noun = self.view.part_noun
            there_is = f"{noun}s 1 to {count}" if count else f"no {noun} yet"
            raise click.UsageError(f"--{noun} {part}: the log has {there_is}")

    def list_events(self, part: int) -> list[Event]:
        """The game's own events of a part."""
        events, number = [], 1
        for event in self.episode.recording.events:
            if number == part:
                events.append(event)
            number += self.view.ends_part(event)
        return events

    def find_picture(self, part: int, moment: int | None) -> Picture:
        last: Picture | None = None
        for picture in self.view.iterate_pictures(self.episode.recording, part):
            last = picture
            if picture.moment == moment:
                return picture
        if last is None:
            raise click.UsageError(f"{self.view.part_noun} {part} was not played; there is nothing to draw")
        if moment is not None:
            noun = self.view.moment_noun
            raise click.UsageError(
                f"--{noun} {moment}: the last {noun} of {self.view.part_noun} {part} is {last.moment}"
            )
        return last


def _show_blocks(blocks: Sequence[Block], shown: _Shown, as_json: bool, *, part: int | None = None) -> None:
    from gridwars.cli.playing import print_voids
    from gridwars.cli.run_report import describe_account, list_voids
    from gridwars.cli.summary_report import describe_tally, render_asked
    from gridwars.cli.tracking import describe_spend, was_paid
    from gridwars.compare.episodes import tally_episode
    from gridwars.harness.run import add_up

    whole = part is None
    sentences = shown.view.tell_result(shown.episode.recording) if whole else ()
    voids = find_voids(shown.episode.log.events)
    errors = find_call_errors(shown.episode.log.events) if voids else {}
    account = add_up(shown.episode.log)
    tally = tally_episode(shown.episode.log)
    if as_json:
        events = [] if part is None else shown.list_events(part)
        print_json(
            _describe(shown.episode)
            | {
                "seats": describe_tally(tally)["seats"],
                "events": [msgspec.to_builtins(event) for event in events],
                "result": list(sentences),
                "void": list_voids(voids, errors),
                "cost": describe_account(account),
                "blocks": [_describe_block(block) for block in blocks],
            }
        )
        return
    console = open_console()
    print_blocks(console, [*blocks, *(render_asked(tally) if whole else ())])
    print_sentences(console, sentences)
    if whole and was_paid(account):
        console.print(f"\ncost  {describe_spend(account)}")
    if whole and voids:
        print_voids(console, voids, shown.view.batch_noun, errors)


def _show_picture(picture: Picture, svg: Path | None, as_json: bool) -> None:
    if svg is not None:
        replace_durably(svg, render_svg(picture).encode())
    if as_json:
        print_json(
            {
                "title": picture.title,
                "moment": picture.moment,
                "lines": ["".join(span.text for span in spans) for spans in picture.lines],
                "happenings": list(picture.happenings),
            }
        )
    elif svg is None:
        print_picture(open_console(), picture)
    else:
        click.echo(f"{svg}: {picture.title}")


def _describe(episode: LoggedEpisode) -> dict[str, Json]:
    events = episode.log.events
    return {
        "log": str(episode.log.path),
        "start": msgspec.to_builtins(episode.start),
        "ended": episode.log.ended,
        "end": msgspec.to_builtins(events[-1]) if episode.log.ended else None,
        "problem": str(episode.log.problem) if episode.log.problem else "",
        "event_kinds": [kind_of(event) for event in events],
    }


def _describe_block(block: Block) -> Json:
    return dict(block._asdict())
