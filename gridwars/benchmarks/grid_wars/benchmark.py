"""Grid Wars as the harness sees it: one object that ties the contract to its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from gridwars.benchmarks.grid_wars import rules, worksheet
from gridwars.benchmarks.grid_wars.audit import audit_series
from gridwars.benchmarks.grid_wars.bouts import list_rematches, list_starts, play_bouts
from gridwars.benchmarks.grid_wars.conformance import KINDS
from gridwars.benchmarks.grid_wars.events import EVENT_TYPES
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.prompt_facts import list_facts
from gridwars.benchmarks.grid_wars.prompt_samples import list_samples
from gridwars.benchmarks.grid_wars.replay import audit_replay
from gridwars.benchmarks.grid_wars.replay_codec import CODEC
from gridwars.benchmarks.grid_wars.replay_format import PROTOCOL
from gridwars.benchmarks.grid_wars.reply import Reading, read_reply
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.benchmarks.grid_wars.search import DEFAULT_BUDGET, make_search
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.submission import Submission, find_problem, split_script, tidy_script
from gridwars.benchmarks.grid_wars.view import GridWarsView
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.canonical import Json
from gridwars.vectors import Runner
from gwl import check_source


class GridWars:
    """The benchmark; see `Benchmark` for what each part means."""

    name: ClassVar[str] = "grid-wars"
    title: ClassVar[str] = "Grid Wars"
    rules_version: ClassVar[int] = rules.RULES_VERSION
    dialogue_version: ClassVar[int] = 2
    seat_counts: ClassVar[range] = range(rules.SEAT_COUNT, rules.SEAT_COUNT + 1)
    options: ClassVar[tuple[Option, ...]] = rules.OPTIONS
    event_types: ClassVar[tuple[type[Event], ...]] = EVENT_TYPES
    baselines: ClassVar[Mapping[str, Baseline]]
    default_seats: ClassVar[tuple[str, ...]] = ("painter", "bomber", "hunter", "raider")
    baseline_notes: ClassVar[Mapping[str, BaselineNote]]
    search: ClassVar[Search | None] = Search(make_search, DEFAULT_BUDGET, "battles")
    pace: ClassVar[Pace] = Pace(batch_seconds=3600, plays_on=False)
    keyboard: ClassVar[Keyboard | None] = None
    replay_audits: ClassVar[Mapping[str, ReplayAudit]] = {PROTOCOL: audit_replay}
    replay_codec: ClassVar[ReplayCodec | None] = CODEC
    vector_runners: ClassVar[Mapping[str, Runner]] = KINDS

    def configure(self, options: Mapping[str, Json]) -> GridWarsConfig:
        return rules.configure(options)

    def count_most_batches(self, config: msgspec.Struct) -> int:
        return _require_own(config).rounds

    def make_view(self) -> GridWarsView:
        return GridWarsView()

    def prompt_facts(self) -> Mapping[str, Json]:
        return list_facts()

    def tell_moment(self, observation: Observation) -> Mapping[str, Json]:
        return {}

    def sample_observations(self) -> Sequence[Observation]:
        return list_samples()

    def render_reply(self, decision: Decision, *, scripted: bool) -> str:
        assert isinstance(decision, Submission), "a decision of another benchmark"
        return worksheet.render_reply(decision, scripted=scripted)

    def render_worksheet(self, observation: Observation, problem: str, draft: str) -> Worksheet:
        assert isinstance(observation, GridWarsObservation), "an observation of another benchmark"
        return worksheet.render_worksheet(observation, problem, draft)

    def read_worksheet(self, text: str) -> str | Rejection:
        return worksheet.read_worksheet(text)

    def check_script(self, text: str) -> str | None:
        return find_problem(tidy_script(split_script(text)))

    def review_script(self, text: str) -> str:
        # A file holds the bare script, which begins with no brace; a person's worksheet becomes an object.
        reading = read_reply(text) if text.startswith("{") else None
        lines = reading.script if isinstance(reading, Reading) else tidy_script(split_script(text))
        return "\n".join(found.render() for found in check_source(lines))

    def start(self, config: msgspec.Struct) -> GridWarsEpisode:
        return GridWarsEpisode(_require_own(config))

    def play_bouts(
        self, config: msgspec.Struct, bouts: Sequence[Bout], *, threads: int = 1
    ) -> Iterator[Results]:
        return play_bouts(_require_own(config), bouts, threads=threads)

    def list_starts(self, config: msgspec.Struct, players: Sequence[Player]) -> Starts | None:
        return list_starts(_require_own(config), players)

    def list_rematches(self, config: msgspec.Struct, events: Sequence[Event]) -> Sequence[Rematch]:
        return list_rematches(_require_own(config), events)

    def audit(self, config: msgspec.Struct, events: Sequence[tuple[int, Event]]) -> Iterator[Finding]:
        return audit_series(_require_own(config), events)


def _require_own(config: msgspec.Struct) -> GridWarsConfig:
    assert isinstance(config, GridWarsConfig), "a configuration of another benchmark"
    return config


def _play(source: str) -> Callable[[Observation], str]:
    return lambda observation: source


GridWars.baseline_notes = {
    name: BaselineNote(warrior.description, warrior.source) for name, warrior in load_warriors().items()
}
GridWars.baselines = {name: _play(warrior.source) for name, warrior in load_warriors().items()}
