"""No call that a budget has no room for is made; what it was charged survives every cut of the log."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Event, Origin, Outcome
from gridwars.clock import SystemClock
from gridwars.harness.budget import Purse, Till, Treasury, render_dollars, require_prices
from gridwars.harness.orchestrator import Played, Terms, play_episode, resume_episode
from gridwars.log.events import Answered, Asked, Called, Judged, Limits, SeatRecord
from gridwars.log.metering import Allowance, Budget, Metering, Spend
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.policy import EpisodeStopped, PlayStopped, Policy, PolicyError
from gridwars.policies.registry import make_policies
from tests.gridwars.paid_talker import KIND, METERING, MOST_TOKENS, PaidTalker, Talkers, make_record
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY, Bid
from tests.gridwars.toy_log import split_lines

KEY = (1, 0, 1)
ALIASES = ("Ada", "Bob", "Cyd")
USED = 50
"""Tokens of one call that answers, and its microdollars."""


def play(path: Path, talkers: Sequence[Policy], budget: Budget, treasury: Treasury | None = None) -> Played:
    fillers = make_policies(["miser"] * (3 - len(talkers)), ALIASES[len(talkers) :], TOY)
    return asyncio.run(
        play_episode(
            TOY,
            TOY.configure({}),
            [*talkers, *fillers],
            path,
            clock=SystemClock(),
            limits=Limits(budget=budget),
            observe=lambda event, known: None,
            terms=Terms(treasury=treasury),
        )
    )


def resume(path: Path, treasury: Treasury | None = None) -> Played:
    return asyncio.run(
        resume_episode(
            path,
            clock=SystemClock(),
            observe=lambda event, known: None,
            terms=Terms(treasury=treasury),
            benchmarks=BENCHMARKS,
        )
    )


def read(path: Path) -> tuple[Event, ...]:
    return read_log(path, benchmarks=BENCHMARKS).require_sound().events


def make_talker(alias: str = "Ada", *, strategy: str = "", say: str = "7") -> PaidTalker:
    return PaidTalker(make_record(alias, strategy=strategy), lambda request: say)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "episode.jsonl"


def test_without_limits_nothing_is_kept_from_being_asked(path: Path) -> None:
    played = play(path, [make_talker()], Budget())
    assert played.voids == ()
    assert played.account.spend == Spend(3, 3 * USED, 3 * USED)


@pytest.mark.parametrize(
    ("allowance", "said"),
    [
        (Allowance(calls=2), "2 of 2 are made"),
        (Allowance(tokens=2 * USED + MOST_TOKENS - 1), "next call may take 200"),
        (Allowance(microdollars=2 * USED + MOST_TOKENS - 1), "next call may cost $0.0002"),
    ],
    ids=["calls", "tokens", "dollars"],
)
def test_a_seat_whose_episode_has_no_room_is_not_asked_and_falls_back(
    allowance: Allowance, said: str, path: Path
) -> None:
    talker = make_talker()
    played = play(path, [talker], Budget(episode=allowance))
    assert talker.asked == [(1, 0, 1), (2, 0, 1)]
    bids = [event for event in read(path) if isinstance(event, Bid) and event.seat == 0]
    assert [bid.origin for bid in bids] == [Origin.LLM, Origin.LLM, Origin.FALLBACK]
    assert said in bids[2].reason
    assert [void.part for void in played.voids] == [3]


def test_a_budget_that_is_just_enough_is_enough(path: Path) -> None:
    played = play(path, [make_talker()], Budget(episode=Allowance(tokens=2 * USED + MOST_TOKENS, calls=3)))
    assert played.voids == ()


def test_seats_of_a_batch_wait_for_each_other_in_seat_order(path: Path) -> None:
    asked: list[tuple[int, int, int]] = []
    first, second = make_talker("Ada"), make_talker("Bob")
    first.asked = second.asked = asked
    played = play(path, [first, second], Budget(episode=Allowance(tokens=5 * USED + MOST_TOKENS)))
    assert asked == [(part, seat, 1) for part in (1, 2, 3) for seat in (0, 1)]
    assert played.voids == ()


def test_who_waits_for_the_budget_is_told_what_for() -> None:
    treasury = Treasury(Budget(run=Allowance(microdollars=MOST_TOKENS)))

    async def run() -> str:
        first, second = (Till(treasury, [make_record()]) for _ in range(2))
        assert await first.reserve(KEY, 72, lambda reason: None) == ""
        reasons: list[str] = []
        waiting = asyncio.ensure_future(second.reserve(KEY, 72, reasons.append))
        await asyncio.sleep(0)
        assert not waiting.done()
        first.take(Answered(*KEY, None))
        assert await waiting == ""
        return reasons[0]

    reason = asyncio.run(run())
    assert reason == (
        "for the end of a call under way: "
        "the budget of the run is $0.0002; $0.00 are spent, $0.0002 set aside for 1 call under way, "
        "and the next call may cost $0.0002"
    )


def test_each_strategy_has_its_own_purse(path: Path) -> None:
    talkers = [
        make_talker("Ada", strategy="plan"),
        make_talker("Bob", strategy="bare"),
        make_talker("Cyd", strategy="plan"),
    ]
    played = play(path, talkers, Budget(strategy=Allowance(calls=3)))
    assert [len(talker.asked) for talker in talkers] == [2, 3, 1]
    assert all('strategy "plan"' in void.reason for void in played.voids)


def test_a_repair_needs_room_too(path: Path) -> None:
    talker = make_talker(say="seven")
    play(path, [talker], Budget(episode=Allowance(calls=1)))
    assert talker.asked == [(1, 0, 1)]
    judged = [event for event in read(path) if isinstance(event, Judged)]
    assert [event.outcome for event in judged[:2]] == [Outcome.INVALID, Outcome.BUDGET]


def test_a_call_that_failed_is_charged_at_its_most_before_the_next_is_made(path: Path) -> None:
    talker = PaidTalker(make_record(), lambda request: "7", failures={(1, 0, 1): 5})
    played = play(path, [talker], Budget(episode=Allowance(tokens=3 * MOST_TOKENS)))
    calls = [event for event in read(path) if isinstance(event, Called) and event.part == 1]
    assert len(calls) == 3
    assert "budget" in played.voids[0].reason
    assert played.account.charged.tokens == 3 * MOST_TOKENS


def test_a_run_without_room_stops_before_the_batch_and_goes_on_with_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talkers = Talkers()
    monkeypatch.setitem(registry.KINDS, KIND, talkers.restore)
    budget = Budget(run=Allowance(calls=2))
    with pytest.raises(PlayStopped, match="larger budget"):
        play(path, [make_talker()], budget)
    assert sum(isinstance(event, Asked) for event in read(path)) == 2
    with pytest.raises(PlayStopped):
        resume(path)
    played = resume(path, Treasury(Budget(run=Allowance(calls=3))))
    assert played.voids == ()
    assert talkers.asked == [(3, 0, 1)]


def test_episodes_share_the_purse_of_the_run(tmp_path: Path) -> None:
    treasury = Treasury(Budget(run=Allowance(calls=5)))
    play(tmp_path / "first.jsonl", [make_talker()], treasury.budget, treasury)
    talker = make_talker()
    with pytest.raises(PlayStopped):
        play(tmp_path / "second.jsonl", [talker], treasury.budget, treasury)
    assert len(talker.asked) == 2
    assert treasury.run.spent.calls == 5
    assert treasury.run.reserved == Spend()


def test_a_finished_episode_is_charged_from_its_log(path: Path) -> None:
    treasury = Treasury(Budget())
    play(path, [make_talker()], Budget(), treasury)
    again = Treasury(Budget())
    log = read_log(path, benchmarks=BENCHMARKS)
    assert log.start is not None
    again.charge_finished(log.start.seats, log.events)
    assert again.run.spent == treasury.run.spent == Spend(3, 3 * USED, 3 * USED)


def test_sums_are_the_same_after_a_cut_at_any_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talkers = Talkers(lambda request: "seven" if request.key == (2, 0, 1) else "7")
    talkers.failures = {(1, 0, 1): 1}
    monkeypatch.setitem(registry.KINDS, KIND, talkers.restore)
    whole = play(path, [talkers.restore(make_record(), TOY)], Budget())
    assert whole.account.spend == Spend(5, 4 * USED, 4 * USED)
    lines = split_lines(path)
    for count in range(1, len(lines)):
        cut = path.with_name(f"cut-{count}.jsonl")
        cut.write_bytes(b"".join(line + b"\n" for line in lines[:count]))
        answered = {event.key for event in read(cut) if isinstance(event, Answered)}
        talkers.made.clear()
        treasury = Treasury(Budget())
        played = resume(cut, treasury)
        assert played.results == whole.results
        assert not answered & set(talkers.asked)
        assert treasury.run.spent == played.account.charged
        # Calls that had brought no answer by then are made again; both were paid for, and both are counted.
        again = [
            Spend(1, sum(call.tokens.values()), call.cost_microdollars or 0)
            for call in read(cut)[:count]
            if isinstance(call, Called) and (call.part, call.seat, call.attempt) not in answered
        ]
        assert played.account.spend == functools.reduce(Spend.plus, again, whole.account.spend), count


def test_a_resumed_run_tells_its_observer_what_was_called_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.KINDS, KIND, Talkers().restore)
    play(path, [make_talker()], Budget())
    told: list[tuple[Event, bool]] = []
    asyncio.run(
        resume_episode(
            path,
            clock=SystemClock(),
            observe=lambda event, known: told.append((event, known)),
            benchmarks=BENCHMARKS,
        )
    )
    assert [known for event, known in told if isinstance(event, Called)] == [True] * 3
    assert sorted(map(repr, read(path))) == sorted(repr(event) for event, _ in told)


def test_a_dollar_limit_needs_every_price() -> None:
    unpriced = make_record(metering=Metering(100))
    free = SeatRecord("painter", "builtin", "Bob")
    for budget in (
        Budget(run=Allowance(microdollars=1)),
        Budget(episode=Allowance(microdollars=1)),
        Budget(strategy=Allowance(microdollars=1)),
    ):
        with pytest.raises(PolicyError, match="--prices"):
            require_prices(budget, [free, unpriced])
        require_prices(budget, [free, make_record()])
    require_prices(Budget(run=Allowance(tokens=1, calls=1)), [unpriced])


def reserve(till: Till, key: tuple[int, int, int], prompt_bytes: int) -> str:
    return asyncio.run(till.reserve(key, prompt_bytes, lambda reason: None))


def test_a_till_gives_back_what_it_set_aside() -> None:
    treasury = Treasury(Budget(episode=Allowance(calls=1)))
    till = Till(treasury, [make_record()])
    assert reserve(till, (1, 0, 1), 100) == ""
    assert treasury.run.reserved.calls == 1
    till.take(Asked(1, 0, 1))
    till.take(Answered(1, 0, 1, None))
    assert reserve(till, (1, 0, 2), 100) == ""
    till.release_all()
    assert treasury.run.reserved == Spend()
    assert treasury.run.spent == Spend()


def test_a_call_that_gives_up_waiting_keeps_nothing_set_aside() -> None:
    treasury = Treasury(Budget(run=Allowance(calls=1)))

    async def run() -> None:
        tills = [Till(treasury, [make_record()]) for _ in range(3)]
        waiting = [asyncio.ensure_future(till.reserve(KEY, 100, lambda reason: None)) for till in tills]
        await asyncio.sleep(0)
        tills[0].release(KEY)  # the second's turn comes while it is being cancelled
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert waiting[1].cancelled()
        assert waiting[2].result() == ""
        tills[2].release_all()

    asyncio.run(asyncio.wait_for(run(), 5))
    assert treasury.run.reserved == Spend()


def test_the_most_of_a_call_is_by_its_prompt() -> None:
    till = Till(Treasury(Budget(episode=Allowance(tokens=1000))), [make_record()])
    assert reserve(till, (1, 0, 1), 2000) != ""
    assert reserve(till, (1, 0, 1), 200) == ""
    assert METERING.compute_most(200).tokens < 1000 < METERING.compute_most(2000).tokens


class Simulated(NamedTuple):
    """A call: the bytes of its prompt, what it takes of the most, and how long (in turns of the loop)."""

    prompt_bytes: int
    percent: int
    duration: int


calls = st.builds(Simulated, st.integers(0, 400), st.integers(0, 100), st.integers(0, 5))
batches = st.lists(calls, min_size=1, max_size=3)
episodes = st.lists(st.lists(batches, min_size=1, max_size=4), min_size=1, max_size=8)


@given(episodes, st.integers(1, 8), st.integers(100, 3000), st.booleans())
def test_any_run_uses_its_budget_up_and_never_more(
    run: list[list[list[Simulated]]], parallel: int, tokens: int, fails_first: bool
) -> None:
    """Every episode either ends, or what is left holds no call of the size that it wanted."""
    treasury = Treasury(Budget(run=Allowance(tokens=tokens, microdollars=tokens)))
    purse = treasury.run
    lacking: list[Spend] = []

    def require_within() -> None:
        assert purse.spent.plus(purse.reserved).tokens <= tokens

    async def call(till: Till, key: tuple[int, int, int], simulated: Simulated) -> None:
        most = METERING.compute_most(simulated.prompt_bytes)
        try:
            assert await till.reserve(key, simulated.prompt_bytes, lambda reason: None) == ""
            for is_last in (False, True) if fails_first else (True,):
                if is_last and fails_first:
                    assert await till.reserve_again(key, lambda reason: None) == ""
                require_within()
                for _ in range(simulated.duration):
                    await asyncio.sleep(0)
                used = most.tokens * simulated.percent // 100
                till.take(
                    Called(
                        *(*key, 1, "p", "m"),
                        error="" if is_last else "transport",
                        http_status=200 if is_last else 503,
                        tokens={"input": used},
                        cost_microdollars=used,
                    )
                )
            till.take(Answered(*key, "x"))
        except EpisodeStopped:
            lacking.append(most)
        require_within()

    async def play_episode(gate: asyncio.Semaphore, batches: list[list[Simulated]]) -> None:
        async with gate:
            till = Till(treasury, [make_record()] * 3)
            for part, batch in enumerate(batches, start=1):
                before = len(lacking)
                await asyncio.gather(*(call(till, (part, seat, 1), each) for seat, each in enumerate(batch)))
                if len(lacking) > before:
                    return

    async def play_all() -> None:
        gate = asyncio.Semaphore(parallel)
        async with asyncio.timeout(20):
            await asyncio.gather(*(play_episode(gate, episode) for episode in run))

    asyncio.run(play_all())
    assert purse.reserved == Spend()
    assert purse.spent.tokens <= tokens
    for most in lacking:
        assert purse.spent.plus(most).tokens > tokens


def test_a_purse_says_what_is_spent_and_what_is_wanted() -> None:
    purse = Purse("the run", Allowance(microdollars=1_500_000), spent=Spend(3, 10, 1_000_000))
    lack = purse.find_lack(Spend(1, 10, 600_000))
    assert all(part in lack for part in ("the run", "$1.50", "$1.00", "$0.60")), lack


@pytest.mark.parametrize(
    ("microdollars", "text"),
    [
        (0, "$0.00"),
        (10_000, "$0.01"),
        (1, "$0.000001"),
        (4_200, "$0.0042"),
        (54_321, "$0.0543"),
        (12_345_678, "$12.35"),
    ],
)
def test_dollars_are_written_with_the_digits_they_need(microdollars: int, text: str) -> None:
    assert render_dollars(microdollars) == text
