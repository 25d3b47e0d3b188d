"""What a model's tokens cost, in whole microdollars, as a log keeps it and anybody can compute it again."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

_MILLION = 1_000_000
_PERCENT = 100


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one model costs.

    Attributes:
        table: which price table says so, with its date.
        rates: microdollars for a million tokens, by bucket; every bucket has one.
        tiers: percent of the rates that a service tier costs, by the provider's name for it; "" is the
            tier of a provider that names none.
    """

    table: str
    rates: dict[str, int]
    tiers: dict[str, int]

    def compute_cost(self, tokens: Mapping[str, int], tier: str) -> int | None:
        """What a call cost, rounded up to a whole microdollar; None where its tier has no price."""
        percent = self.tiers.get(tier)
        if percent is None or not tokens.keys() <= self.rates.keys():
            return None
        cost = percent * sum(count * self.rates[bucket] for bucket, count in tokens.items())
        return -(-cost // (_MILLION * _PERCENT))


class Metering(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a budget must know of a seat whose calls are paid for.

    Attributes:
        maximum_output_tokens: of one call, reasoning included.
        price: None where the price table does not know the model.
        tier: the service tier that is asked for; the dearest that may be served where that is left open.
    """

    maximum_output_tokens: int
    price: Price | None = None
    tier: str = ""
