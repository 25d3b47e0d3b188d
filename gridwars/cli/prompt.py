"""`gridwars prompt`: what a model was sent, what it would be sent, and which strategies there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from gridwars.benchmarks.contract import Benchmark, Player, Rejection, Reply, Request
from gridwars.benchmarks.presentation import Table
from gridwars.benchmarks.registry import get_benchmark
from gridwars.benchmarks.scripted import play_batches
from gridwars.canonical import Json
from gridwars.cli.benchmark_options import benchmark_option
from gridwars.cli.console import examples, json_option, make_plain, open_console, print_json
from gridwars.cli.exit_codes import ExitCode
from gridwars.log.events import Message, SeatRecord
from gridwars.policies.seats import name_seat

USUAL_PREVIEW_BATCH = 2
"""The first with results in it."""

BAD_REPLY = "This is no answer."
"""What a preview's repair answers."""


@click.command(
    epilog=examples(
        "gridwars prompt --list",
        "gridwars prompt --preview plan --round 3",
        "gridwars prompt --preview mine.md --attempt 2",
        "gridwars prompt b --log runs/duel.jsonl --round 2",
    )
)
@click.argument("seat", required=False)
@click.option("--log", type=click.Path(path_type=Path), help="Print what SEAT was sent in this episode.")
@click.option("--preview", metavar="STRATEGY", help="Render a strategy, by name or file, with sizes.")
@click.option("--list", "list_all", is_flag=True, help="List the strategies.")
@click.option(
    *("--round", "--turn", "--part", "part"),
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help=f"Which round or turn, from 1.  [default: {USUAL_PREVIEW_BATCH} in a preview]",
)
@click.option("--attempt", type=click.IntRange(1, 2), default=1, show_default=True, help="2 is the repair.")
@benchmark_option
@json_option
def command(
    seat: str | None,
    log: Path | None,
    preview: str | None,
    list_all: bool,
    part: int | None,
    attempt: int,
    benchmark: Benchmark,
    as_json: bool,
) -> ExitCode:
    """Show what models are asked.

    SEAT is a letter (a is the first seat) or the seat's name in the game. Text is safe for a terminal: what
    cannot be printed is shown as an escape; --json gives every character as it was sent.
    """
    if (log is not None) + (preview is not None) + list_all != 1:
        raise click.UsageError("give one of --log LOG, --preview STRATEGY and --list")
    if (seat is not None) != (log is not None):
        raise click.UsageError("a SEAT goes with --log" if log is None else "say which SEAT, such as a")
    if list_all:
        _list_strategies(as_json)
    elif preview is not None:
        _preview(preview, benchmark, part or USUAL_PREVIEW_BATCH, attempt, as_json)
    elif log is not None and seat is not None:
        return _print_sent(log, seat, part, attempt, as_json)
    return ExitCode.OK


def _print_sent(log: Path, name: str, part: int | None, attempt: int, as_json: bool) -> ExitCode:
    from gridwars.cli.recordings import find_seat, open_log, warn_of_problem
    from gridwars.log.sent import collect_prompts

    episode = open_log(log, damaged=True)
    seat = find_seat(name, episode.start.seats)
    record = episode.start.seats[seat]
    sent = collect_prompts(episode.log.events)
    prompts = {key: prompt for key, prompt in sent.items() if key[1] == seat and prompt}
    noun = get_benchmark(episode.start.benchmark).make_view().batch_noun
    key = _choose_prompt(list(prompts), name_seat(seat), record, noun, part, attempt)
    if as_json:
        print_json(
            {
                "log": str(log),
                "seat": name_seat(seat),
                "alias": record.alias,
                "policy": record.policy,
                "part": key[0],
                "attempt": attempt,
                "messages": _describe(prompts[key]),
            }
        )
    else:
        _print_messages(prompts[key])
    return warn_of_problem(episode)


def _choose_prompt(
    keys: Sequence[tuple[int, int, int]],
    letter: str,
    record: SeatRecord,
    noun: str,
    part: int | None,
    attempt: int,
) -> tuple[int, int, int]:
    """The key of the prompt that is meant: of the only batch where none is named.

    Args:
        noun: what the game calls a batch.
    """
    if not keys:
        raise click.UsageError(f"seat {letter}, {record.policy}, was sent no prompt")
    parts = sorted({key[0] for key in keys})
    if part is None and len(parts) > 1:
        raise click.UsageError(f"seat {letter} was asked in {noun}s {_join(parts)}; say which with --{noun}")
    wanted = parts[0] if part is None else part
    attempts = sorted(key[2] for key in keys if key[0] == wanted)
    if not attempts:
        raise click.UsageError(f"--{noun} {wanted}: seat {letter} was asked in {noun}s {_join(parts)}")
    if attempt not in attempts:
        raise click.UsageError(
            f"--attempt {attempt}: seat {letter} was asked once in {noun} {wanted}; no reply was repaired"
        )
    return (wanted, keys[0][1], attempt)


def _preview(text: str, benchmark: Benchmark, part: int, attempt: int, as_json: bool) -> None:
    from gridwars.prompting import make_prompter
    from gridwars.prompting.sizes import find_shared_prefix

    prompter = make_prompter(benchmark, text)
    requests = _play_to(benchmark, part)
    prompt = prompter.render(requests[0] if attempt == 1 else _spoil(benchmark, requests[0]))
    asked = [prompter.render(request) for request in [*_play_to(benchmark, 1), *requests]]
    shared = _measure(find_shared_prefix(asked))
    if as_json:
        print_json(
            {
                "strategy": prompter.record()["strategy"],
                "part": part,
                "attempt": attempt,
                "messages": _describe(prompt),
                "shared_prefix": shared,
            }
        )
        return
    _print_messages(prompt)
    noun = benchmark.make_view().batch_noun
    total = _measure("".join(message.text for message in prompt))
    click.echo(f"In all {_say(total)}. All seats begin alike, in every {noun}, for {_say(shared)}.")


def _play_to(benchmark: Benchmark, part: int) -> Sequence[Request]:
    """The requests of a batch in an episode of the usual built-ins, by the usual options."""
    players = [Player(benchmark.baselines[name]) for name in benchmark.default_seats]
    last = 0
    for batch in play_batches(benchmark.start(benchmark.configure({})), players):
        if batch.part == part:
            return batch.requests
        last = batch.part
    noun = benchmark.make_view().batch_noun
    raise click.UsageError(f"--{noun} {part}: the usual episode ends with {noun} {last}")


def _spoil(benchmark: Benchmark, request: Request) -> Request:
    """The repair's request after a reply that is none."""
    rejection = benchmark.start(benchmark.configure({})).read(request, Reply(BAD_REPLY))
    assert isinstance(rejection, Rejection), "a remark is no answer"
    return msgspec.structs.replace(
        request, attempt=2, rejection=msgspec.structs.replace(rejection, reply=BAD_REPLY)
    )


def _list_strategies(as_json: bool) -> None:
    from gridwars.cli.drawing import print_blocks
    from gridwars.prompting import list_strategies

    strategies = list_strategies()
    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "version": each.head.version,
                    "benchmark": each.head.benchmark,
                    "notes": each.head.notes,
                    "digest": each.digest,
                    "body": each.body,
                }
                for each in strategies
            ]
        )
        return
    rows = tuple(
        (each.name, str(each.head.version), each.head.benchmark or "any", each.head.notes)
        for each in strategies
    )
    print_blocks(open_console(), [Table("strategies", ("name", "version", "game", "what it is for"), rows)])


def _print_messages(prompt: Sequence[Message]) -> None:
    for message in prompt:
        click.secho(f"--- {message.role}: {_say(_measure(message.text))}", bold=True)
        for line in message.text.split("\n"):
            click.echo(make_plain(line))
        click.echo()


def _describe(prompt: Sequence[Message]) -> list[dict[str, Json]]:
    return [{"role": message.role, "text": message.text, **_measure(message.text)} for message in prompt]


def _measure(text: str) -> dict[str, Json]:
    from gridwars.prompting.sizes import estimate_tokens

    return {
        "characters": len(text),
        "bytes": len(text.encode("utf-8", "surrogatepass")),
        "estimated_tokens": estimate_tokens(text),
    }


def _say(sizes: dict[str, Json]) -> str:
    characters, count, tokens = sizes.values()
    return f"{characters} characters, {count} bytes, about {tokens} tokens"


def _join(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
