"""Following an episode along its events: what is opened, what is sealed, and what stands beside what."""

from __future__ import annotations

import msgspec
import pytest

from gridwars.benchmarks.contract import Benchmark, Event
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.kit.playing import answer_with_baselines, play_marked
from gridwars.benchmarks.registry import BENCHMARKS

OPTIONS = {"grid-wars": {"rounds": 2, "ticks": 20}, "snake-royale": {"max_turns": 5}}

each_benchmark = pytest.mark.parametrize(
    "benchmark", [BENCHMARKS[name] for name in OPTIONS], ids=lambda benchmark: str(benchmark.name)
)


def play_short(benchmark: Benchmark) -> tuple[msgspec.Struct, list[tuple[bool, Event]]]:
    """The configuration, and all events, each with whether it seals a decision."""
    config = benchmark.configure(OPTIONS[benchmark.name])
    return config, play_marked(benchmark.start(config), answer_with_baselines(benchmark))


@each_benchmark
def test_every_sealing_event_is_found_and_every_batch_is_given_once(benchmark: Benchmark) -> None:
    config, marked = play_short(benchmark)
    opened = list(Following(benchmark.start(config), [event for _, event in marked]))
    found = [each.place for batch in opened for each in batch.sealed]
    assert found == [index for index, (seals, _) in enumerate(marked) if seals]
    assert len({batch.batch.part for batch in opened}) == len(opened)
    assert all(batch.decisions is not None for batch in opened)


@each_benchmark
def test_wherever_events_end_the_last_batch_has_the_decisions_that_are_there(benchmark: Benchmark) -> None:
    config, marked = play_short(benchmark)
    assert len(marked) > 5
    for count in range(len(marked) + 1):
        opened = list(Following(benchmark.start(config), [event for _, event in marked[:count]]))
        assert sum(len(each.sealed) for each in opened) == sum(seals for seals, _ in marked[:count])
        assert all(each.decisions is not None for each in opened[:-1])


@each_benchmark
def test_derived_groups_stand_beside_what_is_recorded_as_far_as_it_goes(benchmark: Benchmark) -> None:
    config, marked = play_short(benchmark)
    events = [event for _, event in marked]
    following = Following(benchmark.start(config), events[:-1])
    derived: list[Event] = []
    recorded: list[Event] = []
    while (opened := following.open()) is not None:
        assert opened.decisions is not None
        for group, known in following.compare(following.episode.advance(opened.decisions)):
            derived += group
            recorded += known
    assert derived == events
    assert recorded == events[:-1]
    assert following.next_event is None


@each_benchmark
def test_decisions_of_other_seats_than_are_due_are_not_played(benchmark: Benchmark) -> None:
    config, marked = play_short(benchmark)
    events = [event for _, event in marked]
    first, second = [index for index, (seals, _) in enumerate(marked) if seals][:2]
    events[first], events[second] = events[second], events[first]
    (opened,) = Following(benchmark.start(config), events)
    assert opened.decisions is None


@each_benchmark
def test_events_may_come_while_they_are_followed(benchmark: Benchmark) -> None:
    config, marked = play_short(benchmark)
    events: list[Event] = []
    following = Following(benchmark.start(config), events)
    played = 0
    for _, event in marked:
        events.append(event)
        opened = following.open()
        played += opened is not None and following.play(opened)
    assert played == len(list(Following(benchmark.start(config), events)))
    assert following.episode.results() == msgspec.structs.asdict(events[-1])["results"]
