"""What an operator may write for a model's seat, and what is refused before any money is spent."""

from __future__ import annotations

import os

import msgspec
import pytest

from gridwars.benchmarks.registry import get_benchmark
from gridwars.log.events import SeatRecord
from gridwars.policies.making import Making
from gridwars.policies.policy import PolicyError
from gridwars.policies.registry import PROVIDERS, make_policies, restore_policies
from tests.gridwars.policies.model_seats import get_provider

KINDS = tuple(PROVIDERS)
every_kind = pytest.mark.parametrize("kind", KINDS)

GRID_WARS = get_benchmark("grid-wars")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in list(os.environ):
        if variable.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(variable)
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OTHER_KEY"):
        monkeypatch.setenv(variable, f"value-of-{variable}")


def make(seat: str, **parameters: object) -> SeatRecord:
    (policy,) = make_policies([seat], ["Bolt"], GRID_WARS, [parameters])
    return policy.record


def get_parameters(record: SeatRecord) -> dict[str, object]:
    parameters = record.parameters["parameters"]
    assert isinstance(parameters, dict)
    return dict(parameters)


def test_there_are_providers_to_test() -> None:
    assert set(KINDS) == {"anthropic", "openai", "openai-chat"}


@every_kind
def test_a_seat_names_a_model_behind_a_kind(kind: str) -> None:
    record = make(f"{kind}:vendor/model-1:free")
    assert (record.policy, record.kind, record.alias) == (f"{kind}:vendor/model-1:free", kind, "Bolt")
    assert record.parameters["model"] == "vendor/model-1:free"


@every_kind
def test_a_record_holds_all_that_makes_the_seat_again_and_no_key(kind: str) -> None:
    record = make(f"{kind}:m", max_output_tokens=900, extra_body={"x": 0.5}, first_byte_seconds=2.5)
    assert "value-of" not in repr(record)
    variable = "ANTHROPIC_API_KEY" if kind == "anthropic" else "OPENAI_API_KEY"
    assert get_parameters(record) == {
        "max_output_tokens": 900,
        "extra_body": {"x": {"$float": "0.5"}},
        "first_byte_seconds": {"$float": "2.5"},
        "base_url": "",
        "key_variable": variable,
    }
    assert record.metering is not None
    assert record.metering.maximum_output_tokens == 900
    (again,) = restore_policies([record], GRID_WARS)
    assert again.record == record


@every_kind
def test_a_seat_is_restored_without_its_key(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record = make(f"{kind}:m")
    monkeypatch.delenv(str(get_parameters(record)["key_variable"]))
    assert restore_policies([record], GRID_WARS)[0].record == record


@every_kind
def test_an_address_given_by_the_environment_stays_with_the_seat_and_its_key(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = get_provider(kind)
    monkeypatch.setenv(provider.address_variable, "http://127.0.0.1:9/v1")
    parameters = get_parameters(make(f"{kind}:m"))
    assert parameters["base_url"] == "http://127.0.0.1:9/v1"
    assert parameters["key_variable"] == provider.key_variable


@every_kind
def test_an_address_given_for_the_seat_gets_no_key_but_one_that_is_named(kind: str) -> None:
    elsewhere = "https://models.invalid/v1"
    assert get_parameters(make(f"{kind}:m", base_url=elsewhere))["key_variable"] == ""
    named = make(f"{kind}:m", base_url=elsewhere, key_variable="OTHER_KEY")
    assert get_parameters(named)["key_variable"] == "OTHER_KEY"


REFUSED: tuple[tuple[str, dict[str, object], str], ...] = (
    ("anthropic:", {}, "name a model behind the colon"),
    ("anthropic:m", {"temprature": 1}, 'unknown parameter "temprature"; there is'),
    ("anthropic:m", {"seed": 4}, 'unknown parameter "seed"; there is: base_url'),
    ("anthropic:m", {"temperature": 0.5}, 'unknown parameter "temperature"; there is'),
    ("openai:m", {"temprature": 1}, 'unknown parameter "temprature"; did you mean "temperature"?'),
    ("openai:m", {"temperature": 3}, "parameter temperature = 3: must lie from 0 to 2"),
    ("openai:m", {"temperature": float("nan")}, "must lie from 0 to 2"),
    ("openai:m", {"temperature": "hot"}, "parameter temperature = 'hot': must be a number"),
    ("openai:m", {"effort": "extreme"}, "must be one of none, minimal, low, medium, high, xhigh, max"),
    ("anthropic:m", {"effort": "none"}, "must be one of low, medium, high, xhigh, max"),
    ("openai:m", {"max_output_tokens": 0}, "must be at least 1"),
    ("openai:m", {"max_output_tokens": True}, "must be a whole number"),
    ("openai:m", {"max_output_tokens": 1.5}, "must be a whole number"),
    ("openai:m", {"json_schema": "{}"}, "must be a table"),
    ("openai:m", {"service_tier": "cheap"}, "must be one of auto"),
    ("openai:m", {"stream": False}, 'unknown parameter "stream"'),
    ("openai:m", {"tools": []}, 'unknown parameter "tools"'),
    ("openai-chat:m", {"n": 2}, 'unknown parameter "n"'),
    ("anthropic:m", {"max_tokens": 5}, 'unknown parameter "max_tokens"'),
    ("openai:m", {"metadata": {"x": object()}}, "is no JSON value"),
    ("openai:m", {"base_url": "models.invalid"}, "must begin with http:// or https://"),
    ("openai:m", {"base_url": "ftp://models.invalid"}, "must begin with http:// or https://"),
    ("openai:m", {"base_url": "https://me:secret@models.invalid/"}, "must hold no user, password"),
    ("openai:m", {"base_url": "https://models.invalid/?key=secret"}, "must hold no user, password"),
    ("openai:m", {"key_variable": "NO_SUCH_VARIABLE"}, "NO_SUCH_VARIABLE is not set"),
    ("openai:m", {"calls": 0}, "must lie from 1 to 50"),
    ("openai:m", {"strategy": "nonsuch"}, 'no strategy "nonsuch"'),
    ("antropic:m", {}, 'did you mean "anthropic:m"?'),
)


@pytest.mark.parametrize(("seat", "parameters", "words"), REFUSED)
def test_what_no_call_could_be_made_with_is_refused_before_one_is_made(
    seat: str, parameters: dict[str, object], words: str
) -> None:
    with pytest.raises(PolicyError) as error:
        make(seat, **parameters)
    assert words in str(error.value)
    assert seat in str(error.value)
    assert "secret" not in str(error.value).replace(repr(parameters.get("base_url")), "")


@every_kind
def test_a_missing_key_is_named_before_the_run(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    provider = get_provider(kind)
    monkeypatch.delenv(provider.key_variable)
    with pytest.raises(PolicyError, match=f'seat "{kind}:m": no key: .* {provider.key_variable} is not set'):
        make(f"{kind}:m")


@pytest.mark.parametrize(
    ("kind", "name"),
    [("openai", "top_p"), ("openai-chat", "seed"), ("anthropic", "thinking"), ("anthropic", "speed")],
)
def test_whatever_else_the_sdk_takes_is_passed_on(kind: str, name: str) -> None:
    assert get_parameters(make(f"{kind}:m", **{name: 1}))[name] == 1


@every_kind
def test_no_parameter_of_ours_has_the_name_of_another_thing_in_the_sdk(kind: str) -> None:
    provider = get_provider(kind)
    assert provider.sdk_names
    assert (
        not {"self", "model", "messages", "input", "stream", "extra_headers", "timeout"} & provider.sdk_names
    )


def test_a_making_without_parameters_is_one_with_none() -> None:
    assert Making("Bolt", GRID_WARS).parameters == {}


def test_a_seat_is_not_restored_where_the_rules_have_other_numbers() -> None:
    record = make("openai:m")
    prompts = record.parameters["prompts"]
    assert isinstance(prompts, dict)
    changed = msgspec.structs.replace(
        record, parameters={**record.parameters, "prompts": {**prompts, "system": "0" * 64}}
    )
    with pytest.raises(PolicyError, match=r'seat "openai:m": .*numbers differ'):
        restore_policies([changed], GRID_WARS)
