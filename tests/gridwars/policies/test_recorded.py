"""A recording answers what a seat of an old log answered: replies word for word, or its sealed decisions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Event, Origin, Outcome
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.events import Submit
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import Played, play_episode, resume_episode
from gridwars.log.events import Answered, Judged, Limits
from gridwars.log.reader import read_log
from gridwars.policies.making import Making
from gridwars.policies.policy import Policy, PolicyError
from gridwars.policies.recorded import make_recorded
from gridwars.policies.registry import make_policies
from tests.gridwars.paid_talker import PaidTalker, make_record
from tests.gridwars.playing import play_seats
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY, Bid
from tests.gridwars.toy_log import split_lines

ALIASES = ("Ada", "Bob", "Cyd")


def play(path: Path, policies: Sequence[Policy], seed: int = 0) -> Played:
    return asyncio.run(
        play_episode(
            TOY,
            TOY.configure({"seed": seed}),
            policies,
            path,
            clock=SystemClock(),
            limits=Limits(),
            observe=lambda event, known: None,
        )
    )


def read(path: Path, kind: type[Event]) -> list[Event]:
    return [event for event in read_log(path, benchmarks=BENCHMARKS).events if isinstance(event, kind)]


def make_talker() -> PaidTalker:
    """Answers well, badly and then well, and not at all, by round."""
    answers = {(1, 1): "7", (2, 1): "seven", (2, 2): "5", (3, 1): None}
    return PaidTalker(make_record(), lambda request: answers[request.part, request.attempt])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.jsonl"
    play(path, [make_talker(), *make_policies(["fair", "rash"], ALIASES[1:], TOY)])
    return path


def record(old: Path) -> list[Policy]:
    return list(make_policies([f"recorded:{old}#{letter}" for letter in "abc"], ALIASES, TOY))


def test_a_recorded_episode_repeats_itself(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    play(new, record(old))
    assert len(read(old, Bid)) == 9
    assert read(new, Bid) == read(old, Bid)
    assert read(new, Judged) == read(old, Judged)
    outcomes = [event.outcome for event in read(new, Judged) if isinstance(event, Judged)]
    assert outcomes == [Outcome.VALID, Outcome.INVALID, Outcome.VALID, Outcome.VOID]


def test_a_resumed_episode_needs_no_old_log(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    whole = play(new, record(old))
    expected = read(new, Bid)
    lines = split_lines(new)
    new.with_name(new.name + ".head").unlink()
    old.unlink()
    for count in range(1, len(lines)):
        new.write_bytes(b"".join(line + b"\n" for line in lines[:count]))
        resumed = asyncio.run(
            resume_episode(new, clock=SystemClock(), observe=lambda event, known: None, benchmarks=BENCHMARKS)
        )
        new.with_name(new.name + ".head").unlink()
        assert resumed.results == whole.results
        assert read(new, Bid) == expected


def test_a_scripted_seat_stays_scripted(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    play(new, record(old))
    bids = [event for event in read(new, Bid) if isinstance(event, Bid)]
    assert {bid.origin for bid in bids if bid.seat > 0} == {Origin.SCRIPTED}
    assert {event.seat for event in read(new, Answered) if isinstance(event, Answered)} == {0}


def test_a_recording_plays_in_another_episode_of_another_length(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    policies = record(old)
    asyncio.run(
        play_episode(
            TOY,
            TOY.configure({"seed": 5, "rounds": 4}),
            policies,
            new,
            clock=SystemClock(),
            limits=Limits(),
            observe=lambda event, known: None,
        )
    )
    bids = [event for event in read(new, Bid) if isinstance(event, Bid)]
    assert len(bids) == 12
    assert [bid.amount for bid in bids[:9]] == [
        event.amount for event in read(old, Bid) if isinstance(event, Bid)
    ]
    assert {bid.origin for bid in bids[9:]} == {Origin.FALLBACK}
    assert "part 4" in bids[9].reason


def test_a_log_that_was_cut_is_a_recording_as_far_as_it_goes(old: Path) -> None:
    content = old.read_bytes()
    old.with_name(old.name + ".head").unlink()
    old.write_bytes(content[: len(content) // 2])
    policy = make_recorded(f"{old}#b", Making("Ada", TOY))
    assert policy.record.parameters["replies"]


def test_a_seat_is_named_by_letter_or_alias(old: Path) -> None:
    by_letter = make_recorded(f"{old}#b", Making("Ada", TOY))
    by_alias = make_recorded(f"{old}#Bob", Making("Ada", TOY))
    assert by_letter.record == by_alias.record
    assert by_letter.record.policy == "fair, recorded"


@pytest.mark.parametrize(
    ("seat", "said"),
    [("", ["#a"]), ("#d", ["no seat", "Ada, Bob, Cyd"]), ("#", ["no seat"]), ("#aa", ["no seat"])],
)
def test_a_seat_that_the_log_lacks_is_refused(seat: str, said: list[str], old: Path) -> None:
    with pytest.raises(PolicyError) as error:
        make_recorded(f"{old}{seat}", Making("Ada", TOY))
    assert all(part in str(error.value) for part in said), error.value


def test_what_is_no_log_of_this_game_is_refused(old: Path, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="toy"):
        make_recorded(f"{old}#a", Making("Ada", GridWars()))
    note = tmp_path / "note.jsonl"
    note.write_text("dear diary\n", encoding="utf-8")
    for path in (note, tmp_path / "gone.jsonl"):
        with pytest.raises(PolicyError, match=path.name):
            make_recorded(f"{path}#a", Making("Ada", TOY))


def test_a_recorded_grid_wars_series_repeats_itself(tmp_path: Path) -> None:
    benchmark = GridWars()
    config = benchmark.configure({"rounds": 2, "ticks": 40})

    def run(path: Path, texts: Sequence[str]) -> list[Event]:
        play_seats(path, benchmark, config, texts)
        return [event for event in read_log(path).events if isinstance(event, Submit)]

    old = tmp_path / "old.jsonl"
    submitted = run(old, ["painter", "bomber", "sentry", "painter"])
    assert len(submitted) == 8
    assert run(tmp_path / "new.jsonl", [f"recorded:{old}#{letter}" for letter in "abcd"]) == submitted
