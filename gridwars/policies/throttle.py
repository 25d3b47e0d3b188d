"""How many calls one key may have open at once, found by trying; pauses when a provider is down.

Two old ideas side by side. The limit on open calls grows with success (twofold until the first refusal, then
by one for each round of calls) and is halved by a refusal, once for all calls that were open then. A breaker
counts failures that no success interrupts; beyond a few it lets nothing pass for a while, then one call to
probe, and closes once that succeeds. So a provider's bad hour costs time and not episodes.

`Throttle` is a state machine that is told the time; `Gate` lets coroutines wait for it, first come first
served.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from gridwars.policies.provider import ErrorKind


@dataclass(frozen=True, slots=True)
class ThrottleRules:
    """Bounds of the limit and of the breaker.

    Attributes:
        first_limit, highest_limit: calls open at once.
        failures: without a success between them, that open the breaker.
        first_pause_seconds: doubled each time a probe fails, up to `longest_pause_seconds`.
        longest_retry_after_seconds: a provider that asks for more is left alone for this long.
    """

    first_limit: int = 32
    highest_limit: int = 256
    failures: int = 5
    first_pause_seconds: float = 5
    longest_pause_seconds: float = 120
    longest_retry_after_seconds: float = 300


class Breaker(Enum):
    CLOSED = "closed"
    """Calls pass."""
    OPEN = "open"
    """None passes until the pause is over, then one."""
    PROBING = "probing"
    """That one is under way."""


class Settled(Enum):
    """How a call ended that brought no error of the provider."""

    ANSWERED = "answered"
    ABANDONED = "abandoned"
    """Cancelled: says nothing of the provider."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A call that was let pass, and when.

    Attributes:
        probe: the one call that an open breaker let pass.
    """

    admitted_at: float
    probe: bool


class Throttle:
    """The state; every method takes the time, in seconds of any clock that never runs backwards.

    Attributes:
        limit: calls that may be open at once; a fraction counts as it grows.
        open_count: calls that are.
        last_failure: what a call last failed of, rate limits aside.
    """

    def __init__(self, rules: ThrottleRules) -> None:
        self._rules = rules
        self._highest = float(rules.highest_limit)
        self.limit = min(float(rules.first_limit), self._highest)
        self.open_count = 0
        self.breaker = Breaker.CLOSED
        self._growing_fast = True
        self._last_cut = float("-inf")
        self._last_full = float("-inf")
        self._paused_until = float("-inf")
        self._failure_count = 0
        self._pause = rules.first_pause_seconds
        self.last_failure: ErrorKind | None = None

    def lower_limit(self, highest: int) -> None:
        """Sees to it that the limit never exceeds a number."""
        self._highest = min(self._highest, float(highest))
        self.limit = min(self.limit, self._highest)

    def find_opening(self, now: float) -> float | None:
        """When it is worth trying to pass, `now` or later; None where that waits for an open call's end."""
        if now < self._paused_until:
            return self._paused_until
        if self.breaker is Breaker.PROBING or self.open_count >= int(self.limit):
            return None
        return now

    def describe_wait(self, seconds: float | None) -> str:
        """What a call waits for that may not pass, in words.

        Args:
            seconds: until it is worth trying again; None where that waits for an open call's end.
        """
        if self.breaker is Breaker.CLOSED:
            if seconds is None:
                return f"for one of {self.open_count} open calls to end"
            return f"for {seconds:.0f} s, as the provider asked (rate limit)"
        known = {ErrorKind.OVERLOAD: "overloaded", ErrorKind.TRANSPORT: "down"}
        state = known.get(self.last_failure, "refusing calls") if self.last_failure else "refusing calls"
        if seconds is None:
            return f"for a call that tries whether the provider is still {state}"
        return f"for the provider, which is {state}; tried again in {seconds:.0f} s"

    def admit(self, now: float) -> Ticket:
        """Lets one call pass; only when `find_opening` says so."""
        assert self.find_opening(now) == now, "the throttle is closed"
        probe = self.breaker is Breaker.OPEN
        if probe:
            self.breaker = Breaker.PROBING
        self.open_count += 1
        if self.open_count >= int(self.limit):
            self._last_full = now
        return Ticket(now, probe)

    def settle(
        self, ticket: Ticket, ending: ErrorKind | Settled, now: float, retry_after_seconds: float | None
    ) -> None:
        """Takes note of how a call ended."""
        was_full = ticket.admitted_at <= self._last_full
        used = self.limit if was_full else min(self.limit, self.open_count)
        self.open_count -= 1
        if ticket.probe and self.breaker is Breaker.PROBING:
            self.breaker = Breaker.OPEN  # unless what follows closes it
        match ending:
            case Settled.ANSWERED:
                self._take_success(was_full)
            case Settled.ABANDONED | ErrorKind.FATAL_CONFIG | ErrorKind.FATAL_MONEY:
                pass
            case ErrorKind.RATE_LIMIT:
                asked = min(retry_after_seconds or 0, self._rules.longest_retry_after_seconds)
                self._paused_until = max(self._paused_until, now + asked)
                if ticket.admitted_at >= self._last_cut:
                    self.limit = max(1.0, used / 2)
                    self._growing_fast = False
                    self._last_cut = now
                    self._take_failure(ticket, now)
            case ErrorKind.OVERLOAD | ErrorKind.TRANSPORT:
                self._take_failure(ticket, now)
                self.last_failure = ending
            case _:
                assert_never(ending)

    def _take_success(self, was_full: bool) -> None:
        self.breaker = Breaker.CLOSED
        self._failure_count = 0
        self._pause = self._rules.first_pause_seconds
        if was_full:  # a limit that nobody reached was not tried, so it must not grow
            growth = 1 if self._growing_fast else 1 / self.limit
            self.limit = min(self.limit + growth, self._highest)

    def _take_failure(self, ticket: Ticket, now: float) -> None:
        self._failure_count += 1
        opens = self.breaker is Breaker.CLOSED and self._failure_count >= self._rules.failures
        if opens or ticket.probe:
            self.breaker = Breaker.OPEN
            self._paused_until = max(self._paused_until, now + self._pause)
            self._pause = min(2 * self._pause, self._rules.longest_pause_seconds)


@dataclass(slots=True)
class _Waiter:
    """A call that waits.

    Attributes:
        told: what it has heard last: the breaker's state, and when it is worth trying again.
    """

    ticket: asyncio.Future[Ticket]
    tell: Callable[[float | None], None]
    told: tuple[Breaker, float | None] | None = None


class Gate:
    """Where coroutines wait for a throttle, first come first served; of one event loop."""

    def __init__(self, throttle: Throttle) -> None:
        self.throttle = throttle
        self._waiting: deque[_Waiter] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, tell: Callable[[float | None], None]) -> Ticket:
        """Waits until a call may pass. Whoever entered must leave.

        Args:
            tell: told if there is a wait, and whenever it becomes another: for how many seconds at least,
                or None for an open call's end.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Ticket] = loop.create_future()
        self._waiting.append(_Waiter(future, tell))
        self._let_pass()
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.leave(future.result(), Settled.ABANDONED)
            raise

    def leave(
        self, ticket: Ticket, ending: ErrorKind | Settled, retry_after_seconds: float | None = None
    ) -> None:
        now = asyncio.get_running_loop().time()
        self.throttle.settle(ticket, ending, now, retry_after_seconds)
        self._let_pass()

    def _let_pass(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            waiter = self._waiting[0]
            if waiter.ticket.done():  # cancelled while it waited
                self._waiting.popleft()
                continue
            now = loop.time()
            opening = self.throttle.find_opening(now)
            if opening is None or opening > now:
                if opening is not None:
                    self._wake_at(opening)
                self._tell(opening, now)
                return
            self._waiting.popleft()
            waiter.ticket.set_result(self.throttle.admit(now))

    def _tell(self, opening: float | None, now: float) -> None:
        """Tells everybody who waits, where that is news."""
        news = (self.throttle.breaker, opening)
        for waiter in self._waiting:
            if waiter.told != news and not waiter.ticket.done():
                waiter.told = news
                waiter.tell(None if opening is None else opening - now)

    def _wake_at(self, time: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(time, self._let_pass)
