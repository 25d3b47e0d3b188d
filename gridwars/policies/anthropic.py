"""Models of Anthropic, through its Messages API, streamed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import anthropic

from gridwars.canonical import Json
from gridwars.log.usage import count_anthropic_tokens
from gridwars.policies.faults import Fault, read_fault
from gridwars.policies.keys import Key
from gridwars.policies.parameters import Parameter, Shape, freeze, keep_usage
from gridwars.policies.provider import (
    DEFAULT_MAX_OUTPUT_TOKENS,
    Call,
    CallError,
    Completion,
    Connection,
    Receipt,
    Stop,
)
from gridwars.policies.streaming import SdkStream, look_up, make_http_client, read_stream

_OWN = frozenset({"self", "max_tokens", "messages", "model", "stream", "system", "tools", "tool_choice"})
_NOT_BODY = frozenset({"extra_headers", "extra_query", "extra_body", "timeout", "container", "workspace_id"})

_STOPS = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "pause_turn": Stop.END,
    "max_tokens": Stop.LIMIT,
    "model_context_window_exceeded": Stop.CONTEXT,
    "refusal": Stop.REFUSAL,
    "tool_use": Stop.TOOL,
}


class AnthropicProvider:
    kind = "anthropic"
    key_variable = "ANTHROPIC_API_KEY"
    address_variable = "ANTHROPIC_BASE_URL"
    parameters: Mapping[str, Parameter] = {
        "max_output_tokens": Parameter(Shape.INTEGER, "Most tokens written, thinking included.", minimum=1),
        "effort": Parameter(
            Shape.TEXT, "How much to think.", choices=("low", "medium", "high", "xhigh", "max")
        ),
        "service_tier": Parameter(Shape.TEXT, "Which capacity.", choices=("auto", "standard_only")),
        "json_schema": Parameter(Shape.OBJECT, "Schema that the reply must follow."),
        "cache_ttl": Parameter(
            Shape.TEXT, "How long the system prompt is cached.", choices=("5m", "1h", "none")
        ),
        "extra_body": Parameter(Shape.OBJECT, "Fields added to the request as they are."),
    }
    sdk_names = (
        frozenset(inspect.signature(anthropic.resources.messages.AsyncMessages.create).parameters)
        - _OWN
        - _NOT_BODY
    )

    def connect(self, base_url: str, key: Key, connect_seconds: float) -> Connection:
        return _Connection(base_url, key, connect_seconds)


PROVIDER = AnthropicProvider()


class _Connection:
    def __init__(self, base_url: str, key: Key, connect_seconds: float) -> None:
        self._key = key
        http_client = make_http_client(connect_seconds)
        self._client = anthropic.AsyncAnthropic(
            api_key=key.reveal() or "none",
            base_url=base_url or None,
            timeout=http_client.timeout,
            max_retries=0,
            http_client=http_client,
            open_telemetry=False,
        )

    async def complete(self, call: Call) -> Completion:
        body, effective = _render_body(call)
        call.receipt.effective = effective

        async def open_stream() -> SdkStream:
            return await self._client.post(
                "/v1/messages",
                cast_to=object,
                body=body,
                stream=True,
                stream_cls=anthropic.AsyncStream[object],
            )

        fold = _Fold(call.receipt)
        return await read_stream(open_stream, fold, call, self._key, anthropic.AnthropicError)

    async def find_model(self, model: str, seconds: float) -> bool:
        async def ask() -> object:
            return await self._client.get("/v1/models/" + quote(model, safe=""), cast_to=object)

        try:
            await look_up(ask, self._key, anthropic.AnthropicError, seconds)
        except CallError as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return False
            raise
        return True

    async def close(self) -> None:
        await self._client.close()


def _render_body(call: Call) -> tuple[dict[str, object], dict[str, Json]]:
    """The request, and its parameters as the log keeps them."""
    options = dict(call.options)
    extra = options.pop("extra_body", {})
    ttl = options.pop("cache_ttl", "5m")
    parameters: dict[str, object] = {
        "max_tokens": options.pop("max_output_tokens", DEFAULT_MAX_OUTPUT_TOKENS)
    }
    config: dict[str, object] = {}
    if "effort" in options:
        config["effort"] = options.pop("effort")
    if "json_schema" in options:
        config["format"] = {"type": "json_schema", "schema": options.pop("json_schema")}
    if config:
        parameters["output_config"] = config
    assert isinstance(extra, Mapping), "checked with the parameters"
    parameters |= options | dict(extra)
    parameters = {name: value for name, value in parameters.items() if value is not None}

    system: list[dict[str, object]] = [
        {"type": "text", "text": message.text} for message in call.prompt if message.role == "system"
    ]
    if system and ttl != "none":
        # The observation that follows differs each time, so the cache ends with what all requests share.
        system[-1]["cache_control"] = {"type": "ephemeral", "ttl": ttl}
    messages = [
        {"role": message.role, "content": message.text} for message in call.prompt if message.role != "system"
    ]
    body = {"model": call.model, "messages": messages, "stream": True, **parameters}
    if system:
        body["system"] = system
    effective = {name: freeze(value) for name, value in parameters.items()}
    return body, effective | {"cache_ttl": str(ttl), "sdk": f"anthropic {anthropic.__version__}"}


class _Fold:
    def __init__(self, receipt: Receipt) -> None:
        self.length = 0
        self.done = False
        self._receipt = receipt
        self._parts: list[str] = []
        self._usage: dict[str, object] = {}
        self._stop_reason = ""
        self._explanation = ""

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def take(self, event: Mapping[str, Any]) -> None:  # Any: whatever a server sends
        match event:
            case {"type": "content_block_delta", "delta": {"text": str(text)}}:
                self._parts.append(text)
                self.length += len(text)
            case {
                "type": "content_block_delta",
                "delta": {"thinking": str(text)} | {"partial_json": str(text)},
            }:
                self.length += len(text)
            case {"type": "content_block_start", "content_block": {"type": "text", "text": str(text)}}:
                self._parts.append(text)
                self.length += len(text)
            case {"type": "message_start", "message": dict(message)}:
                self._receipt.served_model = str(message.get("model") or "")
                self._take_usage(message.get("usage"))
            case {"type": "message_delta", "delta": dict(delta)}:
                self._stop_reason = str(delta.get("stop_reason") or "")
                self._take_details(delta.get("stop_details"))
                self._take_usage(event.get("usage"))
            case {"type": "message_stop"}:
                self.done = bool(self._stop_reason)
            case {"type": "error"}:
                raise read_fault(None, event)
            case _:
                pass

    def finish(self) -> Completion:
        if not self._stop_reason:
            raise Fault(None, (), "the stream ended amid the answer")
        self._receipt.stop_reason = self._stop_reason
        return Completion(self.text, _STOPS.get(self._stop_reason, Stop.END), self._explanation)

    def _take_usage(self, usage: object) -> None:
        """The last number counts: each record holds the sums so far, and may hold only some of them."""
        if not isinstance(usage, Mapping):
            return
        self._usage |= {name: value for name, value in usage.items() if value is not None}
        self._receipt.usage = keep_usage(self._usage)
        self._receipt.tokens = count_anthropic_tokens(self._receipt.usage)
        self._receipt.served_tier = str(self._usage.get("service_tier") or "")

    def _take_details(self, details: object) -> None:
        if isinstance(details, Mapping):
            self._receipt.refusal_category = str(details.get("category") or "")
            self._explanation = str(details.get("explanation") or "")
