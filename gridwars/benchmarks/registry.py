"""The benchmarks by name; each is imported only when it is asked for."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Iterator, Mapping
from typing import cast

from gridwars.benchmarks.contract import Benchmark, ConfigurationError

_CLASSES: Mapping[str, str] = {
    "grid-wars": "gridwars.benchmarks.grid_wars.benchmark:GridWars",
    "snake-royale": "gridwars.benchmarks.snake_royale.benchmark:SnakeRoyale",
}


class UnknownBenchmarkError(ConfigurationError):
    """A benchmark's name that nothing here goes by."""


def get_benchmark(name: str) -> Benchmark:
    """The one instance of a benchmark.

    Raises:
        UnknownBenchmarkError: names what there is.
    """
    if name not in _CLASSES:
        close = difflib.get_close_matches(name, _CLASSES, n=1)
        hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(_CLASSES)}"
        raise UnknownBenchmarkError(f'unknown benchmark "{name}"; {hint}')
    return _load(name)


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
    module, _, attribute = _CLASSES[name].partition(":")
    return cast(Benchmark, getattr(importlib.import_module(module), attribute)())
