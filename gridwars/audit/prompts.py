"""Renders again what the models of a log were asked, from the templates that the log holds.

So no seat was given more than another: what it was sent follows from what it may see, its strategy, which
its record holds, and templates that are the same for all. A log of the first protocol holds no templates;
those that came with this version stand in where they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gridwars import LOG_PROTOCOL
from gridwars.benchmarks.contract import Benchmark, Finding, Request
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.canonical import Json
from gridwars.log.events import Asked, Message, Start, list_texts
from gridwars.log.reader import Log
from gridwars.log.replies import Render


def make_render(
    benchmark: Benchmark, start: Start, log: Log, tell: Callable[[str], None]
) -> tuple[Render, list[Finding]]:
    """What renders any request of the log, and what is wrong with the seats' templates and strategies.

    Args:
        tell: told, in words, of seats whose prompts cannot be derived though nothing is known to be wrong.
    """
    texts = list_texts(log.events)
    asked = {event.seat for event in log.events if isinstance(event, Asked)}
    renders: dict[int, Render] = {}
    findings: list[Finding] = []
    for seat, record in enumerate(start.seats):
        prompts = record.parameters.get("prompts")
        if seat not in asked or not record.is_model or not isinstance(prompts, dict):
            continue
        from gridwars.prompting import UnknownTemplatesError

        try:
            renders[seat] = _restore(benchmark, prompts, texts, start.protocol)
        except UnknownTemplatesError as error:
            if start.protocol == LOG_PROTOCOL:
                digest = next(iter(error.digests.values()))
                findings.append(_find(seat, "templates", digest, "that of a text in this log"))
            else:
                tell(f"what seat {record.alias} was sent cannot be derived: the log holds no templates")
        except _PromptsDifferError as error:
            if start.dialogue_version == benchmark.dialogue_version:
                findings.append(_find(seat, error.field, error.recorded, error.derived))
            else:
                tell(f"what seat {record.alias} was sent cannot be derived; it is of another version")

    def render(request: Request) -> tuple[Message, ...] | None:
        record = start.seats[request.seat]
        if request.seat in renders:
            return tuple(renders[request.seat](request) or ())
        is_told = record.kind in ("command", "human", "recorded")
        return () if is_told else None

    return render, findings


class _PromptsDifferError(ValueError):
    """A seat's record that templates and strategy do not give."""

    def __init__(self, field: str, recorded: str, derived: str) -> None:
        super().__init__(field)
        self.field, self.recorded, self.derived = field, recorded, derived


def _restore(
    benchmark: Benchmark, prompts: Mapping[str, Json], texts: Sequence[str], protocol: str
) -> Render:
    """What renders a seat's requests.

    Raises:
        UnknownTemplatesError, _PromptsDifferError
    """
    from gridwars.prompting import (
        PromptError,
        UnknownTemplatesError,
        list_installed_texts,
        restore_prompter,
    )

    if not isinstance(prompts.get("strategy"), dict) or not isinstance(prompts.get("templates"), dict):
        raise _PromptsDifferError("", "none", "strategy and templates")
    try:
        known = texts if protocol == LOG_PROTOCOL else [*list_installed_texts(benchmark), *texts]
        prompter = restore_prompter(benchmark, prompts, known)
    except UnknownTemplatesError:
        raise
    except PromptError as error:
        raise _PromptsDifferError("", "templates and a strategy", str(error)) from None
    for path, recorded, derived in find_differences(dict(prompts), prompter.record()):
        raise _PromptsDifferError(path, render_value(recorded), render_value(derived))
    return prompter.render


def _find(seat: int, field: str, recorded: str, derived: str) -> Finding:
    place = f"seats[{seat}].parameters.prompts" + (f".{field}" if field else "")
    return Finding(1, place, recorded, derived, seat=seat)
