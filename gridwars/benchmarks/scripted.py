"""Plays an episode in memory between scripted players, with no log and nobody to wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from gridwars.benchmarks.contract import SEED_OPTION, Batch, Bout, Episode, Player, Rejection, Reply, Results

Config = TypeVar("Config", bound=msgspec.Struct)


def play_bouts(
    start: Callable[[Config], Episode], config: Config, bouts: Iterable[Bout]
) -> Iterator[Results]:
    """The results of every bout, in order, each played when it is asked for."""
    for bout in bouts:
        yield play_episode(start(seed_config(config, bout.seed)), bout.players)


def seed_config(config: Config, seed: int) -> Config:
    """The configuration with another seed, which every benchmark has."""
    return msgspec.structs.replace(config, **{SEED_OPTION: seed})


def play_episode(episode: Episode, players: Sequence[Player]) -> Results:
    """The results of an episode that is played to its end."""
    for _ in play_batches(episode, players):
        pass
    return episode.results()


def play_batches(episode: Episode, players: Sequence[Player]) -> Iterator[Batch]:
    """Every batch before it is played.

    What cannot be used is answered by the benchmark's fallback, as it is in a log.
    """
    while (batch := episode.open()) is not None:
        yield batch
        decisions = []
        for request in batch.requests:
            reply = Reply(players[request.seat].decide(request.observation), scripted=True)
            reading = episode.read(request, reply)
            if isinstance(reading, Rejection):
                reading = episode.fallback(request, reading.reason)
            decisions.append(reading)
        for _ in episode.advance(decisions):
            pass
