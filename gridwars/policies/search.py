"""Seats played by a benchmark's own search: a strong opponent that needs no model and no key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from gridwars.benchmarks.contract import Baseline, Benchmark, Reply, Request, Search
from gridwars.log.events import Message, SeatRecord
from gridwars.policies.making import Making, require_no_parameters
from gridwars.policies.policy import Answer, Asking, PolicyError

LEAST_BUDGET, MOST_BUDGET = 100, 1_000_000


class SearchPolicy:
    """Searches for every reply, within a budget that its record holds; the same record finds the same.

    Attributes:
        decide: the search, from what the seat sees to its reply.
    """

    scripted = True

    def __init__(self, record: SeatRecord, decide: Baseline) -> None:
        self.record = record
        self.decide = decide

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return ()

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        # In a thread, since it takes seconds, in which other seats' models are answering. One that is
        # cancelled goes on to the end of its budget, which comes soon and reaches nobody.
        return Answer(Reply(text=await asyncio.to_thread(self.decide, request.observation), scripted=True))


def make_search(text: str, making: Making) -> SearchPolicy:
    """The policy for `search`, or `search:BUDGET`.

    Raises:
        PolicyError: for a benchmark without a search, a budget that is none, and for any parameter.
    """
    seat = f"search:{text}" if text else "search"
    require_no_parameters(seat, making)
    search = _find_search(seat, making.benchmark)
    budget = search.default_budget
    if text:
        is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_BUDGET))
        if not (is_number and LEAST_BUDGET <= int(text) <= MOST_BUDGET):
            raise PolicyError(
                f'seat "{seat}": a budget is a number of {search.budget_noun}, {LEAST_BUDGET}..{MOST_BUDGET}'
            )
        budget = int(text)
    record = SeatRecord(policy=seat, kind="search", alias=making.alias, parameters={"budget": budget})
    return SearchPolicy(record, search.make(budget))


def restore_search(record: SeatRecord, benchmark: Benchmark) -> SearchPolicy:
    search = _find_search(record.policy, benchmark)
    budget = record.parameters.get("budget")
    if not isinstance(budget, int):
        raise PolicyError(f'seat "{record.policy}": the log holds no budget for this search')
    return SearchPolicy(record, search.make(budget))


def _find_search(seat: str, benchmark: Benchmark) -> Search:
    if benchmark.search is None:
        raise PolicyError(f'seat "{seat}": {benchmark.title} has no search; name a built-in or a file')
    return benchmark.search
