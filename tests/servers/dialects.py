"""How three kinds of provider put an answer, its end, its usage and an error into bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

Events = list[dict[str, Any]]  # Any: JSON of every shape


class Ending(Enum):
    """What the model did."""

    END = "end"
    LIMIT = "limit"
    CONTEXT = "context"
    REFUSAL = "refusal"
    TOOL = "tool"
    REASONING_ONLY = "reasoning_only"


class Usage(Enum):
    """What the provider tells of it."""

    FULL = "full"
    MISSING = "missing"
    NULL_DETAILS = "null_details"


@dataclass(frozen=True)
class Trouble:
    """One error, in each provider's own terms.

    Attributes:
        code: OpenAI's.
        type: Anthropic's.
    """

    status: int
    code: str
    type: str
    message: str


class Dialect(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def path(self) -> str:
        """What the path of a request ends with."""
        ...

    def answer(self, text: str, ending: Ending = Ending.END, usage: Usage = Usage.FULL) -> Events: ...
    def error(self, trouble: Trouble) -> dict[str, Any]:
        """The body of a response that is one."""
        ...

    def error_event(self, trouble: Trouble) -> dict[str, Any]:
        """The event inside a stream."""
        ...

    def render(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        """The bytes of a stream that goes on."""
        ...

    def render_whole(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        """The bytes of a stream that has ended."""
        ...


def split(text: str, size: int = 9) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)] or [""]


class Responses:
    kind = "openai"
    path = "/responses"

    def answer(self, text: str, ending: Ending = Ending.END, usage: Usage = Usage.FULL) -> Events:
        content = {"type": "output_text", "text": text, "annotations": []}
        if ending is Ending.REFUSAL:
            content = {"type": "refusal", "refusal": "I cannot help with that."}
        output: list[dict[str, Any]] = [{"type": "reasoning", "id": "rs_1", "summary": []}]
        if ending is Ending.TOOL:
            output.append({"type": "function_call", "name": "submit", "call_id": "c", "arguments": text})
        elif ending is not Ending.REASONING_ONLY:
            output.append({"type": "message", "id": "msg_1", "role": "assistant", "content": [content]})
        response = self._response("in_progress", [])
        status = "incomplete" if ending in (Ending.LIMIT, Ending.CONTEXT) else "completed"
        final = self._response(status, output)
        if status == "incomplete":
            final["incomplete_details"] = {"reason": "max_output_tokens"}
        if usage is not Usage.MISSING:
            final["usage"] = self._usage(null=usage is Usage.NULL_DETAILS)
        deltas: Events = []
        if ending in (Ending.END, Ending.LIMIT, Ending.CONTEXT):
            deltas = [{"type": "response.output_text.delta", "delta": part} for part in split(text)]
        return [
            {"type": "response.created", "response": response},
            {"type": "response.in_progress", "response": response},
            *deltas,
            {"type": f"response.{status}", "response": final},
        ]

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {
            "error": {"message": trouble.message, "type": trouble.type, "param": None, "code": trouble.code}
        }

    def error_event(self, trouble: Trouble) -> dict[str, Any]:
        error = {"code": trouble.code, "message": trouble.message}
        return {"type": "response.failed", "response": {**self._response("failed", []), "error": error}}

    def render(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events)

    def render_whole(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return self.render(events)

    def _response(self, status: str, output: Events) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "status": status,
            "model": "served-model",
            "service_tier": "default",
            "output": output,
        }

    def _usage(self, *, null: bool) -> dict[str, Any]:
        return {
            "input_tokens": 100,
            "input_tokens_details": None if null else {"cached_tokens": 60, "cache_write_tokens": 10},
            "output_tokens": 50,
            "output_tokens_details": None if null else {"reasoning_tokens": 20},
            "total_tokens": 150,
        }


class Chat:
    kind = "openai-chat"
    path = "/chat/completions"

    def answer(self, text: str, ending: Ending = Ending.END, usage: Usage = Usage.FULL) -> Events:
        deltas: Events = [{"role": "assistant", "content": ""}]
        match ending:
            case Ending.REFUSAL:
                deltas += [{"refusal": part} for part in split("I cannot help with that.")]
            case Ending.TOOL:
                call = {"index": 0, "id": "c", "type": "function"}
                deltas.append({"tool_calls": [{**call, "function": {"name": "submit", "arguments": text}}]})
            case Ending.REASONING_ONLY:
                deltas += [{"reasoning_content": part} for part in split("thinking and thinking")]
            case _:
                deltas += [{"content": part} for part in split(text)]
        reasons = {Ending.LIMIT: "length", Ending.CONTEXT: "length", Ending.TOOL: "tool_calls"}
        chunks = [self._chunk(delta, None) for delta in deltas]
        chunks.append(self._chunk({}, reasons.get(ending, "stop")))
        if usage is not Usage.MISSING:
            null = usage is Usage.NULL_DETAILS
            chunks.append({**self._chunk({}, None), "choices": [], "usage": self._usage(null=null)})
        return chunks

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return Responses().error(trouble)

    def error_event(self, trouble: Trouble) -> dict[str, Any]:
        return {"error": {"message": trouble.message, "code": trouble.code}}

    def render(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)

    def render_whole(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return self.render(events) + b"data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return {"id": "chatcmpl-1", "model": "served-model", "service_tier": "default", "choices": [choice]}

    def _usage(self, *, null: bool) -> dict[str, Any]:
        return {
            "prompt_tokens": 100,
            "prompt_tokens_details": None if null else {"cached_tokens": 60, "cache_write_tokens": 10},
            "completion_tokens": 50,
            "completion_tokens_details": None if null else {"reasoning_tokens": 20},
            "total_tokens": 150,
            "cost": 0.00012,
        }


class Messages:
    kind = "anthropic"
    path = "/v1/messages"

    def answer(self, text: str, ending: Ending = Ending.END, usage: Usage = Usage.FULL) -> Events:
        start: dict[str, Any] = {"type": "text", "text": ""}
        deltas: Events = [{"type": "text_delta", "text": part} for part in split(text)]
        if ending is Ending.TOOL:
            start = {"type": "tool_use", "id": "t", "name": "submit", "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in split(text)]
        elif ending is Ending.REASONING_ONLY:
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": "thinking and thinking"}]
        elif ending is Ending.REFUSAL or not text:
            deltas = []
        reasons = {
            Ending.LIMIT: "max_tokens",
            Ending.CONTEXT: "model_context_window_exceeded",
            Ending.REFUSAL: "refusal",
            Ending.TOOL: "tool_use",
        }
        end: dict[str, Any] = {"stop_reason": reasons.get(ending, "end_turn"), "stop_sequence": None}
        if ending is Ending.REFUSAL:
            end["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": "It may do harm."}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "served-model",
            "content": [],
        }
        first, last = self._usage(usage)
        blocks: Events = []
        if deltas:
            blocks = [
                {"type": "content_block_start", "index": 0, "content_block": start},
                {"type": "ping"},
                *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
                {"type": "content_block_stop", "index": 0},
            ]
        return [
            {"type": "message_start", "message": {**message, "usage": first}},
            *blocks,
            {"type": "message_delta", "delta": end, "usage": last},
            {"type": "message_stop"},
        ]

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"type": "error", "error": {"type": trouble.type, "message": trouble.message}}

    def error_event(self, trouble: Trouble) -> dict[str, Any]:
        return self.error(trouble)

    def render(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return Responses().render(events)

    def render_whole(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        return self.render(events)

    def _usage(self, usage: Usage) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """At the start and at the end of the message."""
        if usage is Usage.MISSING:
            return None, None
        if usage is Usage.NULL_DETAILS:
            nulls = {"cache_read_input_tokens": None, "cache_creation": None}
            return {"input_tokens": 100, **nulls}, {"output_tokens": 50, "output_tokens_details": None}
        first = {
            "input_tokens": 30,
            "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 10,
            "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 1,
            "service_tier": "standard",
        }
        return first, {"output_tokens": 50, "output_tokens_details": {"thinking_tokens": 20}}


DIALECTS: tuple[Dialect, ...] = (Responses(), Chat(), Messages())
