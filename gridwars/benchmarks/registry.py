"""The benchmarks by name, ours and those of packages; each is imported only when it is asked for."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from gridwars.benchmarks.contract import Benchmark, ConfigurationError
from gridwars.benchmarks.packages import BrokenBenchmarkError, find_offers, load_offer
from gridwars.vectors import Runner

_CLASSES: Mapping[str, str] = {
    "grid-wars": "gridwars.benchmarks.grid_wars.benchmark:GridWars",
    "snake-royale": "gridwars.benchmarks.snake_royale.benchmark:SnakeRoyale",
}


_RULES_ALONE: Mapping[str, str] = {
    "snake-arena": "gridwars.benchmarks.snake_arena.conformance:KINDS",
    "snake-board": "gridwars.benchmarks.snake_board.conformance:KINDS",
}
"""Games whose rules can be checked by vectors, and that nobody can play yet."""

_OWN = frozenset({*_CLASSES, *_RULES_ALONE})
"""Names that no package may take."""


class UnknownBenchmarkError(ConfigurationError):
    """A benchmark's name that nothing here goes by."""


def get_benchmark(name: str) -> Benchmark:
    """The one instance of a benchmark.

    Raises:
        UnknownBenchmarkError: names what there is.
        BrokenBenchmarkError: for one of a package that cannot be loaded, or whose name is taken.
    """
    if name not in BENCHMARKS:
        raise _make_error(name, BENCHMARKS)
    return _load(name)


def find_package(name: str) -> str:
    """The installed package that brings a benchmark, as name and version; "" for our own and unknown ones."""
    offers = () if name in _OWN else find_offers().get(name, ())
    return offers[0].package if offers else ""


def get_vector_runners(name: str) -> Mapping[str, Runner]:
    """What runs the golden vectors of a game, by their kind.

    Raises:
        UnknownBenchmarkError: as `get_benchmark`.
    """
    if name not in _RULES_ALONE and name not in BENCHMARKS:
        raise _make_error(name, (*BENCHMARKS, *_RULES_ALONE))
    if name not in _RULES_ALONE:
        return _load(name).vector_runners
    _require_only_claim(name)
    return cast("Mapping[str, Runner]", _import(_RULES_ALONE[name]))


def _make_error(name: str, known: Iterable[str]) -> UnknownBenchmarkError:
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(names)}"
    return UnknownBenchmarkError(f'unknown benchmark "{name}"; {hint}')


class _Benchmarks(Mapping[str, Benchmark]):
    """Knows the names at once and imports a benchmark at its first use."""

    def __getitem__(self, name: str) -> Benchmark:
        if name not in self:
            raise KeyError(name)
        return _load(name)

    def __contains__(self, name: object) -> bool:
        return name in _CLASSES or (name not in _OWN and name in find_offers())

    def __iter__(self) -> Iterator[str]:
        yield from _CLASSES
        yield from (name for name in find_offers() if name not in _OWN)

    def __len__(self) -> int:
        return sum(1 for _ in self)


BENCHMARKS: Mapping[str, Benchmark] = _Benchmarks()
"""All of them as they are shown, our own first. A broken one is an error at its first use."""


@functools.cache
def _load(name: str) -> Benchmark:
    _require_only_claim(name)
    if name in _CLASSES:
        return cast("type[Benchmark]", _import(_CLASSES[name]))()
    return load_offer(find_offers()[name][0])


def _require_only_claim(name: str) -> None:
    """Refuses a name that is taken twice, since nobody could say which of the games was played.

    Raises:
        BrokenBenchmarkError: names whose claims they are.
    """
    claims = [str(offer) for offer in find_offers().get(name, ())]
    if name in _OWN:
        claims.insert(0, "gridwars itself")
    if len(claims) > 1:
        raise BrokenBenchmarkError(
            f'benchmark "{name}" is brought by {" and by ".join(claims)}; uninstall all but one'
        )


def _import(place: str) -> object:
    module, _, attribute = place.partition(":")
    return cast(object, getattr(importlib.import_module(module), attribute))
