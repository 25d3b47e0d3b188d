"""Models behind any server that speaks OpenAI's chat completions: vLLM, Ollama, OpenRouter, LM Studio, …"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import openai
from openai.resources.chat.completions import AsyncCompletions

from gridwars.canonical import Json
from gridwars.log.usage import count_chat_tokens
from gridwars.policies.faults import Fault, read_fault
from gridwars.policies.keys import Key
from gridwars.policies.openai import EFFORTS, make_client
from gridwars.policies.parameters import Parameter, Shape, freeze, keep_usage
from gridwars.policies.provider import Call, CallError, Completion, Connection, Receipt, Stop
from gridwars.policies.streaming import SdkStream, look_up, read_stream

_OWN = frozenset(
    {"self", "messages", "model", "stream", "tools", "tool_choice", "functions", "function_call"}
)
_NOT_BODY = frozenset({"extra_headers", "extra_query", "extra_body", "timeout", "n", "audio", "modalities"})

_STOPS = {
    "length": Stop.LIMIT,
    "max_tokens": Stop.LIMIT,
    "content_filter": Stop.REFUSAL,
    "refusal": Stop.REFUSAL,
    "tool_calls": Stop.TOOL,
    "function_call": Stop.TOOL,
}
"""Any other reason is an end of the model's own."""


class OpenAiChatProvider:
    kind = "openai-chat"
    key_variable = "OPENAI_API_KEY"
    address_variable = "OPENAI_BASE_URL"
    parameters: Mapping[str, Parameter] = {
        "max_output_tokens": Parameter(Shape.INTEGER, "Most tokens written, reasoning included.", minimum=1),
        "temperature": Parameter(Shape.NUMBER, "How freely to choose words.", minimum=0, maximum=2),
        "effort": Parameter(Shape.TEXT, "How much to reason.", choices=EFFORTS),
        "service_tier": Parameter(Shape.TEXT, "Which capacity."),
        "json_schema": Parameter(Shape.OBJECT, "Schema that the reply must follow."),
        "extra_body": Parameter(Shape.OBJECT, "Fields added to the request as they are."),
    }
    sdk_names = frozenset(inspect.signature(AsyncCompletions.create).parameters) - _OWN - _NOT_BODY

    def connect(self, base_url: str, key: Key, connect_seconds: float) -> Connection:
        return _Connection(base_url, key, connect_seconds)


PROVIDER = OpenAiChatProvider()


class _Connection:
    def __init__(self, base_url: str, key: Key, connect_seconds: float) -> None:
        self._key = key
        self._client = make_client(base_url, key, connect_seconds)
        # Servers that merely speak like OpenAI know the older name, and ignore the newer one in silence.
        self._limit_name = "max_tokens" if base_url else "max_completion_tokens"

    async def complete(self, call: Call) -> Completion:
        body, effective = _render_body(call, self._limit_name)
        call.receipt.effective = effective

        async def open_stream() -> SdkStream:
            return await self._client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                stream=True,
                stream_cls=openai.AsyncStream[object],
            )

        return await read_stream(open_stream, _Fold(call.receipt), call, self._key, openai.OpenAIError)

    async def find_model(self, model: str, seconds: float) -> bool | None:
        async def ask() -> object:
            return await self._client.get("/models", cast_to=object)

        try:
            answer = await look_up(ask, self._key, openai.OpenAIError, seconds)
        except CallError as error:
            if error.status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
                return None
            raise
        models = answer.get("data") if isinstance(answer, Mapping) else None
        if not isinstance(models, list):
            return None
        return any(isinstance(entry, Mapping) and entry.get("id") == model for entry in models)

    async def close(self) -> None:
        await self._client.close()


def _render_body(call: Call, limit_name: str) -> tuple[dict[str, object], dict[str, Json]]:
    """The request, and its parameters as the log keeps them."""
    options = dict(call.options)
    extra = options.pop("extra_body", {})
    parameters: dict[str, object] = {"stream_options": {"include_usage": True}}
    for name, sent_name in (("max_output_tokens", limit_name), ("effort", "reasoning_effort")):
        if name in options:
            parameters[sent_name] = options.pop(name)
    if "json_schema" in options:
        schema = {"name": "reply", "strict": True, "schema": options.pop("json_schema")}
        parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
    assert isinstance(extra, Mapping), "checked with the parameters"
    parameters |= options | dict(extra)
    parameters = {name: value for name, value in parameters.items() if value is not None}
    messages = [{"role": message.role, "content": message.text} for message in call.prompt]
    body = {"model": call.model, "messages": messages, "stream": True, **parameters}
    effective = {name: freeze(value) for name, value in parameters.items()}
    return body, effective | {"sdk": f"openai {openai.__version__}"}


class _Fold:
    def __init__(self, receipt: Receipt) -> None:
        self.length = 0
        self._receipt = receipt
        self._parts: list[str] = []
        self._refusals: list[str] = []
        self._called_tool = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def done(self) -> bool:
        return bool(self._receipt.stop_reason)

    def take(self, event: Mapping[str, Any]) -> None:  # Any: whatever a server sends
        receipt = self._receipt
        if event.get("error"):
            raise read_fault(None, event)
        receipt.served_model = str(event.get("model") or receipt.served_model)
        receipt.served_tier = str(event.get("service_tier") or receipt.served_tier)
        receipt.request_id = receipt.request_id or str(event.get("id") or "")
        if isinstance(usage := event.get("usage"), Mapping):
            receipt.usage = keep_usage(usage)
            receipt.tokens = count_chat_tokens(receipt.usage)
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            return
        if isinstance(delta := choices[0].get("delta"), Mapping):
            self._take_delta(delta)
        if reason := choices[0].get("finish_reason"):
            if reason == "error":
                raise Fault(None, (), "the model's server failed amid the answer")
            receipt.stop_reason = str(reason)

    def finish(self) -> Completion:
        if not self.done:
            raise Fault(None, (), "the stream ended amid the answer")
        stop = _STOPS.get(self._receipt.stop_reason, Stop.END)
        if self._refusals:
            stop = Stop.REFUSAL
        elif stop is Stop.REFUSAL:
            self._receipt.refusal_category = self._receipt.stop_reason
        elif stop is Stop.END and self._called_tool and not self._parts:
            stop = Stop.TOOL
        return Completion(self.text, stop, "".join(self._refusals))

    def _take_delta(self, delta: Mapping[str, Any]) -> None:
        if isinstance(text := delta.get("content"), str) and text:
            self._parts.append(text)
            self.length += len(text)
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self._refusals.append(refusal)
            self.length += len(refusal)
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        self.length += len(reasoning) if isinstance(reasoning, str) else 0
        self._called_tool = self._called_tool or bool(delta.get("tool_calls"))
