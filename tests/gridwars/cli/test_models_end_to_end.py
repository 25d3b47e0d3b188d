"""Whole episodes of models, from `gridwars play` to `gridwars audit`: real SDKs, real peers, and faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.contract import Origin, Outcome
from gridwars.benchmarks.grid_wars.events import Submit
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.events import Called, Judged
from gridwars.log.reader import Log, read_log
from tests.gridwars.policies.behaviours import answering, refusing
from tests.servers.dialects import DIALECTS, Dialect, Trouble
from tests.servers.faulty import serve_in_thread
from tests.servers.peers import InstallError, find_npm, install_aimock, run_aimock, run_llm_mock

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]

SCRIPT = ["# walks east", "while true:", "  place()", "  move(1, 0)"]
REPLY = json.dumps({"script": SCRIPT, "notes": "Paint a row.", "banner": "East!"})
PROSE = "I would rather talk about it first: how about a walk east?"
KINDS = ("anthropic", "openai", "openai-chat")
ROUNDS = 2


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEER_KEY", "a-key-for-tests")


@pytest.fixture(scope="module")
def aimock(pytestconfig: pytest.Config) -> Path:
    if find_npm() is None:
        pytest.skip("npm is missing")
    try:
        return install_aimock(pytestconfig.cache.mkdir("aimock"))
    except InstallError as error:
        pytest.skip(f"npm cannot install aimock: {error}")


@pytest.fixture
def llm_mock(tmp_path: Path) -> Iterator[str]:
    with run_llm_mock(tmp_path, REPLY) as address:
        yield address


def play(run_json: RunJson, log: Path, address: str) -> Log:
    """Plays one model of each kind and a built-in, audits the log, and reads it."""
    arguments: list[str | Path] = ["play", "--rounds", str(ROUNDS), "--ticks", "40", "--json", "--out", log]
    for seat, kind in zip("abc", KINDS, strict=True):
        base_url = address if kind == "anthropic" else f"{address}/v1"
        arguments += ["--seat", f"{seat}={kind}:some-model", "--set", f"{seat}.base_url={base_url}"]
        arguments += ["--set", f"{seat}.key_variable=PEER_KEY"]
    code, _ = run_json([*arguments, "--seat", "d=painter"])
    assert code is ExitCode.OK
    code, report = run_json(["audit", log, "--json"])
    assert code is ExitCode.OK, report
    return read_log(log).require_sound()


def check_played(log: Log) -> None:
    submitted = [event for event in log.events if isinstance(event, Submit) and event.seat < len(KINDS)]
    assert [event.origin for event in submitted] == [Origin.LLM] * ROUNDS * len(KINDS)
    assert {tuple(event.script) for event in submitted} == {tuple(SCRIPT)}
    calls = [event for event in log.events if isinstance(event, Called)]
    assert {call.provider for call in calls} == set(KINDS)
    assert all(call.error == "" and call.served_model == "some-model" for call in calls)
    assert all(call.usage is not None for call in calls)


@pytest.mark.slow
def test_models_of_each_kind_play_through_llm_mock_api(
    run_json: RunJson, tmp_path: Path, llm_mock: str
) -> None:
    log = play(run_json, tmp_path / "log.jsonl", llm_mock)
    check_played(log)
    tokens = [event.tokens for event in log.events if isinstance(event, Called)]
    assert tokens == [{"input": 10, "output": 5}] * ROUNDS * len(KINDS)


@pytest.mark.slow
def test_models_of_each_kind_play_through_aimock(run_json: RunJson, tmp_path: Path, aimock: Path) -> None:
    with run_aimock(aimock, tmp_path, [REPLY]) as address:
        check_played(play(run_json, tmp_path / "log.jsonl", address))


@pytest.mark.slow
def test_a_model_that_chats_is_asked_again_and_taken(run_json: RunJson, tmp_path: Path, aimock: Path) -> None:
    with run_aimock(aimock, tmp_path, [PROSE, REPLY]) as address:
        log = play(run_json, tmp_path / "log.jsonl", address)
    judged = [event.outcome for event in log.events if isinstance(event, Judged)]
    assert Outcome.INVALID in judged
    origins = [event.origin for event in log.events if isinstance(event, Submit)]
    assert Origin.RETRY in origins
    assert Origin.FALLBACK not in origins


CANARY = "zq7-Canary-4f9c2b81d6e05a73"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
def test_a_refused_key_stops_play_is_shown_nowhere_and_costs_nothing_that_was_played(
    dialect: Dialect,
    run_json: RunJson,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PEER_KEY", CANARY)
    refused = Trouble(401, "invalid_api_key", "authentication_error", f"Incorrect API key: {CANARY}")
    log = tmp_path / "log.jsonl"
    play = [
        "play",
        "--rounds",
        "2",
        "--ticks",
        "40",
        "--out",
        str(log),
        "--seat",
        f"{dialect.kind}:some-model",
    ]
    with serve_in_thread(dialect, answering(REPLY), refusing(refused), answering(REPLY)) as server:
        play += ["--set", f"base_url={server.base_url}", "--set", "key_variable=PEER_KEY"]
        code = run(play)
        said = capsys.readouterr()
        assert code not in (ExitCode.OK, ExitCode.INTERNAL)
        assert "401: Incorrect API key: [key]" in said.err
        assert "resume" in said.err
        code, played = run_json(["resume", str(log), "--json"])
        assert code is ExitCode.OK
        assert len(server.calls) == 3
        assert server.calls[0].headers["authorization"] == f"Bearer {CANARY}"
    assert run_json(["audit", str(log), "--json"])[0] is ExitCode.OK
    submitted = [event for event in read_log(log).require_sound().events if isinstance(event, Submit)]
    assert [event.origin for event in submitted if event.seat == 0] == [Origin.LLM, Origin.LLM]
    assert CANARY not in said.out + said.err + json.dumps(played) + log.read_text(encoding="utf-8")
