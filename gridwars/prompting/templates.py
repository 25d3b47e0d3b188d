"""The templates of one benchmark, loaded and checked: `system`, `round` and `repair` in its folder."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2
import msgspec
from jinja2 import meta

from gridwars.benchmarks.contract import Benchmark, Observation
from gridwars.canonical import hash_text
from gridwars.files import read_file
from gridwars.prompting.environment import MOST_CHARACTERS, make_environment, render
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
    source: str
    compiled: jinja2.Template

    def render(self, context: Context) -> str:
        return render(self.compiled, self.file, context, self.source)


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """What a benchmark's prompts are made of.

    Attributes:
        facts: the benchmark's own, in every context.
        system: the system message, the same for every seat, round and strategy.
        sources: the text of every file, by its path in the prompts' folder.
    """

    benchmark: Benchmark
    facts: Context
    system: str
    round: Template
    repair: Template
    sources: Mapping[str, str]

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of every file, by its path in the prompts' folder."""
        return {name: hash_text(source) for name, source in self.sources.items()}


@functools.lru_cache
def load_templates(benchmark: Benchmark, folder: Path) -> Templates:
    """Reads and checks a benchmark's templates.

    Raises:
        PromptError: where one is missing, or is not as `check_template` wants it.
    """
    sources: dict[str, str] = {}
    for name in name_templates(benchmark):
        _read(name, folder, sources)
    return compile_templates(benchmark, tuple(sources.items()), f"{folder}{os.sep}")


def name_templates(benchmark: Benchmark) -> tuple[str, str, str]:
    """The files for system, round and repair, by their paths in the prompts' folder."""
    own = benchmark.name.replace("-", "_")
    return (f"{own}/system.md.j2", f"{own}/round.md.j2", f"{own}/repair.md.j2")


@functools.lru_cache(maxsize=16)
def compile_templates(benchmark: Benchmark, sources: tuple[tuple[str, str], ...], place: str) -> Templates:
    """Checks a benchmark's templates, wherever their texts come from.

    Args:
        sources: path and text of each.
        place: what an error puts before a path.

    Raises:
        PromptError: where one is missing, or is not as `check_template` wants it.
    """
    texts = dict(sources)
    environment = make_environment(jinja2.DictLoader(texts))
    facts: dict[str, object] = {**benchmark.prompt_facts()}
    samples = [make_context(benchmark, facts, each) for each in benchmark.sample_observations()]

    def check(name: str, contexts: list[dict[str, object]], *above: str) -> Template:
        if name not in texts or name in above:
            problem = "includes itself" if name in above else "the prompt template is missing"
            raise PromptError(f"{place}{name}: {problem}")
        for included in _find_included(texts[name], environment):
            check(included, contexts, *above, name)
        return _check(texts[name], f"{place}{name}", environment, contexts, includes=True)

    system, by_round, repair = name_templates(benchmark)
    return Templates(
        benchmark,
        facts,
        check(system, [facts]).render(facts),
        check(
            by_round,
            [sample | {"strategy": text, "hints": bool(text)} for sample in samples for text in ("", "Win.")],
        ),
        check(repair, [s | {"rejection": _SAMPLE_REJECTION} for s in samples]),
        texts,
    )


def render_chapter(benchmark: Benchmark, folder: Path, name: str) -> str:
    """One of the files that a benchmark's prompts include, with the numbers of its rules filled in.

    Raises:
        PromptError: where it is missing, or is not as `check_template` wants it.
    """
    sources: dict[str, str] = {}
    _read(name, folder, sources)
    facts: dict[str, object] = {**benchmark.prompt_facts()}
    environment = make_environment(jinja2.DictLoader(sources))
    return _check(sources[name], str(folder / name), environment, [facts], includes=True).render(facts)


@functools.lru_cache(maxsize=256)
def load_body(strategy: Strategy, templates: Templates) -> Template:
    """The strategy's body as a template, checked against what the benchmark shows.

    Raises:
        PromptError: where it is for another benchmark, or is not as `check_template` wants it.
    """
    benchmark = templates.benchmark
    if not strategy.fits(benchmark.name):
        problem = f'strategy "{strategy.name}" is for {strategy.head.benchmark}, not for {benchmark.name}'
        raise PromptError(f"{strategy.file}: {problem}")
    samples = [make_context(benchmark, templates.facts, each) for each in benchmark.sample_observations()]
    source = "\n" * (strategy.body_line - 1) + strategy.body  # so that Jinja's line numbers are the file's
    return _check(source, strategy.file, make_environment(jinja2.DictLoader({})), samples, includes=False)


def make_context(benchmark: Benchmark, facts: Context, observation: Observation) -> dict[str, object]:
    """All that a template may show of a moment: the rules' numbers, what the seat sees, what that implies."""
    seen = msgspec.to_builtins(observation)
    return {**facts, "seen": seen, "told": benchmark.tell_moment(observation)}


def _read(name: str, folder: Path, sources: dict[str, str]) -> None:
    """Reads a template of the folder and whatever it includes."""
    try:
        sources[name] = read_file(folder / name).decode()
    except OSError as error:
        raise PromptError(f"cannot read the prompt template {folder / name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PromptError(f"{folder / name}: byte {error.start} is not UTF-8; save it as UTF-8") from error
    for included in _find_included(sources[name], make_environment(jinja2.DictLoader({}))):
        if included not in sources:
            _read(included, folder, sources)


def _find_included(source: str, environment: jinja2.Environment) -> list[str]:
    """The templates that one includes; none where it cannot be read, which is found when it is checked."""
    try:
        names = meta.find_referenced_templates(environment.parse(source))
        return [name for name in names if name is not None]
    except (jinja2.TemplateSyntaxError, RecursionError):
        return []


def _check(
    source: str,
    file: str,
    environment: jinja2.Environment,
    samples: list[dict[str, object]],
    *,
    includes: bool,
) -> Template:
    """Compiles a template and tries it on every sample, the fullest of which is the last."""
    if len(source) > MOST_CHARACTERS:
        raise PromptError(f"{file}: is longer than {MOST_CHARACTERS} characters; shorten it")
    try:
        check_template(environment.parse(source), file, samples[-1], includes=includes)
        template = Template(file, source, environment.from_string(source))
    except jinja2.TemplateSyntaxError as error:
        raise PromptError.at(file, error.lineno, error.message or "not a template") from None
    except RecursionError:
        raise PromptError(f"{file}: is nested too deeply") from None
    except PromptError:
        raise
    except ValueError:
        raise PromptError(f"{file}: holds a number of too many digits") from None
    for sample in samples:
        template.render(sample)
    return template
