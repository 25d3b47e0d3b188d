"""`gridwars play` and `resume` with whole runs: settings files, folders, budgets, void episodes."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.contract import Request
from gridwars.benchmarks.engines import ENGINE_VARIABLE
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.harness.folder import RunFolder
from gridwars.log.reader import read_log
from tests.gridwars.cli.fake_model import PROGRAM, USED, talkers
from tests.gridwars.paid_talker import Talkers

__all__ = ["talkers"]

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]
SHORT = ("--rounds", "2", "--ticks", "20")

SETTINGS = """
rounds = 2
ticks = 20
seed = 40
episodes = 2
parallel = 1
seat = ["talker:plan", "sentry"]
[budget.run]
dollars = 1
"""


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(SETTINGS, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_a_settings_file_says_what_options_say(
    talkers: Talkers, settings: Path, folder: Path, run_json: RunJson, tmp_path: Path
) -> None:
    code, by_file = run_json(["play", "--config", settings, "--out", folder, "--json"])
    assert code is ExitCode.OK
    options: list[str | Path] = [
        *("--rounds", "2", "--ticks", "20", "--seed", "40", "--episodes", "2", "--parallel", "3"),
        *("--seat", "a=talker:plan", "--seat", "b=sentry", "--budget", "run.dollars=9"),
    ]
    _, by_options = run_json(["play", *options, "--out", tmp_path / "other", "--json"])
    assert by_file["digest"] == by_options["digest"]
    assert [each["results"] for each in by_file["episodes"]] == [
        each["results"] for each in by_options["episodes"]
    ]
    assert [each["seed"] for each in by_file["episodes"]] == [40, 41]
    assert by_file["cost"] == {
        "calls": 4,
        "tokens": 4 * USED,
        "microdollars": 4 * USED,
        "known_microdollars": 4 * USED,
        "unpriced_calls": 0,
        "perhaps_paid_calls": 0,
    }


def test_options_go_before_the_file(
    talkers: Talkers, settings: Path, folder: Path, run_json: RunJson
) -> None:
    arguments: list[str | Path] = ["play", "--config", settings, "--episodes", "1", "--seed", "3"]
    _, played = run_json([*arguments, "--seat", "b=painter", "--out", folder, "--json"])
    (episode,) = played["episodes"]
    assert episode["seed"] == 3
    start = read_log(Path(episode["log"])).start
    assert start is not None
    assert [seat.policy for seat in start.seats][:2] == ["talker", "painter"]


def test_the_folder_keeps_the_settings_that_were_resolved(
    talkers: Talkers, settings: Path, folder: Path, run_json: RunJson
) -> None:
    _, played = run_json(["play", "--config", settings, "--out", folder, "--json"])
    kept = tomllib.loads((folder / "run.toml").read_text(encoding="utf-8"))
    assert kept["seat"] == {"a": "talker:plan", "b": "sentry"}
    assert kept["bomb_cost"] == 12
    assert kept["budget"] == {"run": {"dollars": 1}}
    assert kept["run"] == {"digest": played["digest"]}
    for episode in played["episodes"]:
        start = read_log(Path(episode["log"])).start
        assert start is not None
        assert start.run is not None
        assert start.run.digest == played["digest"]


def test_played_again_into_its_folder_a_run_is_resumed(
    talkers: Talkers, settings: Path, folder: Path, run_json: RunJson
) -> None:
    arguments: list[str | Path] = ["play", "--config", settings, "--out", folder, "--json"]
    whole = run_json(arguments)[1]
    log = folder / "episode-0002.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.with_name(log.name + ".head").unlink()
    log.write_bytes(b"".join(lines[:6]))
    talkers.made.clear()
    resumed = run_json(arguments)[1]
    assert talkers.asked == [(2, 0, 1)]
    assert run_json(["resume", folder, "--json"])[1] == resumed
    assert resumed["cost"] == whole["cost"]
    assert [each["results"] for each in resumed["episodes"]] == [
        each["results"] for each in whole["episodes"]
    ]


def test_another_run_into_the_same_folder_is_refused_with_what_differs(
    talkers: Talkers, settings: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "--config", str(settings), "--out", str(folder), "--quiet"]) is ExitCode.OK
    code = run(["play", "--config", str(settings), "--out", str(folder), "--ticks", "30"])
    assert code is ExitCode.USAGE
    assert "ticks differ" in capsys.readouterr().err


def test_a_file_that_has_changed_since_is_named_as_such(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.gwl"
    mine.write_text("while true:\n  place()\n", encoding="utf-8")
    arguments = ["play", *SHORT, "--seat", str(mine), "--out", str(folder)]
    assert run(arguments) is ExitCode.OK
    mine.write_text("while true:\n  wait()\n", encoding="utf-8")
    assert run(arguments) is ExitCode.USAGE
    assert "has changed" in capsys.readouterr().err
    assert run(["resume", str(folder)]) is ExitCode.OK


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("roundz = 2", ["roundz", '"rounds"']),
        ("rounds = 99", ["99", "settings.toml"]),
        ("rounds = [2]", ["rounds", "[2]"]),
        ('benchmark = "chess"', ['"chess"']),
        ("rounds = ", ["settings.toml"]),
        ('[set]\neffort = "low"', ["effort", "no seat is a model's"]),
        ("[set.b]\nx = 1", ["seat b"]),
        ("batch-seconds = 5\nbatch_seconds = 6", ["batch_seconds is set twice"]),
        ("set = { a = 3 }", ["set.a = 3 must be a table"]),
        ("[budget.run]\ndollars = 'five'\ncalls = true", ["dollars = five", "calls = True"]),
        ("reserve_seconds = 9", ["--reserve-seconds 9 leaves no time"]),
        ("rounds = true", ["rounds = True must be a whole number"]),
        ("rounds = 1.5", ["rounds = 1.5 must be a whole number"]),
        ("prices = 3", ["prices = 3 must be a text"]),
        ("watch = 1", ["watch = 1 must be true or false"]),
        ('engine = "foo"', ["engine = 'foo'", "reference"]),
        ("rounds = 99\nparallel = 0\nroundz = 1\nseat = 3", ["rounds", "parallel", "roundz", "seat must be"]),
    ],
)
def test_a_wrong_settings_file_says_what_would_be_right(
    text: str, said: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    assert run(["play", "--config", str(path), "--out", str(tmp_path / "run")]) is ExitCode.USAGE
    message = capsys.readouterr().err
    assert all(part in message for part in said), message
    assert not (tmp_path / "run").exists()


def test_there_is_one_settings_file(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--config", str(settings), f"--config={settings}"]) is ExitCode.USAGE
    assert "there can be one settings file" in capsys.readouterr().err


def test_how_play_is_shown_and_where_it_is_written_are_keys_too(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prices.toml").write_text(PRICES, encoding="utf-8")
    Path("settings.toml").write_text(
        'rounds = 1\nticks = 20\nout = "run"\nquiet = true\nengine = "reference"\nprices = "prices.toml"\n',
        encoding="utf-8",
    )
    assert run(["play", "--config", "settings.toml"]) is ExitCode.OK
    assert capsys.readouterr().err == ""
    assert (folder / "episode-0001.jsonl").exists()
    assert os.environ[ENGINE_VARIABLE] == "reference"
    assert run(["preflight", "--config", "settings.toml", "--offline"]) is ExitCode.OK


@pytest.mark.parametrize("arguments", [(), ("snake-royale", "--module", "geese", "--max-turns", "5")])
def test_a_run_reads_its_own_settings_again(
    arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = SHORT if not arguments else ()
    assert run(["play", *arguments, *short, "--out", str(folder), "--quiet"]) is ExitCode.OK
    assert run(["play", "--config", str(folder / "run.toml"), "--out", str(folder), "--quiet"]) is ExitCode.OK


def test_a_void_episode_is_flagged_counts_for_nobody_and_is_rerun(
    talkers: Talkers, settings: Path, folder: Path, run_json: RunJson, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(request: Request) -> str | None:
        is_first = sum(bool(talker.asked) for talker in talkers.made) == 1
        return None if request.part == 2 and is_first else PROGRAM

    talkers.say = say
    arguments = ["play", "--config", str(settings), "--out", str(folder)]
    assert run(arguments) is ExitCode.VOID
    output = capsys.readouterr()
    assert "players over 2 episodes (1 void, 1 finished)" in output.out
    assert "episode 1 is void: seat a, round 2: the provider is down" in output.out
    assert f"gridwars resume --rerun-void {folder}" in output.err
    talkers.say = lambda request: PROGRAM
    code, rerun = run_json(["resume", "--rerun-void", folder, "--json"])
    assert code is ExitCode.OK
    assert [each["status"] for each in rerun["episodes"]] == ["finished", "finished"]
    assert rerun["cost"]["calls"] == 5


def test_a_single_void_episode_has_its_own_exit_code_and_notice(
    talkers: Talkers, tmp_path: Path, capsys: pytest.CaptureFixture[str], run_json: RunJson
) -> None:
    talkers.say = lambda request: None if request.part == 1 else PROGRAM
    log = tmp_path / "log.jsonl"
    assert run(["play", *SHORT, "--seat", "talker:x", "--out", str(log)]) is ExitCode.VOID
    for arguments in ([], ["show", str(log)]):
        assert not arguments or run(arguments) is ExitCode.OK
        shown = capsys.readouterr().out
        assert "The episode is void" in shown
        assert "seat a, round 1: the provider is down" in shown
        assert "$0.000050 spent, 50 tokens, 1 call" in shown
    code, shown = run_json(["resume", log, "--json"])
    assert code is ExitCode.VOID
    assert shown["status"] == "void"
    void = {"seat": 0, "part": 1, "attempt": 1, "outcome": "void", "reason": "the provider is down"}
    assert shown["void"] == [{**void, "last_error": None}]


def test_a_single_void_episode_is_played_again_as_often_as_it_is_void(
    talkers: Talkers, run_json: RunJson, tmp_path: Path
) -> None:
    talkers.say = lambda request: None
    log = tmp_path / "one.jsonl"
    run(["play", *SHORT, "--seat", "talker:plan", "--out", str(log), "--quiet"])
    code, again = run_json(["resume", "--rerun-void", log, "--json"])
    assert code is ExitCode.VOID
    assert again["log"] == str(tmp_path / "one-rerun-1.jsonl")
    talkers.say = lambda request: PROGRAM
    code, again = run_json(["resume", "--rerun-void", again["log"], "--json"])
    assert code is ExitCode.OK
    assert again["log"] == str(tmp_path / "one-rerun-2.jsonl")
    starts = [read_log(path).start for path in (log, Path(again["log"]))]
    assert starts[0] == starts[1]
    assert run_json(["resume", "--rerun-void", log, "--json"]) == (code, again)


def test_an_episode_of_a_run_is_played_again_with_its_run(
    talkers: Talkers, settings: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["play", "--config", str(settings), "--out", str(folder), "--quiet"])
    assert run(["resume", "--rerun-void", str(folder / "episode-0001.jsonl")]) is ExitCode.USAGE
    assert f"use --rerun-void with its folder, {folder}" in capsys.readouterr().err


PRICES = """
table = "mine"
[[price]]
provider = "openai-chat"
models = ["m"]
input = 1
output = 1
"""
AGENT = "print('```gwl\\nwhile true:\\n  place()\\n  move(1, 0)\\n```')\n"


@pytest.mark.parametrize("has_plan", [True, False], ids=["with its plan", "of a version that wrote none"])
@pytest.mark.parametrize("is_finished", [True, False], ids=["finished", "cut short"])
def test_a_run_needs_nothing_but_its_folder(
    has_plan: bool,
    is_finished: bool,
    run_json: RunJson,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("prices.toml").write_text(PRICES, encoding="utf-8")
    Path("mine.gwl").write_text("while true:\n  place()\n  move(1, 0)\n", encoding="utf-8")
    Path("agent.py").write_text(AGENT, encoding="utf-8")
    seats = ["--seat", "mine.gwl"]
    if has_plan:
        seats += ["--seat", f"command:{sys.executable} agent.py"]
    place = ["--prices", "prices.toml", "--out", str(folder), "--json"]
    options = [*SHORT, "--episodes", "2", *seats, *place]
    code, whole = run_json(["play", *options])
    assert code is ExitCode.OK
    if not has_plan:
        (folder / "plan.json").unlink()
    if not is_finished:
        (folder / "episode-0002.jsonl").unlink()
    Path("prices.toml").unlink()
    Path("mine.gwl").write_text("nonsense", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, again = run_json(["resume", folder, "--json"])
    assert code is ExitCode.OK
    assert [each["results"] for each in again["episodes"]] == [each["results"] for each in whole["episodes"]]
    assert again["digest"] == whole["digest"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is not a plan as this version writes it"),
        (b"\xff", "is not a plan as this version writes it"),
        (
            (
                b'{"benchmark": "chess", "rules_version": 1, "config": {}, "seats": [], "limits": {},'
                b' "episode_count": 1}'
            ),
            "chess by version 1 of its rules, which this version of gridwars does not play",
        ),
    ],
)
def test_a_plan_that_cannot_be_read_is_named(
    content: bytes,
    said: str,
    settings: Path,
    folder: Path,
    talkers: Talkers,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["play", "--config", str(settings), "--out", str(folder), "--quiet"])
    (folder / "plan.json").write_bytes(content)
    assert run(["resume", str(folder)]) is ExitCode.USAGE
    assert said in capsys.readouterr().err


def test_two_processes_do_not_play_one_run(
    talkers: Talkers, settings: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["play", "--config", str(settings), "--out", str(folder), "--quiet"])
    assert not (folder / "run.lock").exists()
    with RunFolder(folder).hold():
        assert run(["resume", str(folder)]) is ExitCode.FILE
    assert "another process is playing this run" in capsys.readouterr().err


def test_a_run_out_of_budget_says_how_to_go_on(
    talkers: Talkers, tmp_path: Path, capsys: pytest.CaptureFixture[str], run_json: RunJson
) -> None:
    log = tmp_path / "log.jsonl"
    budget = ("--budget", "run.calls=1")
    assert run(["play", *SHORT, "--seat", "talker:x", *budget, "--out", str(log)]) is ExitCode.STOPPED
    message = capsys.readouterr().err
    assert "budget of the run leaves no further call" in message
    assert f"gridwars resume {log}" in message
    assert run(["resume", str(log)]) is ExitCode.STOPPED
    code, played = run_json(["resume", log, "--budget", "run.calls=2", "--json"])
    assert code is ExitCode.OK
    assert played["cost"]["calls"] == 2


def test_a_dollar_budget_without_a_price_refuses_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    seat = ("--seat", "openai:unheard-of-model")
    out = tmp_path / "log.jsonl"
    assert run(["play", *seat, "--budget", "run.dollars=5", "--out", str(out)]) is ExitCode.USAGE
    message = capsys.readouterr().err
    assert "unheard-of-model" in message
    assert "--prices" in message
    assert not out.exists()


def test_several_episodes_do_not_go_into_one_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--episodes", "2", "--out", str(tmp_path / "x.jsonl")]) is ExitCode.USAGE
    assert "folder" in capsys.readouterr().err


def test_a_folder_that_holds_other_things_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "diary.txt").write_text("dear diary", encoding="utf-8")
    assert run(["play", "--episodes", "2", "--out", str(tmp_path)]) is ExitCode.USAGE
    assert run(["resume", str(tmp_path)]) is ExitCode.USAGE
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_without_a_place_a_run_gets_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["play", *SHORT, "--episodes", "2"]) is ExitCode.OK
    (folder,) = (tmp_path / "runs").iterdir()
    assert {path.name for path in folder.iterdir()} >= {
        "run.toml",
        "episode-0001.jsonl",
        "episode-0002.jsonl",
    }
    assert run(["audit", str(folder)]) is ExitCode.OK


def test_progress_is_told_line_by_line_without_a_terminal_and_kept_quiet_when_asked(
    talkers: Talkers, settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talkers.failures = {}
    base = ["play", "--config", str(settings)]
    assert run([*base, "--out", str(tmp_path / "told")]) is ExitCode.OK
    told = capsys.readouterr().err
    assert "episode 1, round 1, seat a talker: sealed" in told
    assert "episode 1, round 1 played" in told
    assert "of $1.00 spent" in told
    assert run([*base, "--out", str(tmp_path / "quiet"), "--quiet"]) is ExitCode.OK
    assert capsys.readouterr().err == ""
    assert run([*base, "--out", str(tmp_path / "json"), "--json"]) is ExitCode.OK
    assert capsys.readouterr().err == ""
