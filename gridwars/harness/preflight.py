"""Looks at a run before it costs anything: can every seat be played, and what will it take?

An estimate is a range. At the least, every model answers at once and briefly, and reads from the cache what
all prompts share. At the most, every answer is as long as it may be and has to be repaired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from gridwars.benchmarks.contract import Rejection
from gridwars.harness.budget import Purse
from gridwars.harness.plan import RunPlan
from gridwars.log.events import Message, SeatRecord
from gridwars.log.metering import MICRODOLLARS, Metering, Spend
from gridwars.log.spending import count_bytes
from gridwars.policies.checks import Check, Checked, Verdict
from gridwars.policies.policy import Policy
from gridwars.policies.provider import CACHED_FROM
from gridwars.policies.seats import name_seat
from gridwars.prompting.sizes import estimate_tokens

SHORT_ANSWER_TOKENS = 600
_BYTES_PER_TOKEN = 4
"""Of English and code, about, in the tokenizers in use."""


@dataclass(frozen=True, slots=True)
class SeatPreflight:
    """What was found out about a seat.

    Attributes:
        prompt_bytes: of the first question; later ones are longer.
        least, most: what the seat takes in the whole run.
        call: the most that its first call takes.
        is_priced: whether the dollars in `least` mean anything; in `most` they do, where a price is known,
            since a service tier without one counts as the dearest.
    """

    record: SeatRecord
    checks: tuple[Check, ...]
    prompt_bytes: int = 0
    least: Spend = field(default_factory=Spend)
    most: Spend = field(default_factory=Spend)
    call: Spend = field(default_factory=Spend)
    is_priced: bool = True


async def check_run(plan: RunPlan, *, look_up: bool, call: bool) -> tuple[SeatPreflight, ...]:
    """What can be found out about each seat, in seat order.

    Args:
        look_up: as `Checked.check`, and so is `call`.
    """
    policies = plan.fill_seats(1)
    batch = plan.benchmark.start(plan.configure(1)).open()
    assert batch is not None, "an episode begins with a batch"
    batch_count = plan.benchmark.count_most_batches(plan.config) * plan.episode_count
    known: dict[bytes, tuple[Check, ...]] = {}
    found = []
    for seat, policy in enumerate(policies):
        key = msgspec.json.encode(msgspec.structs.replace(policy.record, alias=""))
        if key not in known:
            known[key] = tuple(await _check(policy, look_up=look_up, call=call))
        request = next((request for request in batch.requests if request.seat == seat), batch.requests[0])
        prompt = policy.render_prompt(request)
        preflight = SeatPreflight(policy.record, known[key], _count(prompt))
        if policy.record.metering is not None:
            preflight = replace(preflight, checks=(*preflight.checks, _check_cache(policy.record, prompt)))
            repair = policy.render_prompt(
                msgspec.structs.replace(request, attempt=2, rejection=Rejection("an error"))
            )
            preflight = _estimate(preflight, policy.record.metering, prompt, repair, batch_count)
        found.append(preflight)
    return tuple(found)


def find_lacks(plan: RunPlan, seats: Sequence[SeatPreflight]) -> list[str]:
    """Why seats could make no call at all within the plan's budget, in words."""
    budget = plan.limits.budget
    purses = (
        Purse("the run", budget.run),
        Purse("the episode", budget.episode),
        Purse("the strategy", budget.strategy),
    )
    return [
        f"seat {name_seat(number)} could make no call: {lack}; raise the budget, or lower max_output_tokens"
        for number, seat in enumerate(seats)
        if seat.record.metering is not None
        and (lack := next((found for purse in purses if (found := purse.find_lack(seat.call))), ""))
    ]


async def _check(policy: Policy, *, look_up: bool, call: bool) -> Sequence[Check]:
    checks = list(await policy.check(look_up=look_up, call=call)) if isinstance(policy, Checked) else []
    metering = policy.record.metering
    if metering is not None:
        checks.append(_check_price(metering))
    return checks


def _check_price(metering: Metering) -> Check:
    price = metering.price
    if price is None:
        detail = "no price is known; give one with --prices FILE, or use budgets in tokens or calls"
        return Check("price", Verdict.UNKNOWN, detail)
    rates = ", ".join(
        f"{bucket} ${price.rates[bucket] / MICRODOLLARS:g}" for bucket in ("input", "cache_read", "output")
    )
    if metering.tier not in price.tiers:
        return Check("price", Verdict.UNKNOWN, f'no price is known for service tier "{metering.tier}"')
    return Check("price", Verdict.OK, f"{rates} for a million tokens ({price.table}; check before use)")


def _check_cache(record: SeatRecord, prompt: Sequence[Message]) -> Check:
    """Whether what all prompts begin with is long enough for the provider to cache it."""
    shared = estimate_tokens("".join(message.text for message in prompt if message.role == "system"))
    least, most = CACHED_FROM.get(record.kind, (0, 0))
    begin = f"every prompt begins with the same {shared:,} tokens, about"
    if not most:
        return Check("cache", Verdict.UNKNOWN, f"{begin}; it is not known from how many on they are cached")
    if shared >= most:
        return Check("cache", Verdict.OK, f"{begin}; they are cached from {most:,} on")
    if shared < least:
        return Check("cache", Verdict.UNKNOWN, f"{begin}; fewer than {least:,} are not cached")
    some = f"some models cache from {least:,} tokens on, others only from up to {most:,}"
    return Check("cache", Verdict.UNKNOWN, f"{begin}; {some}")


def _estimate(
    preflight: SeatPreflight,
    metering: Metering,
    prompt: Sequence[Message],
    repair: Sequence[Message],
    batch_count: int,
) -> SeatPreflight:
    shared = _count([message for message in prompt if message.role == "system"]) // _BYTES_PER_TOKEN
    own = _count(prompt) // _BYTES_PER_TOKEN - shared
    output = min(SHORT_ANSWER_TOKENS, metering.maximum_output_tokens)
    least = Spend(
        1, shared + own + output, _price(metering, {"cache_read": shared, "input": own, "output": output})
    )
    # A repair shows the model its own answer again.
    answer_bytes = metering.maximum_output_tokens * _BYTES_PER_TOKEN
    most = metering.compute_most(_count(prompt)).plus(metering.compute_most(_count(repair) + answer_bytes))
    return replace(
        preflight,
        least=least.times(batch_count),
        most=most.times(batch_count),
        call=metering.compute_most(_count(prompt)),
        is_priced=metering.price is not None and metering.tier in metering.price.tiers,
    )


def _price(metering: Metering, tokens: Mapping[str, int]) -> int:
    return 0 if metering.price is None else metering.price.compute_cost(tokens, metering.tier) or 0


def _count(prompt: Sequence[Message]) -> int:
    return sum(count_bytes(message.text) for message in prompt)
