"""Models of OpenAI, through its Responses API, streamed."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import openai
from openai.resources.responses import AsyncResponses

from gridwars.canonical import Json, hash_text
from gridwars.log.usage import count_responses_tokens
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

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

_OWN = frozenset({"self", "input", "instructions", "model", "stream", "tools", "tool_choice", "background"})
_NOT_BODY = frozenset({"extra_headers", "extra_query", "extra_body", "timeout", "background_options"})


class OpenAiProvider:
    kind = "openai"
    key_variable = "OPENAI_API_KEY"
    address_variable = "OPENAI_BASE_URL"
    parameters: Mapping[str, Parameter] = {
        "max_output_tokens": Parameter(Shape.INTEGER, "Most tokens written, reasoning included.", minimum=1),
        "temperature": Parameter(Shape.NUMBER, "How freely to choose words.", minimum=0, maximum=2),
        "effort": Parameter(Shape.TEXT, "How much to reason.", choices=EFFORTS),
        "service_tier": Parameter(
            Shape.TEXT,
            "Which capacity.",
            choices=("auto", "default", "flex", "scale", "priority", "fast", "ultrafast"),
        ),
        "json_schema": Parameter(Shape.OBJECT, "Schema that the reply must follow."),
        "extra_body": Parameter(Shape.OBJECT, "Fields added to the request as they are."),
    }
    sdk_names = frozenset(inspect.signature(AsyncResponses.create).parameters) - _OWN - _NOT_BODY

    def connect(self, base_url: str, key: Key, connect_seconds: float) -> Connection:
        return _Connection(base_url, key, connect_seconds)


PROVIDER = OpenAiProvider()


def make_client(base_url: str, key: Key, connect_seconds: float) -> openai.AsyncOpenAI:
    """The SDK's client, without its retries."""
    http_client = make_http_client(connect_seconds)
    return openai.AsyncOpenAI(
        api_key=key.reveal() or "none",
        base_url=base_url or None,
        timeout=http_client.timeout,
        max_retries=0,
        http_client=http_client,
    )


class _Connection:
    def __init__(self, base_url: str, key: Key, connect_seconds: float) -> None:
        self._key = key
        self._client = make_client(base_url, key, connect_seconds)

    async def complete(self, call: Call) -> Completion:
        body, effective = _render_body(call)
        call.receipt.effective = effective

        async def open_stream() -> SdkStream:
            return await self._client.post(
                "/responses", cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object]
            )

        return await read_stream(open_stream, _Fold(call.receipt), call, self._key, openai.OpenAIError)

    async def find_model(self, model: str, seconds: float) -> bool:
        async def ask() -> object:
            return await self._client.get("/models/" + quote(model, safe=""), cast_to=object)

        try:
            await look_up(ask, self._key, openai.OpenAIError, seconds)
        except CallError as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return False
            raise
        return True

    async def close(self) -> None:
        await self._client.close()


def _render_body(call: Call) -> tuple[dict[str, object], dict[str, Json]]:
    """The request, and its parameters as the log keeps them."""
    instructions = "\n\n".join(message.text for message in call.prompt if message.role == "system")
    options = dict(call.options)
    extra = options.pop("extra_body", {})
    parameters: dict[str, object] = {
        "max_output_tokens": DEFAULT_MAX_OUTPUT_TOKENS,
        # A sealed game leaves no copy behind, and requests with one prefix meet at one cache.
        "store": False,
        "prompt_cache_key": hash_text(instructions)[:32],
    }
    if "effort" in options:
        parameters["reasoning"] = {"effort": options.pop("effort")}
    if "json_schema" in options:
        schema = {
            "type": "json_schema",
            "name": "reply",
            "strict": True,
            "schema": options.pop("json_schema"),
        }
        parameters["text"] = {"format": schema}
    assert isinstance(extra, Mapping), "checked with the parameters"
    parameters |= options | dict(extra)
    parameters = {name: value for name, value in parameters.items() if value is not None}
    body: dict[str, object] = {
        "model": call.model,
        "input": [
            {"role": message.role, "content": message.text}
            for message in call.prompt
            if message.role != "system"
        ],
        "stream": True,
        **parameters,
    }
    if instructions:
        body["instructions"] = instructions
    effective = {name: freeze(value) for name, value in parameters.items()}
    return body, effective | {"sdk": f"openai {openai.__version__}"}


class _Fold:
    def __init__(self, receipt: Receipt) -> None:
        self.length = 0
        self.done = False
        self._receipt = receipt
        self._parts: list[str] = []
        self._response: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def take(self, event: Mapping[str, Any]) -> None:  # Any: whatever a server sends
        match event:
            case {"type": "response.output_text.delta", "delta": str(text)}:
                self._parts.append(text)
                self.length += len(text)
            case {"type": str(), "delta": str(text)}:
                self.length += len(text)
            case {"type": "response.created" | "response.in_progress", "response": dict(response)}:
                self._take_response(response)
            case {"type": "response.completed" | "response.incomplete", "response": dict(response)}:
                self._take_response(response)
                self._response = response
                self.done = True
            case {"type": "response.failed", "response": dict(response)}:
                self._take_response(response)
                raise read_fault(None, response.get("error") or response)
            case {"type": "error"}:
                raise read_fault(None, {name: value for name, value in event.items() if name != "type"})
            case _:
                pass

    def finish(self) -> Completion:
        if not self.done:
            raise Fault(None, (), "the stream ended amid the answer")
        parts = list(_iterate_parts(self._response))
        refusals = [str(part.get("refusal") or "") for part in parts if part.get("type") == "refusal"]
        # A server that streams its words may leave them out of the last event.
        text = "".join(str(part.get("text") or "") for part in parts if part.get("type") == "output_text")
        text = text or self.text
        why = _table(self._response, "incomplete_details").get("reason")
        self._receipt.stop_reason = str(why or self._response.get("status") or "")
        if refusals:
            self._receipt.stop_reason = "refusal"
            return Completion(text, Stop.REFUSAL, " ".join(refusals))
        if why == "content_filter":
            self._receipt.refusal_category = "content_filter"
            return Completion(text, Stop.REFUSAL)
        if why is not None or self._response.get("status") == "incomplete":
            return Completion(text, Stop.LIMIT)
        if not text and any(item.get("type") == "function_call" for item in _iterate_items(self._response)):
            return Completion("", Stop.TOOL)
        return Completion(text, Stop.END)

    def _take_response(self, response: Mapping[str, Any]) -> None:
        receipt = self._receipt
        receipt.served_model = str(response.get("model") or receipt.served_model)
        receipt.served_tier = str(response.get("service_tier") or receipt.served_tier)
        receipt.request_id = receipt.request_id or str(response.get("id") or "")
        if isinstance(usage := response.get("usage"), Mapping):
            receipt.usage = keep_usage(usage)
            receipt.tokens = count_responses_tokens(receipt.usage)


def _iterate_items(response: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    output = response.get("output")
    return (item for item in output if isinstance(item, Mapping)) if isinstance(output, list) else iter(())


def _iterate_parts(response: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in _iterate_items(response):
        content = item.get("content")
        if item.get("type") == "message" and isinstance(content, list):
            yield from (part for part in content if isinstance(part, Mapping))


def _table(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, Mapping) else {}
