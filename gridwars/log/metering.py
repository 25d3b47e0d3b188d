"""What a model's tokens cost and may cost, in whole microdollars, as a log keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

MICRODOLLARS = 1_000_000
"""In a dollar."""

_MILLION = 1_000_000
_PERCENT = 100
_OUTPUT_BUCKETS = frozenset({"output", "reasoning"})


class Spend(NamedTuple):
    """Calls, the tokens that passed through a model in them, and what they cost."""

    calls: int = 0
    tokens: int = 0
    microdollars: int = 0

    def plus(self, other: Spend) -> Spend:
        return Spend(*(mine + others for mine, others in zip(self, other, strict=True)))

    def minus(self, other: Spend) -> Spend:
        return Spend(*(mine - others for mine, others in zip(self, other, strict=True)))

    def times(self, count: int) -> Spend:
        return Spend(*(count * mine for mine in self))


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one model costs.

    Attributes:
        table: which price table says so, with its date.
        rates: microdollars for a million tokens, by bucket; every bucket has one.
        tiers: percent of the rates that a service tier costs, by the provider's name for it.
    """

    table: str
    rates: dict[str, int]
    tiers: dict[str, int]

    def compute_cost(self, tokens: Mapping[str, int], tier: str) -> int | None:
        """What a call cost, rounded up to a whole microdollar; None where its tier has no price."""
        percent = self.tiers.get(tier)
        if percent is None or not tokens.keys() <= self.rates.keys():
            return None
        return _round_up(percent * sum(count * self.rates[bucket] for bucket, count in tokens.items()))

    def compute_most(self, input_tokens: int, output_tokens: int, tier: str) -> int:
        """What a call may cost at most: all of its prompt written to the dearest cache."""
        percent = self.tiers.get(tier, max(self.tiers.values()))
        dearest_input = max(rate for bucket, rate in self.rates.items() if bucket not in _OUTPUT_BUCKETS)
        dearest_output = max(rate for bucket, rate in self.rates.items() if bucket in _OUTPUT_BUCKETS)
        return _round_up(percent * (input_tokens * dearest_input + output_tokens * dearest_output))


class Metering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a budget must know of a seat whose calls are paid for.

    Attributes:
        maximum_output_tokens: of one call, reasoning included.
        price: None where the price table does not know the model.
        tier: the service tier that is asked for; one without a price counts as the dearest.
    """

    maximum_output_tokens: int
    price: Price | None = None
    tier: str = ""

    def compute_cost(self, tokens: Mapping[str, int], served_tier: str) -> int | None:
        """What a call cost, by the tier that was served where that is told; None where no price is known."""
        return None if self.price is None else self.price.compute_cost(tokens, served_tier or self.tier)

    def compute_most(self, prompt_bytes: int) -> Spend:
        """What one call may take at most; no dollars where there is no price."""
        input_tokens = count_most_tokens(prompt_bytes)
        output_tokens = self.maximum_output_tokens
        cost = 0 if self.price is None else self.price.compute_most(input_tokens, output_tokens, self.tier)
        return Spend(1, input_tokens + output_tokens, cost)


class Allowance(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The most that may be spent; None: as much as is wanted."""

    microdollars: int | None = None
    tokens: int | None = None
    calls: int | None = None


class Budget(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What models may cost.

    Attributes:
        run: all episodes together.
        episode: each.
        strategy: each strategy, over all episodes and seats that play it.
    """

    run: Allowance = Allowance()
    episode: Allowance = Allowance()
    strategy: Allowance = Allowance()


def count_most_tokens(text_bytes: int) -> int:
    """A bound that no tokenizer in use comes near with English and code, and the frame around messages."""
    return -(-text_bytes // 2) + 64


def _round_up(hundred_million_parts: int) -> int:
    return -(-hundred_million_parts // (_MILLION * _PERCENT))


CONTEXT_FULL = "the model's context window was full"


def tell_limit(metering: Metering | None) -> str:
    """What cut an answer that reached its limit, in words that a seat is shown."""
    count = "" if metering is None else f" of {metering.maximum_output_tokens:,} tokens, reasoning included,"
    return f"the output limit{count} was reached"
