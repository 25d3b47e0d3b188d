"""The options that assign: who plays a seat, with which strategy and parameters, within which budget.

`--seat a=TEXT`, `--strategy a=NAME`, `--set a.NAME=VALUE`, `--budget SCOPE.UNIT=AMOUNT`. In a settings file
each is a table of the same name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NoReturn

import click

from gridwars.log.metering import MICRODOLLARS, Allowance, Budget
from gridwars.policies.seats import name_seat, parse_seat

MOST_SEATS = 26
"""There is a letter for each."""

SCOPES = ("run", "episode", "strategy")
UNITS = ("dollars", "tokens", "calls")

_SEAT = re.compile(r"([a-z])=(.*)", re.DOTALL)
_SETTING = re.compile(r"(?:([a-z])\.)?([A-Za-z_]\w*)=(.*)", re.DOTALL)
_MOST = 10**15
"""Of a budget, in microdollars, tokens or calls."""
_AMOUNT = re.compile(r"(\w+)\.(\w+)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Assignments:
    """What is assigned.

    Attributes:
        seats: texts, by seat.
        shared: parameters of every model's seat.
        own: parameters of single seats.
        budget: in microdollars, tokens and calls, by scope and unit.
    """

    seats: Mapping[int, str] = field(default_factory=dict)
    shared: Mapping[str, object] = field(default_factory=dict)
    own: Mapping[int, Mapping[str, object]] = field(default_factory=dict)
    budget: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def over(self, below: Assignments) -> Assignments:
        """These, and what the others assign besides."""
        return Assignments(
            {**below.seats, **self.seats},
            {**below.shared, **self.shared},
            {
                seat: {**below.own.get(seat, {}), **self.own.get(seat, {})}
                for seat in sorted(self.own.keys() | below.own.keys())
            },
            {**below.budget, **self.budget},
        )

    def make_budget(self, base: Budget) -> Budget:
        """The budget with what is assigned in place of what `base` has."""

        def allow(scope: str, allowance: Allowance) -> Allowance:
            return Allowance(
                self.budget.get((scope, "dollars"), allowance.microdollars),
                self.budget.get((scope, "tokens"), allowance.tokens),
                self.budget.get((scope, "calls"), allowance.calls),
            )

        return Budget(
            allow("run", base.run), allow("episode", base.episode), allow("strategy", base.strategy)
        )


def read_options(
    seats: Sequence[str], strategies: Sequence[str], settings: Sequence[str], budgets: Sequence[str]
) -> Assignments:
    """What the command line assigns.

    Raises:
        UsageError: for the first text that cannot be read.
    """
    shared: dict[str, object] = {}
    own: dict[int, dict[str, object]] = {}
    for text in strategies:
        match = _SEAT.fullmatch(text)
        _assign(shared, own, match[1] if match else None, "strategy", match[2] if match else text)
    for text in settings:
        match = _SETTING.fullmatch(text)
        if match is None:
            raise click.UsageError(
                f"--set {text}: write NAME=VALUE, or a.NAME=VALUE for the first seat alone"
            )
        _assign(shared, own, match[1], match[2], _read_value(match[3]))
    budget: dict[tuple[str, str], int] = {}
    for text in budgets:
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise click.UsageError(f"--budget {text}: write SCOPE.UNIT=AMOUNT, such as run.dollars=20")
        budget |= read_amount(match[1], match[2], match[3], f"--budget {text}")
    return Assignments(_read_seats(seats), shared, own, budget)


def read_tables(document: Mapping[str, object], place: str = "") -> Assignments:
    """What the tables of a settings file assign.

    Args:
        place: what stands before the table's name in an error.

    Raises:
        UsageError: for the first that cannot be read.
    """
    shared: dict[str, object] = {}
    own: dict[int, dict[str, object]] = {}
    for letter, name in _iterate(document.get("strategy", {}), f"{place}strategy"):
        _assign(shared, own, letter or None, "strategy", _require_text(name, f"{place}strategy"))
    for key, value in _iterate(document.get("set", {}), f"{place}set"):
        if isinstance(value, Mapping) and len(key) == 1:
            own.setdefault(_require_seat(key, f"{place}set"), {}).update(value)
        elif len(key) == 1:
            raise click.UsageError(
                f"{place}set.{key} = {value!r} must be a table: what is set for seat {key} alone"
            )
        else:
            shared[key] = value
    budget: dict[tuple[str, str], int] = {}
    for scope, amounts in _iterate(document.get("budget", {}), f"{place}budget"):
        for unit, amount in _iterate(amounts, f"{place}budget.{scope}"):
            budget |= read_amount(scope, unit, amount, f"{place}budget.{scope}.{unit} = {amount}")
    given = document.get("seat", {})
    if isinstance(given, list | str):
        texts = [given] if isinstance(given, str) else given
        listed = {number: _require_text(text, f"{place}seat") for number, text in enumerate(texts)}
        return Assignments(listed, shared, own, budget)
    seats = {
        _require_seat(letter, f"{place}seat"): _require_text(text, f"{place}seat.{letter}")
        for letter, text in _iterate(given, f"{place}seat")
    }
    return Assignments(seats, shared, own, budget)


def render_tables(assignments: Assignments) -> dict[str, object]:
    """The tables that `read_tables` reads as these."""
    own = {name_seat(seat): dict(values) for seat, values in assignments.own.items() if values}
    budget: dict[str, dict[str, object]] = {}
    for (scope, unit), amount in assignments.budget.items():
        value: object = _render_dollars(amount) if unit == "dollars" else amount
        budget.setdefault(scope, {})[unit] = value
    return {
        "seat": {name_seat(seat): text for seat, text in sorted(assignments.seats.items())},
        "set": {**assignments.shared, **own},
        "budget": budget,
    }


def read_amount(scope: str, unit: str, amount: object, place: str) -> dict[tuple[str, str], int]:
    """One entry of a budget.

    Raises:
        UsageError: for a scope, unit or amount that there is not.
    """
    if scope not in SCOPES or unit not in UNITS:
        raise click.UsageError(
            f"{place}: a budget is for one of {', '.join(SCOPES)}, in one of {', '.join(UNITS)}"
        )
    try:
        value = Decimal(str(amount).replace("_", "")) * (MICRODOLLARS if unit == "dollars" else 1)
    except InvalidOperation:
        value = Decimal(-1)
    is_amount = not isinstance(amount, bool) and value.is_finite() and 0 <= value <= _MOST
    if not is_amount or value != value.to_integral_value():
        most = _MOST // MICRODOLLARS if unit == "dollars" else _MOST
        what = "dollars with at most six decimals" if unit == "dollars" else "a whole number"
        raise click.UsageError(f"{place}: the amount must be {what}, up to {most}")
    return {(scope, unit): int(value)}


def _read_seats(texts: Sequence[str]) -> dict[int, str]:
    """Seats by letter; the others take what those leave free, in the order in which they stand."""
    seats: dict[int, str] = {}
    for text in texts:
        if re.match("[A-Z]=", text):
            raise click.UsageError(f"--seat {text}: seats go by small letters: {text[0].lower()}{text[1:]}")
    for match in map(_SEAT.fullmatch, texts):
        if match is not None:
            seat = _require_seat(match[1], f"--seat {match[0]}")
            if seat in seats:
                raise click.UsageError(f"--seat {match[0]}: seat {name_seat(seat)} is named twice")
            seats[seat] = match[2]
    unnamed = [text for text in texts if _SEAT.fullmatch(text) is None]
    free = (seat for seat in range(len(texts)) if seat not in seats)
    return {**seats, **dict(zip(free, unnamed, strict=False))}


def _assign(
    shared: dict[str, object], own: dict[int, dict[str, object]], letter: str | None, name: str, value: object
) -> None:
    if letter is None:
        shared[name] = value
    else:
        own.setdefault(_require_seat(letter, name), {})[name] = value


def _read_value(text: str) -> object:
    """A number, truth value, list or table where the text is one in JSON; else the text itself."""
    try:
        value: object = json.loads(text, parse_constant=_refuse_constant)
    except ValueError:
        return text
    return value


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _iterate(table: object, place: str) -> Iterator[tuple[str, object]]:
    """The items of a table; a single value stands for all under no name."""
    if isinstance(table, Mapping):
        yield from table.items()
    elif isinstance(table, str) and place.endswith("strategy"):
        yield "", table
    else:
        raise click.UsageError(f"{place} must be a table, not {table!r}")


def _require_text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise click.UsageError(f"{place}: {value!r} must be a text")
    return value


def _require_seat(letter: str, place: str) -> int:
    seat = parse_seat(letter, MOST_SEATS)
    if seat is None:
        raise click.UsageError(f'{place}: "{letter}" is no seat; seats are a, b, c and so on')
    return seat


def _render_dollars(microdollars: int) -> object:
    whole, rest = divmod(microdollars, MICRODOLLARS)
    return whole if rest == 0 else microdollars / MICRODOLLARS
