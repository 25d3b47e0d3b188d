"""Everything that differs between a recorded value and the derived one, each with its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec


class Difference(NamedTuple):
    """One value that differs.

    Attributes:
        path: such as `stats[2].tiles`, in the names that the record itself uses.
    """

    path: str
    recorded: object
    derived: object


def find_differences(recorded: object, derived: object) -> Iterator[Difference]:
    """In the order of the fields; a list of another length is one difference."""
    left, right = msgspec.to_builtins(recorded), msgspec.to_builtins(derived)
    if left != right:  # As hardly ever: most records are as they were derived.
        yield from _find(left, right, "")


def render_value(value: object) -> str:
    """A value as text, cut where it is long."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else f"{text[:199]}…"


def _find(recorded: object, derived: object, path: str) -> Iterator[Difference]:
    if isinstance(recorded, dict) and isinstance(derived, dict) and recorded.keys() == derived.keys():
        for name, value in recorded.items():
            yield from _find(value, derived[name], f"{path}.{name}" if path else str(name))
    elif (
        isinstance(recorded, list | tuple)
        and isinstance(derived, list | tuple)
        and len(recorded) == len(derived)
    ):
        for index, (left, right) in enumerate(zip(recorded, derived, strict=True)):
            yield from _find(left, right, f"{path}[{index}]")
    elif recorded != derived:
        yield Difference(path, recorded, derived)
