"""Classes what a provider says when it gives no answer, by status, by code and, last, by its words.

The codes are those of OpenAI, Anthropic and the gateways that speak like them. Status alone misleads: an
empty account is a 400 here and a 429 there, an overload comes inside a stream that began with 200, and
what a model will not do (a refused prompt, one that is too long) comes as an error of the request.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from gridwars.policies.provider import ErrorKind, Stop

_CODE_NAMES = ("type", "code", "error_code", "status", "reason")
_MESSAGE_NAMES = ("message", "detail", "error_description", "raw")
_INNER_NAMES = ("error", "details", "metadata", "response")

_CONTEXT_CODES = frozenset({"context_length_exceeded", "request_too_large", "string_above_max_length"})
_CONTEXT_WORDS = re.compile(
    r"(?i)context (?:length|window|size|limit)|maximum context|prompt is too long|too many input tokens"
)
_REFUSAL_CODES = frozenset(
    {"content_filter", "content_policy_violation", "invalid_prompt", "cyber_policy_violation", "moderation"}
)
_REFUSAL_WORDS = re.compile(r"(?i)content (?:filtering|policy|management policy)|input was flagged")
_MONEY_CODES = frozenset(
    {
        "insufficient_quota",
        "insufficient_credits",
        "insufficient_balance",
        "billing_error",
        "billing_not_active",
        "billing_hard_limit_reached",
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
        "organization_on_hold",
    }
)
_MONEY_WORDS = re.compile(
    r"(?i)credit balance is too low|exceeded your current quota|insufficient (?:quota|credits|funds|balance)"
)
_OVERLOAD_CODES = frozenset(
    {
        "overloaded_error",
        "overloaded",
        "server_overloaded",
        "engine_overloaded",
        "slow_down",
        "service_unavailable",
    }
)
_RATE_CODES = frozenset(
    {
        "rate_limit_error",
        "rate_limit_exceeded",
        "ramp_limit_exceeded",
        "too_many_requests",
        "resource_exhausted",
    }
)
_CONFIG_CODES = frozenset(
    {
        "authentication_error",
        "invalid_api_key",
        "permission_error",
        "not_found_error",
        "model_not_found",
        "invalid_request_error",
        "unsupported_parameter",
        "unsupported_value",
    }
)
_OVERLOAD_STATUSES = frozenset({503, 529})
_PASSING_STATUSES = frozenset({408, 409, 425, 499})
"""4xx that say nothing against the request itself."""


class Fault(Exception):  # noqa: N818  not what a caller sees, see `streaming`
    """An answer that is none, as the provider put it.

    Attributes:
        status: of HTTP, or a number of that kind inside a stream; None where there is none.
        codes: every short name given for it, lower case.
    """

    def __init__(self, status: int | None, codes: Collection[str], message: str) -> None:
        super().__init__(message)
        self.status = status
        self.codes = frozenset(codes)
        self.message = message


def read_fault(status: int | None, body: object) -> Fault:
    """The fault that a body describes, whether an error is wrapped in it, bare, or no JSON at all."""
    codes: set[str] = set()
    messages: list[str] = []
    layers = [body]
    for layer in layers:
        if isinstance(layer, str):
            messages.append(layer)
        if not isinstance(layer, Mapping) or len(layers) > 10:
            continue
        for name in _CODE_NAMES:
            code = layer.get(name)
            if isinstance(code, str):
                codes.add(code.lower())
            elif isinstance(code, int) and 400 <= code < 600 and status in (None, 200):
                status = code
        messages += [text for name in _MESSAGE_NAMES if isinstance(text := layer.get(name), str)]
        layers += [inner for name in _INNER_NAMES if (inner := layer.get(name)) is not None]
    return Fault(None if status == 200 else status, codes, ": ".join(dict.fromkeys(messages)))


def class_fault(fault: Fault) -> ErrorKind | Stop:
    """What is to be done about it; a `Stop` where it is the model's own outcome."""
    status, codes, words = fault.status, fault.codes, fault.message
    about_request = status in (None, 400, 403, 413, 422)
    if codes & _CONTEXT_CODES or status == 413 or (about_request and _CONTEXT_WORDS.search(words)):
        return Stop.CONTEXT
    if codes & _REFUSAL_CODES or (about_request and _REFUSAL_WORDS.search(words)):
        return Stop.REFUSAL
    if status == 402 or codes & _MONEY_CODES or _MONEY_WORDS.search(words):
        return ErrorKind.FATAL_MONEY
    if status == 429 or codes & _RATE_CODES:
        return ErrorKind.RATE_LIMIT
    overloaded = "overloaded" in words.lower() and (status is None or status >= 500)
    if status in _OVERLOAD_STATUSES or codes & _OVERLOAD_CODES or overloaded:
        return ErrorKind.OVERLOAD
    if status is None:
        return ErrorKind.FATAL_CONFIG if codes & _CONFIG_CODES else ErrorKind.TRANSPORT
    if 300 <= status < 500 and status not in _PASSING_STATUSES:
        return ErrorKind.FATAL_CONFIG
    return ErrorKind.TRANSPORT
