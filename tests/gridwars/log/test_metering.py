"""Costs are exact whole microdollars, rounded up, and bounds are bounds."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gridwars.log.metering import Metering, Price, Spend, count_most_tokens
from gridwars.log.usage import Bucket

RATES = {bucket.value: 1_000_000 * (number + 1) for number, bucket in enumerate(Bucket)}
PRICE = Price("t", RATES, {"": 100, "flex": 50, "fast": 250})

token_counts = st.dictionaries(
    st.sampled_from([bucket.value for bucket in Bucket]), st.integers(0, 10_000_000), max_size=9
)


def test_each_bucket_costs_its_own_rate() -> None:
    assert PRICE.compute_cost({"input": 3, "cache_read": 5}, "") == 3 * 1 + 5 * 2


@given(tokens=token_counts, tier=st.sampled_from(list(PRICE.tiers)))
def test_a_cost_is_the_exact_sum_rounded_up(tokens: dict[str, int], tier: str) -> None:
    exact = sum(
        Fraction(count * RATES[bucket] * PRICE.tiers[tier], 100 * 1_000_000)
        for bucket, count in tokens.items()
    )
    cost = PRICE.compute_cost(tokens, tier)
    assert cost is not None
    assert 0 <= cost - exact < 1


def test_a_fraction_of_a_microdollar_counts_as_a_whole_one() -> None:
    cheap = Price("t", {"input": 1}, {"": 100})
    assert cheap.compute_cost({"input": 1}, "") == 1
    assert cheap.compute_cost({}, "") == 0


def test_a_tier_or_bucket_without_a_price_has_no_cost() -> None:
    assert PRICE.compute_cost({"input": 1}, "ultrafast") is None
    assert PRICE.compute_cost({"audio": 1}, "") is None


@given(
    prompt=st.text(max_size=400),
    maximum=st.integers(1, 100_000),
    bucket=st.sampled_from([each for each in Bucket if each not in (Bucket.OUTPUT, Bucket.REASONING)]),
    tier=st.sampled_from(list(PRICE.tiers)),
)
def test_no_call_costs_more_than_its_bound(prompt: str, maximum: int, bucket: Bucket, tier: str) -> None:
    size = len(prompt.encode("utf-8", "surrogatepass"))
    most = Metering(maximum, PRICE, tier).compute_most(size)
    used = {bucket.value: count_most_tokens(size), "reasoning": maximum}
    cost = PRICE.compute_cost(used, tier)
    assert cost is not None
    assert cost <= most.microdollars
    assert sum(used.values()) == most.tokens


def test_a_tier_that_is_not_known_is_bound_by_the_dearest() -> None:
    assert Metering(10, PRICE, "ultrafast").compute_most(0) == Metering(10, PRICE, "fast").compute_most(0)


def test_without_a_price_calls_and_tokens_are_bound_all_the_same() -> None:
    assert Metering(10).compute_most(100) == Spend(1, 50 + 64 + 10, 0)


def test_spends_add_and_subtract() -> None:
    assert Spend(1, 2, 3).plus(Spend(4, 5, 6)).minus(Spend(1, 1, 1)) == Spend(4, 6, 8)
    assert Spend(1, 2, 3).times(3) == Spend(3, 6, 9)
