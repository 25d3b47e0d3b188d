"""The built-in warriors: one `.gwl` file each, whose header comment is its description."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

LADDER = (
    "sentry",
    "bomber",
    "painter",
    "gambler",
    "sweeper",
    "fortress",
    "raider",
    "warden",
    "hunter",
    "brawler",
    "assassin",
    "marshal",
)
"""From the weakest to the strongest over all fields (`python -m tests.benchmarks.ladder`).

That is not who beats whom: in duels `brawler` beats all others, the killers above it too.
"""


@dataclass(frozen=True, slots=True)
class Warrior:
    """A built-in.

    Attributes:
        lines: the source, as a seat would submit it.
        description: the comment at the top of the file, in one line.
    """

    name: str
    lines: tuple[str, ...]
    description: str

    @property
    def source(self) -> str:
        return "\n".join(self.lines)


@cache
def load_warriors() -> dict[str, Warrior]:
    """Every built-in by name, up the ladder."""
    folder = Path(__file__).parent
    return {
        name: _read_warrior(name, folder.joinpath(f"{name}.gwl").read_text(encoding="utf-8"))
        for name in LADDER
    }


def _read_warrior(name: str, text: str) -> Warrior:
    lines = tuple(text.rstrip().split("\n"))
    header: list[str] = []
    for line in lines:
        if not line.startswith("#"):
            break
        header.append(line.lstrip("#").strip())
    assert header, f"{name}.gwl does not say what it does in a comment at its top"
    return Warrior(name=name, lines=lines, description=" ".join(header))
