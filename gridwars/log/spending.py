"""What an episode's log says was spent, by seat: a fold over its calls, however often it was resumed.

What a budget counts may be more: of a call that broke off, that was answered without a word about usage, or
that was under way when its process was killed, nobody knows what it cost, so a budget takes it at its most.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from gridwars.benchmarks.contract import Event
from gridwars.log.events import Answered, Asked, Called, SeatRecord, Text
from gridwars.log.metering import Spend

Key = tuple[int, int, int]
"""Part, seat and attempt."""

_FIRST_ERROR_STATUS = 400


class Account(NamedTuple):
    """What is known of a seat's calls.

    Attributes:
        spend: the sum of what the log states.
        unpriced_calls: of those, calls that used tokens at a cost that is not known.
        charged: what a budget counts.
        lost_calls: perhaps made and paid for besides: asked when the process ended, with no word after it.
    """

    spend: Spend = Spend()
    unpriced_calls: int = 0
    charged: Spend = Spend()
    lost_calls: int = 0

    @property
    def microdollars(self) -> int | None:
        """What the calls cost that are known of; None where that of any is not known."""
        return None if self.unpriced_calls else self.spend.microdollars

    def plus(self, other: Account) -> Account:
        return Account(
            self.spend.plus(other.spend),
            self.unpriced_calls + other.unpriced_calls,
            self.charged.plus(other.charged),
            self.lost_calls + other.lost_calls,
        )


class Charge(NamedTuple):
    """What a budget is charged with.

    Attributes:
        stated: the part that the log states; the rest is assumed, at its most.
    """

    seat: int
    amount: Spend
    stated: Spend = Spend()


class Accounts:
    """The accounts of an episode's seats, as its events come by."""

    def __init__(self, seats: Sequence[SeatRecord]) -> None:
        self._seats = seats
        self._accounts = [Account() for _ in seats]
        self._text_bytes: dict[str, int] = {}
        self._most: dict[Key, Spend] = {}
        self._under_way: set[Key] = set()

    @property
    def by_seat(self) -> Sequence[Account]:
        return self._accounts

    def find_most(self, key: Key) -> Spend:
        """What a call of a request that was asked may take at most."""
        return self._most.get(key, Spend(1))

    @property
    def total(self) -> Account:
        return functools.reduce(Account.plus, self._accounts, Account())

    def take(self, event: Event) -> Charge | None:
        """Takes the next event of the log; gives what a budget is charged with for it, if anything."""
        match event:
            case Text(digest=digest, text=text):
                self._text_bytes[digest] = count_bytes(text)
            case Asked() if self._seats[event.seat].metering is not None:
                key = event.key
                lost = self._lose(key) if key in self._under_way else None
                self._note_question(key, event)
                return lost
            case Called():
                return self._charge(event)
            case Answered():
                self._under_way.discard(event.key)
            case _:
                pass
        return None

    def close(self) -> list[Charge]:
        """Charges what was under way where the log ends: once, before it is gone on with."""
        return [self._lose(key) for key in sorted(self._under_way)]

    def _note_question(self, key: Key, event: Asked) -> None:
        metering = self._seats[event.seat].metering
        assert metering is not None, "asked of the caller"
        prompt_bytes = sum(
            count_bytes(message.text) + self._text_bytes.get(message.digest, 0) for message in event.prompt
        )
        self._most[key] = metering.compute_most(prompt_bytes)
        self._under_way.add(key)

    def _charge(self, event: Called) -> Charge:
        key = event.key
        self._under_way.discard(key)
        tokens, cost = sum(event.tokens.values()), event.cost_microdollars
        most = self._most.get(key, Spend(1))
        stated = Spend(1, tokens, cost or 0)
        unheard = event.http_status is None or event.http_status >= _FIRST_ERROR_STATUS
        if unheard:
            charged = stated
        elif event.error or (cost is None and not tokens):
            charged = Spend(*map(max, most, stated))
        else:
            charged = Spend(1, tokens, most.microdollars if cost is None else cost)
        unpriced = cost is None and (tokens > 0 or not unheard)
        self._add(event.seat, Account(stated, int(unpriced), charged))
        return Charge(event.seat, charged, stated)

    def _lose(self, key: Key) -> Charge:
        self._under_way.remove(key)
        self._add(key[1], Account(charged=self._most[key], lost_calls=1))
        return Charge(key[1], self._most[key])

    def _add(self, seat: int, more: Account) -> None:
        self._accounts[seat] = self._accounts[seat].plus(more)


def count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
