"""Whether a configuration's values can be: one check for every game, command line and settings file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gridwars.benchmarks.contract import ConfigurationError, Option


def check_options(game: str, options: Iterable[Option], values: Mapping[str, object]) -> None:
    """
    Args:
        values: by name of the option; any may be left out.

    Raises:
        ConfigurationError: names every value that is wrong, and what would be right.
    """
    known = {option.name: option for option in options}
    problems = [
        problem
        for name, value in values.items()
        if (
            problem := find_problem(known[name], value)
            if name in known
            else f"{name}: no such field of {game}; there are {', '.join(known)}"
        )
    ]
    if problems:
        raise ConfigurationError("\n".join(problems))


def find_problem(option: Option, value: object) -> str:
    """What is wrong with an option's value, with its name; "" where nothing is."""
    match option.default:
        case bool():
            problem = "" if isinstance(value, bool) else "is neither true nor false"
        case int() | None:
            problem = "" if value is None and option.default is None else _check_integer(option, value)
        case str():
            problem = _check_text(option, value)
        case tuple():
            if isinstance(value, list | tuple):
                problem = next((found for each in value if (found := _check_text(option, each))), "")
            else:
                problem = "is no list"
    return f"{option.name}: {value!r} {problem}" if problem else ""


def _check_integer(option: Option, value: object) -> str:
    low, high = option.minimum, option.maximum
    # A boolean is an int to Python, but nobody means 1 by true.
    match value:
        case bool():
            fits = False
        case int():
            fits = (low is None or value >= low) and (high is None or value <= high)
        case _:
            fits = False
    if fits:
        return ""
    return f"is not an integer of {'' if low is None else low}..{'' if high is None else high}"


def _check_text(option: Option, value: object) -> str:
    if option.choices:
        return "" if value in option.choices else f"is none of {', '.join(option.choices)}"
    return "" if isinstance(value, str) else "is no text"
