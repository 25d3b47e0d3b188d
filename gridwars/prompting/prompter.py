"""Makes the messages of a request: system, round and, for a repair, the reply that was not taken.

The system message is the same for every seat, round and strategy, and a strategy's text opens the round's
message, so that a provider's prefix cache serves all seats of all episodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from gridwars.benchmarks.contract import Benchmark, Rejection, Request
from gridwars.canonical import Json, hash_text, replace_lone_surrogates
from gridwars.log.events import Message
from gridwars.prompting.errors import PromptError
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.strategy import Strategy, load_strategy, parse_strategy
from gridwars.prompting.templates import (
    Templates,
    compile_templates,
    load_body,
    load_templates,
    make_context,
)

QUOTED_HEAD, QUOTED_TAIL = 3000, 5000
"""Code points that are kept of a reply's beginning and end when it is sent back; answers come last."""


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
        """The texts of the templates, from which and `record` the same prompter is made again."""
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


class UnknownTemplatesError(PromptError):
    """Templates whose texts nobody has.

    Attributes:
        digests: by the templates' names, at least one.
    """

    def __init__(self, digests: Mapping[str, str]) -> None:
        super().__init__(
            f"the prompt templates are not those that the episode was begun with ({', '.join(digests)}); "
            "resume with the version of gridwars that began it, or put the files back"
        )
        self.digests = digests


def make_prompter(benchmark: Benchmark, strategy: str, folder: Path | None = None) -> Prompter:
    """A prompter for the strategy that an operator named, by name or path.

    Raises:
        PromptError: for a strategy or template that cannot be used.
    """
    strategies = None if folder is None else folder / "strategies"
    return Prompter(load_strategy(strategy, strategies), _load(benchmark, folder))


def restore_prompter(benchmark: Benchmark, record: Mapping[str, Json], texts: Iterable[str]) -> Prompter:
    """The prompter that `record` describes, if the rules' numbers are the same: compare its own `record`.

    Args:
        texts: among them those of the templates, as a log holds them.

    Raises:
        UnknownTemplatesError: where one is not among the texts.
        PromptError: for what no prompts can be made of.
    """
    match record.get("strategy"), record.get("templates"):
        case {"text": str(strategy)}, dict(digests):
            pass
        case _:
            raise PromptError("the log does not say which prompts the episode was begun with")
    known = {hash_text(text): text for text in texts}
    unknown = {name: str(digest) for name, digest in digests.items() if str(digest) not in known}
    if unknown:
        raise UnknownTemplatesError(unknown)
    sources = tuple((name, known[str(digest)]) for name, digest in digests.items())
    templates = compile_templates(benchmark, sources, "the log's ")
    return Prompter(parse_strategy(strategy, "the log's strategy"), templates)


def list_installed_texts(benchmark: Benchmark, folder: Path | None = None) -> tuple[str, ...]:
    """The texts of this version's templates.

    Raises:
        PromptError: where one is missing, or cannot be used.
    """
    return tuple(_load(benchmark, folder).sources.values())


def _load(benchmark: Benchmark, folder: Path | None) -> Templates:
    return load_templates(benchmark, prompts_path() if folder is None else folder)


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
