"""What each name of the language means, read from what models are told, so that both say the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gwl.builtins import CALLED_WHEN_READ, CONSTANTS

_ROW = re.compile(r"\| (?P<calls>`\w+\([^`|]*\)`(?: `\w+\([^`|]*\)`)*) \| (?P<meaning>[^|]+?) \|")
_ITEM = re.compile(r"- (?P<calls>`\w+\([^`]*\)`) (?P<meaning>[^`].*)")
_CALL = re.compile(r"`((\w+)\([^`]*\))`")
_LIST_OF_CONSTANTS = "Constants: "


@dataclass(frozen=True, slots=True)
class Meaning:
    """One name.

    Attributes:
        signature: such as `check(dx, dy)` or `BOMB = -1`.
        text: Markdown, as the reference has it.
    """

    signature: str
    text: str


def read_meanings(reference: str) -> Mapping[str, Meaning]:
    """Finds what a reference says of actions, builtins and constants.

    Args:
        reference: Markdown, in which a table's row or a list's item that begins with a call says what it
            does, and what says something of a constant writes it as code.
    """
    meanings: dict[str, Meaning] = {}
    mentions: dict[str, list[str]] = {name: [] for name in (*CONSTANTS, *CALLED_WHEN_READ)}
    for line in reference.splitlines():
        entry = _ROW.fullmatch(line) or _ITEM.fullmatch(line)
        if entry is None and not line.startswith(_LIST_OF_CONSTANTS):
            continue
        text = line if entry is None else entry["meaning"]
        if entry is not None:
            calls = _CALL.findall(entry["calls"])
            together = entry["calls"] + ": " if len(calls) > 1 else ""
            for signature, name in calls:
                meanings.setdefault(name, Meaning(signature, together + text))
        for name, found in mentions.items():
            if f"`{name}`" in text:
                found.append(text if entry is None else f"{entry['calls']}: {text}")
    for name, found in mentions.items():
        value = f" = {CONSTANTS[name]}" if name in CONSTANTS else ""
        meanings[name] = Meaning(f"{name}{value}", "\n\n".join(found))
    return meanings
