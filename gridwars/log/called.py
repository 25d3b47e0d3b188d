"""Whether what a log says of one call to a provider agrees with its seat, and with itself.

Tokens follow from the provider's own record of usage beside them, and the cost from tokens, tier and the
price in the seat's record. What a provider said (usage, tier, names) is taken at its word.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridwars.benchmarks.differences import render_value
from gridwars.log.events import Called, SeatRecord
from gridwars.log.usage import COUNTERS

_FIRST_ERROR_STATUS = 400

Difference = tuple[str, str, str]
"""Field, recorded and derived."""


def check_called(call: Called, seat: SeatRecord) -> Iterator[Difference]:
    """What of a call is not as it must be for its seat."""
    if seat.is_model:
        yield from _compare("provider", call.provider, seat.kind)
        yield from _compare("model", call.model, seat.parameters.get("model"))
        if not call.error and (call.http_status is None or call.http_status >= _FIRST_ERROR_STATUS):
            yield "http_status", str(call.http_status), "that of an answer, as there is no error"
        derived = {} if call.usage is None else COUNTERS[seat.kind](call.usage)
        yield from _compare("tokens", call.tokens, derived)
        price = seat.metering.price if seat.metering is not None else None
        yield from _compare("price_table", call.price_table, price.table if price is not None else "")
    yield from _check_cost(call, seat)
    first, total = call.first_byte_milliseconds, call.total_milliseconds
    if total < 0:
        yield "total_milliseconds", str(total), "0 or more"
    elif first is not None and not 0 <= first <= total:
        yield "first_byte_milliseconds", str(first), f"0 to {total}"


def _check_cost(call: Called, seat: SeatRecord) -> Iterator[Difference]:
    """A cost is that of the tokens at the seat's price, and is left out only where it cannot be known."""
    metering = seat.metering
    derived = None if metering is None else metering.compute_cost(call.tokens, call.served_tier)
    is_known = call.usage is not None and bool(call.tokens)
    if call.cost_microdollars is not None or (derived is not None and is_known):
        yield from _compare("cost_microdollars", call.cost_microdollars, derived)


def _compare(field: str, recorded: object, derived: object) -> Iterator[Difference]:
    if recorded != derived:
        yield field, render_value(recorded), render_value(derived)
