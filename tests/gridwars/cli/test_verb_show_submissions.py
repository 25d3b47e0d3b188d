"""What `gridwars show` prints of one seat: its script, its replies, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.following import Following
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.cli.recordings import open_log
from gridwars.log.events import kind_of

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]

LOGS = Path(__file__).parents[2] / "fixtures" / "logs" / "v1"
MODELS = str(LOGS / "grid-wars-models.jsonl")
SNAKES = str(LOGS / "snake-royale-models.jsonl")


def test_a_script_can_be_kept_as_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "--script", "a", MODELS]) is ExitCode.OK
    said = capsys.readouterr()
    assert said.out == "while true:\n  place()\n  move(0, 1)\n"
    assert said.err == "round 2, seat a (Tinker; anthropic:some-model, plan): llm\n"
    for name in ("A", "1", "Tinker", "tinker"):
        assert run(["show", "--script", name, "--round", "1", MODELS]) is ExitCode.OK
        assert "move(1, 0)" in capsys.readouterr().out


def test_a_reply_is_shown_attempt_by_attempt_with_what_became_of_it(
    capsys: pytest.CaptureFixture[str], run_json: RunJson
) -> None:
    arguments = ["show", "--reply", "c", "--round", "2", MODELS]
    assert run(arguments) is ExitCode.OK
    first, second = capsys.readouterr().out.split("--- attempt ")[1:]
    assert first.startswith("1: truncated; the reply is cut short")
    assert "```gwl\nwhile true:\n  wait()\n" in first
    assert second.startswith('2: valid\n{"script"')
    _, document = run_json([*arguments, "--json"])
    assert [attempt["outcome"] for attempt in document["attempts"]] == ["truncated", "valid"]
    assert document["attempts"][0]["microdollars"] == 150


def test_a_difference_is_that_to_the_time_before(
    capsys: pytest.CaptureFixture[str], run_json: RunJson
) -> None:
    assert run(["show", "--diff", "a", MODELS]) is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["--- round 1", "+++ round 2"]
    assert lines[-2:] == ["-  move(1, 0)", "+  move(0, 1)"]
    _, document = run_json(["show", "--diff", "a", "--round", "1", MODELS, "--json"])
    assert document["before"] is None
    assert "+  place()" in document["diff"]
    assert run(["show", "--diff", "d", MODELS]) is ExitCode.OK
    assert "the same as in round 1" in capsys.readouterr().err


def test_a_game_that_asks_in_every_turn_is_shown_by_its_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "--script", "a", "--turn", "2", SNAKES]) is ExitCode.OK
    assert capsys.readouterr().out == '{"dir": "left", "alt": "down"}\n'
    assert run(["show", "--script", "a", "--match", "1", SNAKES]) is ExitCode.USAGE
    assert "goes with --turn" in capsys.readouterr().err


def test_a_fallback_names_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "--script", "c", "--round", "1", MODELS]) is ExitCode.OK
    assert "fallback; the model refused" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--script", "a", "--round", "9"],
            "--round 9: seat a (Tinker; anthropic:some-model, plan) submitted",
        ),
        (["--script", "a", "--tick", "3"], "goes with --round NUMBER, not with --tick"),
        (["--reply", "d"], "never answered; see what it played with --script d"),
        (["--reply", "x"], 'there is no seat "x"; there is: a (Tinker)'),
        (["--reply", "a", "--diff", "a"], "give one of --script, --reply, --diff"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", *arguments, MODELS]) is ExitCode.USAGE
    assert said in " ".join(capsys.readouterr().err.split())


def test_foreign_text_is_made_plain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "odd.gwl"
    odd.write_text("# \u202e\x1b[2J red\nplace()\n", encoding="utf-8")
    log = tmp_path / "log.jsonl"
    assert (
        run(["play", "--rounds", "1", "--ticks", "20", "--seat", str(odd), "--out", str(log)]) is ExitCode.OK
    )
    for option in ("--script", "--diff"):
        capsys.readouterr()
        assert run(["show", option, "a", str(log)]) is ExitCode.OK
        out = capsys.readouterr().out
        assert "\\u202e\\x1b[2J red" in out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_a_reply_that_is_not_sealed_yet_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    log = LOGS / "grid-wars-unfinished.jsonl"
    assert run(["show", "--reply", "a", str(log)]) is ExitCode.OK
    said = capsys.readouterr()
    assert "--- attempt 1" in said.out


@pytest.mark.parametrize("log", sorted(LOGS.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_every_sealed_decision_is_read_back(log: Path) -> None:
    episode = open_log(log)
    benchmark, recording = get_benchmark(episode.start.benchmark), episode.recording
    sealing = [event for event in recording.events if kind_of(event) in ("submit", "directive")]
    following = Following(benchmark.start(recording.config), recording.events)
    decided = [each for opened in following for each in opened.sealed]
    assert sealing or not episode.log.ended
    assert [recording.events[each.place] for each in decided] == sealing
    assert [each.decision.seat for each in decided] == [getattr(event, "seat", None) for event in sealing]
