"""What a provider of language models is to a policy: one call in, a completion or a classed failure out.

A provider is one file. It says which parameters it takes, opens a `Connection` (an SDK client) and folds a
streamed answer into a `Completion`. What the model did (refuse, run into a limit, say nothing) is a
completion; only what keeps a model from being reached is a `CallError`. Nothing here retries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from gridwars.canonical import Json
from gridwars.log.events import Message
from gridwars.policies.keys import Key
from gridwars.policies.parameters import Parameter

DEFAULT_MAX_OUTPUT_TOKENS = 16_000
"""Reasoning included, where a seat does not say; a number bounds what one answer costs."""


CACHED_FROM = {"anthropic": (512, 4096), "openai": (1024, 1024), "openai-chat": (1024, 1024)}
"""Tokens of the shortest beginning that a provider caches, for the models that ask for least and for most."""


class ErrorKind(StrEnum):
    """Why a call brought no completion, as far as it decides what is done about it."""

    FATAL_CONFIG = "fatal_config"
    """The request is wrong and stays wrong: key, model, parameter. The run stops."""
    FATAL_MONEY = "fatal_money"
    """Nobody pays for it: quota, spend limit, credit. The run stops."""
    RATE_LIMIT = "rate_limit"
    """Too many calls: wait as told, and make fewer at a time."""
    OVERLOAD = "overload"
    """The provider is short of machines: wait; fewer calls of ours would not help."""
    TRANSPORT = "transport"
    """Anything between: a cut stream, a time-out, a reset, an answer that is none."""


class Stop(StrEnum):
    """Why a model stopped, in the words of no provider."""

    END = "end"
    LIMIT = "limit"
    """Its output limit."""
    CONTEXT = "context"
    """Its context window: before the first word (the prompt does not fit), or amid them."""
    REFUSAL = "refusal"
    TOOL = "tool"
    """It called a tool, though none is offered."""


@dataclass(slots=True)
class Receipt:
    """What is known of one call, filled in while it runs, since a call that fails was paid for too.

    Attributes:
        usage: the provider's own record, floats as text (see `freeze`).
        tokens: disjoint counts, see `gridwars.log.usage`.
        effective: the parameters sent, the prompt and the model aside, floats as text.
        first_byte_at: on the event loop's clock; None while nothing came.
    """

    http_status: int | None = None
    request_id: str = ""
    served_model: str = ""
    served_tier: str = ""
    stop_reason: str = ""
    refusal_category: str = ""
    usage: Json = None
    tokens: dict[str, int] = field(default_factory=dict)
    effective: dict[str, Json] = field(default_factory=dict)
    first_byte_at: float | None = None


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Four limits on one call, each for what the others would miss; all in seconds.

    Attributes:
        connect: until the connection stands.
        first_byte: from sending until the first event of the answer.
        idle: between two events; bytes that complete no event do not count, so that no drip outlives it.
        total: from sending to the end.
    """

    connect: float = 10
    first_byte: float = 180
    idle: float = 180
    total: float = 1800


@dataclass(frozen=True, slots=True)
class Call:
    """What one call is made with.

    Attributes:
        options: values of the provider's own parameters, as `check_parameters` left them.
        tell: told the number of characters received, now and then as they come.
    """

    model: str
    prompt: Sequence[Message]
    options: Mapping[str, object]
    deadlines: Deadlines
    receipt: Receipt
    tell: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        text: all of its visible text; "" where there is none.
        explanation: why it refused, where it said so.
    """

    text: str
    stop: Stop
    explanation: str = ""


class CallError(Exception):
    """A call that brought no completion.

    Attributes:
        detail: the provider's words or ours, without secrets.
        status: of HTTP; None where there was none.
        retry_after_seconds: how long the provider asks to be left alone; None where it does not.
    """

    def __init__(
        self,
        kind: ErrorKind,
        detail: str,
        *,
        status: int | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.status = status
        self.retry_after_seconds = retry_after_seconds


class Connection(Protocol):
    """An open way to one provider, shared by every seat with the same address and key."""

    async def complete(self, call: Call) -> Completion:
        """Makes one call, streamed; closes the stream however it ends, cancellation included.

        Raises:
            CallError
        """
        ...

    async def find_model(self, model: str, seconds: float) -> bool | None:
        """Whether the provider has a model of this name, None where it does not tell; costs nothing.

        Raises:
            CallError
        """
        ...

    async def close(self) -> None: ...


class Provider(Protocol):
    """One provider's file, as the registry holds it.

    Attributes:
        kind: what stands before the colon in a seat's text.
        key_variable: the environment variable that holds the key where none is named.
        address_variable: the one that holds another address, as the SDK itself reads it.
        parameters: by name, those it translates; any other of `sdk_names` is passed on as it is.
    """

    @property
    def kind(self) -> str: ...
    @property
    def key_variable(self) -> str: ...
    @property
    def address_variable(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...
    @property
    def sdk_names(self) -> frozenset[str]: ...

    def connect(self, base_url: str, key: Key, connect_seconds: float) -> Connection:
        """An SDK client; opens no socket yet.

        Args:
            base_url: "" for the provider's own.
            key: one without a value for a server that asks for none.
        """
        ...
