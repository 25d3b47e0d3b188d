"""A rejection tells a seat the first error as its reason, and further ones for its only repair."""

from __future__ import annotations

import json
import re

import pytest

from gridwars.benchmarks.contract import Rejection, Reply
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.benchmarks.grid_wars.series import FURTHER_PROBLEMS, GridWarsEpisode

WRONG = ["var a = 1", "a += 1", "if a == 1", "  wait()", "let b = 1", "move 1, 0", "place", "a--", "(a) = 1"]


def reject(text: str) -> Rejection:
    episode = GridWarsEpisode(GridWarsConfig())
    batch = episode.open()
    assert batch is not None
    rejection = episode.read(batch.requests[0], Reply(text))
    assert isinstance(rejection, Rejection)
    return rejection


def test_first_error_is_the_reason_and_the_next_ones_are_further() -> None:
    rejection = reject(json.dumps({"script": WRONG}))
    assert rejection.reason.startswith("2:4: ")
    further = [line for line in rejection.further.split("\n") if line[:1].isdigit()]
    assert [line.split(":")[0] for line in further] == ["3", "5", "6", "7", "8"]
    assert "more" not in rejection.further


@pytest.mark.parametrize(("count", "more"), [(15, ""), (16, "and 1 more error"), (40, "and 25 more errors")])
def test_fifteen_errors_are_told_and_how_many_more_there_are(count: int, more: str) -> None:
    rejection = reject(json.dumps({"script": ["x = +"] * count}))
    places = re.findall(r"^([0-9]+):5: ", f"{rejection.reason}\n{rejection.further}", re.MULTILINE)
    assert places == [str(number) for number in range(1, 16)]
    assert len(places) == 1 + FURTHER_PROBLEMS
    assert rejection.further.split("\n")[-1] == more or not more
    assert ("more" in rejection.further.split("\n")[-1]) is bool(more)


def test_single_error_leaves_nothing_further() -> None:
    rejection = reject(json.dumps({"script": WRONG[:2]}))
    assert rejection.reason.startswith("2:4: ")
    assert rejection.further == ""


def test_reply_that_holds_no_script_has_one_reason() -> None:
    for text in ("no", "", json.dumps({"script": []}), "var a = 1\na += 1\nif a"):
        assert reject(text).further == ""
