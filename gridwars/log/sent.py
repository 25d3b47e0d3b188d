"""What policies were sent, read from a log: prompts whole again, with the texts that they share."""

from __future__ import annotations

from collections.abc import Iterable

from gridwars.benchmarks.contract import Event
from gridwars.log.events import Asked, Message, Text

Prompt = tuple[Message, ...]


def collect_prompts(events: Iterable[Event]) -> dict[tuple[int, int, int], Prompt]:
    """The prompt of every request, by part, seat and attempt; of one that was asked again, the last.

    A message keeps its digest where the log names its text by it; a text that is missing stays "".
    """
    texts: dict[str, str] = {}
    prompts: dict[tuple[int, int, int], Prompt] = {}
    for event in events:
        match event:
            case Text(digest=digest, text=text):
                texts[digest] = text
            case Asked(key=key, prompt=prompt):
                prompts[key] = tuple(
                    Message(message.role, texts.get(message.digest, message.text), message.digest)
                    for message in prompt
                )
            case _:
                pass
    return prompts
