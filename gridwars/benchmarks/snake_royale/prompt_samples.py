"""Moments of made-up games on which prompt templates are tried before a seat is asked anything."""

from __future__ import annotations

import msgspec

from gridwars.benchmarks.contract import Origin
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode, require_own_observation
from gridwars.benchmarks.snake_royale.observation import Said, SnakeRoyaleObservation
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import ALIASES, DeathCause, Direction, Module, configure


def list_samples() -> tuple[SnakeRoyaleObservation, ...]:
    """The first turn in every module, then a later one with a death, a bubble and notes."""
    firsts = [_observe_first(module) for module in Module]
    return (*firsts, _observe_later())


def _observe_first(module: Module) -> SnakeRoyaleObservation:
    batch = SnakeRoyaleEpisode(configure({"module": module.value})).open()
    assert batch is not None
    return require_own_observation(batch.requests[0])


def _observe_later() -> SnakeRoyaleObservation:
    episode = SnakeRoyaleEpisode(configure({}))
    directions = (Direction.UP, Direction.UP, Direction.DOWN, Direction.DOWN)
    for _ in range(2):
        orders = [
            Order(seat=seat, origin=Origin.LLM, direction=direction, say="mine", notes="{{ plan }} b")
            for seat, direction in enumerate(directions)
        ]
        for _ in episode.advance(orders):
            pass
    batch = episode.open()
    assert batch is not None
    seen = require_own_observation(batch.requests[0])
    dead = msgspec.structs.replace(
        seen.snakes[2],
        alive=False,
        head=(0, 0),
        body=(),
        length=0,
        free_space=0,
        death_turn=2,
        death_cause=DeathCause.WALL,
    )
    return msgspec.structs.replace(
        seen, snakes=(*seen.snakes[:2], dead), alive=3, said=(Said(ALIASES[1], "mine"),)
    )
