"""The price table is read exactly, asked in order, and refuses what it cannot read with place and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwars.log.usage import Bucket
from gridwars.policies.prices import OWN_FILE, PriceError, load_prices

ENTRY = """
table = "mine, 2026-11-30"
[[price]]
provider = "openai"
models = ["gpt-x", "gpt-x-*"]
input = 0.1
cache_read = 0.000001
output = 2
tiers = { flex = 50 }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "prices.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_prices_are_exact_microdollars(tmp_path: Path) -> None:
    price = load_prices(write(tmp_path, ENTRY)).find("openai", "gpt-x-mini")
    assert price is not None
    assert price.table == "mine, 2026-11-30"
    assert price.rates["input"] == 100_000
    assert price.rates["cache_read"] == 1
    assert price.tiers["flex"] == 50
    assert price.tiers["default"] == price.tiers[""] == 100


def test_a_bucket_without_a_price_costs_what_its_like_costs(tmp_path: Path) -> None:
    price = load_prices(write(tmp_path, ENTRY)).find("openai", "gpt-x")
    assert price is not None
    assert price.rates.keys() == {bucket.value for bucket in Bucket}
    assert price.rates["reasoning"] == price.rates["output"]
    assert price.rates["cache_write_1h"] == price.rates["input"]


def test_an_operators_file_goes_before_the_programs(tmp_path: Path) -> None:
    ours = load_prices()
    known = next(entry for entry in ours.entries if entry.provider == "openai")
    model = known.patterns[0]
    mine = load_prices(write(tmp_path, ENTRY.replace("gpt-x", model)))
    found = mine.find("openai", model)
    assert found is not None
    assert found.table == "mine, 2026-11-30"
    assert found != ours.find("openai", model)


@pytest.mark.parametrize(
    ("provider", "model"), [("openai", "gpt-unheard-of"), ("elsewhere", "gpt-x"), ("openai", "")]
)
def test_a_model_that_no_file_names_has_no_price(provider: str, model: str, tmp_path: Path) -> None:
    assert load_prices(write(tmp_path, ENTRY)).find(provider, model) is None


def test_every_entry_that_comes_with_the_program_says_where_it_is_from() -> None:
    text = OWN_FILE.read_text(encoding="utf-8")
    table = load_prices()
    assert len(table.entries) > 10
    assert text.count("[[price]]") == text.count("\nsource = ") == len(table.entries)
    assert "CHECK BEFORE USE" in text


def test_no_model_of_the_programs_table_is_priced_by_two_entries() -> None:
    entries = load_prices().entries
    names = [(entry.provider, pattern.rstrip("*")) for entry in entries for pattern in entry.patterns]
    assert names
    for provider, name in names:
        assert sum(entry.matches(provider, name) for entry in entries) <= 1, name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENTRY.replace('table = "mine, 2026-11-30"', ""), ["table", "date"]),
        (ENTRY.replace("input = 0.1", ""), ["entry 1", "input is missing"]),
        (ENTRY.replace("0.1", "-1"), ["entry 1", "input", "-1"]),
        (ENTRY.replace("0.1", "0.0000001"), ["input", "six decimals"]),
        (ENTRY.replace("0.1", "inf"), ["input"]),
        (ENTRY.replace("0.1", "true"), ["input"]),
        (ENTRY.replace("input =", "imput ="), ["unknown key imput", "cache_read"]),
        (ENTRY.replace('["gpt-x", "gpt-x-*"]', "[]"), ["models"]),
        (ENTRY.replace("flex = 50", "flex = 0.5"), ["tiers", "percent"]),
        (ENTRY.replace("[[price]]", "[price]"), ["[[price]]"]),
        ("table = [\nx", ["line 2"]),
    ],
)
def test_a_wrong_file_is_refused_with_place_and_remedy(text: str, said: list[str], tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(PriceError) as error:
        load_prices(path)
    assert all(part in str(error.value) for part in [str(path), *said]), error.value


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PriceError, match=r"gone\.toml"):
        load_prices(tmp_path / "gone.toml")
