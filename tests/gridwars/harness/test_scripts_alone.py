"""A game in which scripts of this process have all seats: durable in order, with one write for each turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Event
from gridwars.benchmarks.registry import get_benchmark
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import Directive, TurnPlayed
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import play_episode
from gridwars.log.events import Limits
from gridwars.log.reader import read_log
from gridwars.log.writer import LogWriter
from gridwars.policies.registry import make_policies

SEATS = ("coil", "forager", "coil", "forager")


def test_directives_are_durable_before_their_turn_and_events_before_they_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    durable: list[Event] = []
    writes: list[int] = []
    append, play = LogWriter.append, SnakeRoyaleEpisode._play

    def note(writer: LogWriter, events: Sequence[Event]) -> None:
        append(writer, events)
        durable.extend(events)
        writes.append(len(events))

    def check(episode: SnakeRoyaleEpisode, orders: Sequence[Order]) -> TurnPlayed:
        turn = episode.state.turn + 1
        sealed = [event.seat for event in durable if isinstance(event, Directive) and event.turn == turn]
        assert sealed == [order.seat for order in orders]
        return play(episode, orders)

    monkeypatch.setattr(LogWriter, "append", note)
    monkeypatch.setattr(SnakeRoyaleEpisode, "_play", check)
    told: list[Event] = []

    def observe(event: Event, known: bool) -> None:
        told.append(event)
        assert durable[: len(told)] == told

    benchmark = get_benchmark("snake-royale")
    config = benchmark.configure({"seed": 4})
    policies = make_policies(SEATS, benchmark.start(config).aliases, benchmark)
    asyncio.run(
        play_episode(benchmark, config, policies, path, clock=SystemClock(), limits=Limits(), observe=observe)
    )
    assert told == list(read_log(path).events)
    turns = sum(isinstance(event, TurnPlayed) for event in told)
    assert turns > 20
    assert len(writes) <= turns + 2, "the start, every turn, and the end"
    assert audit_log(path).status is AuditStatus.INTACT
