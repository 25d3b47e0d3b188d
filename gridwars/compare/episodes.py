"""What each seat's part in a played episode came to, from its log alone: how it placed and what it took."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from gridwars.benchmarks.contract import SEED_OPTION, Outcome
from gridwars.canonical import Json
from gridwars.log.errors import LogError
from gridwars.log.events import Answered, Judged, SeatRecord, find_results, find_voids
from gridwars.log.reader import Log, read_log
from gridwars.log.spending import Account, Accounts


class Standing(StrEnum):
    """What an episode counts for: a finished one alone has scores."""

    FINISHED = "finished"
    VOID = "void"
    UNFINISHED = "unfinished"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class SeatTally:
    """One seat in one episode.

    Attributes:
        score: exact; None where the episode counts for nobody.
        rank: from 1; None likewise.
        outcomes: of its requests, first attempts and repairs alike; none where nobody is asked.
        asked_count: requests, repairs aside.
        fallback_count: of those, the ones for which the fallback was played.
        milliseconds: from asking to the answer, over all requests.
    """

    seat: int
    record: SeatRecord
    score: Fraction | None
    rank: int | None
    outcomes: Mapping[Outcome, int]
    asked_count: int
    fallback_count: int
    milliseconds: int
    account: Account

    @property
    def repair_count(self) -> int:
        """How often it was asked again, since its first answer could not be taken."""
        return sum(self.outcomes.values()) - self.asked_count

    @property
    def void_count(self) -> int:
        """Requests that it was kept from answering by no fault of its own."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.is_void)


@dataclass(frozen=True, slots=True)
class EpisodeTally:
    """One log.

    Attributes:
        config: as recorded, the seed too.
        run_digest: "" where it is of no run.
        head: SHA-256 of its last line; two logs with the same are copies.
        seats: by seat.
    """

    path: Path
    benchmark: str
    config: Mapping[str, Json]
    run_digest: str
    episode_number: int
    head: str
    standing: Standing
    seats: tuple[SeatTally, ...]

    @property
    def seed(self) -> int:
        seed = self.config[SEED_OPTION]
        assert isinstance(seed, int), "every benchmark's seed is a whole number"
        return seed

    @property
    def account(self) -> Account:
        total = Account()
        for seat in self.seats:
            total = total.plus(seat.account)
        return total


def tally_logs(paths: Iterable[Path]) -> Iterator[EpisodeTally]:
    """Those of the logs that can be read, as far as they can."""
    for path in paths:
        with contextlib.suppress(LogError):
            log = read_log(path)
            if log.start is not None:
                yield tally_episode(log)


def tally_episode(log: Log) -> EpisodeTally:
    """A log that has a start, as far as it goes."""
    start = log.start
    assert start is not None, "asked of the caller"
    standing = _find_standing(log)
    scores: list[Fraction | None] = [None] * len(start.seats)
    ranks: list[int | None] = [None] * len(start.seats)
    if standing is Standing.FINISHED:
        results = find_results(log.events[-1])
        for rank, seat in enumerate(results.ranking, start=1):
            scores[seat], ranks[seat] = Fraction(results.scores[seat]), rank
    accounts = Accounts(start.seats)
    last: dict[tuple[int, int], Outcome] = {}
    outcomes: list[Counter[Outcome]] = [Counter() for _ in start.seats]
    milliseconds = [0] * len(start.seats)
    for event in log.events:
        accounts.take(event)
        match event:
            case Judged():
                last[event.seat, event.part] = event.outcome
                outcomes[event.seat][event.outcome] += 1
            case Answered():
                milliseconds[event.seat] += event.latency_milliseconds
            case _:
                pass
    accounts.close()
    return EpisodeTally(
        log.path,
        start.benchmark,
        start.config,
        start.run.digest if start.run is not None else "",
        start.run.episode_number if start.run is not None else 1,
        log.lines[-1].digest,
        standing,
        tuple(
            SeatTally(
                seat,
                record,
                scores[seat],
                ranks[seat],
                outcomes[seat],
                sum(key[0] == seat for key in last),
                sum(key[0] == seat and outcome not in _TAKEN for key, outcome in last.items()),
                milliseconds[seat],
                accounts.by_seat[seat],
            )
            for seat, record in enumerate(start.seats)
        ),
    )


_TAKEN = frozenset({Outcome.VALID, Outcome.REPAIRED})


def _find_standing(log: Log) -> Standing:
    if log.problem is not None:
        return Standing.DAMAGED
    if not log.ended:
        return Standing.UNFINISHED
    return Standing.VOID if find_voids(log.events) else Standing.FINISHED
