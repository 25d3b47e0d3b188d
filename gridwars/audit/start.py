"""Whether the first line of a log agrees with itself: configuration, seats, what they play, the run."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from gridwars.benchmarks.contract import Benchmark, Finding
from gridwars.benchmarks.differences import render_value
from gridwars.canonical import hash_text, render_canonical
from gridwars.log.events import SeatRecord, Start
from gridwars.log.run_digest import recompute_run_digest


def check_start(benchmark: Benchmark, config: msgspec.Struct, start: Start) -> Iterator[Finding]:
    """Everything in a start event that does not follow from the rest of it.

    Args:
        config: as the benchmark reads it.
    """
    recorded = render_canonical(start.config)
    derived = render_canonical(msgspec.to_builtins(config))
    if recorded != derived:
        yield Finding(1, "config", recorded, derived)
    yield from _check_run(start)
    aliases = benchmark.start(config).aliases
    if len(start.seats) != len(aliases):
        yield Finding(1, "seats", f"{len(start.seats)} seats", f"{len(aliases)} seats")
    for seat, (record, alias) in enumerate(zip(start.seats, aliases, strict=False)):
        if record.alias != alias:
            yield Finding(1, f"seats[{seat}].alias", record.alias, alias, seat=seat)
        digest = "" if record.file_text is None else hash_text(record.file_text)
        if record.digest != digest:
            yield Finding(1, f"seats[{seat}].digest", record.digest, digest, seat=seat)
        if record.is_model:
            yield from _check_model(seat, record)


def _check_run(start: Start) -> Iterator[Finding]:
    run = start.run
    if run is None:
        return
    digest = recompute_run_digest(start)
    if run.digest != digest:
        yield Finding(1, "run.digest", run.digest, str(digest))
    if not 1 <= run.episode_number <= run.episode_count:
        yield Finding(1, "run.episode_number", str(run.episode_number), f"1 to {run.episode_count}")


def _check_model(seat: int, record: SeatRecord) -> Iterator[Finding]:
    """A model's seat is called by what is called, is metered, and says what it was asked with."""

    def compare(field: str, recorded: object, derived: object) -> Iterator[Finding]:
        if recorded != derived:
            place = f"seats[{seat}].{field}"
            yield Finding(1, place, render_value(recorded), render_value(derived), seat=seat)

    yield from compare("policy", record.policy, f"{record.kind}:{record.parameters.get('model')}")
    if record.metering is None:
        yield from compare("metering", None, "what its calls may cost")
    match record.parameters.get("prompts"):
        case {"strategy": {"name": name, "digest": digest, "text": str(text)}}:
            yield from compare("strategy", record.strategy, name)
            yield from compare("parameters.prompts.strategy.digest", digest, hash_text(text))
        case _:
            yield from compare("parameters.prompts", "none", "strategy and templates that it was asked with")
