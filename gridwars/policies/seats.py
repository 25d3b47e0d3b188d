"""How people name seats: `a` for the first, `b` for the second, and so on."""

from __future__ import annotations

import string


def name_seat(seat: int) -> str:
    """The letter of a seat, which counts from 0."""
    return string.ascii_lowercase[seat]


def parse_seat(text: str, seat_count: int) -> int | None:
    """The seat that a letter names, from 0; None where there is no such seat."""
    seat = string.ascii_lowercase.find(text) if len(text) == 1 else -1
    return seat if 0 <= seat < seat_count else None
