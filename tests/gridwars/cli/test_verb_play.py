"""`gridwars play` and `gridwars resume` from the outside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from tests.gridwars.cli.conftest import ROUND_COUNT

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]
SHORT = ("--rounds", "1", "--ticks", "20")


def test_play_without_options_is_a_whole_series_that_says_who_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["play"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "5 of 5 rounds" in text
    assert " wins with " in text
    (log,) = (tmp_path / "runs").glob("*.jsonl")
    assert str(log) in text.replace("\n", "")


def test_same_seed_gives_the_same_results_and_another_seed_others(run_json: RunJson, tmp_path: Path) -> None:
    results = [
        run_json(["play", *SHORT, "--seed", seed, "--json", "--out", tmp_path / f"{number}.jsonl"])[1][
            "results"
        ]
        for number, seed in enumerate(("5", "5", "6"))
    ]
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_named_seats_come_first_and_built_ins_fill_the_rest(run_json: RunJson, tmp_path: Path) -> None:
    mine = tmp_path / "mine.gwl"
    mine.write_text("while true:\n  place()\n", encoding="utf-8")
    arguments: list[str | Path] = [
        "play",
        *SHORT,
        "--seat",
        mine,
        "--seat",
        "sentry",
        "--json",
        "--out",
        tmp_path / "log.jsonl",
    ]
    code, played = run_json(arguments)
    assert code is ExitCode.OK
    assert [seat["policy"] for seat in played["seats"]][:2] == ["mine.gwl", "sentry"]
    assert len(played["seats"]) == 4


@pytest.mark.parametrize(
    ("step", "told"),
    [("move(2, 0)", "3:3: warning: wrong-value: move(2, 0) leads to no neighbour"), ("move(1, 0)", "")],
)
def test_a_file_is_played_with_its_warnings_shown(
    step: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.gwl"
    mine.write_text(f"while true:\n  place()\n  {step}\n", encoding="utf-8")
    assert run(["play", *SHORT, "--seat", str(mine), "--out", str(tmp_path / "log.jsonl")]) is ExitCode.OK
    said = capsys.readouterr().err
    assert told in said
    assert ("look at it" in said) is bool(told)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "pianter"], ['"pianter"', '"painter"']),
        (["--seat", "gone.gwl"], ["gone.gwl"]),
        (["--seat", "sentry"] * 5, ["5 seats are named; Grid Wars has 4, a to d"]),
        (["--seat", "x=sentry"], ['"sentry" is to play seat x; Grid Wars has 4, a to d']),
        (["--rounds", "13"], ["--rounds", "13", "1<=x<=12"]),
        (["--ticks", "1"], ["--ticks", "20<=x<=1200"]),
        (["chess"], ['"chess"', "grid-wars"]),
    ],
)
def test_wrong_command_line_says_what_would_be_right_and_writes_nothing(
    arguments: list[str],
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["play", *arguments]) is ExitCode.USAGE
    message = capsys.readouterr().err
    assert all(part in message for part in said), message
    assert list(tmp_path.iterdir()) == []


def test_script_that_does_not_compile_is_refused_with_line_and_caret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.gwl").write_text("while true\n  place()\n", encoding="utf-8")
    assert run(["play", "--seat", "broken.gwl"]) is ExitCode.USAGE
    message = capsys.readouterr().err
    assert "broken.gwl" in message
    assert "while true\n" in message
    assert "^" in message


def test_existing_log_is_not_overwritten(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = log.read_bytes()
    assert run(["play", *SHORT, "--out", str(log)]) is ExitCode.FILE
    assert "exists" in capsys.readouterr().err
    assert log.read_bytes() == before


def test_watch_without_a_terminal_draws_the_end_of_every_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", *SHORT, "--watch", "--out", str(tmp_path / "log.jsonl")]) is ExitCode.OK
    assert "round 1, tick 19" in capsys.readouterr().out


def test_cut_log_is_resumed_to_the_results_of_the_whole(log: Path, run_json: RunJson) -> None:
    whole = run_json(["resume", "--json", log])[1]["results"]
    lines = log.read_bytes().splitlines(keepends=True)
    assert len(lines) > 8
    for count in (1, 7):
        log.with_name(log.name + ".head").unlink(missing_ok=True)
        log.write_bytes(b"".join(lines[:count]) + lines[count][:30])
        code, resumed = run_json(["resume", "--json", log])
        assert code is ExitCode.OK
        assert resumed["results"] == whole
        assert resumed["results"]["rounds"] == ROUND_COUNT
        assert len(log.read_bytes().splitlines()) == len(lines)


def test_resume_refuses_what_is_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "note.jsonl"
    file.write_text("dear diary\n", encoding="utf-8")
    assert run(["resume", str(file)]) is ExitCode.FILE
    assert "note.jsonl" in capsys.readouterr().err


def test_interrupted_play_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(runner: asyncio.Runner, coroutine: Any) -> NoReturn:  # Any: whatever a runner takes
        coroutine.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(asyncio.Runner, "run", interrupt)
    path = tmp_path / "my log.jsonl"
    assert run(["play", "--out", str(path)]) is ExitCode.INTERRUPTED
    assert f"gridwars resume '{path}'" in capsys.readouterr().err
