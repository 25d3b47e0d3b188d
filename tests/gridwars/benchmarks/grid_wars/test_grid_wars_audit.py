"""The audit of a series: silent on what was played, and naming whatever was changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Event, Finding
from gridwars.benchmarks.grid_wars.audit import audit_series
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from tests.gridwars.benchmarks.grid_wars.played import (
    BOMBER,
    FAULTER,
    NOT_GWL,
    STANDER,
    WALKER,
    play_scripts,
    series,
)

CONFIG = GridWarsConfig(seed=5, rounds=2, ticks=40, bomb_cost=6)
EVENTS = play_scripts(CONFIG, [[WALKER, FAULTER, NOT_GWL, BOMBER], [STANDER, WALKER, BOMBER, WALKER]])
FIRST_SEQUENCE = 10

Place = tuple[str | int, ...]


def _audit(events: Sequence[Event], config: GridWarsConfig = CONFIG) -> list[Finding]:
    return list(audit_series(config, enumerate(events, start=FIRST_SEQUENCE)))


def _to_json(event: Event) -> Any:  # Any: the JSON form, which these tests change on purpose.
    return msgspec.json.decode(msgspec.json.encode(event))


def _list_places(value: Any, place: Place = ()) -> list[Place]:  # Any: the JSON form of an event.
    """The path to every leaf."""
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in _list_places(inner, (*place, key))]
    if isinstance(value, list) and value:
        return [found for i, inner in enumerate(value) for found in _list_places(inner, (*place, i))]
    return [place]


def _render(place: Place) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _change(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case "horizon":
            return "wipeout"
        case "lastStanding" | "wipeout":
            return "horizon"
        case "" | "bomb":
            return "idle"
        case "idle" | "fault":
            return "bomb"
        case str():
            return ("0" if value[0] != "0" else "1") + value[1:]
        case None:
            return "overflow"
        case _:
            raise AssertionError(value)


def _tamper(event: Event, place: Place) -> Event:
    plain = _to_json(event)
    inner = plain
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = _change(inner[place[-1]])
    return msgspec.convert(plain, type(event))


def _list_derived_fields() -> list[tuple[int, Place]]:
    """Every leaf of the log that the audit derives, with its event's index."""
    taken = {"script", "notes", "banner", "origin", "repairs", "reason"}
    return [
        (index, place)
        for index, event in enumerate(EVENTS)
        for place in _list_places(_to_json(event))
        if place != ("kind",)
        and not (isinstance(event, Submit) and place[0] in taken)
        # A code and the winner are no free values; see the test below.
        and place[-1] not in ("fault_code", "winner", "reason")
    ]


DERIVED = _list_derived_fields()


@settings(max_examples=20)
@given(series())
def test_a_played_series_is_clean_wherever_its_log_ends(played: tuple[GridWarsConfig, list[Event]]) -> None:
    config, events = played
    assert _audit(events, config) == []


@pytest.mark.parametrize("length", range(len(EVENTS) + 1))
def test_an_unfinished_log_is_clean_up_to_where_it_goes(length: int) -> None:
    assert _audit(EVENTS[:length]) == []


def test_the_tampering_covers_every_kind_of_event() -> None:
    assert {type(EVENTS[index]) for index, _ in DERIVED} == {Round, Submit, Battle, End}
    assert len(DERIVED) > 200
    assert len(_list_shapes()) > 30


def _list_shapes() -> list[tuple[int, Place]]:
    """One place for every field of every kind of event."""
    shapes = {
        (type(EVENTS[index]), tuple(step for step in place if isinstance(step, str))): (index, place)
        for index, place in DERIVED
    }
    return list(shapes.values())


@pytest.mark.parametrize(("index", "place"), _list_shapes())
def test_a_change_of_any_field_is_found_and_named(index: int, place: Place) -> None:
    _check_tampering(index, place)


@settings(max_examples=40)
@given(st.sampled_from(DERIVED))
def test_a_change_anywhere_is_found_and_named(target: tuple[int, Place]) -> None:
    _check_tampering(*target)


def _check_tampering(index: int, place: Place) -> None:
    events = list(EVENTS)
    events[index] = _tamper(events[index], place)
    findings = _audit(events)
    assert [(finding.sequence, finding.field) for finding in findings] == [
        (index + FIRST_SEQUENCE, _render(place))
    ]
    assert findings[0].recorded != findings[0].derived
    part = 2 if index >= 6 else 1
    assert findings[0].part == part
    if place[0] in ("stats", "curve", "spawn"):
        assert findings[0].seat == place[1]


@pytest.mark.parametrize(
    ("field", "value"), [("fault_code", "overflow"), ("fault_text", "boredom"), ("fault_line", 9)]
)
def test_a_changed_fault_is_found(field: str, value: object) -> None:
    battle = EVENTS[5]
    assert isinstance(battle, Battle)
    plain = _to_json(battle)
    plain["stats"][1][field] = value
    (finding,) = _audit([*EVENTS[:5], msgspec.convert(plain, Battle), *EVENTS[6:]])
    assert (finding.field, finding.seat) == (f"stats[1].{field}", 1)


@pytest.mark.parametrize(("field", "value"), [("winner", None), ("reason", "deadline"), ("ranking", (0, 1))])
def test_changed_results_are_found(field: str, value: object) -> None:
    end = EVENTS[-1]
    assert isinstance(end, End)
    changed = msgspec.structs.replace(end.results, **{field: value})
    (finding,) = _audit([*EVENTS[:-1], End(results=changed)])
    assert (finding.sequence, finding.field) == (FIRST_SEQUENCE + len(EVENTS) - 1, f"results.{field}")


def test_another_script_shows_as_the_first_tick_that_differs() -> None:
    submit = EVENTS[1]
    assert isinstance(submit, Submit)
    # Both walk and paint for six ticks; the seventh action is the first that differs.
    other = ["for i in 0 ..< 3:", "  place()", "  move(1, 0)", "place()", "wait()"]
    changed = msgspec.structs.replace(submit, script=tuple(other))
    findings = _audit([EVENTS[0], changed, *EVENTS[2:6]])
    assert findings
    assert {finding.sequence for finding in findings} == {FIRST_SEQUENCE + 5}
    assert {finding.tick for finding in findings} == {7}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"script": ("while true",)}, "script"),
        ({"script": ()}, "reason"),
        ({"script": ("\twait()",)}, "script"),
        ({"script": ("wait()",) * 121}, "script"),
        ({"reason": "because"}, "reason"),
        ({"notes": "x" * 601}, "notes"),
        ({"banner": "two\nlines"}, "banner"),
    ],
)
def test_a_submission_that_could_not_have_been_sealed_is_found(
    changes: dict[str, object], field: str
) -> None:
    submit = EVENTS[1]
    assert isinstance(submit, Submit)
    findings = _audit([EVENTS[0], msgspec.structs.replace(submit, **changes)])
    assert field in [finding.field for finding in findings]
    assert {(finding.sequence, finding.seat) for finding in findings} == {(FIRST_SEQUENCE + 1, 0)}


def test_a_fallback_must_say_why() -> None:
    fallback = EVENTS[3]
    assert isinstance(fallback, Submit)
    assert fallback.reason
    (finding,) = _audit([*EVENTS[:3], msgspec.structs.replace(fallback, reason="")])
    assert (finding.field, finding.seat) == ("reason", 2)


@pytest.mark.parametrize("index", range(len(EVENTS)))
def test_a_missing_event_is_named_by_the_one_that_stands_in_its_place(index: int) -> None:
    findings = _audit([*EVENTS[:index], *EVENTS[index + 1 :]])
    if index == len(EVENTS) - 1:
        assert findings == [], "an unfinished log"
        return
    first = findings[0]
    assert first.sequence == FIRST_SEQUENCE + index
    assert first.field in ("kind", "seat", "round")


@pytest.mark.parametrize("index", range(len(EVENTS)))
def test_a_repeated_event_is_found(index: int) -> None:
    findings = _audit([*EVENTS[: index + 1], *EVENTS[index:]])
    assert findings
    assert findings[0].sequence == FIRST_SEQUENCE + index + 1


def test_the_wrong_order_of_seats_is_found() -> None:
    findings = _audit([EVENTS[0], EVENTS[2], EVENTS[1]])
    assert [(finding.field, finding.recorded, finding.derived) for finding in findings] == [
        ("seat", "1", "0"),
        ("seat", "0", "1"),
    ]


def test_an_end_after_too_few_rounds_must_be_a_deadline() -> None:
    findings = _audit([*EVENTS[:6], EVENTS[-1]])
    assert "results.reason" in [finding.field for finding in findings]


def test_the_benchmark_audits_with_its_own_configuration() -> None:
    grid_wars = GridWars()
    config = grid_wars.configure({"seed": 5, "rounds": 2, "ticks": 40, "bomb_cost": 6})
    assert config == CONFIG
    assert list(grid_wars.audit(config, list(enumerate(EVENTS)))) == []
    other = grid_wars.configure({"seed": 6, "rounds": 2, "ticks": 40, "bomb_cost": 6})
    finding = next(grid_wars.audit(other, list(enumerate(EVENTS))))
    assert (finding.sequence, finding.field) == (0, "seed")
