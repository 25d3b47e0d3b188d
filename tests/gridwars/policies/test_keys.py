"""A key is sent to its provider and appears nowhere else, whatever a server says of it."""

from __future__ import annotations

import asyncio
import json
import logging

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Outcome, Reply
from gridwars.policies.checks import Check, Verdict, list_warnings
from gridwars.policies.keys import HIDDEN, Key, read_key
from gridwars.policies.policy import PlayStopped, PolicyError
from tests.gridwars.policies.behaviours import answering, refusing, sending
from tests.gridwars.policies.model_seats import KEY_VARIABLE, RecordingAsking, ask, make_seat
from tests.hurrying_loop import hurry
from tests.servers.dialects import DIALECTS, Dialect, Trouble
from tests.servers.faulty import Behaviour, Exchange, serve

CANARY = "zq7-Canary-4f9c2b81d6e05a73"
"""Of no provider's shape, so that it is found only as what it is."""

OTHER = "sk-proj-someone-elses-key-0123456789"

LEAKS = (
    f"Incorrect API key provided: {CANARY}. You can find your key in the console.",
    f"key {CANARY[:12]}… is not known",
    f"no such key: ************{CANARY[-9:]}",
    f"upstream said: {{'Authorization': 'Bearer {CANARY}'}}",
    f"{OTHER} is out of credit, {CANARY} too",
    f"the key {CANARY[:12]}…{CANARY[-4:]} was revoked",
    f"{CANARY[:4]}...{CANARY[-4:]}: unknown; it ends in {CANARY[-6:]}",
    f"broken in two: {CANARY[:14]}\n{CANARY[14:]}",
    "x-api-key: 0123456789abcdef and Authorization: Basic dXNlcjpwYXNz",
)


async def echo_headers(exchange: Exchange) -> None:
    """A debugging proxy: sends back what it was sent, in the answer and in its record of usage."""
    dialect = exchange.dialect
    events = dialect.answer(json.dumps(dict(exchange.headers)))
    text = json.dumps(events).replace("served-model", CANARY)
    text = text.replace('_tokens": 50', f'_tokens": 50, "{CANARY}": "{CANARY}"')
    exchange.send_whole(dialect.render_whole(json.loads(text)), content_type="text/event-stream")


def leaking(words: str) -> list[Behaviour]:
    troubles = [
        Trouble(status, "some_code", "some_type", words) for status in (400, 401, 402, 403, 429, 500, 529)
    ]
    refusals = [refusing(trouble, x_request_id=CANARY) for trouble in troubles]
    return [*refusals, sending(words.encode(), "text/html", 502)]


def list_behaviours() -> list[Behaviour]:
    return [echo_headers, *(behaviour for words in LEAKS for behaviour in leaking(words))]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
def test_no_server_can_make_us_tell_the_key(
    dialect: Dialect,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, CANARY)
    caplog.set_level(logging.DEBUG)
    said: list[str] = []

    async def run() -> None:
        behaviours = list_behaviours()
        async with serve(dialect, *behaviours) as server:
            for _ in behaviours:
                asking, seat = RecordingAsking(), make_seat(dialect.kind, server.base_url, calls=1)
                try:
                    said.append(repr(await ask(seat, asking)))
                except PlayStopped as stop:
                    said.append(f"{stop} {stop.__cause__} {stop.__context__}")
                said.append(msgspec.json.encode([asking.events, seat.record]).decode())
                said.append(repr([asking.progress, seat, vars(seat)]))
            assert len(server.calls) == len(behaviours)
            assert server.calls[0].headers["authorization"] == f"Bearer {CANARY}"

    hurry(run())
    said += [record.getMessage() for record in caplog.records]
    said += capfd.readouterr()
    everything = "\n".join(said)
    assert len(said) > 100
    assert HIDDEN in everything
    assert CANARY not in everything
    assert not any(CANARY[start : start + 8] in everything for start in range(len(CANARY) - 7))
    assert f"{CANARY[:4]}." not in everything
    assert CANARY[-4:] not in everything
    assert OTHER not in everything


def test_a_key_is_not_shown_where_it_is_kept() -> None:
    assert repr(Key("SOME_KEY", CANARY)) == "Key('SOME_KEY')"
    assert f"{Key('SOME_KEY', CANARY)}" == "Key('SOME_KEY')"


PIECES = st.text(alphabet="ab-_ :\n", max_size=12)


@given(st.text(alphabet="abcdefgh012345", min_size=8, max_size=40), st.lists(PIECES, max_size=6), st.data())
def test_no_part_of_a_key_that_gives_it_away_is_left_in_words(
    value: str, pieces: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(value) - 8))
    length = data.draw(st.integers(8, len(value)))
    leak = value[start : start + length]
    assume(len(leak) >= 8)  # as many as a piece must have that is not the half of a short key
    words = Key("K", value).hide_in_words(leak.join(["", *pieces, ""]))
    assert not any(value[index : index + 8] in words for index in range(len(value) - 7))


def test_words_are_one_bounded_line_without_control_characters() -> None:
    words = Key("", "").hide_in_words("line one\nline\x1b[31m two\t" + "x" * 1000)
    assert words.startswith("line one line [31m two xxx")
    assert len(words) == 300
    assert words.endswith("…")


@pytest.mark.parametrize("value", ["EMPTY", "k", "while", "not-a-key"])
def test_a_placeholder_for_a_key_changes_nothing_that_a_model_or_server_says(value: str) -> None:
    key = Key("LOCAL_KEY", value)
    script = "  if check(dx, dy) >= EMPTY and not k:  # while not-a-key"
    assert not key.is_in(script)
    assert key.hide_in({"model": "k-EMPTY-while", "not-a-key": [script]}) == {
        "model": "k-EMPTY-while",
        "not-a-key": [script],
    }
    assert "LOCAL_KEY has fewer than 16 characters" in key.warning
    assert f" {value} " not in f" {key.warning} "


def test_play_and_preflight_warn_once_of_a_placeholder(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [make_seat("openai-chat", "http://127.0.0.1:9/v1") for _ in range(2)]
    monkeypatch.setenv(KEY_VARIABLE, "EMPTY")
    (warning,) = list_warnings([*seats, object()])
    assert warning == Key(KEY_VARIABLE, "EMPTY").warning
    checks = asyncio.run(seats[0].check(look_up=False, call=False))
    assert Check("key", Verdict.OK, warning) in checks
    monkeypatch.setenv(KEY_VARIABLE, CANARY)
    assert list_warnings(seats) == ()


def test_half_a_short_key_is_hidden_in_words() -> None:
    assert Key("K", "q7Zk2wXp9d").hide_in_words("q7Zk2 and wXp9d") == f"{HIDDEN} and {HIDDEN}"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))
def test_a_reply_is_taken_as_it_is_or_withheld_where_it_holds_the_key(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(key: str, text: str) -> Reply:
        monkeypatch.setenv(KEY_VARIABLE, key)
        async with serve(dialect, answering(text)) as server:
            return (await ask(make_seat(dialect.kind, server.base_url), RecordingAsking())).reply

    script = '{"script": ["if check(1, 0) >= EMPTY:", "  place()"]}'
    assert hurry(answer("EMPTY", script)) == Reply(script)
    assert hurry(answer(CANARY, script)) == Reply(script)
    withheld = hurry(answer(CANARY, f"{script} {CANARY}"))
    assert withheld.text is None
    assert withheld.outcome is Outcome.WITHHELD
    assert withheld.outcome.is_void
    assert withheld.failure.startswith("the reply held the key")


def test_a_key_that_is_not_set_or_cannot_be_sent_is_an_error_that_does_not_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(PolicyError, match="SOME_KEY is not set"):
        read_key("SOME_KEY")
    for value in ("two words", "schlüssel", "line\nbreak"):
        monkeypatch.setenv("SOME_KEY", value)
        with pytest.raises(PolicyError) as error:
            read_key("SOME_KEY")
        assert value not in str(error.value)
    monkeypatch.setenv("SOME_KEY", f" {CANARY}\n")
    assert read_key("SOME_KEY").reveal() == CANARY
