"""Makes the messages of a request: system, round and, for a repair, the reply that was not taken.

The system message is the same for every seat, round and strategy, and a strategy's text opens the round's
message, so that a provider's prefix cache serves all seats of all episodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gridwars.benchmarks.contract import Benchmark, Rejection, Request
from gridwars.canonical import Json, hash_text, replace_lone_surrogates
from gridwars.log.events import Message
from gridwars.prompting.errors import PromptError
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.strategy import Strategy, load_strategy, parse_strategy
from gridwars.prompting.templates import Templates, load_body, load_templates, make_context

QUOTED_HEAD, QUOTED_TAIL = 3000, 5000
"""Code points that are kept of a reply's beginning and end when it is sent back; answers come last."""

LOG_PLACE = "the log's strategy"
"""What errors call a strategy whose text a log holds."""


class Prompter:
    """Renders one strategy's prompts for one benchmark; a pure function of each request."""

    def __init__(self, strategy: Strategy, templates: Templates) -> None:
        """Tries everything, so that rendering cannot fail for a reason known before.

        Raises:
            PromptError: for a strategy that cannot be used.
        """
        self.strategy = strategy
        self._templates = templates
        self._body = load_body(strategy, templates)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the templates, which a log holds once, to be found by the digests of `record`."""
        return tuple(self._templates.sources.values())

    def render(self, request: Request) -> tuple[Message, ...]:
        """The messages, in order, roles `system`, `user` and `assistant`; user and assistant take turns."""
        context = make_context(self._templates.benchmark, self._templates.facts, request.observation)
        advice = {"strategy": self._body.render(context), "hints": self.strategy.head.hints}
        question = self._templates.round.render(context | advice)
        system = Message("system", self._templates.system)
        if request.rejection is None:
            return (system, Message("user", question))
        repair = self._templates.repair.render(context | {"rejection": _describe(request.rejection)})
        reply = _quote(request.rejection.reply)
        if not reply:
            return (system, Message("user", f"{question}\n\n{repair}"))
        return (system, Message("user", question), Message("assistant", reply), Message("user", repair))

    def record(self) -> dict[str, Json]:
        """What a log keeps so that the same prompts can be made again, or it is known that they can't."""
        return {
            "strategy": {
                "name": self.strategy.name,
                "version": self.strategy.head.version,
                "digest": self.strategy.digest,
                "text": self.strategy.source,
            },
            "templates": {**self._templates.digests},
            "system": hash_text(self._templates.system),
        }


def make_prompter(benchmark: Benchmark, strategy: str, folder: Path | None = None) -> Prompter:
    """A prompter for the strategy that an operator named, by name or path.

    Raises:
        PromptError: for a strategy or template that cannot be used.
    """
    strategies = None if folder is None else folder / "strategies"
    return Prompter(load_strategy(strategy, strategies), _load(benchmark, folder))


def restore_prompter(
    benchmark: Benchmark, record: Mapping[str, Json], folder: Path | None = None
) -> Prompter:
    """The prompter that `record` describes; the strategy's text is the log's, whatever its file says now.

    Raises:
        PromptError: where templates or rules are not those that the episode was begun with.
    """
    match record.get("strategy"), record.get("templates"), record.get("system"):
        case {"text": str(source)}, dict(digests), str(system):
            prompter = Prompter(parse_strategy(source, LOG_PLACE), _load(benchmark, folder))
        case _:
            raise PromptError("the log does not say which prompts the episode was begun with")
    own = prompter.record()
    _require_same(digests, own["templates"])
    if system != own["system"]:
        raise PromptError(
            "the system message is not the one that the episode was begun with, though its templates are: "
            "the rules' numbers differ; resume with the version of gridwars that began it"
        )
    return prompter


def _load(benchmark: Benchmark, folder: Path | None) -> Templates:
    return load_templates(benchmark, prompts_path() if folder is None else folder)


def _require_same(recorded: Mapping[str, Json], present: Json) -> None:
    assert isinstance(present, dict), "a record of ours"
    changed = sorted(
        name for name in recorded.keys() | present.keys() if recorded.get(name) != present.get(name)
    )
    if changed:
        raise PromptError(
            f"the prompt templates are not those that the episode was begun with ({', '.join(changed)}); "
            "resume with the version of gridwars that began it, or put the files back"
        )


def _describe(rejection: Rejection) -> dict[str, str]:
    return {
        "reason": replace_lone_surrogates(rejection.reason),
        "further": replace_lone_surrogates(rejection.further),
    }


def _quote(reply: str) -> str:
    """The reply as the model is shown it again: bounded, and fit for any provider."""
    text = replace_lone_surrogates(reply).strip()
    left_out = len(text) - QUOTED_HEAD - QUOTED_TAIL
    if left_out <= 0:
        return text
    return f"{text[:QUOTED_HEAD]}\n[{left_out} characters are left out here]\n{text[-QUOTED_TAIL:]}".strip()
