"""Who plays, with what, for how much: the same from options and from the tables of a settings file."""

from __future__ import annotations

import tomllib

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridwars.cli.assignments import SCOPES, UNITS, Assignments, read_options, read_tables, render_tables
from gridwars.cli.toml_text import render_toml
from gridwars.log.metering import Allowance, Budget


def test_seats_are_named_by_letter_or_by_their_place() -> None:
    assert read_options(["painter", "my.gwl"], (), (), ()).seats == {0: "painter", 1: "my.gwl"}
    assert read_options(["b=openai:x", "painter"], (), (), ()).seats == {1: "openai:x", 0: "painter"}
    assert read_options(["x", "b=y", "z", "a=w"], (), (), ()).seats == {1: "y", 0: "w", 2: "x", 3: "z"}
    assert read_options(["command:./agent --x=1"], (), (), ()).seats == {0: "command:./agent --x=1"}


def test_values_are_what_json_says_or_texts() -> None:
    given = read_options(
        (),
        (),
        [
            "effort=low",
            "a.max_output_tokens=8000",
            "b.temperature=0.7",
            'b.extra_body={"min_p": 0.05}',
            "a.x=1=2",
        ],
        (),
    )
    assert given.shared == {"effort": "low"}
    assert given.own == {
        0: {"max_output_tokens": 8000, "x": "1=2"},
        1: {"temperature": 0.7, "extra_body": {"min_p": 0.05}},
    }


def test_strategies_are_parameters_by_another_name() -> None:
    assert read_options((), ["plan"], (), ()).shared == {"strategy": "plan"}
    assert read_options((), ["b=./my=own.md"], (), ()).own == {1: {"strategy": "./my=own.md"}}
    assert read_options((), ["b=plan"], (), ()) == read_options((), (), ["b.strategy=plan"], ())


def test_amounts_are_exact() -> None:
    given = read_options((), (), (), ["run.dollars=0.000001", "episode.tokens=1_000_000", "strategy.calls=7"])
    assert given.make_budget(Budget()) == Budget(
        run=Allowance(microdollars=1), episode=Allowance(tokens=1_000_000), strategy=Allowance(calls=7)
    )


def test_an_amount_replaces_only_its_own() -> None:
    base = Budget(run=Allowance(microdollars=5, calls=6), episode=Allowance(tokens=7))
    given = read_options((), (), (), ["run.calls=60"])
    assert given.make_budget(base) == Budget(
        run=Allowance(microdollars=5, calls=60), episode=Allowance(tokens=7)
    )


@pytest.mark.parametrize(
    ("seats", "settings", "budgets", "said"),
    [
        (["a=x", "y", "a=z"], (), (), ["--seat a=z", "seat a is named twice"]),
        ((), ["effort"], (), ["--set effort", "NAME=VALUE"]),
        ((), ["1.effort=low"], (), ["a.NAME=VALUE"]),
        ((), (), ["20"], ["--budget 20", "run.dollars=20"]),
        ((), (), ["run.euros=20"], ["dollars, tokens, calls"]),
        ((), (), ["week.dollars=20"], ["run, episode, strategy"]),
        ((), (), ["run.dollars=many"], ["dollars with at most six decimals"]),
        ((), (), ["run.dollars=0.0000001"], ["six decimals"]),
        ((), (), ["run.dollars=-1"], ["--budget run.dollars=-1"]),
        ((), (), ["run.dollars=nan"], ["six decimals"]),
        ((), (), ["run.calls=1.5"], ["a whole number"]),
    ],
)
def test_a_text_that_cannot_be_read_says_what_would_be_right(
    seats: list[str], settings: list[str], budgets: list[str], said: list[str]
) -> None:
    with pytest.raises(click.UsageError) as error:
        read_options(seats, (), settings, budgets)
    assert all(part in error.value.message for part in said), error.value.message


TABLES = """
strategy = "plan"
[seat]
a = "anthropic:m"
c = "painter"
[set]
effort = "low"
[set.a]
temperature = 0.5
extra_body = { top_k = 3 }
[budget.run]
dollars = 20.5
[budget.episode]
calls = 9
"""


def test_tables_say_the_same_as_options() -> None:
    assert read_tables(tomllib.loads(TABLES), "run.toml") == read_options(
        ["a=anthropic:m", "c=painter"],
        ["plan"],
        ["effort=low", "a.temperature=0.5", 'a.extra_body={"top_k": 3}'],
        ["run.dollars=20.5", "episode.calls=9"],
    )


def test_seats_may_be_a_list_and_strategies_a_table() -> None:
    document = tomllib.loads('seat = ["painter", "x.gwl"]\nstrategy = { b = "bare" }')
    given = read_tables(document, "run.toml")
    assert given.seats == {0: "painter", 1: "x.gwl"}
    assert given.own == {1: {"strategy": "bare"}}


@pytest.mark.parametrize(
    "text",
    [
        "seat = 3",
        "seat = [3]",
        "seat = { a = 3 }",
        "strategy = { a = 3 }",
        "seat = { 1 = 'x' }",
        "set = 'effort'",
        "budget = 20",
        "[budget.run]\ndollars = true",
    ],
)
def test_a_table_that_is_none_is_refused_with_the_files_name(text: str) -> None:
    with pytest.raises(click.UsageError, match=r"run\.toml"):
        read_tables(tomllib.loads(text), "run.toml")


def test_the_command_line_goes_before_the_file_name_by_name() -> None:
    below = read_tables(tomllib.loads(TABLES), "run.toml")
    above = read_options(["c=bomber"], (), ["a.temperature=1", "effort=high"], ["run.calls=3"])
    merged = above.over(below)
    assert merged.seats == {0: "anthropic:m", 2: "bomber"}
    assert merged.shared == {"strategy": "plan", "effort": "high"}
    assert merged.own == {0: {"temperature": 1, "extra_body": {"top_k": 3}}}
    assert merged.make_budget(Budget()).run == Allowance(microdollars=20_500_000, calls=3)


names = st.from_regex(r"[a-z][a-z_]{1,9}", fullmatch=True)
values = st.recursive(
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
assignments = st.builds(
    Assignments,
    seats=st.dictionaries(st.integers(0, 25), st.text(), max_size=4),
    shared=st.dictionaries(names, values, max_size=3).filter(
        lambda table: not any(isinstance(value, dict) and len(key) == 1 for key, value in table.items())
    ),
    own=st.dictionaries(
        st.integers(0, 25), st.dictionaries(names, values, min_size=1, max_size=3), max_size=3
    ),
    budget=st.dictionaries(
        st.tuples(st.sampled_from(SCOPES), st.sampled_from(UNITS)), st.integers(0, 10**10)
    ),
)


@given(given_assignments=assignments)
def test_what_is_written_to_a_file_is_read_back(given_assignments: Assignments) -> None:
    text = render_toml({"before": 1, **render_tables(given_assignments)})
    text.encode()
    assert read_tables(tomllib.loads(text), "run.toml") == given_assignments


def test_a_value_that_toml_has_no_word_for_is_refused() -> None:
    with pytest.raises(ValueError, match="None"):
        render_toml({"x": None})
