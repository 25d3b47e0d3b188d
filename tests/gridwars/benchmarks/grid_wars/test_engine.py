"""Choosing an engine: what each choice gives, and what becomes of it where the fast engine does not work."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.engines import ENGINE_VARIABLE, EngineChoice
from gridwars.benchmarks.grid_wars import engine
from gridwars.benchmarks.grid_wars.battle import compile_seats
from gridwars.benchmarks.grid_wars.engine import (
    EnginesDifferError,
    ReferenceEngine,
    TwinEngine,
    require_same,
    start_engine,
)
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.fast import EngineUnavailableError, FastEngine
from gridwars.benchmarks.grid_wars.warriors import load_warriors

PROGRAMS = compile_seats([load_warriors()[name].lines for name in ("painter", "bomber", "sentry", "painter")])
JOB = BattleJob(PROGRAMS, seed=9, spawn=(124, 145, 754, 775), ticks=90, bomb_cost=12, tick_digests=True)
INSTANCE = "gridwars.benchmarks.grid_wars.kernel.instance"


@pytest.fixture
def without_wasmtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    _forget_engines()
    monkeypatch.delitem(sys.modules, INSTANCE, raising=False)
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    yield
    _forget_engines()


def _forget_engines() -> None:
    engine._start_fast.cache_clear()
    engine._start_auto.cache_clear()


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        (EngineChoice.AUTO, FastEngine),
        (EngineChoice.FAST, FastEngine),
        (EngineChoice.REFERENCE, ReferenceEngine),
        (EngineChoice.BOTH, TwinEngine),
    ],
)
def test_each_choice_gives_its_engine_and_all_give_the_same(choice: EngineChoice, kind: type) -> None:
    chosen, reference = start_engine(choice), ReferenceEngine()
    assert isinstance(chosen, kind)
    assert chosen.play_battle(JOB) == reference.play_battle(JOB)
    silent = replace(JOB, tick_digests=False)
    assert chosen.run_battles([silent, JOB], threads=2) == reference.run_battles([silent, JOB])
    assert list(chosen.iterate_frames(JOB)) == list(reference.iterate_frames(JOB))


@pytest.mark.usefixtures("without_wasmtime")
def test_auto_falls_back_to_the_reference_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert isinstance(start_engine(EngineChoice.AUTO), ReferenceEngine)
        assert isinstance(start_engine(EngineChoice.AUTO), ReferenceEngine)
    (record,) = caplog.records
    assert "wasmtime does not work here" in record.message
    assert "the slower reference engine plays instead" in record.message


@pytest.mark.usefixtures("without_wasmtime")
@pytest.mark.parametrize("choice", [EngineChoice.FAST, EngineChoice.BOTH])
def test_an_engine_asked_for_by_name_is_not_replaced(choice: EngineChoice) -> None:
    with pytest.raises(EngineUnavailableError, match="wasmtime"):
        start_engine(choice)


@pytest.mark.parametrize("error", [OSError("no such library"), RuntimeError("unsupported platform")])
def test_a_wasmtime_that_cannot_start_counts_as_missing(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object) -> None:
        raise error

    monkeypatch.setattr(f"{INSTANCE}.CompiledKernel.__init__", fail)
    with pytest.raises(EngineUnavailableError, match=str(error)):
        FastEngine.start()


def test_the_twins_name_the_first_tick_that_differs() -> None:
    reference = ReferenceEngine().play_battle(JOB)
    digests = reference.result.tick_digests
    other = replace(
        reference.result, tick_digests=digests[: 8 * 41] + "00000000" + digests[8 * 42 :], digest="0" * 16
    )
    with pytest.raises(EnginesDifferError, match=r"from tick 41 on: digest is \w{16} for the ref") as caught:
        require_same(reference, reference._replace(result=other))
    assert caught.value.tick == 41


def test_the_twins_name_a_field_that_differs_in_the_result_alone() -> None:
    reference = ReferenceEngine().play_battle(JOB)
    stats = reference.result.stats
    other = replace(reference.result, stats=(*stats[:2], replace(stats[2], stalls=5), stats[3]))
    with pytest.raises(EnginesDifferError, match=r"result alone: stats\[2\].stalls is 0") as caught:
        require_same(reference, reference._replace(result=other))
    assert caught.value.tick is None


def test_the_twins_compare_the_final_boards() -> None:
    reference = ReferenceEngine().play_battle(JOB)
    with pytest.raises(EnginesDifferError, match="the final boards"):
        require_same(reference, reference._replace(board=""))


def test_importing_the_engines_does_not_load_wasmtime() -> None:
    program = "import sys, gridwars.benchmarks.grid_wars.engine; print('wasmtime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_the_environment_names_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENGINE_VARIABLE, "reference")
    assert isinstance(start_engine(), ReferenceEngine)
    monkeypatch.setenv(ENGINE_VARIABLE, "quick")
    with pytest.raises(ConfigurationError, match="'quick' is no engine"):
        start_engine()
