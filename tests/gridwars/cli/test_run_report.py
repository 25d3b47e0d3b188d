"""What is said of runs and their episodes."""

from __future__ import annotations

from gridwars.benchmarks.contract import Outcome
from gridwars.cli.run_report import describe_voids
from gridwars.log.events import Called, Judged, find_call_errors


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
    assert describe_voids(voids, "turn") == [
        "seat a, turns 1, 3-5, 7: too late",
        "seat b, turn 1: down",
        "seat a, turn 6: no money",
    ]


def test_without_voids_nothing_is_said() -> None:
    assert describe_voids([], "turn") == []


def test_a_void_names_the_last_error_of_its_calls() -> None:
    events = [
        Called(1, 0, 1, 1, "p", "m", error="overload", detail="529"),
        Called(1, 0, 1, 2, "p", "m", error="transport", detail="an answer that is text/html"),
        Called(1, 0, 1, 3, "p", "m", error="cancelled", detail="cut off by this program"),
        Called(2, 0, 1, 1, "p", "m", error="cancelled", detail="cut off by this program"),
        Called(3, 0, 1, 1, "p", "m"),
    ]
    errors = find_call_errors(events)
    assert describe_voids([_void(0, 1, "too late"), _void(1, 1, "too late")], "round", errors) == [
        "seat a, round 1: too late; the last error: transport: an answer that is text/html",
        "seat b, round 1: too late",
    ]
    assert list(errors) == [(1, 0, 1), (2, 0, 1)]
