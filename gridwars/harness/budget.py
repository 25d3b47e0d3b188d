"""Keeps what models cost within its limits: the most a call may take is set aside before it is sent.

There is one purse for the run, one for each strategy and one for each episode; a call needs room in all of
its own. What it really cost replaces what was set aside, so that a call for which there is no room now
waits, first come first served, while others are under way whose cost may leave some. Whoever waits has
nothing set aside, and whoever has does not wait: nobody keeps anybody waiting for ever.

What is spent already may leave no room whatever the others cost. Where that is so of an episode's or a
strategy's purse, the seat is not asked: its request is void and the fallback plays. Where it is so of the
run's, the episode stops and can be resumed with more, and no further one is begun; those under way go on as
far as the rest reaches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gridwars.benchmarks.contract import Event
from gridwars.log.events import Answered, Called, SeatRecord
from gridwars.log.metering import MICRODOLLARS, Allowance, Budget, Spend
from gridwars.log.spending import Accounts, Charge, Key
from gridwars.policies.policy import EpisodeStopped, PolicyError


@dataclass(slots=True, eq=False)
class Purse:
    """One limit and what stands against it.

    Attributes:
        name: in words, such as `the run`.
        spent: charged for good.
        assumed: the part of it that no record states: the most that calls without one may have taken.
        reserved: set aside for calls that may be under way.
    """

    name: str
    allowance: Allowance
    spent: Spend = field(default_factory=Spend)
    assumed: Spend = field(default_factory=Spend)
    reserved: Spend = field(default_factory=Spend)

    def find_lack(self, more: Spend) -> str:
        """Why so much more fits whatever becomes of what is set aside, in words; "" where it may."""
        return self._find_excess(more, Spend())

    def find_wait(self, more: Spend) -> str:
        """Why so much more does not fit beside what is set aside, in words; "" where it does."""
        return self._find_excess(more, self.reserved)

    def charge(self, charge: Charge) -> None:
        self.spent = self.spent.plus(charge.amount)
        self.assumed = self.assumed.plus(charge.amount.minus(charge.stated))

    def _find_excess(self, more: Spend, reserved: Spend) -> str:
        spent, allowance = self.spent, self.allowance
        wanted = spent.plus(reserved).plus(more)
        under_way = f"{reserved.calls} call{'s' if reserved.calls != 1 else ''} under way"
        if allowance.calls is not None and wanted.calls > allowance.calls:
            made = f"{spent.calls} of {allowance.calls} are made"
            made += f", {under_way}" if reserved.calls else ""
            return f"the budget of {self.name} leaves no further call: {made}"
        set_aside = assumed = ""
        if allowance.tokens is not None and wanted.tokens > allowance.tokens:
            if reserved.tokens:
                set_aside = f", {reserved.tokens} set aside for {under_way}"
            if self.assumed.tokens:
                assumed = f" ({self.assumed.tokens} of them assumed, of calls that nobody counted)"
            return (
                f"the budget of {self.name} is {allowance.tokens} tokens; {spent.tokens} are used{assumed}"
                f"{set_aside}, and the next call may take {more.tokens}"
            )
        if allowance.microdollars is not None and wanted.microdollars > allowance.microdollars:
            if reserved.microdollars:
                set_aside = f", {render_dollars(reserved.microdollars)} set aside for {under_way}"
            if self.assumed.microdollars:
                amount = render_dollars(self.assumed.microdollars)
                assumed = f" ({amount} of it assumed, for calls whose cost nobody told)"
            return (
                f"the budget of {self.name} is {render_dollars(allowance.microdollars)}; "
                f"{render_dollars(spent.microdollars)} are spent{assumed}{set_aside}, "
                f"and the next call may cost {render_dollars(more.microdollars)}"
            )
        return ""


class Lack(NamedTuple):
    """Why a call is not made: a purse that has no room for it, and that in words."""

    purse: Purse
    reason: str


@dataclass(slots=True, eq=False)
class _Wish:
    """A call that waits for room.

    Attributes:
        settled: None once it is set aside, or why there never will be room.
    """

    purses: tuple[Purse, ...]
    amount: Spend
    settled: asyncio.Future[Lack | None]


class Treasury:
    """The purses that the episodes of a run share; of one event loop.

    Attributes:
        lack: why the run's purse has let a call down; "" while it has not.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.run = Purse("the run", budget.run)
        self.lack = ""
        self._strategies: dict[str, Purse] = {}
        self._tills: dict[Path, Till] = {}
        self._waiting: list[_Wish] = []

    def get_strategy(self, name: str) -> Purse:
        label = f'strategy "{name}"' if name else "seats without a strategy"
        return self._strategies.setdefault(name, Purse(label, self.budget.strategy))

    def charge_finished(self, seats: Sequence[SeatRecord], events: Iterable[Event]) -> None:
        """Counts an episode of this run that is not gone on with."""
        Till(self, seats).recall(list(events))

    def open_till(self, path: Path, seats: Sequence[SeatRecord]) -> Till:
        """An episode's till, the same one each time for the same log, so that nothing is charged twice."""
        return self._tills.setdefault(path.resolve(), Till(self, seats))

    async def set_aside(
        self, purses: tuple[Purse, ...], amount: Spend, tell: Callable[[str], None]
    ) -> Lack | None:
        """Waits for room in all purses and sets the amount aside; what there will never be room in, if any.

        Args:
            tell: told what is waited for, where something is.
        """
        wish = _Wish(purses, amount, asyncio.get_running_loop().create_future())
        self._waiting.append(wish)
        self.serve()
        if not wish.settled.done():
            waits = (wait for purse in purses if (wait := purse.find_wait(amount)))
            tell(f"for the end of a call under way: {next(waits, 'others wait before it')}")
        try:
            return await wish.settled
        except asyncio.CancelledError:
            if wish.settled.done() and not wish.settled.cancelled() and wish.settled.result() is None:
                self.give_back(purses, amount)
            raise

    def give_back(self, purses: Iterable[Purse], amount: Spend) -> None:
        for purse in purses:
            purse.reserved = purse.reserved.minus(amount)
        self.serve()

    def serve(self) -> None:
        """Lets through who waits, in order: nobody overtakes whoever waits for the same purse."""
        wanted: set[Purse] = set()
        waiting, self._waiting = self._waiting, []
        for wish in waiting:
            if wish.settled.done():  # cancelled while it waited
                continue
            full = [purse for purse in wish.purses if purse.find_wait(wish.amount)]
            lacks = ((purse, purse.find_lack(wish.amount)) for purse in full)
            lack = next((Lack(purse, reason) for purse, reason in lacks if reason), None)
            if lack is not None:
                wish.settled.set_result(lack)
            elif full or wanted.intersection(wish.purses):
                wanted.update(full)
                self._waiting.append(wish)
            else:
                for purse in wish.purses:
                    purse.reserved = purse.reserved.plus(wish.amount)
                wish.settled.set_result(None)


@dataclass(slots=True)
class Till:
    """One episode's side of the budget: sees its events, lets its calls through."""

    treasury: Treasury
    seats: Sequence[SeatRecord]
    accounts: Accounts = field(init=False)
    _episode: Purse = field(init=False)
    _recalled_count: int = field(init=False, default=0)
    _most: dict[Key, Spend] = field(init=False, default_factory=dict)
    _reserved: set[Key] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self.accounts = Accounts(self.seats)
        self._episode = Purse("the episode", self.treasury.budget.episode)

    def recall(self, events: Sequence[Event]) -> None:
        """Takes what the log holds, before it is gone on with; what it took before only once."""
        for event in events[self._recalled_count :]:
            self.take(event)
        self._recalled_count = len(events)
        for charge in self.accounts.close():
            self._charge(charge)

    def take(self, event: Event) -> None:
        """Takes an event that has become durable."""
        charge = self.accounts.take(event)
        if charge is not None:
            self._charge(charge)
        if isinstance(event, Called | Answered):
            self.release(event.key)

    async def reserve(self, key: Key, prompt_bytes: int, tell: Callable[[str], None]) -> str:
        """Waits until what a request's first call may take can be set aside.

        Args:
            tell: told what is waited for, where something is.

        Returns:
            Why there will be no room for it, else "".

        Raises:
            EpisodeStopped: where it is the run that has none.
        """
        metering = self.seats[key[1]].metering
        if metering is None:
            return ""
        self._most[key] = metering.compute_most(prompt_bytes)
        return await self.reserve_again(key, tell)

    async def reserve_again(self, key: Key, tell: Callable[[str], None]) -> str:
        """The same for another call of the request, once the one before was recorded."""
        most = self._most.get(key)
        if most is None or key in self._reserved:
            return ""
        lack = await self.treasury.set_aside(self._purses(key[1]), most, tell)
        if lack is None:
            self._reserved.add(key)
            return ""
        if lack.purse is self.treasury.run:
            self.treasury.lack = f"{lack.reason}; resume with a larger budget"
            raise EpisodeStopped(self.treasury.lack)
        return lack.reason

    def release(self, key: Key) -> None:
        """Gives back what was set aside for a request, if anything was."""
        if key in self._reserved:
            self._reserved.remove(key)
            self.treasury.give_back(self._purses(key[1]), self._most[key])

    def release_all(self) -> None:
        for key in list(self._reserved):
            self.release(key)

    def _charge(self, charge: Charge) -> None:
        for purse in self._purses(charge.seat):
            purse.charge(charge)
        self.treasury.serve()

    def _purses(self, seat: int) -> tuple[Purse, ...]:
        strategy = self.treasury.get_strategy(self.seats[seat].strategy)
        return (self.treasury.run, strategy, self._episode)


def require_prices(budget: Budget, seats: Sequence[SeatRecord]) -> None:
    """A limit in dollars holds only where every price is known.

    Raises:
        PolicyError: names the first seat whose price is not, and what can be done.
    """
    if all(scope.microdollars is None for scope in (budget.run, budget.episode, budget.strategy)):
        return
    for seat in seats:
        if seat.metering is not None and seat.metering.price is None:
            raise PolicyError(
                f'seat "{seat.policy}": no price is known for this model, so that no budget in dollars '
                f"holds; give its price with --prices FILE, or set a budget in tokens or calls"
            )


def render_dollars(microdollars: int) -> str:
    """An amount as people write it: cents, or as many digits as a small one needs."""
    if microdollars >= MICRODOLLARS or microdollars % 10_000 == 0:
        digits = 2
    else:
        digits = 4 if microdollars >= 10_000 or microdollars % 100 == 0 else 6
    return f"${microdollars / MICRODOLLARS:.{digits}f}"
