"""Modules, switches and ranges of our own configuration, and what a file may play."""

from __future__ import annotations

import msgspec
import pytest

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.benchmarks.snake_royale.config_document import read_document
from gridwars.benchmarks.snake_royale.rules import MODULES, RANGES, HeadOnRule, Module, Switches, configure
from gridwars.canonical import Json


@pytest.mark.parametrize("module", Module)
def test_a_module_sets_its_switches_and_each_can_be_another(module: Module) -> None:
    config = configure({"module": module.value})
    assert msgspec.convert(msgspec.structs.asdict(config), Switches) == MODULES[module]
    other = configure({"module": module.value, "board_w": 9, "wrap": True, "head_to_head": "both_die"})
    assert (other.board_w, other.wrap, other.head_to_head) == (9, True, HeadOnRule.BOTH_DIE)
    assert other.module is module
    assert other.food_count == MODULES[module].food_count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board_w": 6}, r"board_w: 6 is not an integer of 7\.\.31"),
        ({"board_h": 22}, r"board_h: 22 is not an integer of 5\.\.21"),
        ({"module": "chess"}, "module: 'chess' is none of royale, geese, tron"),
        ({"head_to_head": "BOTH_DIE"}, "head_to_head"),
        ({"wrap": 1}, "wrap: 1 is neither true nor false"),
        ({"boardW": 9}, "boardW: no such field"),
        ({"seed": 2**63}, "seed"),
    ],
)
def test_a_wrong_value_is_refused_by_name_value_and_range(options: dict[str, Json], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        configure(options)


def test_a_document_is_brought_into_the_ranges_that_options_must_keep() -> None:
    for name, (low, high) in RANGES.items():
        if name == "seed":
            continue
        field = next(f.encode_name for f in msgspec.structs.fields(type(read_document(""))) if f.name == name)
        assert getattr(read_document(f'{{"{field}": {low - 5}}}'), name) == low
        assert getattr(read_document(f'{{"{field}": {high + 5}}}'), name) == high


@pytest.mark.parametrize(
    "number", ["1e400", "-1e400", "9" * 30, '"' + "9" * 30 + '"', '"' + "9" * 5000 + '"']
)
def test_a_number_beyond_64_bits_counts_as_absent(number: str) -> None:
    document = read_document(f'{{"seed": {number}, "boardW": {number}}}')
    assert (document.seed, document.board_w) == (1, MODULES[Module.ROYALE].board_w)


@pytest.mark.parametrize("text", ['{"seed": NaN}', "[]", "nothing", '{"attempt1Ms": 1500}', "[" * 100_000])
def test_a_document_that_is_none_is_an_error(text: str) -> None:
    with pytest.raises(ConfigurationError):
        read_document(text)


def test_a_file_can_play_a_fixed_direction_only() -> None:
    benchmark = SnakeRoyale()
    assert benchmark.check_script('{"dir": "up", "say": "up!"}') is None
    assert benchmark.check_script("up") is not None
    assert benchmark.check_script("{}") == "it gives no direction"
