"""The limit on open calls finds its place, and the breaker pauses and probes; time is an argument."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.policies.provider import ErrorKind
from gridwars.policies.throttle import Breaker, Gate, Settled, Throttle, ThrottleRules, Ticket
from tests.hurrying_loop import hurry

RULES = ThrottleRules(first_limit=4, highest_limit=64, failures=3, first_pause_seconds=5)


def admit_all(throttle: Throttle, now: float) -> list[Ticket]:
    tickets = []
    while throttle.find_opening(now) == now:
        tickets.append(throttle.admit(now))
    return tickets


def get_breaker(throttle: Throttle) -> Breaker:
    return throttle.breaker


def settle_all(throttle: Throttle, tickets: list[Ticket], ending: Settled | ErrorKind, now: float) -> None:
    for ticket in tickets:
        throttle.settle(ticket, ending, now, None)


def test_success_doubles_the_limit_each_round_of_calls_until_the_highest() -> None:
    throttle = Throttle(RULES)
    sizes = []
    for now in range(6):
        tickets = admit_all(throttle, now)
        sizes.append(len(tickets))
        settle_all(throttle, tickets, Settled.ANSWERED, now + 0.5)
    assert sizes == [4, 8, 16, 32, 64, 64]


def test_a_limit_that_is_not_reached_does_not_grow() -> None:
    throttle = Throttle(RULES)
    for now in range(50):
        throttle.settle(throttle.admit(now), Settled.ANSWERED, now, None)
    assert throttle.limit == 4


def test_refusals_of_one_round_cut_the_limit_once() -> None:
    throttle = Throttle(ThrottleRules(first_limit=32))
    tickets = admit_all(throttle, 0)
    settle_all(throttle, tickets[:20], ErrorKind.RATE_LIMIT, 1)
    settle_all(throttle, tickets[20:], Settled.ANSWERED, 1)
    assert 16 <= throttle.limit < 17.5


def test_after_a_cut_the_limit_grows_by_about_one_each_round() -> None:
    throttle = Throttle(ThrottleRules(first_limit=32))
    throttle.settle(admit_all(throttle, 0)[0], ErrorKind.RATE_LIMIT, 1, None)
    throttle.open_count = 0
    for now in range(2, 12):
        settle_all(throttle, admit_all(throttle, now), Settled.ANSWERED, now)
    assert 24 <= throttle.limit <= 27


def test_the_limit_finds_what_a_provider_allows() -> None:
    throttle = Throttle(RULES)
    sizes = []
    for now in range(200):
        tickets = admit_all(throttle, now)
        sizes.append(len(tickets))
        settle_all(throttle, tickets[:20], Settled.ANSWERED, now + 0.5)
        settle_all(throttle, tickets[20:], ErrorKind.RATE_LIMIT, now + 0.6)
    settled = sizes[20:]
    assert max(settled) <= 21
    assert sum(settled) / len(settled) > 13


def test_overload_waits_without_a_cut() -> None:
    throttle = Throttle(RULES)
    tickets = admit_all(throttle, 0)
    settle_all(throttle, tickets[:2], ErrorKind.OVERLOAD, 1)
    assert throttle.limit == 4
    assert throttle.find_opening(1) == 1


@pytest.mark.parametrize(("asked", "opening"), [(7.0, 8.0), (9999.0, 301.0)])
def test_nothing_passes_while_the_provider_asks_for_quiet(asked: float, opening: float) -> None:
    throttle = Throttle(RULES)
    throttle.settle(throttle.admit(0), ErrorKind.RATE_LIMIT, 1, asked)
    assert throttle.find_opening(1) == opening
    assert throttle.find_opening(opening) == opening


def test_failures_without_a_success_open_the_breaker_and_one_call_probes() -> None:
    throttle = Throttle(RULES)
    settle_all(throttle, admit_all(throttle, 0)[:3], ErrorKind.TRANSPORT, 1)
    throttle.open_count = 0
    assert get_breaker(throttle) is Breaker.OPEN
    assert throttle.find_opening(1) == 6
    probe = throttle.admit(6)
    assert get_breaker(throttle) is Breaker.PROBING
    assert throttle.find_opening(6) is None
    throttle.settle(probe, Settled.ANSWERED, 7, None)
    assert get_breaker(throttle) is Breaker.CLOSED
    assert len(admit_all(throttle, 7)) >= 4


def test_each_failed_probe_doubles_the_pause_up_to_the_longest() -> None:
    throttle = Throttle(ThrottleRules(failures=1, first_pause_seconds=5, longest_pause_seconds=60))
    now, pauses = 0.0, []
    for _ in range(6):
        throttle.settle(throttle.admit(now), ErrorKind.TRANSPORT, now, None)
        opening = throttle.find_opening(now)
        assert opening is not None
        pauses.append(opening - now)
        now = opening
    assert pauses == [5, 10, 20, 40, 60, 60]


def test_a_success_between_failures_keeps_the_breaker_closed() -> None:
    throttle = Throttle(RULES)
    for now in range(20):
        ending = Settled.ANSWERED if now % 3 == 2 else ErrorKind.TRANSPORT
        throttle.settle(throttle.admit(now), ending, now, None)
    assert get_breaker(throttle) is Breaker.CLOSED


def test_a_probe_that_is_cut_off_leaves_the_next_one_to_probe() -> None:
    throttle = Throttle(ThrottleRules(failures=1))
    throttle.settle(throttle.admit(0), ErrorKind.OVERLOAD, 0, None)
    throttle.settle(throttle.admit(5), Settled.ABANDONED, 6, None)
    assert throttle.find_opening(6) == 6
    assert throttle.admit(6).probe


def test_a_late_failure_does_not_end_the_probe_of_another() -> None:
    throttle = Throttle(ThrottleRules(failures=1))
    early, late = throttle.admit(0), throttle.admit(0)
    throttle.settle(early, ErrorKind.TRANSPORT, 0, None)
    throttle.admit(5)
    throttle.settle(late, ErrorKind.TRANSPORT, 6, None)
    assert get_breaker(throttle) is Breaker.PROBING
    assert throttle.find_opening(6) is None


ENDINGS: st.SearchStrategy[Settled | ErrorKind] = st.sampled_from([*Settled, *ErrorKind])


@given(st.lists(st.tuples(ENDINGS, st.floats(0, 50), st.none() | st.floats(0, 1000)), max_size=80))
def test_whatever_happens_a_call_may_pass_sooner_or_later(
    story: list[tuple[Settled | ErrorKind, float, float | None]],
) -> None:
    throttle = Throttle(RULES)
    now = 0.0
    held: list[Ticket] = []
    for ending, seconds, retry_after in story:
        opening = throttle.find_opening(now)
        assert opening is None or opening <= now + 300
        now = opening if opening is not None else now
        if throttle.find_opening(now) is None:
            throttle.settle(held.pop(), ending, now, retry_after)
        else:
            held.append(throttle.admit(now))
        now += seconds
    for ticket in held:
        throttle.settle(ticket, Settled.ABANDONED, now, None)
    assert throttle.open_count == 0
    assert throttle.find_opening(now) is not None
    assert 1 <= throttle.limit <= RULES.highest_limit


def test_callers_pass_in_the_order_in_which_they_came() -> None:
    async def run() -> list[int]:
        gate = Gate(Throttle(ThrottleRules(first_limit=1, highest_limit=1)))
        passed = []

        async def call(number: int) -> None:
            ticket = await gate.enter(lambda seconds: None)
            passed.append(number)
            await asyncio.sleep(1)
            gate.leave(ticket, Settled.ANSWERED)

        await asyncio.gather(*map(call, range(5)))
        return passed

    assert hurry(run()) == [0, 1, 2, 3, 4]


def test_a_caller_that_gives_up_leaves_its_place_to_the_next() -> None:
    async def run() -> None:
        gate = Gate(Throttle(ThrottleRules(first_limit=1, highest_limit=1)))
        holder = await gate.enter(lambda seconds: None)
        waiting = [asyncio.ensure_future(gate.enter(lambda seconds: None)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.leave(holder, Settled.ANSWERED)
        assert await waiting[1] is not None
        assert gate.throttle.open_count == 1

    hurry(run())


def test_a_caller_that_gives_up_as_it_is_let_pass_does_not_keep_its_place() -> None:
    async def run() -> None:
        gate = Gate(Throttle(ThrottleRules(first_limit=1, highest_limit=1)))
        holder = await gate.enter(lambda seconds: None)
        waiting = asyncio.ensure_future(gate.enter(lambda seconds: None))
        await asyncio.sleep(0)
        gate.leave(holder, Settled.ANSWERED)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert gate.throttle.open_count == 0

    hurry(run())


def test_callers_are_told_of_a_pause_and_pass_when_it_is_over() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        gate = Gate(Throttle(RULES))
        gate.leave(await gate.enter(lambda seconds: None), ErrorKind.RATE_LIMIT, 120)
        told: list[float | None] = []
        started = loop.time()
        gate.leave(await gate.enter(told.append), Settled.ANSWERED)
        assert [round(seconds or 0) for seconds in told] == [120]
        # A clock's numbers have no exact difference.
        assert 120 - 1e-6 <= loop.time() - started < 121

    hurry(run())


def test_a_provider_that_is_down_for_an_hour_costs_few_calls_and_no_caller() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        gate = Gate(Throttle(ThrottleRules()))
        end = loop.time() + 3600
        failed = 0

        async def call_until_answered() -> None:
            nonlocal failed
            while True:
                ticket = await gate.enter(lambda seconds: None)
                if loop.time() >= end:
                    gate.leave(ticket, Settled.ANSWERED)
                    return
                failed += 1
                gate.leave(ticket, ErrorKind.TRANSPORT)
                await asyncio.sleep(1)

        await asyncio.gather(*(call_until_answered() for _ in range(100)))
        assert failed < 80
        assert loop.time() < end + 200

    hurry(run())
