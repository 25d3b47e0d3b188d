"""Reference replays: read, checked, written, and turned into events of ours and back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from gridwars.benchmarks.contract import Event, Finding, ReplayError
from gridwars.benchmarks.grid_wars.audit import audit_series
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.conformance_episodes import drop_free_texts
from gridwars.benchmarks.grid_wars.events import Battle, End, Submit
from gridwars.benchmarks.grid_wars.replay import Series, audit_replay, export_replay
from gridwars.benchmarks.grid_wars.replay_format import PROTOCOL, Replay, decode_replay, encode_replay
from gridwars.benchmarks.grid_wars.replay_import import import_replay
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig, draw_aliases
from tests.gridwars.benchmarks.grid_wars.played import (
    FAULTER,
    STANDER,
    WALKER,
    make_reply,
    play_scripts,
    play_series,
    series,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "gridwars" / "episodes.jsonl.gz"
POLICIES = ("one", "two", "one", "four")

Json = dict[str, Any]  # Any: replays as JSON, which these tests change on purpose.


def _load_golden() -> dict[str, Json]:
    with gzip.open(GOLDEN) as file:
        return {case["id"]: case["expect"]["replay"] for case in map(json.loads, file)}


REPLAYS = _load_golden()
SHORT = [
    case for case, replay in REPLAYS.items() if replay["results"]["rounds"] * replay["config"]["ticks"] < 2000
]
"""Those that are quick to play again; all are played with the other vectors."""


def _encode(replay: Json) -> bytes:
    return json.dumps(replay).encode()


def _import(replay: Json) -> Series:
    return import_replay(decode_replay(_encode(replay)))


def _audit(replay: Json) -> list[Finding]:
    return list(audit_replay(_encode(replay)))


def _copy(case: str) -> Json:
    copied: Json = json.loads(json.dumps(REPLAYS[case]))
    return copied


def _make_series(config: GridWarsConfig, events: list[Event]) -> Series:
    return Series(config, draw_aliases(config.seed), POLICIES, tuple(events))


def test_there_are_replays_to_test_with() -> None:
    assert len(REPLAYS) >= len(SHORT) >= 10


@pytest.mark.parametrize("case", REPLAYS)
def test_reading_and_writing_a_replay_keeps_every_byte_that_means_something(case: str) -> None:
    assert json.loads(encode_replay(decode_replay(_encode(REPLAYS[case])))) == REPLAYS[case]


@pytest.mark.parametrize("case", SHORT)
def test_importing_and_exporting_keeps_everything_but_the_wording_of_faults(case: str) -> None:
    replay = decode_replay(_encode(REPLAYS[case]))
    again = json.loads(encode_replay(export_replay(import_replay(replay))))
    recorded = json.loads(encode_replay(replay))
    scores = [again["results"].pop("scores"), recorded["results"].pop("scores")]
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)
    assert drop_free_texts(again) == drop_free_texts(recorded)
    for ours, theirs in zip(again["events"], recorded["events"], strict=True):
        assert ours.get("compileError") == theirs.get("compileError")


@pytest.mark.parametrize("case", SHORT)
def test_a_reference_replay_audits_clean_as_it_is_and_as_a_log(case: str) -> None:
    assert _audit(REPLAYS[case]) == []
    imported = _import(REPLAYS[case])
    assert list(audit_series(imported.config, enumerate(imported.events))) == []


@settings(max_examples=15)
@given(series())
def test_an_exported_series_imports_as_it_was_and_audits_clean(
    played: tuple[GridWarsConfig, list[Event]],
) -> None:
    exported = export_replay(_make_series(*played))
    data = encode_replay(exported)
    assert list(audit_replay(data)) == []
    imported = import_replay(decode_replay(data))
    # What reading repaired is the one thing that a replay does not hold.
    assert imported == _make_series(played[0], [_without_repairs(event) for event in played[1]])
    assert export_replay(imported) == exported


def _without_repairs(event: Event) -> Event:
    return msgspec.structs.replace(event, repairs=()) if isinstance(event, Submit) else event


def test_unknown_fields_are_ignored() -> None:
    replay = _copy("r06")
    replay["viewer"] = {"theme": "dark"}
    replay["config"]["speed"] = 3
    for event in replay["events"]:
        event["more"] = [1]
    replay["results"]["elo"] = None
    assert _import(replay) == _import(REPLAYS["r06"])
    assert _audit(replay) == []


@pytest.mark.parametrize("config", [{"rounds": 30}, {"ticks": 5}, {"bombCost": 61}, {"ticks": 1300}])
def test_a_configuration_out_of_range_is_read_as_it_stands(config: dict[str, int]) -> None:
    values = {"rounds": 1, "ticks": 20, "bombCost": 12, **config}
    ours = GridWarsConfig(
        seed=1, rounds=values["rounds"], ticks=values["ticks"], bomb_cost=values["bombCost"]
    )
    replay = json.loads(
        encode_replay(export_replay(_make_series(ours, play_scripts(ours, [[WALKER, STANDER] * 2]))))
    )
    assert {name: replay["config"][name] for name in values} == values
    assert _audit(replay) == []
    assert _import(replay).config == ours


def test_a_series_that_ended_early_has_the_round_it_did_not_play() -> None:
    config = GridWarsConfig(seed=11, rounds=3, ticks=20)
    for stop_after in (0, 1, 2):
        events = play_series(config, lambda request: make_reply(WALKER), stop_after=stop_after)
        replay = json.loads(encode_replay(export_replay(_make_series(config, events))))
        *_, unplayed, end = replay["events"]
        assert (unplayed["kind"], unplayed["round"]) == ("round", stop_after + 1)
        assert end == {"kind": "end", "round": stop_after, "text": "deadline"}
        assert (replay["results"]["winner"] == "") == (stop_after == 0)
        assert _audit(replay) == []
        assert _import(replay).events == tuple(events)


def test_notes_are_left_out_where_there_are_none() -> None:
    config = GridWarsConfig(rounds=1, ticks=20)
    events = play_series(
        config, lambda request: make_reply(WALKER, notes="" if request.seat else "mine"), stop_after=1
    )
    replay = json.loads(encode_replay(export_replay(_make_series(config, events))))
    assert [event.get("text") for event in replay["events"][2:6]] == ["mine", None, None, None]


def test_the_winner_goes_by_its_policys_name_even_where_two_share_it() -> None:
    config = GridWarsConfig(rounds=1, ticks=40)
    events = play_scripts(config, [[STANDER, STANDER, WALKER, STANDER]])
    made = _make_series(config, events)
    replay = export_replay(made)
    assert replay.results.winner == "one"
    end = import_replay(replay).events[-1]
    assert isinstance(end, End)
    assert end.results.winner == 2


def test_an_unfinished_episode_cannot_be_exported() -> None:
    config = GridWarsConfig(rounds=2, ticks=20)
    events = play_scripts(config, [[WALKER] * 4])
    with pytest.raises(ReplayError, match="has not ended"):
        export_replay(_make_series(config, events[:-1]))


def _set(path: str, value: object) -> Callable[[Json], None]:
    """Changes one value; the path is in the form that findings use."""

    def change(replay: Json) -> None:
        *steps, last = path.replace("[", ".").replace("]", "").split(".")
        inner: Any = replay
        for step in steps:
            inner = inner[int(step)] if step.isdigit() else inner[step]
        inner[int(last) if last.isdigit() else last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "seat"),
    [
        ("names[1]", "Nobody", None),
        ("events[1].seed", 5, None),
        ("events[1].spawn[2]", 5, 2),
        ("events[3].lines", 99, 1),
        ("events[3].scripted", False, 1),
        ("events[3].banner", "x" * 81, 1),
        ("events[6].digest", "0" * 16, None),
        ("events[6].ticksPlayed", 399, None),
        ("events[6].reason", "wipeout", None),
        ("events[6].stats[2].peakTiles", 1, 2),
        ("events[6].stats[2].roundScore", 1.25, 2),
        ("events[6].curve[1][3]", 7, 1),
        ("events[7].round", 2, None),
        ("events[7].text", "deadline", None),
        ("results.scores[0]", 44.5001, None),
        ("results.tiles[3]", 1, None),
        ("results.winner", "policy-1", None),
        ("results.names[1]", "policy-9", None),
        ("results.roundReasons[0]", "wipeout", None),
    ],
)
def test_a_changed_replay_is_found_and_named(path: str, value: object, seat: int | None) -> None:
    replay = _copy("r06")
    _set(path, value)(replay)
    head, _, inner = path.partition("].")
    expected = (
        (int(head.removeprefix("events[")), inner)
        if head.startswith("events[")
        else (7 if path.startswith("results") else 0, path)
    )
    (finding,) = _audit(replay)
    assert (finding.sequence, finding.field) == expected
    assert finding.seat == seat


def test_another_script_in_a_replay_changes_its_battle() -> None:
    replay = _copy("r06")
    replay["events"][2]["script"] = STANDER.split("\n")
    findings = _audit(replay)
    assert (findings[0].sequence, findings[0].field) == (2, "lines")
    assert {finding.sequence for finding in findings} >= {6}


@pytest.mark.parametrize(
    ("change", "sequence"),
    [
        (lambda events: events.pop(3), 5),
        (lambda events: events.insert(2, events[1]), 2),
        (lambda events: events.pop(), 7),
        (lambda events: events.append(events[-1]), 8),
        (lambda events: events.__setitem__(slice(1, 1), events[1:7]), 7),
        (lambda events: events.pop(0), 0),
    ],
)
def test_events_out_of_order_are_named_by_an_audit_and_refused_by_an_import(
    change: Callable[[list[Json]], object], sequence: int
) -> None:
    replay = _copy("r06")
    change(replay["events"])
    (finding,) = _audit(replay)
    assert (finding.sequence, finding.field) == (sequence, "kind")
    with pytest.raises(ReplayError, match=rf"events\[{sequence}\]"):
        _import(replay)


def test_an_import_takes_what_is_recorded_and_an_audit_of_it_finds_what_was_changed() -> None:
    replay = _copy("r06")
    _set("events[6].stats[2].peakTiles", 1)(replay)
    _set("results.scores[0]", 44.75)(replay)
    imported = _import(replay)
    findings = list(audit_series(imported.config, enumerate(imported.events)))
    assert [(finding.sequence, finding.field) for finding in findings] == [
        (5, "stats[2].peak_tiles"),
        (6, "results.scores[0]"),
    ]


def test_fault_texts_are_ours_after_an_import() -> None:
    config = GridWarsConfig(rounds=1, ticks=20)
    made = _make_series(config, play_scripts(config, [[FAULTER, WALKER, WALKER, WALKER]]))
    replay = json.loads(encode_replay(export_replay(made)))
    assert replay["events"][6]["stats"][0]["faultText"]
    replay["events"][6]["stats"][0]["faultText"] = "in other words"
    assert _audit(replay) == []
    battle = _import(replay).events[5]
    assert isinstance(battle, Battle)
    assert battle == made.events[5]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no gridwars.replay.v1"),
        (b"[]", "no gridwars.replay.v1"),
        (b"\xff\xfe", "no gridwars.replay.v1"),
        (b"[" * 100_000, "no gridwars.replay.v1"),
        (_encode({**REPLAYS["r06"], "protocol": "gridwars.replay.v2"}), "protocol is 'gridwars.replay.v2'"),
        (_encode({**REPLAYS["r06"], "names": ["one"]}), "names"),
        (_encode({**REPLAYS["r06"], "config": {**REPLAYS["r06"]["config"], "ticks": 0}}), "config.ticks"),
    ],
)
def test_what_is_no_replay_is_refused_with_the_place(data: bytes, message: str) -> None:
    with pytest.raises(ReplayError, match=message.replace(".", r"\.")):
        list(audit_replay(data))


def test_a_score_without_an_exact_form_is_refused() -> None:
    replay = _copy("r06")
    _set("events[6].stats[2].roundScore", 70.6)(replay)
    with pytest.raises(ReplayError, match=r"roundScore: 70\.6"):
        _import(replay)
    assert [finding.field for finding in _audit(replay)] == ["stats[2].roundScore"]


def test_the_benchmark_audits_replays_by_their_protocol() -> None:
    assert list(GridWars.replay_audits[PROTOCOL](_encode(REPLAYS["r06"]))) == []
    assert isinstance(decode_replay(_encode(REPLAYS["r06"])), Replay)
