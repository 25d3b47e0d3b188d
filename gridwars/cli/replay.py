"""`gridwars replay`: episodes to and from the formats of other implementations."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

import gridwars
from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Benchmark, ConfigurationError, ReplayCodec, ReplayError, Transcript
from gridwars.benchmarks.foreign import find_protocol
from gridwars.benchmarks.registry import BENCHMARKS, find_package, get_benchmark
from gridwars.cli.console import examples, json_option, print_json
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.recordings import open_log
from gridwars.cli.run_places import DEFAULT_FOLDER, find_free
from gridwars.clock import SystemClock
from gridwars.files import read_file
from gridwars.log.durable import replace_durably
from gridwars.log.events import SeatRecord, Start
from gridwars.log.writer import LogWriter

POLICY_KIND = "recorded"
"""Of the seats of an imported episode: what they played is known, who they were is not."""


@click.group(
    epilog=examples(
        "gridwars replay export runs/episode.jsonl --out replay.json", "gridwars replay import replay.json"
    )
)
def command() -> None:
    """Import and export reference replays."""


@command.command(name="import", epilog=examples("gridwars replay import replay.json --out episode.jsonl"))
@click.argument("replay", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The log to write, or a folder for it.  [default: a new file in runs/]",
)
@json_option
def import_command(replay: Path, out: Path | None, as_json: bool) -> ExitCode:
    """Write a reference replay as a log, and audit it.

    The log holds what the replay records, right or wrong; where that does not follow from its
    submissions, the first difference is said and the exit code is that of a failed audit.
    """
    data = read_file(replay)
    benchmark, codec = _find_codec(data, replay)
    try:
        transcript = codec.decode(data)
    except ReplayError as error:
        raise ReplayError(f"{replay}: {error}") from error
    report = audit_log(replay)
    if out is None or out.is_dir() or not out.suffix:
        out = find_free(DEFAULT_FOLDER if out is None else out, benchmark.name, ".jsonl")
    log = _write_log(transcript, benchmark, out)
    if as_json:
        status = report.status.name.lower()
        print_json({"replay": str(replay), "log": str(log), "status": status, "message": report.message})
    else:
        click.echo(f"{log}: {len(transcript.events)} events of {benchmark.title}")
    if report.status is not AuditStatus.INTACT:
        click.echo(f"gridwars: {replay}: {report.message}", err=True)
    return ExitCode(report.status)


@command.command(
    name="export", epilog=examples("gridwars replay export runs/episode.jsonl --out replay.json")
)
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="The replay to write.  [default: standard output]"
)
@json_option
def export_command(log: Path, out: Path | None, as_json: bool) -> ExitCode:
    """Write the finished episode of a log as a reference replay, in its game's format."""
    episode = open_log(log)
    benchmark = get_benchmark(episode.start.benchmark)
    codec = benchmark.replay_codec
    if codec is None:
        raise ReplayError(f"{log}: there is no foreign format of {benchmark.title} to write")
    recording = episode.recording
    aliases = tuple(seat.alias for seat in episode.start.seats)
    try:
        data = codec.encode(
            Transcript(recording.config, aliases, tuple(recording.seat_names), tuple(recording.events))
        )
    except ReplayError as error:
        raise ReplayError(f"{log}: {error}") from error
    if out is None:
        click.echo(data, nl=False)
        return ExitCode.OK
    replace_durably(out, data)
    if as_json:
        print_json({"log": str(log), "replay": str(out)})
    else:
        click.echo(f"{out}: {len(data)} bytes")
    return ExitCode.OK


def _find_codec(data: bytes, path: Path) -> tuple[Benchmark, ReplayCodec]:
    """The benchmark whose format this is.

    Raises:
        ReplayError: for what is no replay that any benchmark knows.
    """
    protocol = find_protocol(data, BENCHMARKS)
    if protocol is None:
        raise ReplayError(f"{path}: no replay: it neither names a protocol nor begins like one")
    known = []
    for benchmark in BENCHMARKS.values():
        codec = benchmark.replay_codec
        if codec is not None and codec.protocol == protocol:
            return benchmark, codec
        known += [codec.protocol] if codec is not None else []
    names = ", ".join(known)
    raise ReplayError(f"{path}: its protocol is {protocol[:80]!r}; what can be read is {names}")


def _write_log(transcript: Transcript, benchmark: Benchmark, path: Path) -> Path:
    config = msgspec.to_builtins(transcript.config)
    try:
        benchmark.configure(config)
    except ConfigurationError as error:
        raise ReplayError(f"it can be audited, but no log may hold its configuration: {error}") from error
    start = Start(
        protocol=gridwars.LOG_PROTOCOL,
        benchmark=benchmark.name,
        rules_version=benchmark.rules_version,
        dialogue_version=benchmark.dialogue_version,
        software_version=gridwars.__version__,
        package=find_package(benchmark.name),
        config=config,
        seats=tuple(
            SeatRecord(policy=name, kind=POLICY_KIND, alias=alias)
            for name, alias in zip(transcript.policy_names, transcript.aliases, strict=True)
        ),
    )
    with LogWriter.create(path, clock=SystemClock()) as writer:
        writer.append([start, *transcript.events])
    return path
