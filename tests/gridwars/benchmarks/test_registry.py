from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.registry import BENCHMARKS, UnknownBenchmarkError, get_benchmark
from gridwars.log.events import END_KIND, HARNESS_EVENTS


def test_every_benchmark_goes_by_its_own_name_and_has_an_end() -> None:
    assert "grid-wars" in BENCHMARKS
    for name, benchmark in BENCHMARKS.items():
        assert benchmark.name == name
        assert get_benchmark(name) is benchmark
        tags = [kind.__struct_config__.tag for kind in (*benchmark.event_types, *HARNESS_EVENTS)]
        assert END_KIND in tags
        assert len(set(tags)) == len(tags)


def test_an_unknown_name_says_what_was_probably_meant() -> None:
    with pytest.raises(UnknownBenchmarkError, match='unknown benchmark "gridwars"; did you mean "grid-wars"'):
        get_benchmark("gridwars")
    with pytest.raises(ConfigurationError, match="there is: grid-wars"):
        get_benchmark("chess")
    assert BENCHMARKS.get("chess") is None


def test_benchmarks_are_imported_when_they_are_used() -> None:
    code = (
        "import sys, gridwars.benchmarks.registry as r; list(r.BENCHMARKS); before = len(sys.modules);"
        "assert 'gridwars.benchmarks.grid_wars' not in sys.modules;"
        "r.BENCHMARKS['grid-wars']; assert len(sys.modules) > before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_registry_can_be_sent_to_another_process() -> None:
    assert list(pickle.loads(pickle.dumps(BENCHMARKS))) == list(BENCHMARKS)
