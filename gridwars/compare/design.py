"""Who sits where: seatings in which nobody has a better place, a better seed or easier opponents.

A block is one seed with all its bouts. With no more players than seats, a block holds every seating there
is; where those are too many, they go round the seats in a drawn order instead, so that every player has every
seat equally often. With more players than seats it is a cyclic design: of n players in a drawn order, bout i
seats those at i + d for each d of a base block, modulo n; so in n bouts every player has every seat once. The
base block is one whose differences are spread evenly (a difference set where there is one: then every pair
meets equally often).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridwars.rng import NimRand, mix

MOST_SEATINGS = 720
"""Of a block that holds every seating there is; those of six players at six seats."""

_MOST_BASE_BLOCKS = 20_000
"""Up to so many are all looked at for the best: of 50 players at four seats, of 17 at seven."""

Seating = tuple[int, ...]
"""By seat the player who sits there, from 0."""


@dataclass(frozen=True, slots=True)
class Block:
    """The bouts of one seed."""

    seed: int
    seatings: tuple[Seating, ...]


def plan_blocks(player_count: int, seat_count: int, seeds: Sequence[int]) -> Iterator[Block]:
    """One block for every seed.

    Args:
        player_count: at least 2; fewer than seats sit down more than once, as evenly as can be.
    """
    for seed in seeds:
        if player_count <= seat_count and count_seatings(player_count, seat_count) > MOST_SEATINGS:
            yield Block(seed, _draw_round_seatings(player_count, seat_count, seed))
        elif player_count <= seat_count:
            yield Block(seed, list_seatings(player_count, seat_count))
        else:
            yield Block(seed, _draw_cyclic_seatings(player_count, seat_count, seed))


def plan_bouts(player_count: int, seat_count: int, seeds: Sequence[int]) -> list[tuple[int, Seating]]:
    """Seed and seating of every bout of all blocks, in order."""
    blocks = plan_blocks(player_count, seat_count, seeds)
    return [(block.seed, seating) for block in blocks for seating in block.seatings]


@functools.cache
def list_seatings(player_count: int, seat_count: int) -> tuple[Seating, ...]:
    """Every seating where nobody sits at two seats more than another, in ascending order.

    24 of four players at four seats, 36 of three, 6 of two; 120 of five, of whom four sit down.
    """
    each, more = divmod(seat_count, player_count)

    def seat(seated: Seating, left: int) -> Iterator[Seating]:
        if len(seated) == seat_count:
            yield seated
            return
        for player in range(player_count):
            places = seated.count(player)
            if places < each or (places == each and left):
                yield from seat((*seated, player), left - (places == each))

    return tuple(seat((), more))


def count_seatings(player_count: int, seat_count: int) -> int:
    """How many `list_seatings` lists."""
    each, more = divmod(seat_count, player_count)
    alike = math.prod([math.factorial(each)] * (player_count - more) + [math.factorial(each + 1)] * more)
    return math.comb(player_count, more) * math.factorial(seat_count) // alike


def _draw_round_seatings(player_count: int, seat_count: int, seed: int) -> tuple[Seating, ...]:
    """Everybody goes round all seats, once for each set of guests who sit at a seat more than the others."""
    dice = _throw_dice(seed)
    each, more = divmod(seat_count, player_count)
    seatings: list[Seating] = []
    for turn in range(player_count if more else 1):
        row = [*range(player_count)] * each + [(turn + index) % player_count for index in range(more)]
        dice.shuffle(row)
        seatings += [(*row[start:], *row[:start]) for start in range(seat_count)]
    return tuple(seatings)


def _throw_dice(seed: int) -> NimRand:
    return NimRand(mix(seed, 2862933555777941757, 3037000493))


def _draw_cyclic_seatings(player_count: int, seat_count: int, seed: int) -> tuple[Seating, ...]:
    order = list(range(player_count))
    _throw_dice(seed).shuffle(order)
    base = _find_base_block(player_count, seat_count)
    return tuple(
        tuple(order[(start + offset) % player_count] for offset in base) for start in range(player_count)
    )


@functools.cache
def _find_base_block(player_count: int, seat_count: int) -> tuple[int, ...]:
    """The best there is, or where there are too many to look at one that is good at every step."""
    if math.comb(player_count - 1, seat_count - 1) > _MOST_BASE_BLOCKS:
        base: tuple[int, ...] = (0,)
        while len(base) < seat_count:
            longer = [(*base, offset) for offset in range(1, player_count) if offset not in base]
            base = min(longer, key=lambda each: _measure_spread(each, player_count))
        return base
    rest = itertools.combinations(range(1, player_count), seat_count - 1)
    return min(((0, *offsets) for offsets in rest), key=lambda base: _measure_spread(base, player_count))


def _measure_spread(base: Sequence[int], player_count: int) -> int:
    """How unevenly the differences occur: the sum of squares of their counts."""
    differences = Counter((a - b) % player_count for a, b in itertools.permutations(base, 2))
    return sum(count * count for count in differences.values())
