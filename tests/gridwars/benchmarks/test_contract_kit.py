"""The public kit's questions to every registered benchmark: what harness, audit and viewer rely on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Player, Recording
from gridwars.benchmarks.kit import CHECKS, SLOW_CHECKS, Trial, VerdictKind, run_check
from gridwars.benchmarks.kit.playing import answer_with_baselines, list_changes, play_marked
from gridwars.benchmarks.kit.showing import RESERVED_KEYS
from gridwars.benchmarks.registry import BENCHMARKS
from gridwars.clock import SystemClock
from gridwars.harness.orchestrator import resume_episode
from gridwars.log.reader import read_log
from gridwars.policies.key_prompt import EDITOR, HELP, LINE, STOP
from tests.gridwars.playing import play_seats

TRIALS: Mapping[str, Trial] = {
    "grid-wars": Trial(
        BENCHMARKS["grid-wars"], {"rounds": 2, "ticks": 20}, hidden=("notes", "banner", "reason")
    ),
    "snake-royale": Trial(BENCHMARKS["snake-royale"], {"max_turns": 6}, hidden=("notes", "reason")),
}

SKIPPED = {
    ("grid-wars", "every key has one meaning"),
    ("snake-royale", "starts hold whatever a seed can bring"),
}
"""What a game of ours lacks."""

each_trial = pytest.mark.parametrize("trial", TRIALS.values(), ids=list(TRIALS))


def test_every_registered_benchmark_is_asked() -> None:
    assert BENCHMARKS
    assert set(TRIALS) == set(BENCHMARKS)
    assert all(BENCHMARKS[name].name == name for name in BENCHMARKS)
    assert set(CHECKS) >= SLOW_CHECKS
    assert len(CHECKS) == len(set(CHECKS.values())) > 20
    assert {HELP, EDITOR, STOP, LINE} == RESERVED_KEYS


@each_trial
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW_CHECKS)) for name in CHECKS]
)
def test_a_game_of_ours_does_as_the_kit_asks(trial: Trial, name: str) -> None:
    verdict = run_check(CHECKS[name], trial)
    skipped = (trial.benchmark.name, name) in SKIPPED
    assert verdict.kind is (VerdictKind.SKIPPED if skipped else VerdictKind.PASSED), verdict.details


def test_no_starts_are_listed_for_a_player_that_may_draw() -> None:
    trial = TRIALS["grid-wars"]
    benchmark = trial.benchmark
    notes = benchmark.baseline_notes
    players = [Player(benchmark.baselines[name], notes[name].source) for name in benchmark.default_seats]
    assert benchmark.list_starts(trial.configure(), players) is not None
    assert benchmark.list_starts(trial.configure(), [*players, Player(players[0].decide)]) is None


@each_trial
def test_the_short_episodes_are_long_enough_to_show_something(trial: Trial) -> None:
    marked = play_marked(trial.start(), answer_with_baselines(trial.benchmark))
    assert sum(len(list(list_changes(event))) for is_seal, event in marked if not is_seal) > 50
    recording = Recording(trial.configure(), trial.benchmark.default_seats, [event for _, event in marked])
    assert len(list(trial.benchmark.make_view().iterate_pictures(recording, 1))) > 5


@each_trial
def test_a_log_cut_after_any_line_resumes_to_the_same_results(trial: Trial, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    play_seats(whole, trial.benchmark, trial.configure(), trial.benchmark.default_seats)
    events = read_log(whole).require_sound().events
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) > 5
    for count in range(1, len(lines)):
        cut = tmp_path / f"cut-{count}.jsonl"
        cut.write_bytes(b"".join(lines[:count]))
        asyncio.run(resume_episode(cut, clock=SystemClock(), observe=lambda event, known: None))
        assert read_log(cut).require_sound().events == events
        assert audit_log(cut).status is AuditStatus.INTACT
