"""What tests of model seats share: a seat at some address, a question, and whatever it was lent."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from gridwars.benchmarks.contract import Event, Observation, Request
from gridwars.canonical import Json
from gridwars.clock import Clock
from gridwars.log.events import Called, Message, SeatRecord
from gridwars.log.metering import Metering, Price
from gridwars.log.usage import Bucket
from gridwars.policies.llm import LlmPolicy
from gridwars.policies.parameters import freeze
from gridwars.policies.policy import Answer, Progress
from gridwars.policies.provider import Provider
from gridwars.policies.registry import PROVIDERS
from tests.hurrying_loop import LoopClock

KEY_VARIABLE = "TEST_PROVIDER_KEY"
MODEL = "test-model"
PROMPT = (Message("system", "You play."), Message("user", "What now?"))
REQUEST = Request(1, 0, 1, Observation())

PRICE = Price(
    "test, 2026-11-30",
    {bucket.value: 1_000_000 for bucket in Bucket},
    dict.fromkeys(("", "default", "standard"), 100),
)
"""A microdollar for a token."""


class PlainPrompter:
    texts = ()

    def render(self, request: Request) -> tuple[Message, ...]:
        return PROMPT

    def record(self) -> dict[str, Json]:
        return {}


class RecordingAsking:
    """Lends the loop's clock and keeps everything that it is told."""

    def __init__(self, spent_budget: str = "") -> None:
        self.clock: Clock = LoopClock()
        self.deadline = float("inf")
        self.hidden = Path("no-such-log.jsonl")
        self.events: list[Event] = []
        self.progress: list[Progress] = []
        self.spent_budget = spent_budget

    async def record(self, events: Sequence[Event]) -> None:
        self.events += events

    def watch(self, progress: Progress) -> None:
        self.progress.append(progress)

    async def reserve_call(self) -> str:
        return self.spent_budget

    def find_stop_reason(self) -> str:
        return ""

    @property
    def calls(self) -> list[Called]:
        """Those that failed; the one that brings an answer comes with it."""
        return [event for event in self.events if isinstance(event, Called)]


def get_provider(kind: str) -> Provider:
    provider: Provider = importlib.import_module(PROVIDERS[kind]).PROVIDER
    return provider


def make_seat(kind: str, base_url: str, **parameters: object) -> LlmPolicy:
    given = {"base_url": base_url, "key_variable": KEY_VARIABLE, **parameters}
    record = SeatRecord(
        policy=f"{kind}:{MODEL}",
        kind=kind,
        alias="Bolt",
        parameters={"model": MODEL, "parameters": freeze(given), "prompts": {}},
        metering=Metering(maximum_output_tokens=1000, price=PRICE),
    )
    return LlmPolicy(record, get_provider(kind), PlainPrompter())


async def ask(seat: LlmPolicy, asking: RecordingAsking) -> Answer:
    return await seat.answer(REQUEST, seat.render_prompt(REQUEST), asking)


def get_call(answer: Answer) -> Called:
    """The call that brought the answer."""
    (event,) = answer.events
    assert isinstance(event, Called)
    return event
