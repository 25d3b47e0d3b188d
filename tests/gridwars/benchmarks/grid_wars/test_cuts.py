"""A script that is longer than allowed is cut as the reference does, and whoever sent or plays it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gridwars
from gridwars.benchmarks.contract import Rejection, Reply
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.rules import GridWarsConfig
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.submission import Submission, list_cuts
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.benchmarks.grid_wars.worksheet import read_worksheet, render_worksheet
from gridwars.prompting import Prompter
from gridwars.prompting.folder import prompts_path
from gridwars.prompting.strategy import parse_strategy
from gridwars.prompting.templates import load_templates

WALK = ["while true:", "  place()", "  move(1, 0)"]
TOO_MANY = [*WALK, *["# more"] * 118]
LONG_CUT = (
    "1:101: line-too-long: the line has 101 characters; at most 100 are allowed (and 1 more such lines)"
)
ALL_CUT = (
    "43:1: source-too-long: the script has 4035 characters, each line counting its length + 1; "
    "at most 4000 are allowed"
)
MANY_CUT = "121:1: too-many-lines: the script has 121 lines; at most 120 are allowed"
LATE_BODY = [*["# first"] * 119, "while true:", "  move(1, 0)"]


def read(script: list[str]) -> Submission | Rejection:
    episode = GridWarsEpisode(GridWarsConfig(rounds=2, ticks=20))
    batch = episode.open()
    assert batch is not None
    return episode.read(batch.requests[0], Reply(json.dumps({"script": script})))


@pytest.mark.parametrize(
    ("script", "cuts"),
    [
        (WALK, ()),
        ([*WALK, *["# more"] * 117, "", "   "], ()),
        (TOO_MANY, (MANY_CUT,)),
        (["# " + "x" * 99, *WALK, "# " + "y" * 100], (LONG_CUT,)),
        ([*WALK, *["#" * 99] * 40], (ALL_CUT,)),
    ],
)
def test_every_limit_that_cuts_is_a_repair_in_the_words_of_the_check(
    script: list[str], cuts: tuple[str, ...]
) -> None:
    taken = read(script)
    assert isinstance(taken, Submission)
    assert taken.repairs == tuple(f"cut: {cut}" for cut in cuts) == list_cuts(script)


def test_a_script_that_its_cut_breaks_is_rejected_with_the_cut_first() -> None:
    rejection = read(LATE_BODY)
    assert isinstance(rejection, Rejection)
    first, second = rejection.reason.split("\n")[:2]
    assert first == f"cut: {MANY_CUT}"
    assert second.startswith("120:")
    assert "expected-block" in second


def test_the_next_round_tells_what_was_cut() -> None:
    episode = GridWarsEpisode(GridWarsConfig(rounds=2, ticks=20))
    batch = episode.open()
    assert batch is not None
    scripts = [TOO_MANY, WALK, WALK, WALK]
    taken = [
        episode.read(request, Reply(json.dumps({"script": script})))
        for request, script in zip(batch.requests, scripts, strict=True)
    ]
    for _ in episode.advance([each for each in taken if isinstance(each, Submission)]):
        pass
    batch = episode.open()
    assert batch is not None
    strategy = parse_strategy('+++\nname = "mine"\nversion = 1\nnotes = ""\n+++\n', "mine.md")
    prompter = Prompter(strategy, load_templates(GridWars(), prompts_path()))
    told = []
    for request in batch.requests:
        assert isinstance(request.observation, GridWarsObservation)
        diagnostics = request.observation.diagnostics
        assert diagnostics is not None
        assert not diagnostics.fallback
        sheet = render_worksheet(request.observation, "", "").text
        prompt = prompter.render(request)
        texts = [sheet, "\n".join(str(message) for message in prompt)]
        told.append((diagnostics.reason, [MANY_CUT in text for text in texts]))
    assert told == [(MANY_CUT, [True, True]), *[("", [False, False])] * 3]


def test_a_file_and_a_person_are_told_instead_of_being_cut() -> None:
    text = "\n".join(TOO_MANY)
    problem = GridWars().check_script(text)
    assert problem is not None
    assert problem.startswith(MANY_CUT)
    rejection = read_worksheet(text)
    assert isinstance(rejection, Rejection)
    assert rejection.reason.startswith(MANY_CUT)


def test_python_is_told_unless_it_allows_the_cut(tmp_path: Path) -> None:
    seats = [TOO_MANY, "sentry", "sentry", "sentry"]
    with pytest.raises(gridwars.ScriptError, match="seat 0: 121:1: too-many-lines"):
        gridwars.battle(seats)
    file = tmp_path / "long.gwl"
    file.write_text("\n".join(TOO_MANY), encoding="utf-8")
    with pytest.raises(gridwars.ScriptError, match="too-many-lines"):
        gridwars.battle([file, "sentry", "sentry", "sentry"])
    whole = gridwars.battle([WALK, "sentry", "sentry", "sentry"], seed=3)
    assert gridwars.battle(seats, seed=3, cut=True).result == whole.result
    (many,) = gridwars.battles([seats], seeds=[3], cut=True)
    assert many.result == whole.result


def test_built_ins_need_no_cut() -> None:
    warriors = load_warriors()
    assert warriors
    assert all(list_cuts(warrior.lines) == () for warrior in warriors.values())
