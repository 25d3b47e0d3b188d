"""The price table: what a million tokens of each known model costs, from dated files.

`prices.toml` beside this file comes with the program; an operator's own file goes before it. A model that
no file names has no price, which is said and never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

from gridwars.files import read_file
from gridwars.log.metering import Price
from gridwars.log.usage import Bucket
from gridwars.toml_reading import parse_toml

OWN_FILE = Path(__file__).with_name("prices.toml")
"""Comes with the program."""

STANDARD_TIERS = ("", "auto", "default", "standard", "standard_only")
"""What providers call the tier of the listed price, asked for and served; "" where it is not named."""

_MICRODOLLARS = 1_000_000
_MOST_RATE = 10**6 * _MICRODOLLARS
_MOST_PERCENT = 10_000
_KEYS = frozenset({"provider", "models", "tiers", "source", *Bucket})
_LIKE: Mapping[Bucket, Bucket] = {
    Bucket.REASONING: Bucket.OUTPUT,
    Bucket.CACHE_READ: Bucket.INPUT,
    Bucket.CACHE_WRITE: Bucket.INPUT,
    Bucket.CACHE_WRITE_5M: Bucket.CACHE_WRITE,
    Bucket.CACHE_WRITE_30M: Bucket.CACHE_WRITE,
    Bucket.CACHE_WRITE_1H: Bucket.CACHE_WRITE,
    Bucket.CACHE_WRITE_12H: Bucket.CACHE_WRITE,
}
"""Where an entry gives a bucket no price, the bucket whose price it has."""


class PriceError(ValueError):
    """A price file that cannot be used; the message names file, entry, value and what would be right."""


@dataclass(frozen=True, slots=True)
class PriceEntry:
    """The price of the models of one provider whose names match one of the patterns."""

    provider: str
    patterns: tuple[str, ...]
    price: Price

    def matches(self, provider: str, model: str) -> bool:
        return provider == self.provider and any(fnmatchcase(model, pattern) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Entries in the order in which they are asked; the first that matches counts."""

    entries: tuple[PriceEntry, ...] = ()

    def find(self, provider: str, model: str) -> Price | None:
        """The price of a model, None where none is known.

        Args:
            provider: what stands before the colon in a seat's text.
        """
        for entry in self.entries:
            if entry.matches(provider, model):
                return entry.price
        return None


def load_prices(*files: Path) -> PriceTable:
    """The operator's files, in order, and behind them the one that comes with the program.

    Raises:
        PriceError
    """
    return PriceTable(tuple(entry for file in (*files, OWN_FILE) for entry in _read(file)))


def _read(file: Path) -> list[PriceEntry]:
    try:
        document = parse_toml(read_file(file).decode(), parse_float=Decimal)
    except OSError as error:
        raise PriceError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise PriceError(f"{file}: {error}") from error
    table, entries = document.get("table"), document.get("price", [])
    if not isinstance(table, str) or not table:
        raise PriceError(f'{file}: table must name the table and its date, such as "mine, 2026-11-30"')
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PriceError(f"{file}: each entry must stand under its own [[price]]")
    return [
        _read_entry(f"{file}: price entry {number}", table, entry)
        for number, entry in enumerate(entries, start=1)
    ]


def _read_entry(place: str, table: str, entry: Mapping[str, object]) -> PriceEntry:
    unknown = entry.keys() - _KEYS
    if unknown:
        raise PriceError(f"{place}: unknown key {sorted(unknown)[0]}; there is: {', '.join(sorted(_KEYS))}")
    provider, models = entry.get("provider"), entry.get("models")
    if not isinstance(provider, str):
        raise PriceError(f'{place}: provider must be what stands before a seat\'s colon, such as "openai"')
    if not isinstance(models, list) or not models or not all(isinstance(model, str) for model in models):
        raise PriceError(f'{place}: models must be a list of names or patterns, such as ["gpt-5*"]')
    given = {bucket: _read_rate(place, bucket, entry[bucket]) for bucket in Bucket if bucket in entry}
    for bucket in (Bucket.INPUT, Bucket.OUTPUT):
        if bucket not in given:
            raise PriceError(f"{place}: {bucket} is missing: dollars for a million tokens")
    price = Price(table, _complete(given), _read_tiers(place, entry.get("tiers", {})))
    return PriceEntry(provider, tuple(models), price)


def _read_rate(place: str, bucket: Bucket, value: object) -> int:
    """Microdollars for a million tokens."""
    if not isinstance(value, bool) and isinstance(value, int | Decimal):
        rate = Decimal(value) * _MICRODOLLARS
        if rate.is_finite() and 0 <= rate <= _MOST_RATE and rate == rate.to_integral_value():
            return int(rate)
    raise PriceError(
        f"{place}: {bucket} is {value!r}; it must be dollars for a million tokens, with at most six decimals"
    )


def _read_tiers(place: str, value: object) -> dict[str, int]:
    if isinstance(value, dict):
        tiers = {**dict.fromkeys(STANDARD_TIERS, 100), **value}
        if all(type(percent) is int and 0 <= percent <= _MOST_PERCENT for percent in tiers.values()):
            return tiers
    raise PriceError(f"{place}: tiers must give service tiers in whole percent of the price: {{ flex = 50 }}")


def _complete(given: Mapping[Bucket, int]) -> dict[str, int]:
    def find_rate(bucket: Bucket) -> int:
        return given[bucket] if bucket in given else find_rate(_LIKE[bucket])

    return {bucket.value: find_rate(bucket) for bucket in Bucket}
