"""Keeps what models cost within its limits: the most a call may take is set aside before it is sent.

There is one purse for the run, one for each strategy and one for each episode; a call needs room in all of
its own. What it really cost replaces what was set aside. Where an episode's or a strategy's purse has no
room, the seat is not asked: its request is void and the fallback plays. Where the run's has none, the run
stops before the batch and can be resumed with more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gridwars.benchmarks.contract import Event
from gridwars.log.events import Answered, SeatRecord
from gridwars.log.metering import MICRODOLLARS, Allowance, Budget, Spend
from gridwars.log.spending import Accounts, Key
from gridwars.policies.policy import PlayStopped, PolicyError


@dataclass(slots=True)
class Purse:
    """One limit and what stands against it.

    Attributes:
        name: in words, such as `the run`.
        spent: charged for good.
        reserved: set aside for calls that may be under way.
    """

    name: str
    allowance: Allowance
    spent: Spend = field(default_factory=Spend)
    reserved: Spend = field(default_factory=Spend)

    def find_lack(self, more: Spend, *, set_aside: bool = False) -> str:
        """Why there is no room for so much more, in words; "" where there is.

        Args:
            set_aside: whether it is part of what is reserved already.
        """
        wanted = self.spent.plus(self.reserved)
        if not set_aside:
            wanted = wanted.plus(more)
        allowance = self.allowance
        if allowance.calls is not None and wanted.calls > allowance.calls:
            made = f"{self.spent.calls} of {allowance.calls} are made"
            return f"the budget of {self.name} leaves no further call: {made}"
        if allowance.tokens is not None and wanted.tokens > allowance.tokens:
            return (
                f"the budget of {self.name} is {allowance.tokens} tokens; {self.spent.tokens} are used, "
                f"and the next call may take {more.tokens}"
            )
        if allowance.microdollars is not None and wanted.microdollars > allowance.microdollars:
            return (
                f"the budget of {self.name} is {render_dollars(allowance.microdollars)}; "
                f"{render_dollars(self.spent.microdollars)} are spent, and the next call may cost "
                f"{render_dollars(more.microdollars)}"
            )
        return ""


class Treasury:
    """The purses that the episodes of a run share; of one event loop."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.run = Purse("the run", budget.run)
        self._strategies: dict[str, Purse] = {}

    def get_strategy(self, name: str) -> Purse:
        label = f'strategy "{name}"' if name else "seats without a strategy"
        return self._strategies.setdefault(name, Purse(label, self.budget.strategy))

    def charge_finished(self, seats: Sequence[SeatRecord], events: Iterable[Event]) -> None:
        """Counts an episode of this run that is not gone on with."""
        Till(self, seats).recall(events)


class _Reservation(NamedTuple):
    seat: int
    amount: Spend


@dataclass(slots=True)
class Till:
    """One episode's side of the budget: sees its events, lets its calls through."""

    treasury: Treasury
    seats: Sequence[SeatRecord]
    accounts: Accounts = field(init=False)
    _episode: Purse = field(init=False)
    _reserved: dict[Key, _Reservation] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.accounts = Accounts(self.seats)
        self._episode = Purse("the episode", self.treasury.budget.episode)

    def recall(self, events: Iterable[Event]) -> None:
        """Takes what the log holds, before it is gone on with."""
        for event in events:
            self.take(event)
        for seat, lost in self.accounts.close():
            self._charge(seat, lost)

    def take(self, event: Event) -> None:
        """Takes an event that has become durable."""
        charge = self.accounts.take(event)
        if charge is not None:
            self._charge(*charge)
        if isinstance(event, Answered):
            self.release(event.key)

    def reserve(self, key: Key, prompt_bytes: int) -> str:
        """Sets aside what a request's next call may take; why there is no room for it, else "".

        Raises:
            PlayStopped: where it is the run that has no room.
        """
        seat = key[1]
        metering = self.seats[seat].metering
        if metering is None:
            return ""
        most = metering.compute_most(prompt_bytes)
        lack = self._find_lack(seat, most, set_aside=False)
        if not lack:
            self._reserved[key] = _Reservation(seat, most)
            for purse in self._purses(seat):
                purse.reserved = purse.reserved.plus(most)
        return lack

    def find_lack(self, key: Key) -> str:
        """Why a request that was let through may not make another call; "" where it may.

        Raises:
            PlayStopped: as `reserve`.
        """
        reservation = self._reserved.get(key)
        return self._find_lack(*reservation, set_aside=True) if reservation is not None else ""

    def release(self, key: Key) -> None:
        """Gives back what was set aside for a request, if anything was."""
        reservation = self._reserved.pop(key, None)
        if reservation is not None:
            for purse in self._purses(reservation.seat):
                purse.reserved = purse.reserved.minus(reservation.amount)

    def release_all(self) -> None:
        for key in list(self._reserved):
            self.release(key)

    def _find_lack(self, seat: int, more: Spend, *, set_aside: bool) -> str:
        lack = self.treasury.run.find_lack(more, set_aside=set_aside)
        if lack:
            raise PlayStopped(f"{lack}; resume with a larger budget")
        return next(
            (found for purse in self._purses(seat) if (found := purse.find_lack(more, set_aside=set_aside))),
            "",
        )

    def _charge(self, seat: int, amount: Spend) -> None:
        for purse in self._purses(seat):
            purse.spent = purse.spent.plus(amount)

    def _purses(self, seat: int) -> tuple[Purse, ...]:
        strategy = self.treasury.get_strategy(self.seats[seat].strategy)
        return (self._episode, strategy, self.treasury.run)


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
