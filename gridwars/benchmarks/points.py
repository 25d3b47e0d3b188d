"""What places are worth: points in permille, zero together, of any number of seats."""

from __future__ import annotations

from collections.abc import Sequence


def compute_place_points(places: Sequence[int]) -> tuple[int, ...]:
    """By seat; seats that share a place split what its ranks bring.

    Ranks bring from 1000 down to -1000 in equal steps, cut to whole permille; one seat alone gets 0.

    Args:
        places: by seat, from 1; seats that share one leave as many of the next places out.
    """
    count = len(places)
    by_rank = [cut_quotient(1000 * (count - 1) - 2000 * rank, max(1, count - 1)) for rank in range(count)]
    points = [0] * count
    for place in set(places):
        tied = [seat for seat, other in enumerate(places) if other == place]
        split_points(sum(by_rank[place - 1 : place - 1 + len(tied)]), tied, points)
    return tuple(points)


def cut_quotient(amount: int, by: int) -> int:
    """A quotient without its fraction, towards 0."""
    return amount // by if amount >= 0 else -(-amount // by)


def split_points(total: int, seats: Sequence[int], points: list[int]) -> None:
    """Gives each of the seats its share, the first ones one more where it does not come out even."""
    share, rest = divmod(total, len(seats))
    for index, seat in enumerate(seats):
        points[seat] = share + (index < rest)
