"""A seat that is asked, and paid for, like a model's: what it says, what a call uses, when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gridwars.benchmarks.contract import Benchmark, Outcome, Reply, Request
from gridwars.log.events import Called, Message, SeatRecord
from gridwars.log.metering import Metering, Price
from gridwars.log.usage import Bucket
from gridwars.policies.policy import Answer, Asking, Phase, PlayStopped, Progress

KIND = "talker"
PRICE = Price("test, 2026-11-30", {bucket.value: 1_000_000 for bucket in Bucket}, {"": 100})
"""A microdollar for a token."""

METERING = Metering(maximum_output_tokens=100, price=PRICE)
PROMPT = (Message("user", "x" * 72),)
MOST_TOKENS = 72 // 2 + 64 + 100
"""What a call may take at most, by this prompt and metering; as many microdollars."""

USED = {"input": 30, "output": 20}

Say = Callable[[Request], str | None]


@dataclass
class PaidTalker:
    """
    Attributes:
        say: the reply to a request; None: the provider is down, and the request is void.
        asked: keys of the requests that reached it.
        failures: calls that fail before the one that answers, by request key.
        stops: keys at which it finds that going on is no use.
    """

    record: SeatRecord
    say: Say
    asked: list[tuple[int, int, int]] = field(default_factory=list)
    failures: Mapping[tuple[int, int, int], int] = field(default_factory=dict)
    stops: frozenset[tuple[int, int, int]] = frozenset()
    scripted: bool = False

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return PROMPT

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        self.asked.append(request.key)
        asking.watch(Progress(request.seat, request.attempt, Phase.ASKED))
        if request.key in self.stops:
            raise PlayStopped("nobody pays for it")
        for number in range(1, self.failures.get(request.key, 0) + 1):
            await asyncio.sleep(0)
            await asking.record([self._call(request, number, error="transport", http_status=200)])
            spent = await asking.reserve_call()
            if spent:
                return Answer(Reply(None, failure=spent, outcome=Outcome.VOID))
        await asyncio.sleep(0)
        text = self.say(request)
        if text is None:
            return Answer(Reply(None, failure="the provider is down", outcome=Outcome.VOID))
        return Answer(Reply(text), (self._call(request, self.failures.get(request.key, 0) + 1, tokens=USED),))

    def _call(
        self,
        request: Request,
        number: int,
        *,
        error: str = "",
        http_status: int | None = 200,
        tokens: Mapping[str, int] | None = None,
    ) -> Called:
        used = dict(tokens or {})
        cost = PRICE.compute_cost(used, "") if used else None
        return Called(
            *request.key,
            call_number=number,
            provider="test",
            model="m",
            error=error,
            http_status=http_status,
            tokens=used,
            cost_microdollars=cost,
        )


def make_record(
    alias: str = "Ada", *, strategy: str = "", metering: Metering | None = METERING
) -> SeatRecord:
    return SeatRecord("talker", KIND, alias, strategy=strategy, metering=metering)


class Talkers:
    """Restores talkers for a run, and keeps all of them."""

    def __init__(self, say: Say = lambda request: str(request.part)) -> None:
        self.say = say
        self.made: list[PaidTalker] = []
        self.failures: Mapping[tuple[int, int, int], int] = {}
        self.stops: frozenset[tuple[int, int, int]] = frozenset()

    def restore(self, record: SeatRecord, benchmark: Benchmark) -> PaidTalker:
        talker = PaidTalker(record, self.say, failures=self.failures, stops=self.stops)
        self.made.append(talker)
        return talker

    @property
    def asked(self) -> list[tuple[int, int, int]]:
        return [key for talker in self.made for key in talker.asked]
