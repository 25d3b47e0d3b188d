"""Seats played by language models: made from a seat's text or again from a log, and tried before a run."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from gridwars.benchmarks.contract import Benchmark, Request
from gridwars.canonical import Json
from gridwars.log.events import Message, SeatRecord
from gridwars.log.metering import Metering
from gridwars.policies.calls import Exchange, Means
from gridwars.policies.checks import Check, Verdict
from gridwars.policies.keys import Key, read_key
from gridwars.policies.lines import Line, open_line
from gridwars.policies.making import Making
from gridwars.policies.parameters import Parameter, Shape, check_parameters, freeze, thaw
from gridwars.policies.policy import Answer, Asking, PlayStopped, PolicyError
from gridwars.policies.provider import (
    DEFAULT_MAX_OUTPUT_TOKENS,
    Call,
    CallError,
    Deadlines,
    ErrorKind,
    Provider,
    Receipt,
)
from gridwars.policies.retry import RETRIED, RetryRules
from gridwars.policies.throttle import Breaker, Settled, ThrottleRules
from gridwars.prompting import PromptError, list_installed_texts, make_prompter, restore_prompter

DEFAULT_STRATEGY = "null"

PARAMETERS: Mapping[str, Parameter] = {
    "strategy": Parameter(Shape.TEXT, "The operator's advice: a strategy's name or file."),
    "base_url": Parameter(
        Shape.TEXT, "Another server's address. No key is sent there unless key_variable names one."
    ),
    "key_variable": Parameter(
        Shape.TEXT, "The environment variable that holds the key; without base_url the provider's own."
    ),
    "concurrency": Parameter(Shape.INTEGER, "Most calls open at once with this key.", 1, 10_000),
    "calls": Parameter(Shape.INTEGER, "Calls made for one request before it is void.", 1, 50),
    "retry_seconds": Parameter(Shape.NUMBER, "First wait between calls; doubled each time.", 0, 600),
    "outage_seconds": Parameter(
        Shape.NUMBER, "How long a batch is put off while the provider is down.", 0, 86_400
    ),
    "connect_seconds": Parameter(Shape.NUMBER, "Until the connection stands.", 0.01, 600),
    "first_byte_seconds": Parameter(Shape.NUMBER, "Until the answer begins.", 0.01, 86_400),
    "idle_seconds": Parameter(Shape.NUMBER, "Between two pieces of the answer.", 0.01, 86_400),
    "total_seconds": Parameter(Shape.NUMBER, "Until the answer's end.", 0.01, 86_400),
}
"""What every model's seat can be given; a provider adds its own."""

_OUTAGE_SECONDS = 3600
_CHECK_SECONDS = 30
_CHECK_OUTPUT_TOKENS = 16
"""The least that every provider takes."""


class Prompter(Protocol):
    """Makes prompts; `gridwars.prompting` has the real one."""

    @property
    def texts(self) -> Sequence[str]: ...
    def render(self, request: Request) -> tuple[Message, ...]: ...
    def record(self) -> dict[str, Json]: ...


class LlmPolicy:
    """One model, one strategy, one seat."""

    scripted = False

    def __init__(self, record: SeatRecord, provider: Provider, prompter: Prompter) -> None:
        self.record = record
        self._provider = provider
        self._prompter = prompter
        self._parameters = {name: thaw(value) for name, value in _table(record, "parameters").items()}

    @property
    def template_texts(self) -> Sequence[str]:
        """See `Prompted`."""
        return self._prompter.texts

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        return self._prompter.render(request)

    async def answer(self, request: Request, prompt: Sequence[Message], asking: Asking) -> Answer:
        try:
            line, means = await self._open_line()
        except PolicyError as error:
            raise PlayStopped(f"{error}; then resume") from None
        return await Exchange(means, line, request, prompt, asking).run()

    async def stand_by(self, tell: Callable[[str], None]) -> None:
        """See `StandsBy`: while the breaker is open, a free question probes where a batch would be lost."""
        with contextlib.suppress(PolicyError, TimeoutError):
            line, means = await self._open_line()
            loop = asyncio.get_running_loop()
            end = loop.time() + _number(self._parameters, "outage_seconds", _OUTAGE_SECONDS)

            def tell_of_wait(seconds: float | None) -> None:
                why = line.gate.throttle.describe_wait(seconds)
                tell(f"{why}, for at most {end - loop.time():.0f} s (outage_seconds)")

            async with asyncio.timeout_at(end):
                is_up = line.gate.throttle.breaker is Breaker.CLOSED
                while not is_up:
                    is_up = await self._probe(line, means, tell_of_wait)

    async def check(self, *, look_up: bool, call: bool) -> Sequence[Check]:
        """See `Checked`."""
        try:
            line, means = await self._open_line()
        except PolicyError as error:
            return [Check("key", Verdict.FAILED, str(error))]
        return [
            Check("key", Verdict.OK, self._describe_key(means.key)),
            Check("parameters", Verdict.OK, "known to the provider's SDK"),
            await self._check_model(line, means)
            if look_up
            else Check("model", Verdict.UNKNOWN, "not looked up"),
            await self._check_call(line, means) if call else Check("call", Verdict.UNKNOWN, "not made"),
        ]

    def find_warning(self) -> str:
        """See `Warned`."""
        try:
            return read_key(str(self._parameters.get("key_variable", ""))).warning
        except PolicyError:
            return ""  # what is missing stops the first call, and is told there

    def _describe_key(self, key: Key) -> str:
        if key.variable:
            return key.warning or f"from {key.variable}"
        address = self._parameters.get("base_url")
        return (
            f"none is sent to {address}; if it wants one, name the variable that holds it, such as "
            f"--set key_variable={self._provider.key_variable}"
        )

    async def _probe(self, line: Line, means: Means, tell: Callable[[float | None], None]) -> bool:
        """Waits for the breaker's pause to end; tells whether a batch may begin."""
        ticket = await line.gate.enter(tell)
        ending: Settled | ErrorKind = Settled.ABANDONED
        try:
            # An overloaded provider still answers questions, so only the batch's first call can probe it.
            if ticket.probe and line.gate.throttle.last_failure is ErrorKind.TRANSPORT:
                await line.connection.find_model(means.model, _CHECK_SECONDS)
                ending = Settled.ANSWERED
        except CallError as error:
            ending = error.kind if error.kind in RETRIED else Settled.ANSWERED
        finally:
            line.gate.leave(ticket, ending)
        return ending in (Settled.ABANDONED, Settled.ANSWERED)

    async def _open_line(self) -> tuple[Line, Means]:
        """
        Raises:
            PolicyError: where the key is missing.
        """
        given, usual, hasty = self._parameters, Deadlines(), RetryRules()
        key = read_key(str(given.get("key_variable", "")))
        deadlines = Deadlines(
            connect=_number(given, "connect_seconds", usual.connect),
            first_byte=_number(given, "first_byte_seconds", usual.first_byte),
            idle=_number(given, "idle_seconds", usual.idle),
            total=_number(given, "total_seconds", usual.total),
        )
        retries = RetryRules(
            calls=int(_number(given, "calls", hasty.calls)),
            first_wait_seconds=_number(given, "retry_seconds", hasty.first_wait_seconds),
        )
        rules = ThrottleRules()
        rules = ThrottleRules(highest_limit=int(_number(given, "concurrency", rules.highest_limit)))
        base_url = str(given.get("base_url", ""))
        line = await open_line(self._provider, base_url, key, deadlines.connect, rules)
        options = {name: value for name, value in given.items() if name not in PARAMETERS}
        model = str(self.record.parameters["model"])
        return line, Means(self.record, model, options, deadlines, retries, key)

    async def _check_model(self, line: Line, means: Means) -> Check:
        try:
            found = await line.connection.find_model(means.model, _CHECK_SECONDS)
        except CallError as error:
            verdict = Verdict.FAILED if error.kind is ErrorKind.FATAL_CONFIG else Verdict.UNKNOWN
            return Check("model", verdict, error.detail)
        if found is None:
            return Check("model", Verdict.UNKNOWN, "the server does not list its models")
        if found:
            return Check("model", Verdict.OK, "the provider has it")
        return Check("model", Verdict.FAILED, f'the provider has no model "{means.model}"')

    async def _check_call(self, line: Line, means: Means) -> Check:
        receipt = Receipt()
        options = dict(means.options) | {"max_output_tokens": _CHECK_OUTPUT_TOKENS}
        prompt = [Message("user", "Say yes.")]
        try:
            await line.connection.complete(
                Call(means.model, prompt, options, means.deadlines, receipt, tell=lambda length: None)
            )
        except CallError as error:
            fatal = error.kind in (ErrorKind.FATAL_CONFIG, ErrorKind.FATAL_MONEY)
            return Check("call", Verdict.FAILED if fatal else Verdict.UNKNOWN, error.detail)
        counts = ", ".join(f"{count} {bucket}" for bucket, count in receipt.tokens.items())
        return Check("call", Verdict.OK, f"answered; tokens: {counts or 'not told'}")


def make_llm(provider: Provider, model: str, making: Making) -> LlmPolicy:
    """The policy for a model's name.

    Raises:
        PolicyError: for a parameter, an address, a key or a strategy that no call could be made with.
    """
    seat = f"{provider.kind}:{model}"
    if not model:
        raise PolicyError(f'seat "{seat}": name a model behind the colon')
    check_parameters(seat, making.parameters, {**PARAMETERS, **provider.parameters}, provider.sdk_names)
    parameters = {name: freeze(value) for name, value in making.parameters.items()}
    strategy = str(parameters.pop("strategy", DEFAULT_STRATEGY))
    parameters |= _settle_address(seat, provider, parameters)
    try:
        read_key(str(parameters["key_variable"]))
        prompter = make_prompter(making.benchmark, strategy)
    except (PolicyError, PromptError) as error:
        raise PolicyError(f'seat "{seat}": {error}') from None
    maximum = parameters.get("max_output_tokens", DEFAULT_MAX_OUTPUT_TOKENS)
    record = SeatRecord(
        policy=seat,
        kind=provider.kind,
        alias=making.alias,
        parameters={"model": model, "parameters": parameters, "prompts": prompter.record()},
        strategy=prompter.strategy.name,
        metering=Metering(
            maximum_output_tokens=maximum if isinstance(maximum, int) else DEFAULT_MAX_OUTPUT_TOKENS,
            price=making.prices.find(provider.kind, model),
            tier=str(parameters.get("service_tier", "")),
        ),
    )
    return LlmPolicy(record, provider, prompter)


def restore_llm(
    provider: Provider, record: SeatRecord, benchmark: Benchmark, texts: Sequence[str]
) -> LlmPolicy:
    """The policy that a log's record describes; its key is read when the first call is made.

    Args:
        texts: among them templates of prompts; this version's stand in for those that are missing.

    Raises:
        PolicyError: where the prompts can no longer be those that the episode was begun with.
    """
    if not isinstance(record.parameters.get("model"), str):
        raise PolicyError(f'seat "{record.policy}": the log names no model')
    try:
        prompts = _table(record, "prompts")
        prompter = restore_prompter(benchmark, prompts, [*list_installed_texts(benchmark), *texts])
    except PromptError as error:
        raise PolicyError(f'seat "{record.policy}": {error}') from None
    if prompter.record() != prompts:
        raise PolicyError(
            f'seat "{record.policy}": the system message is not the one that the episode was begun with, '
            "though its templates are: the rules' numbers differ; resume with the version of gridwars that "
            "began it"
        )
    return LlmPolicy(record, provider, prompter)


def _settle_address(seat: str, provider: Provider, parameters: Mapping[str, Json]) -> dict[str, Json]:
    """Where calls go and whose key goes with them, so that a resumed run calls the same server.

    A key goes to an address only where the environment joins them or the operator names both: the key of
    one provider is no business of another's server.
    """
    named = parameters.get("base_url")
    address = str(named or os.environ.get(provider.address_variable, ""))
    url = urlsplit(address)
    if address and not (url.scheme in ("http", "https") and url.hostname):
        raise PolicyError(f'seat "{seat}": base_url must begin with http:// or https:// and name a host')
    if url.username or url.password or url.query or url.fragment:
        raise PolicyError(f'seat "{seat}": base_url must hold no user, password, query or fragment')
    own = "" if named else provider.key_variable
    return {"base_url": address, "key_variable": parameters.get("key_variable", own)}


def _table(record: SeatRecord, name: str) -> Mapping[str, Json]:
    value = record.parameters.get(name)
    if not isinstance(value, dict):
        raise PolicyError(f'seat "{record.policy}": the log holds no {name} for it')
    return value


def _number(given: Mapping[str, object], name: str, usual: float) -> float:
    value = given.get(name, usual)
    return value if isinstance(value, int | float) else usual
