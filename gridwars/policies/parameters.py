"""Checks a seat's parameters before any money is spent, and keeps them in a log that holds no floats."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from gridwars.canonical import Json
from gridwars.policies.policy import PolicyError

MAXIMUM_DEPTH = 20
"""Lists and objects inside each other, in what is kept of a foreign value."""

_FLOAT = "$float"


class Shape(Enum):
    """What a parameter's value must be, in the words of an error."""

    INTEGER = "a whole number"
    NUMBER = "a number"
    TEXT = "a text"
    OBJECT = "a table (a JSON object)"
    LIST = "a list of texts"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter that a seat may be given.

    Attributes:
        minimum, maximum: inclusive, for numbers.
        choices: for texts; empty where any text will do.
    """

    shape: Shape
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    def describe_values(self) -> str:
        """Which values there are, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.minimum is None:
            return self.shape.value
        if self.maximum is None:
            return f"{self.shape.value}, at least {self.minimum:g}"
        return f"{self.shape.value} from {self.minimum:g} to {self.maximum:g}"


def check_parameters(
    seat: str, given: Mapping[str, object], known: Mapping[str, Parameter], passed_on: Collection[str] = ()
) -> None:
    """Refuses what no call could be made with.

    Args:
        seat: its text, for the error.
        known: parameters by name.
        passed_on: further names whose values are the provider's business.

    Raises:
        PolicyError: names seat, parameter and value, and what would be right.
    """
    for name, value in given.items():
        if name in known:
            problem = _find_problem(known[name], value)
            if problem:
                raise PolicyError(f'seat "{seat}": parameter {name} = {value!r}: {problem}')
        elif name not in passed_on:
            raise PolicyError(f'seat "{seat}": unknown parameter "{name}"; {_hint(name, known, passed_on)}')
        try:
            freeze(value)
        except TypeError as error:
            raise PolicyError(f'seat "{seat}": parameter {name}: {error}') from None


def freeze(value: object, *, depth: int = MAXIMUM_DEPTH) -> Json:
    """A JSON value as a log can hold it: each float as `{"$float": "0.7"}`, everything else as it is.

    Raises:
        TypeError: for what is no JSON, or is nested deeper than `depth`.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return {_FLOAT: repr(value)}
        case Mapping() if depth:
            return {_require_text(key): freeze(inner, depth=depth - 1) for key, inner in value.items()}
        case list() | tuple() if depth:
            return [freeze(inner, depth=depth - 1) for inner in value]
        case Mapping() | list() | tuple():
            raise TypeError("is nested too deeply")
        case _:
            raise TypeError(f"{value!r} is no JSON value")


_MOST_USAGE = 2**16
"""Characters of a usage record; real ones have some hundred."""


def keep_usage(record: object) -> Json:
    """A provider's usage record as a log can hold it; None where there is none, or it cannot be kept."""
    try:
        kept = freeze(record)
    except TypeError:
        return None
    return kept if len(json.dumps(kept)) <= _MOST_USAGE else None


def thaw(value: Json) -> object:
    """The value that `freeze` kept."""
    match value:
        case dict():
            text = value.get(_FLOAT)
            if len(value) == 1 and isinstance(text, str):
                return float(text)
            return {key: thaw(inner) for key, inner in value.items()}
        case list():
            return [thaw(inner) for inner in value]
        case _:
            return value


def _find_problem(parameter: Parameter, value: object) -> str:
    """What is wrong with a value; "" where nothing is."""
    match parameter.shape:
        case Shape.INTEGER:
            fits = isinstance(value, int) and not isinstance(value, bool)
        case Shape.NUMBER:
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        case Shape.TEXT:
            fits = isinstance(value, str)
        case Shape.OBJECT:
            fits = isinstance(value, Mapping)
        case Shape.LIST:
            fits = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
    if not fits:
        return f"must be {parameter.shape.value}"
    if parameter.choices and value not in parameter.choices:
        return f"must be one of {', '.join(parameter.choices)}"
    if isinstance(value, int | float):
        low, high = parameter.minimum, parameter.maximum
        if not ((low is None or value >= low) and (high is None or value <= high)):
            return f"must lie from {low} to {high}" if high is not None else f"must be at least {low}"
    return ""


def _hint(name: str, known: Collection[str], passed_on: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f'did you mean "{close[0]}"?'
    there_is = f"there is: {', '.join(sorted(known))}"
    others = sorted(set(passed_on) - set(known))
    return f"{there_is}; and, passed on as it is: {', '.join(others)}" if others else there_is


def _require_text(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"key {key!r} is no text")
    return key
