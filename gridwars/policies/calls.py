"""Calls a provider for one request until a model answers; every call goes into the log, however it ends.

A call that failed or was cut off may have been paid for, so each is an event. What the model did becomes
the reply's outcome; that it could not be reached is one that `is_void`, which is nobody's loss.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import assert_never

import msgspec

from gridwars.benchmarks.contract import Outcome, Reply, Request
from gridwars.log.events import Called, Message, SeatRecord
from gridwars.log.metering import CONTEXT_FULL, Metering, tell_limit
from gridwars.policies.keys import Key
from gridwars.policies.lines import Line
from gridwars.policies.policy import Answer, Asking, Phase, PlayStopped, Progress
from gridwars.policies.provider import (
    Call,
    CallError,
    Completion,
    Deadlines,
    ErrorKind,
    Receipt,
    Stop,
)
from gridwars.policies.retry import RetryRules, run_with_retries
from gridwars.policies.throttle import Settled

_FAILURE_LENGTH = 300
_CHARACTERS_PER_TOKEN = 4
"""For a live view; the log has the provider's own count."""

_REMEDIES = {
    ErrorKind.FATAL_CONFIG: "check its key, address, model and parameters (gridwars preflight)",
    ErrorKind.FATAL_MONEY: "there is no money for it: add credit or raise the limit",
}
_NO_KEY = (
    "no key was sent, since base_url names a server of its own: if it wants one, play anew with "
    "--set key_variable=NAME, the environment variable that holds it"
)
_VOIDS = {
    ErrorKind.RATE_LIMIT: ("rate limit", Outcome.THROTTLED),
    ErrorKind.OVERLOAD: ("overload", Outcome.THROTTLED),
    ErrorKind.TRANSPORT: ("failure of network or server", Outcome.VOID),
}
"""What the last call's error says of the request; the words are shown to a seat, so they are ours."""
_WITHHELD = "the reply held the key that the request was sent with, so it was neither kept nor read"


@dataclass(frozen=True, slots=True)
class Means:
    """What one seat's calls are made with, the same for all of its requests."""

    record: SeatRecord
    model: str
    options: Mapping[str, object]
    deadlines: Deadlines
    retries: RetryRules
    key: Key


class Exchange:
    """One request being answered."""

    def __init__(
        self, means: Means, line: Line, request: Request, prompt: Sequence[Message], asking: Asking
    ) -> None:
        self._means = means
        self._line = line
        self._request = request
        self._prompt = prompt
        self._asking = asking
        self._call_number = 0
        self._last: Called | None = None

    async def run(self) -> Answer:
        """The answer, with the call that brought it; every other call is in the log.

        Raises:
            PlayStopped: where no call of this kind can succeed.
        """
        try:
            completion = await run_with_retries(self._call, self._means.retries, self._tell_of_retry)
        except _BudgetSpentError as error:
            return Answer(Reply(text=None, failure=str(error), outcome=Outcome.BUDGET))
        except CallError as error:
            if error.kind in _REMEDIES:
                policy = self._means.record.policy
                remedy = _REMEDIES[error.kind]
                if error.kind is ErrorKind.FATAL_CONFIG and not self._means.key.variable:
                    remedy += f"; {_NO_KEY}"
                raise PlayStopped(f'seat "{policy}": {error.detail}\n{remedy}; then resume') from None
            reason, outcome = _VOIDS[error.kind]
            failure = f"no answer in {self._call_number} calls ({reason})"
            return Answer(Reply(text=None, failure=failure, outcome=outcome))
        assert self._last is not None, "a completion comes from a call"
        return Answer(
            self._withhold_key(read_completion(completion, self._means.record.metering)), (self._last,)
        )

    async def _call(self) -> Completion:
        """One call, recorded unless it is the one that brought the answer."""
        if self._call_number > 0 and (spent := await self._asking.reserve_call()):
            raise _BudgetSpentError(spent)
        ticket = await self._line.gate.enter(self._tell_of_wait)
        self._call_number += 1
        self._tell(Phase.ASKED)
        receipt = Receipt()
        started = asyncio.get_running_loop().time()
        ending: Settled | ErrorKind = Settled.ABANDONED
        retry_after: float | None = None
        try:
            completion = await self._line.connection.complete(self._make_call(receipt))
            ending = Settled.ANSWERED
        except CallError as error:
            ending, retry_after = error.kind, error.retry_after_seconds
            await self._asking.record([self._describe(receipt, started, error.kind, error.detail)])
            raise
        except asyncio.CancelledError:
            call = self._describe(receipt, started, "cancelled", "cut off by this program")
            await self._asking.record([call])
            raise
        finally:
            self._line.gate.leave(ticket, ending, retry_after)
        self._last = self._describe(receipt, started)
        return completion

    def _make_call(self, receipt: Receipt) -> Call:
        means = self._means
        return Call(
            means.model, self._prompt, means.options, means.deadlines, receipt, tell=self._tell_of_stream
        )

    def _describe(self, receipt: Receipt, started: float, error: str = "", detail: str = "") -> Called:
        metering = self._means.record.metering
        price = metering.price if metering is not None else None
        first = receipt.first_byte_at
        hide = self._means.key.hide_in
        return Called(
            *self._request.key,
            call_number=self._call_number,
            provider=self._means.record.kind,
            model=self._means.model,
            error=str(error),
            detail=detail,
            http_status=receipt.http_status,
            served_model=hide(receipt.served_model),
            served_tier=hide(receipt.served_tier),
            request_id=hide(receipt.request_id),
            stop_reason=hide(receipt.stop_reason),
            refusal_category=hide(receipt.refusal_category),
            usage=hide(receipt.usage),
            tokens=receipt.tokens,
            price_table=price.table if price is not None else "",
            cost_microdollars=_compute_cost(metering, receipt),
            effective=receipt.effective,
            first_byte_milliseconds=None if first is None else round((first - started) * 1000),
            total_milliseconds=round((asyncio.get_running_loop().time() - started) * 1000),
        )

    def _withhold_key(self, reply: Reply) -> Reply:
        """The reply as it came; without its text where that holds the key, since another text is another
        program, and no model was ever given the key: a server in between has put it there."""
        key = self._means.key
        if reply.text is not None and key.is_in(reply.text):
            return Reply(text=None, failure=_WITHHELD, outcome=Outcome.WITHHELD)
        return msgspec.structs.replace(reply, failure=key.hide_in(reply.failure))

    def _tell(self, phase: Phase, detail: str = "", token_count: int = 0) -> None:
        self._asking.watch(Progress(self._request.seat, self._request.attempt, phase, detail, token_count))

    def _tell_of_wait(self, seconds: float | None) -> None:
        self._tell(Phase.WAITING, self._line.gate.throttle.describe_wait(seconds))

    def _tell_of_stream(self, length: int) -> None:
        self._tell(Phase.STREAMING, token_count=length // _CHARACTERS_PER_TOKEN)

    def _tell_of_retry(self, number: int, seconds: float, error: CallError) -> None:
        why = error.detail.partition(":")[0]
        self._tell(Phase.RETRYING, f"{number}/{self._means.retries.calls} in {seconds:.0f} s because {why}")


def read_completion(completion: Completion, metering: Metering | None) -> Reply:
    """What is known of a reply before its text is read."""
    text = completion.text if completion.text.strip() else None
    match completion.stop:
        case Stop.REFUSAL:
            why = f": {completion.explanation}" if completion.explanation else ""
            return Reply(
                text=None, failure=f"the model refused{why}"[:_FAILURE_LENGTH], outcome=Outcome.REFUSED
            )
        case Stop.LIMIT:
            limit = tell_limit(metering)
            failure = limit if text else f"{limit} before any text was written"
            return Reply(text, failure=failure, outcome=Outcome.TRUNCATED)
        case Stop.CONTEXT:
            failure = CONTEXT_FULL if text else "the prompt does not fit into the model's context window"
            return Reply(text, failure=failure, outcome=Outcome.TRUNCATED)
        case Stop.TOOL if text is None:
            failure = "the model called a tool, and none is offered; the reply must be text"
            return Reply(text=None, failure=failure, outcome=Outcome.EMPTY)
        case Stop.END | Stop.TOOL:
            if text is None:
                failure = "the model answered without any text"
                return Reply(text=None, failure=failure, outcome=Outcome.EMPTY)
            return Reply(text)
        case _:
            assert_never(completion.stop)


class _BudgetSpentError(Exception):
    """No further call may be paid for; the message says which budget is spent."""


def _compute_cost(metering: Metering | None, receipt: Receipt) -> int | None:
    """Microdollars; None where no price is known, or what was used isn't."""
    was_refused = receipt.http_status is not None and receipt.http_status >= HTTPStatus.BAD_REQUEST
    is_known = bool(receipt.tokens) or was_refused
    if metering is None or not is_known:
        return None
    return metering.compute_cost(receipt.tokens, receipt.served_tier)
