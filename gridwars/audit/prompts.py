"""Renders again what the models of a log were asked, from the templates that the log holds.

So no seat was given more than another: what it was sent follows from what it may see, its strategy, which
its record holds, and templates that are the same for all. A log of the first protocol holds no templates;
those that came with this version stand in where they are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gridwars import LOG_PROTOCOL
from gridwars.benchmarks.contract import Benchmark, Finding, Request
from gridwars.benchmarks.differences import find_differences, render_value
from gridwars.canonical import Json, hash_text
from gridwars.log.events import Asked, Message, Start, Text
from gridwars.log.reader import Log
from gridwars.log.replies import Render


def make_render(
    benchmark: Benchmark, start: Start, log: Log, tell: Callable[[str], None]
) -> tuple[Render, list[Finding]]:
    """What renders any request of the log, and what is wrong with the seats' templates and strategies.

    Args:
        tell: told, in words, of seats whose prompts cannot be derived though nothing is known to be wrong.
    """
    texts = {event.digest: event.text for event in log.events if isinstance(event, Text)}
    asked = {event.seat for event in log.events if isinstance(event, Asked)}
    renders: dict[int, Render] = {}
    findings: list[Finding] = []
    for seat, record in enumerate(start.seats):
        prompts = record.parameters.get("prompts")
        if seat not in asked or not record.is_model or not isinstance(prompts, dict):
            continue
        try:
            renders[seat] = _restore(benchmark, prompts, texts, start.protocol)
        except _UnknownTemplateError as error:
            if start.protocol == LOG_PROTOCOL:
                findings.append(_find(seat, "templates", error.digest, "that of a text in this log"))
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


class _UnknownTemplateError(ValueError):
    """A template that is neither in the log nor among this version's."""

    def __init__(self, digest: str) -> None:
        super().__init__(digest)
        self.digest = digest


class _PromptsDifferError(ValueError):
    """A seat's record that templates and strategy do not give."""

    def __init__(self, field: str, recorded: str, derived: str) -> None:
        super().__init__(field)
        self.field, self.recorded, self.derived = field, recorded, derived


def _restore(
    benchmark: Benchmark, prompts: Mapping[str, Json], texts: Mapping[str, str], protocol: str
) -> Render:
    """What renders a seat's requests.

    Raises:
        _UnknownTemplateError, _PromptsDifferError
    """
    from gridwars.prompting import Prompter, PromptError
    from gridwars.prompting.prompter import LOG_PLACE
    from gridwars.prompting.strategy import parse_strategy
    from gridwars.prompting.templates import compile_templates

    strategy, digests = prompts.get("strategy"), prompts.get("templates")
    if not isinstance(strategy, dict) or not isinstance(digests, dict):
        raise _PromptsDifferError("", "none", "strategy and templates")
    known = texts if protocol == LOG_PROTOCOL else {**_read_own(digests), **texts}
    sources = []
    for name, digest in digests.items():
        if str(digest) not in known:
            raise _UnknownTemplateError(str(digest))
        sources.append((name, known[str(digest)]))
    try:
        templates = compile_templates(benchmark, tuple(sources), "the log's ")
        prompter = Prompter(parse_strategy(str(strategy.get("text")), LOG_PLACE), templates)
    except PromptError as error:
        raise _PromptsDifferError("", "templates and a strategy", str(error)) from None
    for path, recorded, derived in find_differences(dict(prompts), prompter.record()):
        raise _PromptsDifferError(path, render_value(recorded), render_value(derived))
    return prompter.render


def _read_own(digests: Mapping[str, Json]) -> dict[str, str]:
    """This version's templates of these names, by digest."""
    from gridwars.prompting import prompts_path

    folder = prompts_path().resolve()
    paths = ((folder / name).resolve() for name in digests)
    sources = [
        path.read_text(encoding="utf-8") for path in paths if path.is_relative_to(folder) and path.is_file()
    ]
    return {hash_text(source): source for source in sources}


def _find(seat: int, field: str, recorded: str, derived: str) -> Finding:
    place = f"seats[{seat}].parameters.prompts" + (f".{field}" if field else "")
    return Finding(1, place, recorded, derived, seat=seat)
