"""A rejection tells a seat the first error as its reason, and further ones for its only repair."""

from __future__ import annotations

import json

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
    assert [line.split(":")[0] for line in further] == ["3", "5", "6", "7"]
    assert len(further) == FURTHER_PROBLEMS


def test_single_error_leaves_nothing_further() -> None:
    rejection = reject(json.dumps({"script": WRONG[:2]}))
    assert rejection.reason.startswith("2:4: ")
    assert rejection.further == ""


def test_reply_that_holds_no_script_has_one_reason() -> None:
    for text in ("no", "", json.dumps({"script": []}), "var a = 1\na += 1\nif a"):
        assert reject(text).further == ""
