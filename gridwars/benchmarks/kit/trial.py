"""A game under examination, and what one check comes to."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import msgspec

from gridwars.benchmarks.contract import Batch, Benchmark, Episode, Event
from gridwars.benchmarks.kit.playing import Answerer, answer_with_baselines, play
from gridwars.canonical import Json

_MOST_FINDINGS = 5
_DETAIL_LENGTH = 300


class Trial(NamedTuple):
    """What is examined.

    Attributes:
        options: that make an episode short; some checks play one for each of its events.
        hidden: fields of a decision that no other seat may ever see.
    """

    benchmark: Benchmark
    options: Mapping[str, Json]
    hidden: tuple[str, ...] = ()

    def configure(self, **options: Json) -> msgspec.Struct:
        return self.benchmark.configure({**self.options, **options})

    def start(self) -> Episode:
        return self.benchmark.start(self.configure())

    def play(self, answer: Answerer | None = None, stop_after: int | None = None) -> list[Event]:
        """The events of a short episode, by the usual baselines where nobody else answers."""
        return play(self.start(), answer or answer_with_baselines(self.benchmark), stop_after)


class Lacks(Exception):  # noqa: N818  no error: the game does without
    """The game has nothing that a check could look at; says what."""


class VerdictKind(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Verdict(NamedTuple):
    """
    Attributes:
        details: what was found, or what the game lacks.
    """

    kind: VerdictKind
    details: tuple[str, ...] = ()


Check = Callable[[Trial], Iterator[str]]


def run_check(check: Check, trial: Trial) -> Verdict:
    """What a check comes to; an exception is a finding like any other."""
    findings: list[str] = []
    try:
        findings += itertools.islice(check(trial), _MOST_FINDINGS)
    except Lacks as lack:
        if not findings:
            return Verdict(VerdictKind.SKIPPED, (str(lack),))
    except Exception as error:  # noqa: BLE001  a game may raise anything
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        findings.append(f"raises {type(error).__name__} at {where}: {error}"[:_DETAIL_LENGTH])
    return Verdict(VerdictKind.FAILED if findings else VerdictKind.PASSED, tuple(findings))


def open_first(episode: Episode) -> Batch:
    """The first batch, which every episode has."""
    batch = episode.open()
    assert batch is not None, "a new episode asks for nothing"
    return batch


def number(events: Sequence[Event]) -> list[tuple[int, Event]]:
    """Events as a log numbers them, whose first line is its own."""
    return list(enumerate(events, start=2))
