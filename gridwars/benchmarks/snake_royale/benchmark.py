"""Snake Royale as the harness sees it: one object that ties the contract to its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from gridwars.benchmarks.contract import (
    Baseline,
    BaselineNote,
    Bout,
    Decision,
    Event,
    Finding,
    Keyboard,
    Observation,
    Option,
    Origin,
    Pace,
    Player,
    Rejection,
    Rematch,
    ReplayAudit,
    ReplayCodec,
    Results,
    Search,
    Starts,
    Worksheet,
)
from gridwars.benchmarks.scripted import play_bouts
from gridwars.benchmarks.snake_royale import rules, worksheet
from gridwars.benchmarks.snake_royale.audit import audit_game
from gridwars.benchmarks.snake_royale.baselines import BASELINES, COIL, Weights, choose_direction
from gridwars.benchmarks.snake_royale.conformance import KINDS
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import EVENT_TYPES
from gridwars.benchmarks.snake_royale.keyboard import KEYBOARD
from gridwars.benchmarks.snake_royale.observation import require_own, restore_state
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.prompt_facts import list_facts, tell_moment
from gridwars.benchmarks.snake_royale.prompt_samples import list_samples
from gridwars.benchmarks.snake_royale.replay import CODEC, audit_replay
from gridwars.benchmarks.snake_royale.reply import Heading, read_reply
from gridwars.benchmarks.snake_royale.rules import DIRECTIONS, SEAT_COUNT, SnakeRoyaleConfig
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.view import SnakeRoyaleView
from gridwars.canonical import Json
from gridwars.vectors import Runner


class SnakeRoyale:
    """The benchmark; see `Benchmark` for what each part means."""

    name: ClassVar[str] = "snake-royale"
    title: ClassVar[str] = "Snake Royale"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    dialogue_version: ClassVar[int] = 2
    seat_counts: ClassVar[range] = range(SEAT_COUNT, SEAT_COUNT + 1)
    options: ClassVar[tuple[Option, ...]] = rules.OPTIONS
    event_types: ClassVar[tuple[type[Event], ...]] = EVENT_TYPES
    baselines: ClassVar[Mapping[str, Baseline]]
    default_seats: ClassVar[tuple[str, ...]] = (COIL, "forager", COIL, "forager")
    baseline_notes: ClassVar[Mapping[str, BaselineNote]] = {
        name: BaselineNote(weights.description) for name, weights in BASELINES.items()
    }
    search: ClassVar[Search | None] = None
    # The budget guard of spec section 10.4: a game always has all its turns.
    pace: ClassVar[Pace] = Pace(batch_seconds=60, plays_on=True, is_quick=True)
    keyboard: ClassVar[Keyboard | None] = KEYBOARD
    replay_audits: ClassVar[Mapping[str, ReplayAudit]] = {CODEC.protocol: audit_replay}
    replay_codec: ClassVar[ReplayCodec | None] = CODEC
    vector_runners: ClassVar[Mapping[str, Runner]] = KINDS

    def configure(self, options: Mapping[str, Json]) -> SnakeRoyaleConfig:
        return rules.configure(options)

    def count_most_batches(self, config: msgspec.Struct) -> int:
        return _require_own(config).max_turns

    def make_view(self) -> SnakeRoyaleView:
        return SnakeRoyaleView()

    def prompt_facts(self) -> Mapping[str, Json]:
        return list_facts()

    def tell_moment(self, observation: Observation) -> Mapping[str, Json]:
        return tell_moment(require_own(observation))

    def sample_observations(self) -> Sequence[Observation]:
        return list_samples()

    def render_reply(self, decision: Decision, *, scripted: bool) -> str:
        assert isinstance(decision, Order), "a decision of another benchmark"
        return worksheet.render_reply(decision)

    def render_worksheet(self, observation: Observation, problem: str, draft: str) -> Worksheet:
        return worksheet.render_worksheet(require_own(observation), problem, draft)

    def read_worksheet(self, text: str) -> str | Rejection:
        return worksheet.read_worksheet(text)

    def check_script(self, text: str) -> str | None:
        reading = read_reply(text, Heading(DIRECTIONS[0], (True,) * len(DIRECTIONS)))
        if isinstance(reading, Rejection):
            return reading.reason
        return "it gives no direction" if reading.repaired else None

    def review_script(self, text: str) -> str:
        return ""

    def start(self, config: msgspec.Struct) -> SnakeRoyaleEpisode:
        return SnakeRoyaleEpisode(_require_own(config))

    def play_bouts(
        self, config: msgspec.Struct, bouts: Sequence[Bout], *, threads: int = 1
    ) -> Iterator[Results]:
        return play_bouts(self.start, config, bouts)

    def list_starts(self, config: msgspec.Struct, players: Sequence[Player]) -> Starts | None:
        return None

    def list_rematches(self, config: msgspec.Struct, events: Sequence[Event]) -> Sequence[Rematch]:
        return ()

    def audit(self, config: msgspec.Struct, events: Sequence[tuple[int, Event]]) -> Iterator[Finding]:
        return audit_game(_require_own(config), events)


def _require_own(config: msgspec.Struct) -> SnakeRoyaleConfig:
    assert isinstance(config, SnakeRoyaleConfig), "a configuration of another benchmark"
    return config


def _play(weights: Weights) -> Baseline:
    def decide(observation: Observation) -> str:
        state, snake = restore_state(require_own(observation))
        direction = DIRECTIONS[choose_direction(Sight(state), snake, weights)]
        return worksheet.render_reply(Order(seat=snake.seat, origin=Origin.SCRIPTED, direction=direction))

    return decide


SnakeRoyale.baselines = {name: _play(weights) for name, weights in BASELINES.items()}
