"""A Jinja environment in which a template reads the data it is given, and can do nothing else.

Strategies are files of operators, and an audit renders what stands in anybody's log, so templates are not
trusted: no calls, no attributes of Python objects, no arithmetic that makes a short text long (see
`template_check`), a bounded result, and bounded work on the way to it. Values are inserted as they are:
what looks like a template inside one stays text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from gridwars.prompting.errors import PromptError

MOST_CHARACTERS = 100_000
"""Of one rendered template, and of any text on the way to it; no prompt of ours comes near."""

MOST_STEPS = 200_000
"""Of one rendering: nodes of the template that are passed in loops, and pieces of text that are made."""

FILTERS = ("abs", "first", "join", "last", "length", "lower", "max", "min", "sum", "trim", "upper")
"""Jinja's own names that are kept: none is random, hides an unknown name or repeats a text."""

_PIECE = 64
"""Characters of a text that are made in one step."""

_INCLUDE_STEPS = 100
_LOOP_FILTER = "counted"
_steps_left: ContextVar[list[int]] = ContextVar("steps_left")


def make_environment(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """An environment for the templates of a loader, which name each other as it knows them."""
    environment = _DataEnvironment(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # nothing is computed while a template is compiled, where no work is counted
    )
    environment.globals.clear()
    own = {"join": join_texts, "sum": add_numbers, **OWN_FILTERS}
    kept = {name: environment.filters[name] for name in FILTERS} | own
    environment.filters = {name: _bound(function) for name, function in kept.items()}
    environment.filters[_LOOP_FILTER] = _count_loop
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


def join_texts(values: Sequence[object], between: str = "") -> str:
    """Jinja's `join`, which looks at the length before it makes the text."""
    texts = [str(value) for value in values]
    _require_length(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def add_numbers(values: Sequence[object]) -> int:
    """Jinja's `sum`, of numbers alone: lists would be copied once for each."""
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) < len(values):
        raise jinja2.TemplateRuntimeError("sum adds numbers alone")
    return sum(numbers)


def render(template: jinja2.Template, file: str, context: Mapping[str, object], source: str = "") -> str:
    """The template's text, trimmed.

    Args:
        file: what an error calls it.
        source: what the template was made of, for the values that an error names.

    Raises:
        PromptError: where the template does not fit the context, makes too long a text, or takes too long.
    """
    parts: list[str] = []
    length = 0
    token = _steps_left.set([MOST_STEPS])
    try:
        for part in template.generate(context):
            parts.append(part)
            length += len(part)
            if length > MOST_CHARACTERS:
                raise PromptError(f"{file}: makes more than {MOST_CHARACTERS} characters; shorten it")
    except PromptError:
        raise
    except Exception as error:
        line = _find_line(error, template)
        problem = (
            str(error) if isinstance(error, jinja2.TemplateError) else f"{type(error).__name__}: {error}"
        )
        raise PromptError.at(file, line, problem + _name_values(source, line, context)) from error
    finally:
        _steps_left.reset(token)
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


_PATH = re.compile(r"[a-z_]\w*(?:\.\w+)*")


def _name_values(source: str, line: int, context: Mapping[str, object]) -> str:
    """The numbers and short texts that a line of a template names, as they were."""
    values = []
    for path in dict.fromkeys(_PATH.findall("".join(source.split("\n")[line - 1 : line]))):
        value: object = context
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, int | str) and len(str(value)) <= 40:
            values.append(f"{path} = {value!r}")
    return f" (with {', '.join(values)})" if values else ""


def _take_steps(count: int) -> None:
    left = _steps_left.get([MOST_STEPS])
    left[0] -= count
    if left[0] < 0:
        raise jinja2.TemplateRuntimeError(f"takes more than {MOST_STEPS} steps; loop over less")


def _require_length(length: int) -> None:
    if length > MOST_CHARACTERS:
        raise jinja2.TemplateRuntimeError(f"makes a text of more than {MOST_CHARACTERS} characters")
    _take_steps(1 + length // _PIECE)


def _bound(function: Callable[..., Any]) -> Callable[..., Any]:  # Any: filters take and give what they like
    @functools.wraps(function)
    def bounded(*arguments: Any, **named: Any) -> Any:
        value = function(*arguments, **named)
        _require_length(len(value) if isinstance(value, str) else 0)
        return value

    return bounded


@jinja2.pass_context
def _count_loop(context: Context, values: Any, weight: int) -> Any:  # Any: whatever has a length
    """The values of a loop, whose body has so many nodes; all that it will pass is counted here."""
    _take_steps((1 + len(values)) * weight)
    return values


class _CountingGenerator(CodeGenerator):
    """Compiles every loop as one over counted values."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  Jinja's name
        for loop in list(node.find_all(nodes.For)):
            weight = nodes.Const(1 + sum(1 for part in loop.body for _ in part.find_all(nodes.Node)))
            counted = nodes.Filter(loop.iter, _LOOP_FILTER, [weight], [], None, None)
            for new in (weight, counted):
                new.set_lineno(loop.lineno)
                new.set_environment(self.environment)
            loop.iter = counted
        super().visit_Template(node, frame)


class _DataEnvironment(ImmutableSandboxedEnvironment):
    """Reaches items of the data and the state of a loop, never an attribute of an object."""

    code_generator_class = _CountingGenerator
    intercepted_binops = frozenset({"+"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # Any: as Jinja's
        value = super().call_binop(context, operator, left, right)
        _require_length(0 if isinstance(value, int) else len(value))
        return value

    def get_template(self, *arguments: Any, **named: Any) -> jinja2.Template:  # Any: as Jinja's
        _take_steps(_INCLUDE_STEPS)
        return super().get_template(*arguments, **named)

    def getattr(self, obj: object, attribute: str) -> object:
        if isinstance(obj, LoopContext):
            return super().getattr(obj, attribute)
        return self.getitem(obj, attribute)

    def getitem(self, obj: object, argument: object) -> object:
        try:
            return obj[argument]  # type: ignore[index]  # whatever has no items becomes undefined below
        except (LookupError, TypeError):
            return self.undefined(obj=obj, name=str(argument))
