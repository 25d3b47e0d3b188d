"""The templates of one benchmark, loaded and checked: `system`, `round` and `repair` in its folder."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2
import msgspec
from jinja2 import meta

from gridwars.benchmarks.contract import Benchmark, Observation
from gridwars.canonical import hash_text
from gridwars.prompting.environment import make_environment, render
from gridwars.prompting.errors import PromptError
from gridwars.prompting.strategy import Strategy
from gridwars.prompting.template_check import check_template

Context = Mapping[str, object]

_SAMPLE_REJECTION = {"reason": "1:1: an error", "further": "2:1: another"}


@dataclass(frozen=True, slots=True)
class Template:
    """A template that has been checked.

    Attributes:
        file: what errors call it.
    """

    file: str
    compiled: jinja2.Template

    def render(self, context: Context) -> str:
        return render(self.compiled, self.file, context)


@dataclass(frozen=True, slots=True)
class Templates:
    """What a benchmark's prompts are made of.

    Attributes:
        facts: the benchmark's own, in every context.
        system: the system message, the same for every seat, round and strategy.
        digests: SHA-256 of every file, by its path in the prompts' folder.
    """

    facts: Context
    system: str
    round: Template
    repair: Template
    digests: Mapping[str, str]


@functools.lru_cache
def load_templates(benchmark: Benchmark, folder: Path) -> Templates:
    """Reads and checks a benchmark's templates.

    Raises:
        PromptError: where one is missing, or is not as `check_template` wants it.
    """
    facts: dict[str, object] = {**benchmark.prompt_facts()}
    samples = [make_context(facts, each) for each in benchmark.sample_observations()]
    digests: dict[str, str] = {}
    own = benchmark.name.replace("-", "_")
    system = _load(f"{own}/system.md.j2", folder, [facts], digests)
    by_round = _load(
        f"{own}/round.md.j2",
        folder,
        [s | {"strategy": text} for s in samples for text in ("", "Win.")],
        digests,
    )
    repair = _load(
        f"{own}/repair.md.j2", folder, [s | {"rejection": _SAMPLE_REJECTION} for s in samples], digests
    )
    return Templates(facts, system.render(facts), by_round, repair, digests)


@functools.lru_cache
def load_body(strategy: Strategy, benchmark: Benchmark, folder: Path) -> Template:
    """The strategy's body as a template, checked against what the benchmark shows.

    Raises:
        PromptError: where it is for another benchmark, or is not as `check_template` wants it.
    """
    if not strategy.fits(benchmark.name):
        problem = f'strategy "{strategy.name}" is for {strategy.head.benchmark}, not for {benchmark.name}'
        raise PromptError(f"{strategy.file}: {problem}")
    facts = load_templates(benchmark, folder).facts
    samples = [make_context(facts, each) for each in benchmark.sample_observations()]
    source = "\n" * (strategy.body_line - 1) + strategy.body  # so that Jinja's line numbers are the file's
    return _check(source, strategy.file, make_environment(folder), samples, includes=False)


def make_context(facts: Context, observation: Observation) -> dict[str, object]:
    """All that a template may show of a moment: numbers of the rules, and what the seat sees."""
    return {**facts, "seen": msgspec.to_builtins(observation)}


def _load(name: str, folder: Path, samples: list[dict[str, object]], digests: dict[str, str]) -> Template:
    """Reads a template of the folder and whatever it includes."""
    try:
        source = (folder / name).read_text(encoding="utf-8")
    except OSError as error:
        raise PromptError(f"cannot read the prompt template {folder / name}: {error.strerror}") from error
    digests[name] = hash_text(source)
    environment = make_environment(folder)
    for included in meta.find_referenced_templates(environment.parse(source)):
        assert included is not None, "included templates are named by constants"
        _load(included, folder, samples, digests)
    return _check(source, str(folder / name), environment, samples, includes=True)


def _check(
    source: str,
    file: str,
    environment: jinja2.Environment,
    samples: list[dict[str, object]],
    *,
    includes: bool,
) -> Template:
    """Compiles a template and tries it on every sample, the fullest of which is the last."""
    try:
        check_template(environment.parse(source), file, samples[-1], includes=includes)
        template = Template(file, environment.from_string(source))
    except jinja2.TemplateSyntaxError as error:
        raise PromptError.at(file, error.lineno, error.message or "not a template") from None
    except RecursionError:
        raise PromptError(f"{file}: is nested too deeply") from None
    for sample in samples:
        template.render(sample)
    return template
