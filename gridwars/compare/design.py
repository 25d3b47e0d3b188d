"""Who sits where: seatings in which nobody has a better place, a better seed or easier opponents.

A block is one seed with all its bouts. With no more players than seats, a block holds every seating there
is. With more it is a cyclic design: of n players in a drawn order, bout i seats those at i + d for each d
of a base block, modulo n; so in n bouts every player has every seat once. The base block is the one whose
differences are spread most evenly (a difference set where there is one: then every pair meets equally often).
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridwars.rng import NimRand, mix

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
        if player_count <= seat_count:
            yield Block(seed, list_seatings(player_count, seat_count))
        else:
            yield Block(seed, _draw_cyclic_seatings(player_count, seat_count, seed))


def plan_bouts(player_count: int, seat_count: int, seeds: Sequence[int]) -> list[tuple[int, Seating]]:
    """Seed and seating of every bout of all blocks, in order."""
    blocks = plan_blocks(player_count, seat_count, seeds)
    return [(block.seed, seating) for block in blocks for seating in block.seatings]


@functools.cache
def list_seatings(player_count: int, seat_count: int) -> tuple[Seating, ...]:
    """Every seating of no more players than seats, where nobody sits at two seats more than another.

    24 of four players at four seats, 36 of three, 6 of two.
    """
    each, more = divmod(seat_count, player_count)
    seatings = {
        seating
        for guests in itertools.combinations(range(player_count), more)
        for seating in itertools.permutations([*list(range(player_count)) * each, *guests])
    }
    return tuple(sorted(seatings))


def _draw_cyclic_seatings(player_count: int, seat_count: int, seed: int) -> tuple[Seating, ...]:
    order = list(range(player_count))
    NimRand(mix(seed, 2862933555777941757, 3037000493)).shuffle(order)
    base = _find_base_block(player_count, seat_count)
    return tuple(
        tuple(order[(start + offset) % player_count] for offset in base) for start in range(player_count)
    )


@functools.cache
def _find_base_block(player_count: int, seat_count: int) -> tuple[int, ...]:
    rest = itertools.combinations(range(1, player_count), seat_count - 1)
    return min(((0, *offsets) for offsets in rest), key=lambda base: _measure_spread(base, player_count))


def _measure_spread(base: Sequence[int], player_count: int) -> int:
    """How unevenly the differences occur: the sum of squares of their counts."""
    differences = Counter((a - b) % player_count for a, b in itertools.permutations(base, 2))
    return sum(count * count for count in differences.values())
