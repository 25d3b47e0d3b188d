"""A model's seat: what is sent, what is recorded, how it waits, is cut off, and shares a line with others."""

from __future__ import annotations

import asyncio
import socket
import warnings

import pytest

from gridwars.benchmarks.contract import Outcome
from gridwars.log.events import Called
from gridwars.policies import lines
from gridwars.policies.checks import Check, Verdict
from gridwars.policies.policy import Phase, PlayStopped
from tests.gridwars.policies.behaviours import answering, begin_and_stop, refusing, reset, say_nothing
from tests.gridwars.policies.model_seats import (
    KEY_VARIABLE,
    MODEL,
    RecordingAsking,
    ask,
    get_call,
    make_seat,
)
from tests.hurrying_loop import hurry
from tests.servers import faulty
from tests.servers.dialects import DIALECTS, Chat, Dialect, Messages, Responses, Trouble
from tests.servers.faulty import Exchange, serve

TEXT = '{"script": ["wait"]}'
KEY = "a-key-for-tests"
OVERLOADED = Trouble(529, "overloaded", "overloaded_error", "Overloaded")
BROKEN = Trouble(500, "server_error", "api_error", "something went wrong")

every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.kind))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def ask_once(dialect: Dialect, **parameters: object) -> tuple[Exchange, Called]:
    """What came to the server, and the record of it."""

    async def run() -> tuple[Exchange, Called]:
        async with serve(dialect, answering(TEXT)) as server:
            seat = make_seat(dialect.kind, server.base_url, **parameters)
            answer = await ask(seat, RecordingAsking())
            assert answer.reply.text == TEXT
            return server.calls[0], get_call(answer)

    return hurry(run())


@every_dialect
def test_a_call_is_recorded_with_all_that_is_known_of_it(dialect: Dialect) -> None:
    _, call = ask_once(dialect)
    assert (call.part, call.seat, call.attempt, call.call_number) == (1, 0, 1, 1)
    assert (call.provider, call.model, call.served_model) == (dialect.kind, MODEL, "served-model")
    assert (call.error, call.detail, call.http_status, call.request_id) == ("", "", 200, "req_1")
    assert call.served_tier in ("default", "standard")
    assert call.stop_reason in ("completed", "stop", "end_turn")
    assert isinstance(call.usage, dict)
    assert sum(call.tokens.values()) == call.cost_microdollars == 150
    assert call.price_table == "test, 2026-11-30"
    assert call.first_byte_milliseconds is not None
    assert call.first_byte_milliseconds <= call.total_milliseconds < 5000
    assert str(call.effective["sdk"]).startswith(dialect.kind.partition("-")[0])


def test_what_openai_is_sent() -> None:
    schema = {"type": "object"}
    exchange, call = ask_once(
        Responses(),
        max_output_tokens=500,
        temperature=0.5,
        effort="low",
        service_tier="flex",
        json_schema=schema,
        top_p=0.9,
        extra_body={"beta": 0.25},
    )
    body = exchange.body
    assert body.pop("prompt_cache_key")
    assert body == {
        "model": MODEL,
        "instructions": "You play.",
        "input": [{"role": "user", "content": "What now?"}],
        "stream": True,
        "store": False,
        "max_output_tokens": 500,
        "temperature": 0.5,
        "reasoning": {"effort": "low"},
        "service_tier": "flex",
        "text": {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": schema}},
        "top_p": 0.9,
        "beta": 0.25,
    }
    assert exchange.headers["authorization"] == f"Bearer {KEY}"
    assert call.effective["temperature"] == {"$float": "0.5"}
    assert not {"instructions", "input", "model"} & call.effective.keys()


def test_what_a_compatible_server_is_sent() -> None:
    exchange, _ = ask_once(
        Chat(), max_output_tokens=500, effort="low", json_schema={"type": "object"}, seed=7
    )
    assert exchange.body == {
        "model": MODEL,
        "messages": [{"role": "system", "content": "You play."}, {"role": "user", "content": "What now?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 500,
        "reasoning_effort": "low",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": {"type": "object"}},
        },
        "seed": 7,
    }


def test_what_anthropic_is_sent() -> None:
    exchange, call = ask_once(
        Messages(),
        max_output_tokens=500,
        effort="low",
        json_schema={"type": "object"},
        thinking={"type": "adaptive"},
        extra_body={"temperature": 0.5},
        cache_ttl="1h",
    )
    cached = {"type": "ephemeral", "ttl": "1h"}
    assert exchange.body == {
        "model": MODEL,
        "system": [{"type": "text", "text": "You play.", "cache_control": cached}],
        "messages": [{"role": "user", "content": "What now?"}],
        "stream": True,
        "max_tokens": 500,
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        "thinking": {"type": "adaptive"},
        "temperature": 0.5,
    }
    assert exchange.headers["authorization"] == f"Bearer {KEY}"
    assert call.effective["cache_ttl"] == "1h"


@every_dialect
def test_a_server_that_asks_for_no_key_is_sent_none_of_ours(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(variable, "a-key-of-another")
    exchange, _ = ask_once(dialect, key_variable="")
    assert "a-key" not in str(exchange.headers)


@every_dialect
def test_a_field_set_to_null_is_left_out(dialect: Dialect) -> None:
    name = {"openai": "store", "openai-chat": "stream_options", "anthropic": "metadata"}[dialect.kind]
    exchange, call = ask_once(dialect, extra_body={name: None})
    assert name not in exchange.body
    assert name not in call.effective


@every_dialect
def test_a_call_that_is_cut_off_ends_its_stream_and_is_recorded(dialect: Dialect) -> None:
    async def run() -> None:
        async with serve(dialect, begin_and_stop) as server:
            asking = RecordingAsking()
            task = asyncio.ensure_future(ask(make_seat(dialect.kind, server.base_url), asking))
            while not any(progress.phase is Phase.STREAMING for progress in asking.progress):
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.1)
            assert (server.open_count, server.hung_up) == (0, 1)
        (call,) = asking.calls
        assert (call.error, call.http_status) == ("cancelled", 200)

    hurry(run())


@every_dialect
def test_a_connection_that_is_reset_when_used_again_costs_a_call_and_no_answer(dialect: Dialect) -> None:
    async def answer_first(exchange: Exchange) -> None:
        if exchange.connection_number > 1:
            exchange.reset()
        else:
            await answering(TEXT)(exchange)

    async def run() -> None:
        async with serve(dialect, answer_first) as server:
            seat, asking = make_seat(dialect.kind, server.base_url), RecordingAsking()
            for _ in range(2):
                answer = await ask(seat, asking)
                assert answer.reply.text == TEXT
        assert [call.error for call in asking.calls] == ["transport"]
        assert len(server.calls) == 3

    hurry(run())


def test_a_connection_is_used_again() -> None:
    async def run() -> list[int]:
        async with serve(Chat(), answering(TEXT)) as server:
            for _ in range(3):
                await ask(make_seat("openai-chat", server.base_url), RecordingAsking())
            return [exchange.connection_number for exchange in server.calls]

    assert hurry(run()) == [1, 2, 3]


@every_dialect
@pytest.mark.parametrize(
    ("parameter", "behaviour", "detail"),
    [
        ("first_byte_seconds", say_nothing, "no answer began within 7 s"),
        ("idle_seconds", begin_and_stop, "nothing more for 7 s"),
        ("total_seconds", begin_and_stop, "no end after 7 s"),
    ],
)
def test_each_deadline_ends_a_call(dialect: Dialect, parameter: str, behaviour: object, detail: str) -> None:
    async def run() -> None:
        assert callable(behaviour)
        async with serve(dialect, behaviour) as server:
            asking = RecordingAsking()
            answer = await ask(make_seat(dialect.kind, server.base_url, calls=1, **{parameter: 7}), asking)
        assert answer.reply.outcome is Outcome.VOID
        assert asking.calls[0].detail == detail
        assert 7000 <= asking.calls[0].total_milliseconds < 7500

    hurry(run())


@every_dialect
def test_a_host_that_takes_no_connection_is_given_up_at_the_connection_deadline(dialect: Dialect) -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
            address = listener.getsockname()
            crowd = [socket.socket() for _ in range(4)]
            for one in crowd:
                one.setblocking(False)
                one.connect_ex(address)
            asking = RecordingAsking()
            seat = make_seat(dialect.kind, f"http://127.0.0.1:{address[1]}", calls=1, connect_seconds=5)
            assert (await ask(seat, asking)).reply.outcome is Outcome.VOID
            for one in crowd:
                one.close()
        assert asking.calls[0].detail == "ConnectTimeout"
        assert 5000 <= asking.calls[0].total_milliseconds < 5500

    hurry(run())


@every_dialect
def test_a_port_where_nobody_listens_is_void(dialect: Dialect) -> None:
    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        asking = RecordingAsking()
        answer = await ask(make_seat(dialect.kind, f"http://127.0.0.1:{port}", calls=2), asking)
        assert answer.reply.outcome is Outcome.VOID
        assert [call.error for call in asking.calls] == ["transport"] * 2

    hurry(run())


def test_waits_double_and_are_told() -> None:
    async def run() -> None:
        async with serve(Chat(), refusing(BROKEN)) as server:
            asking = RecordingAsking()
            await ask(make_seat("openai-chat", server.base_url, calls=4, retry_seconds=10), asking)
        told = [progress.detail for progress in asking.progress if progress.phase is Phase.RETRYING]
        assert [detail.split()[0] for detail in told] == ["2/4", "3/4", "4/4"]
        assert all(detail.endswith("s because 500") for detail in told)
        waits = [int(detail.split()[2]) for detail in told]
        assert all(low <= wait <= low + 10 for low, wait in zip((10, 20, 40), waits, strict=True))

    hurry(run())


def test_no_call_follows_a_failed_one_once_the_budget_is_spent() -> None:
    async def run() -> None:
        async with serve(Chat(), refusing(BROKEN)) as server:
            asking = RecordingAsking(spent_budget="the episode's budget of $1 is spent")
            answer = await ask(make_seat("openai-chat", server.base_url), asking)
        assert len(server.calls) == len(asking.calls) == 1
        assert answer.reply.outcome is Outcome.BUDGET
        assert answer.reply.failure == "the episode's budget of $1 is spent"

    hurry(run())


def test_a_void_says_nothing_of_the_provider() -> None:
    async def run() -> str:
        async with serve(Chat(), refusing(BROKEN)) as server:
            return (
                await ask(make_seat("openai-chat", server.base_url, calls=2), RecordingAsking())
            ).reply.failure

    assert hurry(run()) == "no answer in 2 calls (failure of network or server)"


def test_a_stop_names_the_seat_and_the_remedy() -> None:
    async def run() -> str:
        async with serve(
            Messages(), refusing(Trouble(404, "", "not_found_error", "model: nonsuch"))
        ) as server:
            with pytest.raises(PlayStopped) as stop:
                await ask(make_seat("anthropic", server.base_url), RecordingAsking())
        return str(stop.value)

    assert hurry(run()) == (
        f'seat "anthropic:{MODEL}": 404: model: nonsuch\n'
        "check its key, address, model and parameters (gridwars preflight); then resume"
    )


def test_a_key_that_is_gone_stops_play_instead_of_voiding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    seat = make_seat("openai", "http://127.0.0.1:9")
    with pytest.raises(PlayStopped, match=KEY_VARIABLE):
        hurry(ask(seat, RecordingAsking()))


def test_seats_with_one_key_share_one_limit_on_open_calls() -> None:
    async def run() -> int:
        async def answer_slowly(exchange: Exchange) -> None:
            await asyncio.sleep(1)
            await answering(TEXT)(exchange)

        async with serve(Chat(), answer_slowly) as server:
            seats = [make_seat("openai-chat", server.base_url, concurrency=3) for _ in range(12)]
            answers = await asyncio.gather(*(ask(seat, RecordingAsking()) for seat in seats))
            assert all(answer.reply.text == TEXT for answer in answers)
            return server.most_open

    assert hurry(run()) == 3


@pytest.mark.slow
def test_a_rate_limit_of_one_episode_slows_all_and_loses_none() -> None:
    """A server that takes five calls at once, and forty seats that ask it at once, ten times each."""

    async def run() -> None:
        async def answer_five_at_once(exchange: Exchange) -> None:
            if server.open_count > 5:
                await refusing(Trouble(429, "rate_limit_exceeded", "", "too many"))(exchange)
            else:
                await asyncio.sleep(1)
                await answering(TEXT)(exchange)

        async def play(number: int) -> None:
            seat, asking = make_seat("openai-chat", server.base_url, calls=8), RecordingAsking()
            for _ in range(10):
                answer = await ask(seat, asking)
                assert answer.reply.text == TEXT, f"seat {number}"

        async with serve(Chat(), answer_five_at_once) as server:
            await asyncio.gather(*map(play, range(40)))
        assert len(server.calls) < 1.5 * 400

    hurry(run())


def test_lines_close_with_their_loop() -> None:
    async def run() -> None:
        async with serve(Messages(), answering(TEXT)) as server:
            await ask(make_seat("anthropic", server.base_url), RecordingAsking())
        assert asyncio.get_running_loop() in lines._LINES

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hurry(run())
    assert not lines._LINES


@every_dialect
def test_a_seat_is_tried_before_a_run(dialect: Dialect) -> None:
    async def run() -> list[tuple[str, Verdict]]:
        async with serve(dialect, answering("yes")) as server:
            checks = await make_seat(dialect.kind, server.base_url).check(look_up=True, call=True)
            limit = next(name for name in server.calls[0].body if name.startswith("max_"))
            assert server.calls[0].body[limit] == 16
            return [(check.subject, check.verdict) for check in checks]

    assert hurry(run()) == [
        ("key", Verdict.OK),
        ("parameters", Verdict.OK),
        ("model", Verdict.OK),
        ("call", Verdict.OK),
    ]


@every_dialect
def test_a_model_that_the_provider_lacks_is_found_out_without_a_call(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faulty, "MODELS", ("another",))

    async def run() -> list[Check]:
        async with serve(dialect, answering("yes")) as server:
            checks = await make_seat(dialect.kind, server.base_url).check(look_up=True, call=False)
            assert not server.calls
            return list(checks)

    model = next(check for check in hurry(run()) if check.subject == "model")
    assert model == Check("model", Verdict.FAILED, f'the provider has no model "{MODEL}"')


@every_dialect
def test_a_batch_is_put_off_while_the_provider_is_down(dialect: Dialect) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + 2000

        async def work_later(exchange: Exchange) -> None:
            if loop.time() < end:
                exchange.reset()
            else:
                await (answering(TEXT) if exchange in server.calls else faulty.tell_models)(exchange)

        async with serve(dialect, work_later) as server:
            server.on_question = work_later
            seat, asking = make_seat(dialect.kind, server.base_url), RecordingAsking()
            assert (await ask(seat, asking)).reply.outcome is Outcome.VOID
            failed = len(server.calls)
            await seat.stand_by(lambda reason: None)
            assert end <= loop.time() < end + 130
            assert len(server.calls) == failed
            assert 10 < len(server.questions) < 30
            assert (await ask(seat, asking)).reply.text == TEXT

    hurry(run())


def test_a_batch_is_not_put_off_for_ever() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with serve(Chat(), reset) as server:
            server.on_question = reset
            seat = make_seat("openai-chat", server.base_url, outage_seconds=1000)
            await ask(seat, RecordingAsking())
            started = loop.time()
            told: list[str] = []
            await seat.stand_by(told.append)
            assert "for the provider, which is down; tried again in 10 s, for at most 1000 s" in told[0]
            assert len(told) > 5
            assert 1000 <= loop.time() - started < 1001

    hurry(run())


def test_a_batch_waits_only_for_the_pause_while_the_provider_is_overloaded() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        async with serve(Chat(), refusing(OVERLOADED)) as server:
            seat = make_seat("openai-chat", server.base_url)
            await ask(seat, RecordingAsking())
            started = loop.time()
            await seat.stand_by(lambda reason: None)
            assert 0 < loop.time() - started <= 20
            assert not server.questions

    hurry(run())


def test_a_batch_begins_at_once_while_nothing_is_known_against_it() -> None:
    async def run() -> None:
        async with serve(Chat(), answering(TEXT)) as server:
            await make_seat("openai-chat", server.base_url).stand_by(lambda reason: None)
            assert not server.questions

    hurry(run())
