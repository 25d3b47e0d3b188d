"""A key is sent to its provider and appears nowhere else, whatever a server says of it."""

from __future__ import annotations

import json
import logging

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gridwars.policies.keys import HIDDEN, Key, read_key
from gridwars.policies.policy import PlayStopped, PolicyError
from tests.gridwars.policies.behaviours import refusing, sending
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
    assume(len(leak) >= 8)
    words = Key("K", value).hide_in_words(leak.join(["", *pieces, ""]))
    assert not any(value[index : index + 8] in words for index in range(len(value) - 7))


def test_words_are_one_bounded_line_without_control_characters() -> None:
    words = Key("", "").hide_in_words("line one\nline\x1b[31m two\t" + "x" * 1000)
    assert words.startswith("line one line [31m two xxx")
    assert len(words) == 300
    assert words.endswith("…")


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
