"""What was spent is a sum over the log's calls; what a budget is charged is never less."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from gridwars.benchmarks.contract import Event
from gridwars.log.events import Answered, Asked, Called, Message, Start, Text
from gridwars.log.exchange import check_exchange
from gridwars.log.line import Line
from gridwars.log.metering import Spend
from gridwars.log.spending import Account, Accounts, Charge
from tests.gridwars.paid_talker import METERING, MOST_TOKENS, PROMPT, make_record

ASKED = Asked(1, 0, 1, PROMPT)
ANSWERED = Answered(1, 0, 1, "x")
MOST = Spend(1, MOST_TOKENS, MOST_TOKENS)


def call(
    tokens: int = 0, cost: int | None = None, *, error: str = "", status: int | None = 200, attempt: int = 1
) -> Called:
    return Called(
        *(1, 0, attempt, 1, "p", "m"),
        error=error,
        http_status=status,
        tokens={"input": tokens} if tokens else {},
        cost_microdollars=cost,
    )


def add_up(events: Sequence[Event]) -> Account:
    accounts = Accounts([make_record()])
    for event in events:
        accounts.take(event)
    return accounts.total


def test_a_call_is_charged_what_it_cost() -> None:
    assert add_up([ASKED, call(50, 70), ANSWERED]) == Account(Spend(1, 50, 70), 0, Spend(1, 50, 70))


@pytest.mark.parametrize(
    ("event", "unpriced", "charged"),
    [
        (call(status=429, error="rate_limit", cost=0), 0, Spend(1)),
        (call(status=None, error="transport"), 0, Spend(1)),
        (call(status=200, error="transport"), 1, MOST),
        (call(status=200, error="cancelled", tokens=7, cost=7), 0, MOST),
        (call(status=200), 1, MOST),
        (call(status=200, cost=0), 0, Spend(1)),
        (call(status=200, tokens=9), 1, Spend(1, 9, MOST.microdollars)),
    ],
    ids=[
        "refused",
        "never reached",
        "cut off",
        "cut off amid its usage",
        "no usage",
        "usage of nothing",
        "tier without a price",
    ],
)
def test_what_nobody_knows_is_charged_at_its_most(event: Called, unpriced: int, charged: Spend) -> None:
    account = add_up([ASKED, event])
    assert account.spend == Spend(1, sum(event.tokens.values()), event.cost_microdollars or 0)
    assert (account.unpriced_calls, account.charged) == (unpriced, charged)


def test_a_prompt_that_is_named_by_its_digest_counts_with_its_text() -> None:
    digest = "0" * 64
    shared = Text(digest, "é" * 500)
    asked = Asked(1, 0, 1, (Message("system", digest=digest),))
    assert add_up([shared, asked, call()]).charged == METERING.compute_most(1000)


def test_a_call_under_way_where_the_log_ends_is_charged_once() -> None:
    accounts = Accounts([make_record()])
    assert accounts.take(ASKED) is None
    assert accounts.close() == [Charge(0, MOST)]
    assert accounts.close() == []
    assert accounts.take(ASKED) is None
    accounts.take(call(50, 70))
    accounts.take(ANSWERED)
    assert accounts.total == Account(Spend(1, 50, 70), 0, MOST.plus(Spend(1, 50, 70)), lost_calls=1)


def test_a_question_asked_again_without_an_answer_between_was_lost() -> None:
    assert add_up([ASKED, ASKED, call(50, 70), ANSWERED]).charged == MOST.plus(Spend(1, 50, 70))


def test_a_seat_without_metering_is_charged_nothing() -> None:
    accounts = Accounts([make_record(metering=None)])
    accounts.take(ASKED)
    assert accounts.close() == []
    assert accounts.total == Account()


def test_accounts_are_by_seat() -> None:
    accounts = Accounts([make_record(), make_record()])
    accounts.take(Asked(1, 1, 1, PROMPT))
    accounts.take(Called(1, 1, 1, 1, "p", "m", http_status=200, tokens={"input": 3}, cost_microdollars=4))
    assert accounts.by_seat[0] == Account()
    assert accounts.by_seat[1].spend == accounts.total.spend == Spend(1, 3, 4)


def test_a_cost_that_the_tokens_do_not_come_to_is_found() -> None:
    start = Start("p", "toy", 1, "0", {}, (make_record(),))
    when = datetime(2026, 11, 30, tzinfo=UTC)
    for cost, found in ((50, []), (None, []), (49, ["cost_microdollars"])):
        events = [start, ASKED, call(50, cost), ANSWERED]
        lines = [Line(number, when, "", event) for number, event in enumerate(events, start=1)]
        assert [finding.field for finding in check_exchange(lines)] == found
