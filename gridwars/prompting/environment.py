"""A Jinja environment in which a template reads the data it is given, and can do nothing else.

Strategies are files of operators, so templates are not trusted: no calls, no attributes of Python
objects, no arithmetic that makes a short text long (see `template_check`), and a bounded result. Values
are inserted as they are: what looks like a template inside one stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import jinja2
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from gridwars.prompting.errors import PromptError

MOST_CHARACTERS = 100_000
"""Of one rendered template; no prompt of ours comes near."""

FILTERS = ("abs", "first", "join", "last", "length", "lower", "max", "min", "sum", "trim", "upper")
"""Jinja's own that are kept: none is random, hides an unknown name or repeats a text."""


def make_environment(folder: Path) -> jinja2.Environment:
    """An environment for the templates in `folder`, which name each other by their path in it."""
    environment = _DataEnvironment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in FILTERS}
    environment.filters |= OWN_FILTERS
    environment.tests = {name: environment.tests[name] for name in ("divisibleby", "even", "none", "odd")}
    return environment


def number_lines(lines: Sequence[str]) -> str:
    """The lines, each behind its number from 1."""
    width = len(str(len(lines)))
    return "\n".join(f"{number:{width}}| {line}".rstrip() for number, line in enumerate(lines, 1))


def quote_lines(text: str) -> str:
    """The text with a mark before each line, so that none can be taken for a line of the prompt."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


OWN_FILTERS: Mapping[str, Callable[..., str]] = {"numbered": number_lines, "quoted": quote_lines}


def render(template: jinja2.Template, file: str, context: Mapping[str, object]) -> str:
    """The template's text, trimmed.

    Args:
        file: what an error calls it.

    Raises:
        PromptError: where the template does not fit the context, or makes too long a text.
    """
    parts: list[str] = []
    length = 0
    try:
        for part in template.generate(context):
            parts.append(part)
            length += len(part)
            if length > MOST_CHARACTERS:
                raise PromptError(f"{file}: makes more than {MOST_CHARACTERS} characters; shorten it")
    except (jinja2.TemplateError, TypeError) as error:
        raise PromptError.at(file, _find_line(error, template), f"{error}") from error
    return _BLANK_RUN.sub("\n\n", "".join(parts)).strip()


_BLANK_RUN = re.compile(r"\n{3,}")


def _find_line(error: BaseException, template: jinja2.Template) -> int:
    """The template's own line in which an error arose; Jinja puts it into the traceback."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == template.filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


class _DataEnvironment(ImmutableSandboxedEnvironment):
    """Reaches items of the data and the state of a loop, never an attribute of an object."""

    def getattr(self, obj: object, attribute: str) -> object:
        if isinstance(obj, LoopContext):
            return super().getattr(obj, attribute)
        return self.getitem(obj, attribute)

    def getitem(self, obj: object, argument: object) -> object:
        try:
            return obj[argument]  # type: ignore[index]  # whatever has no items becomes undefined below
        except (LookupError, TypeError):
            return self.undefined(obj=obj, name=str(argument))
