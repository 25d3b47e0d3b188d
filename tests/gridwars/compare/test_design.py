"""Seatings favour nobody."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from gridwars.compare.design import count_seatings, list_seatings, plan_blocks


@pytest.mark.parametrize(
    ("players", "seats", "count"), [(4, 4, 24), (3, 4, 36), (2, 4, 6), (2, 2, 2), (3, 3, 6), (2, 3, 6)]
)
def test_few_players_take_every_seating(players: int, seats: int, count: int) -> None:
    seatings = list_seatings(players, seats)
    assert len(set(seatings)) == len(seatings) == count
    by_seat = Counter(place for seating in seatings for place in enumerate(seating))
    assert len(by_seat) == players * seats
    assert len(set(by_seat.values())) == 1


@pytest.mark.parametrize("players", range(5, 24))
def test_many_players_have_every_seat_once_in_every_block(players: int) -> None:
    for block in plan_blocks(players, 4, [3, 8]):
        assert len(block.seatings) == players
        places = Counter(place for seating in block.seatings for place in enumerate(seating))
        assert places == Counter({(seat, player): 1 for seat in range(4) for player in range(players)})
        assert all(len(set(seating)) == 4 for seating in block.seatings)


@pytest.mark.parametrize(("players", "meetings"), [(5, 3), (7, 2), (13, 1)])
def test_every_pair_meets_equally_often_where_a_difference_set_exists(players: int, meetings: int) -> None:
    (block,) = plan_blocks(players, 4, [1])
    pairs = Counter(pair for seating in block.seatings for pair in itertools.combinations(sorted(seating), 2))
    assert len(pairs) == players * (players - 1) // 2
    assert set(pairs.values()) == {meetings}


def test_pairs_even_out_over_seeds_where_one_block_cannot() -> None:
    pairs = Counter(
        pair
        for block in plan_blocks(20, 4, range(60))
        for seating in block.seatings
        for pair in itertools.combinations(sorted(seating), 2)
    )
    assert len(pairs) == 190
    assert min(pairs.values()) > 0.5 * max(pairs.values())


def test_plan_is_the_same_every_time_and_differs_by_seed() -> None:
    first, second = plan_blocks(9, 4, [1, 2])
    assert [first, second] == list(plan_blocks(9, 4, [1, 2]))
    assert first.seatings != second.seatings


@pytest.mark.parametrize(("players", "count"), [(12, 12), (6, 12), (5, 60), (7, 84), (2, 12)])
def test_many_seats_are_gone_round_where_there_are_too_many_seatings(players: int, count: int) -> None:
    first, second = plan_blocks(players, 12, [1, 2])
    assert first.seatings != second.seatings
    for block in (first, second):
        assert len(block.seatings) == count
        places = Counter(place for seating in block.seatings for place in enumerate(seating))
        assert len(places) == players * 12
        assert len(set(places.values())) == 1
        for seating in block.seatings:
            at_table = Counter(seating).values()
            assert max(at_table) - min(at_table) <= 1


def test_many_more_players_than_many_seats_are_planned_in_a_moment() -> None:
    [block] = plan_blocks(30, 12, [1])
    places = Counter(place for seating in block.seatings for place in enumerate(seating))
    assert places == Counter({(seat, player): 1 for seat in range(12) for player in range(30)})
    assert all(len(set(seating)) == 12 for seating in block.seatings)


@pytest.mark.parametrize(
    ("players", "seats"), [(4, 4), (3, 4), (2, 4), (2, 3), (5, 6), (6, 6), (2, 10), (7, 4)]
)
def test_the_seatings_are_counted_before_they_are_listed(players: int, seats: int) -> None:
    seatings = list_seatings(players, seats)
    assert count_seatings(players, seats) == len(seatings) == len(set(seatings))
    assert seatings == tuple(sorted(seatings))
