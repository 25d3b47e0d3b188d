"""Games that installed packages bring, each by an entry point of the group `gridwars.benchmarks`.

What is installed is read once, and nothing is imported for it; a game is, when it is asked for.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from gridwars.benchmarks.contract import Benchmark, ConfigurationError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "gridwars.benchmarks"

_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ERROR_LENGTH = 300


class BrokenBenchmarkError(ConfigurationError):
    """A game that a package brings and that cannot be played; names the package and its entry point."""


class Offer(NamedTuple):
    """A game as a package announces it.

    Attributes:
        place: where its class is, as `module:attribute`.
        package: name and version of the distribution, such as `pebbles 1.2`.
    """

    name: str
    place: str
    package: str
    entry: EntryPoint

    def __str__(self) -> str:
        return f'entry point "{self.name} = {self.place}" of the package {self.package}'


@functools.cache
def find_offers() -> Mapping[str, tuple[Offer, ...]]:
    """What installed packages bring, by the game's name, in alphabetical order."""
    from importlib.metadata import entry_points

    offers: dict[str, list[Offer]] = {}
    for entry in entry_points(group=GROUP):
        package = "(unknown)" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
        offers.setdefault(entry.name, []).append(Offer(entry.name, entry.value, package, entry))
    return {name: tuple(sorted(offers[name])) for name in sorted(offers)}


def load_offer(offer: Offer) -> Benchmark:
    """The one instance of a game that a package brings.

    Raises:
        BrokenBenchmarkError: where it cannot be imported or made, or is no benchmark of that name.
    """
    if not _NAME.fullmatch(offer.name):
        raise BrokenBenchmarkError(f"{offer}: a name is made of a-z, 0-9 and single hyphens")
    try:
        benchmark = offer.entry.load()()
    except (Exception, SystemExit) as error:  # a package may raise anything
        reason = f"{type(error).__name__}: {error}"[:_ERROR_LENGTH]
        raise BrokenBenchmarkError(
            f"{offer}: cannot be loaded: {reason}; repair or uninstall the package"
        ) from error
    lacks = [member for member in list_members(Benchmark) if not hasattr(benchmark, member)]
    if lacks:
        raise BrokenBenchmarkError(f"{offer}: is no benchmark, it lacks {', '.join(lacks)}")
    if benchmark.name != offer.name:
        raise BrokenBenchmarkError(f"{offer}: its class calls itself {benchmark.name!r}")
    return cast(Benchmark, benchmark)


def list_members(protocol: type) -> list[str]:
    """The public members that a protocol asks for."""
    names = {**protocol.__annotations__, **vars(protocol)}
    return [name for name in names if not name.startswith("_")]
