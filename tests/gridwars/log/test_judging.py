"""What a reply comes to, whatever its reader does with it."""

from __future__ import annotations

from typing import NoReturn

import pytest

from gridwars.benchmarks.contract import Observation, Outcome, Rejection, Reply, Request
from gridwars.log.judging import NoReply, judge_reply
from tests.gridwars.toy_benchmark import ToyEpisode

REQUEST = Request(1, 0, 1, Observation())


@pytest.mark.parametrize("error", [ValueError("4300"), OverflowError(), RecursionError(), KeyError("x")])
def test_a_reply_that_its_reader_stumbles_over_is_refused(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(ToyEpisode, "read", stumble)
    reading, judged = judge_reply(ToyEpisode.__new__(ToyEpisode), REQUEST, Reply("what it said"))
    assert isinstance(reading, Rejection)
    assert reading.reply == "what it said"
    assert judged.outcome is Outcome.INVALID
    assert judged.reason == f"the reply cannot be read ({type(error).__name__})"


def test_a_cut_reply_is_rejected_with_what_cut_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToyEpisode, "read", lambda *_: Rejection("no end"))
    reply = Reply(
        "what it sa", failure="the output limit of 900 tokens was reached", outcome=Outcome.TRUNCATED
    )
    reading, judged = judge_reply(ToyEpisode.__new__(ToyEpisode), REQUEST, reply)
    reason = "the output limit of 900 tokens was reached: no end"
    assert reading == Rejection(reason, reply="what it sa")
    assert (judged.outcome, judged.reason) == (Outcome.TRUNCATED, reason)


def test_a_broken_promise_of_ours_is_still_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_a_promise(*_: object) -> NoReturn:
        raise AssertionError("ours")

    monkeypatch.setattr(ToyEpisode, "read", break_a_promise)
    with pytest.raises(AssertionError, match="ours"):
        judge_reply(ToyEpisode.__new__(ToyEpisode), REQUEST, Reply("text"))


@pytest.mark.parametrize("outcome", Outcome)
def test_without_a_text_only_an_empty_or_cut_reply_is_worth_a_second_question(outcome: Outcome) -> None:
    reply = Reply(None, failure="no text", outcome=outcome)
    reading, judged = judge_reply(ToyEpisode.__new__(ToyEpisode), REQUEST, reply)
    assert isinstance(reading, Rejection | NoReply)
    assert isinstance(reading, Rejection) is (outcome in (Outcome.EMPTY, Outcome.TRUNCATED))
    assert (reading.reason, judged.outcome, judged.reason) == ("no text", outcome, "no text")
