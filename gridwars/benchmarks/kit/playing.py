"""Plays episodes of any benchmark through the contract alone, and changes what they recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from gridwars.benchmarks.contract import (
    Benchmark,
    Decision,
    Episode,
    Event,
    Rejection,
    Reply,
    Request,
)

Answerer = Callable[[Request], Reply]


def answer_with_baselines(benchmark: Benchmark, names: Sequence[str] = ()) -> Answerer:
    """Every seat as the baseline of that name plays it; without names as the default one."""
    players = [benchmark.baselines[name] for name in names or benchmark.default_seats]
    return lambda request: Reply(players[request.seat](request.observation), scripted=True)


def decide(episode: Episode, request: Request, answer: Answerer) -> Decision:
    """What the seat comes to, asked once: a rejection or no reply means the fallback."""
    reply = answer(request)
    if reply.text is None:
        return episode.fallback(request, reply.failure, reply.outcome)
    outcome = episode.read(request, reply)
    return episode.fallback(request, outcome.reason) if isinstance(outcome, Rejection) else outcome


def play(episode: Episode, answer: Answerer, stop_after: int | None = None) -> list[Event]:
    """All events of an episode, ended early before its batch of that number."""
    return [event for _, event in play_marked(episode, answer, stop_after)]


def play_marked(
    episode: Episode, answer: Answerer, stop_after: int | None = None
) -> list[tuple[bool, Event]]:
    """All events, each with whether it seals a decision."""
    marked: list[tuple[bool, Event]] = []
    batch_count = 0
    while (batch := episode.open()) is not None:
        if batch_count == stop_after:
            marked += [(False, event) for group in episode.stop_early() for event in group]
            break
        groups = episode.advance([decide(episode, request, answer) for request in batch.requests])
        sealing = next(groups)
        marked += [(episode.decision_of(event) is not None, event) for event in sealing]
        marked += [(False, event) for group in groups for event in group]
        batch_count += 1
    return marked


def list_changes(event: Event) -> Iterator[tuple[str, Event]]:
    """For every leaf its path, and an event that differs there alone and is still one of its kind."""
    plain = msgspec.to_builtins(event)
    for path in _list_leaves(plain):
        for value in _vary(_look_up(plain, path)):
            changed = msgspec.json.decode(msgspec.json.encode(plain))
            _look_up(changed, path[:-1])[path[-1]] = value
            try:
                other = msgspec.convert(changed, type(event))
            except msgspec.ValidationError:
                continue
            if other != event:
                yield ".".join(map(str, path)), other
                break


Path = Sequence[str | int]


def _list_leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _list_leaves(inner, (*path, name))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _list_leaves(inner, (*path, index))
    elif path != ("kind",):
        yield path


def _look_up(value: object, path: Path) -> dict[str | int, object]:
    for step in path:
        value = value[step]  # type: ignore[index]  # the path is of this value
    return value  # type: ignore[return-value]  # or a leaf, where the caller knows


def _vary(value: object) -> list[object]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str():
            return [value + "1", "1" + value[1:], ""]
        case _:
            return [0, "up"]
