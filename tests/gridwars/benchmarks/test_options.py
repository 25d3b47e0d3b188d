"""One check for every game's configuration: each kind of value, and all that is wrong at once."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.contract import ConfigurationError, Option
from gridwars.benchmarks.options import check_options, find_problem

OPTIONS = (
    Option("size", 5, "", 1, 9),
    Option("seats", None, "", 2, 6),
    Option("wrap", False, ""),
    Option("rule", "a", "", choices=("a", "b")),
    Option("maps", ("x",), "", choices=("x", "y")),
    Option("names", (), ""),
)
BY_NAME = {option.name: option for option in OPTIONS}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", 9),
        ("seats", 2),
        ("seats", None),
        ("wrap", True),
        ("rule", "b"),
        ("maps", []),
        ("maps", ("y", "x")),
        ("names", ["anybody"]),
    ],
)
def test_a_value_of_its_kind_is_taken(name: str, value: object) -> None:
    assert find_problem(BY_NAME[name], value) == ""


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("size", 0, "size: 0 is not an integer of 1..9"),
        ("size", True, "size: True is not"),
        ("size", 5.0, "size: 5.0 is not"),
        ("size", None, "size: None is not"),
        ("seats", 7, "seats: 7 is not an integer of 2..6"),
        ("wrap", 1, "wrap: 1 is neither true nor false"),
        ("rule", "c", "rule: 'c' is none of a, b"),
        ("rule", ["a"], "is none of a, b"),
        ("maps", "x", "maps: 'x' is no list"),
        ("maps", ["x", "z"], "is none of x, y"),
        ("names", [3], "names: [3] is no text"),
    ],
)
def test_any_other_is_refused_with_what_would_be_right(name: str, value: object, said: str) -> None:
    assert said in find_problem(BY_NAME[name], value)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ConfigurationError) as error:
        check_options("toy", OPTIONS, {"size": 0, "wrap": True, "sise": 1, "rule": "c"})
    lines = str(error.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["size", "sise", "rule"]
    assert "no such field of toy; there are size, seats, wrap" in lines[1]
