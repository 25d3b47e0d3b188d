"""`gridwars preflight`: what would not work is said before it costs anything; what a run takes is a range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.benchmarks.contract import Benchmark
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.events import SeatRecord
from gridwars.policies import registry
from gridwars.policies.checks import Check, Verdict
from gridwars.policies.making import Making
from gridwars.policies.policy import PolicyError
from tests.gridwars.paid_talker import KIND, MOST_TOKENS, PaidTalker, make_record

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


class CheckedTalker(PaidTalker):
    """A model's seat whose key is fine and whose model is known unless it is called otherwise."""

    checked: list[tuple[bool, bool]] = []  # noqa: RUF012  all of them, so that a test sees how they were asked

    async def check(self, *, look_up: bool, call: bool) -> Sequence[Check]:
        self.checked.append((look_up, call))
        verdict = Verdict.FAILED if self.record.strategy == "gone" else Verdict.OK
        return [
            Check("key", Verdict.OK, "from TEST_KEY"),
            Check("model", verdict if look_up else Verdict.UNKNOWN, "asked the provider"),
            Check("call", Verdict.OK if call else Verdict.UNKNOWN, "made"),
        ]


def restore(record: SeatRecord, benchmark: Benchmark) -> CheckedTalker:
    return CheckedTalker(record, lambda request: None)


def make(text: str, making: Making) -> CheckedTalker:
    if text == "keyless":
        raise PolicyError("no key: the environment variable TEST_KEY is not set")
    return restore(make_record(making.alias, strategy=text), making.benchmark)


@pytest.fixture(autouse=True)
def _talkers(monkeypatch: pytest.MonkeyPatch) -> None:
    CheckedTalker.checked.clear()
    monkeypatch.setitem(registry.KINDS, KIND, restore)
    monkeypatch.setitem(registry.MAKERS, KIND, make)


def test_an_estimate_is_a_range_over_the_whole_run(run_json: RunJson) -> None:
    arguments = ["preflight", "--rounds", "4", "--episodes", "10", "--seat", "talker:x", "--json"]
    code, found = run_json(arguments)
    assert code is ExitCode.OK
    seat = found["seats"][0]
    assert seat["prompt_bytes"] == 72
    assert seat["least"]["calls"] == 40
    assert seat["most"]["calls"] == 80
    assert seat["least"]["tokens"] == 40 * (72 // 4 + 100)
    first, repair = MOST_TOKENS, MOST_TOKENS + 100 * 4 // 2
    assert seat["most"]["tokens"] == 40 * (first + repair)
    assert found["most"] == seat["most"]
    assert found["seats"][1]["most"]["calls"] == 0


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ("run.calls=39", "is too small"),
        ("run.calls=40", "may not be enough"),
        ("run.calls=80", "is enough in any case"),
        ("run.dollars=0.001", "is too small"),
        ("run.tokens=1_000_000", "is enough in any case"),
    ],
)
def test_the_budget_is_held_against_the_estimate(budget: str, said: str, run_json: RunJson) -> None:
    arguments = ["preflight", "--rounds", "4", "--episodes", "10", "--seat", "talker:x", "--budget", budget]
    _, found = run_json([*arguments, "--json"])
    (note,) = found["notes"]
    assert note.endswith(said)


@pytest.mark.parametrize(
    ("switches", "asked"),
    [([], (True, False)), (["--offline"], (False, False)), (["--call"], (True, True))],
)
def test_nothing_is_asked_or_paid_for_but_what_is_allowed(
    switches: list[str], asked: tuple[bool, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["preflight", "--seat", "talker:x", *switches]) is ExitCode.OK
    assert CheckedTalker.checked == [asked]
    text = capsys.readouterr().out
    assert "from TEST_KEY" in text
    assert "test, 2026-11-30; check before use" in text


def test_seats_that_are_the_same_are_checked_once(run_json: RunJson) -> None:
    seats = [argument for _ in range(3) for argument in ("--seat", "talker:x")]
    _, found = run_json(["preflight", *seats, "--seat", "talker:y", "--json"])
    assert len(CheckedTalker.checked) == 2
    assert all(len(seat["checks"]) == 5 for seat in found["seats"])


def test_a_check_that_failed_fails_the_run(run_json: RunJson) -> None:
    code, found = run_json(["preflight", "--seat", "talker:gone", "--json"])
    assert code is ExitCode.FAILED
    verdicts = {check["subject"]: check["verdict"] for check in found["seats"][0]["checks"]}
    assert verdicts == {"key": "ok", "model": "failed", "call": "unknown", "price": "ok", "cache": "unknown"}


def test_every_seat_that_cannot_be_filled_is_named(
    capsys: pytest.CaptureFixture[str], run_json: RunJson
) -> None:
    seats = ["--seat", "talker:keyless", "--seat", "pianter", "--seat", "talker:x"]
    assert run(["preflight", *seats]) is ExitCode.FAILED
    message = capsys.readouterr().err
    assert "seat a: no key: the environment variable TEST_KEY is not set" in message
    assert 'did you mean "painter"?' in message
    code, found = run_json(["preflight", *seats, "--json"])
    assert code is ExitCode.FAILED
    assert list(found["problems"]) == ["a", "b"]


def test_built_ins_need_no_look_and_cost_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["preflight"]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "1 episode of at most 5 rounds" in text
    assert "checks" not in text


def test_a_real_provider_is_checked_without_a_network(
    monkeypatch: pytest.MonkeyPatch, run_json: RunJson
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused-canary")
    arguments = ["preflight", "--seat", "openai:gpt-6-luna", "--strategy", "plan", "--offline", "--json"]
    code, found = run_json(arguments)
    assert code is ExitCode.OK
    seat = found["seats"][0]
    assert seat["is_priced"]
    assert 0 < seat["least"]["microdollars"] < seat["most"]["microdollars"]
    assert "unused-canary" not in str(found)


@pytest.mark.parametrize(
    ("seat", "settings"),
    [("openai-chat:unheard-of", ()), ("openai:gpt-6-luna", ("--set", "service_tier=ultrafast"))],
    ids=["model without a price", "tier without a price"],
)
def test_a_cost_that_is_not_known_is_no_amount(
    seat: str,
    settings: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    run_json: RunJson,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    arguments = ["preflight", "--seat", seat, *settings, "--offline"]
    _, found = run_json([*arguments, "--json"])
    for spend in (found["least"], found["most"], found["seats"][0]["least"], found["seats"][0]["most"]):
        assert spend["tokens"] > 0
        assert spend["microdollars"] is None
    assert run(arguments) is ExitCode.OK
    text = capsys.readouterr().out
    assert "tokens; cost not known" in text
    assert "$0.00" not in text


def test_the_sum_of_what_is_known_names_the_seat_whose_cost_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    seats = ["--seat", "openai:gpt-6-luna", "--seat", "openai:unheard-of"]
    assert run(["preflight", *seats, "--offline"]) is ExitCode.OK
    assert ", and that of seat b is not known" in capsys.readouterr().out


def test_that_no_key_goes_to_another_server_is_said(run_json: RunJson) -> None:
    address = "http://127.0.0.1:9/v1"
    _, found = run_json(
        ["preflight", "--seat", "openai-chat:m", "--set", f"base_url={address}", "--offline", "--json"]
    )
    (key,) = (check for check in found["seats"][0]["checks"] if check["subject"] == "key")
    assert f"none is sent to {address}" in key["detail"]
    assert "--set key_variable=OPENAI_API_KEY" in key["detail"]


def test_every_parameter_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--help-set"]) is ExitCode.OK
    text = capsys.readouterr().out
    for name in ("key_variable", "max_output_tokens", "cache_ttl", "top_p", "seed", "timeout_seconds"):
        assert name in text


@pytest.mark.parametrize("scope", ["run", "episode", "strategy"])
def test_a_budget_that_a_single_call_may_exceed_fails(scope: str, run_json: RunJson) -> None:
    arguments = ["preflight", "--seat", "talker:x", "--json", "--budget"]
    code, found = run_json([*arguments, f"{scope}.tokens={MOST_TOKENS - 1}"])
    assert code is ExitCode.FAILED
    assert f"seat a could make no call: the budget of the {scope} is {MOST_TOKENS - 1}" in found["notes"][-1]
    assert run_json([*arguments, f"{scope}.tokens={MOST_TOKENS}"])[0] is ExitCode.OK


@pytest.mark.parametrize(
    ("game", "kind", "verdict", "words"),
    [
        ("grid-wars", "anthropic", "ok", "they are cached from 4,096 on"),
        ("snake-royale", "openai", "ok", "they are cached from 1,024 on"),
        ("snake-royale", "anthropic", "unknown", "some models cache from 512 tokens on"),
    ],
)
def test_it_says_whether_what_all_prompts_begin_with_is_cached(
    run_json: RunJson, monkeypatch: pytest.MonkeyPatch, game: str, kind: str, verdict: str, words: str
) -> None:
    monkeypatch.setenv(f"{kind.upper()}_API_KEY", "a-key-of-a-test-that-is-long")
    _, found = run_json(["preflight", game, "--offline", "--seat", f"{kind}:some-model", "--json"])
    (check,) = [check for check in found["seats"][0]["checks"] if check["subject"] == "cache"]
    assert check["verdict"] == verdict
    assert check["detail"].startswith("every prompt begins with the same ")
    assert words in check["detail"]
