"""The numbers of the rules, the configuration's ranges, seeds and scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.grid_wars.rules import (
    ALIASES,
    BOARD_SIZE,
    CORNERS,
    FUSE,
    OPTIONS,
    SEAT_COUNT,
    GridWarsConfig,
    cell_at,
    compute_raw_score,
    compute_round_scores_quarters,
    compute_round_seed,
    configure,
    draw_aliases,
    draw_spawn,
)
from gridwars.canonical import Json
from gwl.builtins import CONSTANTS

SEEDS = st.integers(min_value=-(2**63), max_value=2**63 - 1)


def test_warriors_and_rules_agree_on_the_constants() -> None:
    assert CONSTANTS["gridSize"] == BOARD_SIZE
    assert CONSTANTS["MAXFUSE"] == FUSE


def test_the_default_configuration_is_that_of_the_rules() -> None:
    assert configure({}) == GridWarsConfig(seed=0, rounds=5, ticks=400, bomb_cost=12)


@pytest.mark.parametrize(
    ("field", "low", "high"), [("rounds", 1, 12), ("ticks", 20, 1200), ("bomb_cost", 0, 60)]
)
def test_a_field_takes_its_range_and_no_more(field: str, low: int, high: int) -> None:
    for value in (low, high):
        assert getattr(configure({field: value}), field) == value
    for value in (low - 1, high + 1):
        with pytest.raises(ConfigurationError, match=rf"^{field}: {value} .* {low}\.\.{high}$"):
            configure({field: value})


@pytest.mark.parametrize("value", [True, "400", 400.0, None])
def test_a_field_takes_integers_only(value: Json) -> None:
    with pytest.raises(ConfigurationError, match=r"^ticks: .* 20\.\.1200$"):
        configure({"ticks": value})


def test_an_unknown_field_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"^tick: .*seed, rounds, ticks, bomb_cost$"):
        configure({"tick": 400})


def test_every_option_is_a_field_with_its_default() -> None:
    assert {option.name: option.default for option in OPTIONS} == {
        name: getattr(GridWarsConfig(), name) for name in GridWarsConfig.__struct_fields__
    }


def test_a_recorded_configuration_is_read_as_it_stands() -> None:
    assert GridWarsConfig(ticks=7).ticks == 7


@given(SEEDS)
def test_every_round_has_its_own_seed_and_puts_the_seats_on_the_four_corners(seed: int) -> None:
    round_seeds = [compute_round_seed(seed, number) for number in range(1, 13)]
    assert len(set(round_seeds)) == 12
    for round_seed in round_seeds:
        assert 0 <= round_seed < 2**63
        assert sorted(draw_spawn(round_seed)) == sorted(y * BOARD_SIZE + x for x, y in CORNERS)


@given(SEEDS)
def test_aliases_are_four_different_ones_of_the_list(seed: int) -> None:
    aliases = draw_aliases(seed)
    assert len(set(aliases)) == SEAT_COUNT
    assert set(aliases) <= set(ALIASES)


def test_cells_are_numbered_by_rows_and_wrap() -> None:
    assert cell_at(4, 1) == 34
    assert cell_at(-1, 0) == 29
    assert cell_at(30, -1) == 870


def test_raw_scores_count_tiles_survival_and_kills() -> None:
    assert compute_raw_score(tiles=7, alive=True, kills=2, self_kills=0) == 207
    assert compute_raw_score(tiles=0, alive=False, kills=1, self_kills=1) == 0
    assert compute_raw_score(tiles=0, alive=False, kills=0, self_kills=1) == -50


@given(st.lists(st.integers(-50, 1200), min_size=4, max_size=4))
def test_round_scores_are_what_the_rules_say_and_sum_to_zero(raw: list[int]) -> None:
    quarters = compute_round_scores_quarters(raw)
    assert [score / 4 for score in quarters] == [each - sum(raw) / 4 for each in raw]
    assert sum(quarters) == 0
