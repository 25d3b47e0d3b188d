"""Logs of the toy benchmark for tests: played through a writer, or forged line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import msgspec

import gridwars
from gridwars.benchmarks.contract import Event, Origin
from gridwars.canonical import Json, render_canonical
from gridwars.log.events import Answered, Asked, Message, SeatRecord, Start
from gridwars.log.line import FIRST_PREVIOUS
from gridwars.log.writer import LogWriter
from tests.gridwars.toy_benchmark import TOY, BidDecision, ToyConfig

SMALL = ToyConfig(rounds=1, seats=2)
"""The shortest episode: start, two bids, outcome, end."""


class StepClock:
    """A clock that moves by one microsecond whenever it is asked."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(microseconds=1)
        return self._now

    def monotonic(self) -> float:
        return self.now().timestamp()


def begin(config: ToyConfig) -> Start:
    return Start(
        protocol=gridwars.LOG_PROTOCOL,
        benchmark=TOY.name,
        rules_version=TOY.rules_version,
        dialogue_version=TOY.dialogue_version,
        software_version=gridwars.__version__,
        config=msgspec.to_builtins(config),
        seats=tuple(
            SeatRecord(policy="fair", kind="built-in", alias=alias) for alias in TOY.start(config).aliases
        ),
    )


def play(config: ToyConfig, *, asked: bool = False) -> Iterator[Sequence[Event]]:
    """The groups of events of one episode; bids differ by seat and round, `asked` ones are replies."""
    yield [begin(config)]
    episode = TOY.start(config)
    while (batch := episode.open()) is not None:
        origin = Origin.LLM if asked else Origin.SCRIPTED
        decisions = [
            BidDecision(seat=r.seat, origin=origin, amount=(3 * r.seat + r.part) % 5) for r in batch.requests
        ]
        if asked:
            prompt = (Message("user", "your bid?"),)
            yield [Asked(part=r.part, seat=r.seat, attempt=1, prompt=prompt) for r in batch.requests]
            for bid in decisions:
                yield [Answered(part=batch.part, seat=bid.seat, attempt=1, text=str(bid.amount))]
        yield from episode.advance(decisions)


def write_log(path: Path, config: ToyConfig = SMALL, *, asked: bool = False) -> Path:
    """A finished log with its head file."""
    with LogWriter.create(path, clock=StepClock()) as writer:
        for group in play(config, asked=asked):
            writer.append(group)
    return path


def split_lines(path: Path) -> list[bytes]:
    return path.read_bytes().removesuffix(b"\n").split(b"\n")


def join_lines(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def forge(documents: Iterable[Mapping[str, Json]]) -> bytes:
    """A log with these events (kind and fields), its chain whole, whatever they are."""
    lines: list[bytes] = []
    previous = FIRST_PREVIOUS
    for sequence, document in enumerate(documents, start=1):
        fields = {"seq": sequence, "time": "2026-01-02T03:04:05.000006Z", "prev": previous, **document}
        lines.append(render_canonical(fields, sort_keys=False).encode())
        previous = sha256(lines[-1]).hexdigest()
    return join_lines(lines)


def list_documents(config: ToyConfig = SMALL, *, asked: bool = False) -> list[dict[str, Json]]:
    """The events of one episode as `forge` takes them."""
    events = [event for group in play(config, asked=asked) for event in group]
    documents: list[dict[str, Json]] = json.loads(msgspec.json.encode(events))
    return documents
