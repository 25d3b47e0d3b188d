"""Games and states for tests of Snake Royale."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gridwars.benchmarks.contract import Event, Rejection, Reply, Request
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import Directive, TurnPlayed
from gridwars.benchmarks.snake_royale.observation import SnakeRoyaleObservation
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import DIRECTIONS, SEATS, Module, Switches
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.turn import apply_turn

GOLDEN = Path(__file__).parents[3] / "golden" / "snake_royale"
REPLAYS = sorted((GOLDEN / "replays").glob("*.replay"))


def order_text(direction: str, **fields: str) -> str:
    return json.dumps({"dir": direction, **fields})


def take_turn(
    episode: SnakeRoyaleEpisode, texts: Mapping[int, str | None] = {}, default: str | None = None
) -> list[Event]:
    """One turn in which seats reply with these texts; the others with `default`, or go straight on."""
    batch = episode.open()
    assert batch is not None
    orders = [decide(episode, request, texts.get(request.seat, default)) for request in batch.requests]
    return [event for group in episode.advance(orders) for event in group]


def decide(episode: SnakeRoyaleEpisode, request: Request, text: str | None) -> Order:
    reply = Reply(order_text(see(request).you.last_dir) if text is None else text)
    reading = episode.read(request, reply)
    return episode.fallback(request, reading.reason) if isinstance(reading, Rejection) else reading


def see(request: Request) -> SnakeRoyaleObservation:
    assert isinstance(request.observation, SnakeRoyaleObservation)
    return request.observation


def look(episode: SnakeRoyaleEpisode, seat: int) -> SnakeRoyaleObservation:
    batch = episode.open()
    assert batch is not None
    return next(see(request) for request in batch.requests if request.seat == seat)


def find_directives(events: Sequence[Event]) -> list[Directive]:
    return [event for event in events if isinstance(event, Directive)]


def find_turn(events: Sequence[Event]) -> TurnPlayed:
    return next(event for event in events if isinstance(event, TurnPlayed))


def draw_directions(state: GameState, chance: random.Random, *, legal: bool = True) -> list[int]:
    """Any directions, legal ones where there are such; 0 for the dead."""
    sight = Sight(state)
    directions = [0 for _ in SEATS]
    for snake in sight.living:
        choices = [code for code in range(len(DIRECTIONS)) if not legal or sight.is_legal(snake, code)]
        directions[snake.seat] = chance.choice(choices or range(len(DIRECTIONS)))
    return directions


def iterate_states(
    switches: Switches, seed: int, *, legal: bool = True
) -> Iterator[tuple[GameState, list[int]]]:
    """Copies of every state of a random game, each with the directions that are taken in it."""
    state, _ = start_game(switches, seed, Module.ROYALE)
    chance = random.Random(seed)
    while not state.end_rule:
        directions = draw_directions(state, chance, legal=legal)
        yield copy.deepcopy(state), directions
        apply_turn(state, directions)
