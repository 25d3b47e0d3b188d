"""What is said of runs and their episodes."""

from __future__ import annotations

from gridwars.benchmarks.contract import Outcome
from gridwars.cli.run_report import describe_voids
from gridwars.log.events import Judged


def _void(seat: int, part: int, reason: str, attempt: int = 1) -> Judged:
    return Judged(part, seat, attempt, Outcome.LATE, reason)


def test_voids_of_one_seat_and_reason_share_a_line() -> None:
    voids = [
        _void(0, 1, "too late"),
        _void(1, 1, "down"),
        *(_void(0, part, "too late") for part in (3, 4, 5)),
        _void(0, 7, "too late", attempt=2),
        _void(0, 6, "no money"),
    ]
    assert describe_voids(voids) == [
        "seat a, parts 1, 3-5, 7: too late",
        "seat b, part 1: down",
        "seat a, part 6: no money",
    ]


def test_without_voids_nothing_is_said() -> None:
    assert describe_voids([]) == []
