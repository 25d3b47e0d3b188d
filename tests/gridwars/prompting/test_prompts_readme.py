"""What `prompts/README.md` tells authors of strategies is so."""

from __future__ import annotations

import re

import msgspec
import pytest

from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.observation import Diagnostics, GridWarsObservation, Standing
from gridwars.prompting import Prompter, prompts_path
from gridwars.prompting.environment import FILTERS, OWN_FILTERS
from gridwars.prompting.strategy import parse_strategy
from gridwars.prompting.templates import load_templates

README = (prompts_path() / "README.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"\w+", README))


def test_size_of_the_system_message_is_the_measured_one() -> None:
    system = load_templates(GridWars(), prompts_path()).system
    assert f"{len(system.encode()):,} bytes" in README


def test_strategy_that_is_shown_can_be_used() -> None:
    (source,) = re.findall(r"^```\n(\+\+\+\n.*?)^```", README, re.DOTALL | re.MULTILINE)
    Prompter(parse_strategy(source, "mine.md"), load_templates(GridWars(), prompts_path()))


def test_every_filter_is_named() -> None:
    named = re.search(r"filters `([^`]+)`", README.replace("\n", " "))
    assert named is not None
    assert set(named[1].split()) == {*FILTERS, *OWN_FILTERS}


@pytest.mark.parametrize("kind", [GridWarsObservation, Standing, Diagnostics])
def test_every_field_that_a_seat_sees_is_named(kind: type[msgspec.Struct]) -> None:
    assert set(kind.__struct_fields__) <= WORDS
    assert set(GridWars().prompt_facts()) <= WORDS
