"""What a run is: a game, who sits where, the limits, and how many episodes on consecutive seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gridwars.benchmarks.contract import SEED_OPTION, Benchmark, Event
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.canonical import Json
from gridwars.harness.budget import require_prices
from gridwars.log.events import Limits, RunRecord, SeatRecord, Start, list_texts
from gridwars.log.run_digest import compute_run_digest
from gridwars.policies.policy import Policy, PolicyError, list_template_texts
from gridwars.policies.prices import PriceTable
from gridwars.policies.registry import make_policies, restore_policies
from gridwars.policies.seats import name_seat


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """What an operator wants for a seat.

    Attributes:
        text: as `make_policies` takes it.
        parameters: by name.
    """

    text: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A run, checked: every seat can be filled and every price is known that a budget needs.

    Attributes:
        config: of the first episode; that of episode n has a seed n - 1 higher.
        seats: with the aliases of the first episode.
        texts: the templates that models' prompts are made of, whatever those of this version are.
    """

    benchmark: Benchmark
    config: msgspec.Struct
    seats: tuple[SeatRecord, ...]
    limits: Limits
    episode_count: int
    texts: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Tells runs apart whose episodes may differ, see `gridwars.log.run_digest`."""
        return compute_run_digest(
            benchmark=self.benchmark.name,
            rules_version=self.benchmark.rules_version,
            config=msgspec.to_builtins(self.config),
            seats=self.seats,
            limits=self.limits,
            episode_count=self.episode_count,
        )

    def configure(self, episode_number: int) -> msgspec.Struct:
        """The configuration of an episode, which counts from 1."""
        options = msgspec.to_builtins(self.config)
        if episode_number > 1:
            options[SEED_OPTION] += episode_number - 1
        return self.benchmark.configure(options)

    def make_run_record(self, episode_number: int) -> RunRecord:
        return RunRecord(self.digest, episode_number, self.episode_count)

    def fill_seats(self, episode_number: int) -> tuple[Policy, ...]:
        """Policies for an episode, made of the plan alone: no file that they came from is read again.

        Raises:
            PolicyError: where something is gone that was there when the plan was made, such as a key.
        """
        aliases = self.benchmark.start(self.configure(episode_number)).aliases
        records = [
            msgspec.structs.replace(record, alias=alias)
            for record, alias in zip(self.seats, aliases, strict=True)
        ]
        return restore_policies(records, self.benchmark, self.texts)


class _PlanRecord(msgspec.Struct, frozen=True):
    """A plan as a file holds it.

    Attributes:
        directory: where programs that sit in seats are started; it decides nothing of what a run is.
    """

    benchmark: str
    rules_version: int
    config: dict[str, Json]
    seats: tuple[SeatRecord, ...]
    limits: Limits
    episode_count: int
    directory: str = ""
    texts: tuple[str, ...] = ()


def encode_plan(plan: RunPlan, directory: Path) -> bytes:
    """The plan as JSON: all that the run needs, whatever becomes of the files that it was made from."""
    record = _PlanRecord(
        plan.benchmark.name,
        plan.benchmark.rules_version,
        msgspec.to_builtins(plan.config),
        plan.seats,
        plan.limits,
        plan.episode_count,
        str(directory),
        plan.texts,
    )
    return msgspec.json.format(msgspec.json.encode(record)) + b"\n"


def decode_plan(data: bytes, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> tuple[RunPlan, Path]:
    """The plan that `encode_plan` wrote, and its directory.

    Raises:
        PlanError: where it holds something else, or was made by other rules.
    """
    try:
        record = msgspec.json.decode(data, type=_PlanRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PlanError(f"is not a plan as this version writes it: {error}") from None
    benchmark = benchmarks.get(record.benchmark)
    if benchmark is None or benchmark.rules_version != record.rules_version:
        raise PlanError(
            f"is for {record.benchmark} by version {record.rules_version} of its rules, which this version "
            f"of gridwars does not play"
        )
    config = benchmark.configure(record.config)
    plan = RunPlan(benchmark, config, record.seats, record.limits, record.episode_count, record.texts)
    return plan, Path(record.directory)


def recall_plan(
    start: Start, events: Sequence[Event], benchmarks: Mapping[str, Benchmark] = BENCHMARKS
) -> RunPlan:
    """The plan of the run that a log is an episode of; of a single episode where it is of none.

    Args:
        events: of the log.

    Raises:
        ConfigurationError: where the log was played by other numbers than there are.
    """
    benchmark = benchmarks[start.benchmark]
    config = dict(start.config)
    seed = config[SEED_OPTION]
    assert isinstance(seed, int), "every benchmark's seed is a whole number"
    config[SEED_OPTION] = seed - (start.run.episode_number - 1 if start.run is not None else 0)
    count = start.run.episode_count if start.run is not None else 1
    return RunPlan(
        benchmark, benchmark.configure(config), start.seats, start.limits, count, list_texts(events)
    )


class PlanError(ValueError):
    """A file that holds no plan that can be played; the message says why."""


def find_seat_problems(
    benchmark: Benchmark, options: Mapping[str, Json], seats: Mapping[int, SeatChoice], prices: PriceTable
) -> dict[int, str]:
    """Why seats cannot be filled, by seat: all of them, where making a plan names the first."""
    aliases = benchmark.start(benchmark.configure(options)).aliases
    problems: dict[int, str] = {}
    for seat, choice in seats.items():
        try:
            make_policies([choice.text], aliases[:1], benchmark, [choice.parameters], prices)
        except PolicyError as error:
            problems[seat] = str(error)
    return problems


def make_plan(
    benchmark: Benchmark,
    options: Mapping[str, Json],
    seats: Mapping[int, SeatChoice],
    *,
    prices: PriceTable,
    limits: Limits,
    episode_count: int = 1,
) -> RunPlan:
    """The plan for what an operator wants.

    Args:
        options: of the benchmark; what is missing takes its default.
        seats: by seat; one that is missing takes the benchmark's default.

    Raises:
        ConfigurationError: for an option, or a seed that the last episode cannot have.
        PolicyError: for a seat that does not exist or cannot be filled, and for a missing price.
    """
    config = benchmark.configure(options)
    aliases = benchmark.start(config).aliases
    if seats and max(seats) >= len(aliases):
        last, there_are = (
            max(seats),
            f"{benchmark.title} has {len(aliases)}, a to {name_seat(len(aliases) - 1)}",
        )
        if len(seats) == last + 1:
            raise PolicyError(f"{len(seats)} seats are named; {there_are}")
        raise PolicyError(f'"{seats[last].text}" is to play seat {name_seat(last)}; {there_are}')
    defaults = [SeatChoice(text, {}) for text in benchmark.default_seats[: len(aliases)]]
    choices: Sequence[SeatChoice] = [seats.get(seat, default) for seat, default in enumerate(defaults)]
    policies = make_policies(
        [choice.text for choice in choices],
        aliases,
        benchmark,
        [choice.parameters for choice in choices],
        prices,
    )
    records = tuple(policy.record for policy in policies)
    texts = list_template_texts(policies)
    plan = RunPlan(benchmark, config, records, limits, episode_count, texts)
    plan.configure(episode_count)
    require_prices(limits.budget, plan.seats)
    return plan
