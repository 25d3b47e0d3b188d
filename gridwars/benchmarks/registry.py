"""The benchmarks by name; each is imported only when it is asked for."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from gridwars.benchmarks.contract import Benchmark, ConfigurationError
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


class UnknownBenchmarkError(ConfigurationError):
    """A benchmark's name that nothing here goes by."""


def get_benchmark(name: str) -> Benchmark:
    """The one instance of a benchmark.

    Raises:
        UnknownBenchmarkError: names what there is.
    """
    if name not in _CLASSES:
        raise _make_error(name, _CLASSES)
    return _load(name)


def get_vector_runners(name: str) -> Mapping[str, Runner]:
    """What runs the golden vectors of a game, by their kind.

    Raises:
        UnknownBenchmarkError: as `get_benchmark`.
    """
    if name not in _RULES_ALONE and name not in _CLASSES:
        raise _make_error(name, (*_CLASSES, *_RULES_ALONE))
    if name in _CLASSES:
        return _load(name).vector_runners
    return cast("Mapping[str, Runner]", _import(_RULES_ALONE[name]))


def _make_error(name: str, known: Iterable[str]) -> UnknownBenchmarkError:
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(names)}"
    return UnknownBenchmarkError(f'unknown benchmark "{name}"; {hint}')


class _Benchmarks(Mapping[str, Benchmark]):
    """Knows the names at once and imports a benchmark at its first use."""

    def __getitem__(self, name: str) -> Benchmark:
        if name not in _CLASSES:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


BENCHMARKS: Mapping[str, Benchmark] = _Benchmarks()
"""All of them, in the order in which they are shown."""


@functools.cache
def _load(name: str) -> Benchmark:
    return cast("type[Benchmark]", _import(_CLASSES[name]))()


def _import(place: str) -> object:
    module, _, attribute = place.partition(":")
    return cast(object, getattr(importlib.import_module(module), attribute))
