"""A person's worksheet shows what the seat sees and reads back as what was meant; a decision as its reply."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.contract import Origin, Rejection, Reply
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.submission import Submission, admit, split_script
from tests.gwl.strategies import scripts

BENCHMARK = GridWars()
FIRST, *_, FAULTED, FULLEST = (
    sample for sample in BENCHMARK.sample_observations() if isinstance(sample, GridWarsObservation)
)


def spoken(max_size: int) -> st.SearchStrategy[str]:
    """Texts as reading leaves them: without carriage returns."""
    return st.text(st.characters(exclude_characters="\r"), max_size=max_size)


def render(observation: GridWarsObservation, problem: str = "", draft: str = "") -> str:
    return BENCHMARK.render_worksheet(observation, problem, draft).text


def read_own(text: str) -> Submission | Rejection:
    """What an episode makes of a worksheet's reply."""
    reply = BENCHMARK.read_worksheet(text)
    if isinstance(reply, Rejection):
        return reply
    return read(reply, scripted=False)


def read(reply: str, *, scripted: bool) -> Submission | Rejection:
    episode = BENCHMARK.start(BENCHMARK.configure({}))
    batch = episode.open()
    assert batch is not None
    return episode.read(batch.requests[0], Reply(reply, scripted=scripted))


def test_a_worksheet_left_as_it_is_submits_the_last_script_and_notes() -> None:
    submission = read_own(render(FULLEST))
    assert isinstance(submission, Submission)
    assert submission.script == FULLEST.script
    assert submission.notes == " ".join(FULLEST.notes.split())
    assert submission.banner == ""


def test_script_notes_and_banner_are_what_was_written() -> None:
    text = render(FIRST).replace("place()", "bomb()").replace("#| notes:", "#| notes: be bold ")
    text = text.replace("#| banner:", "#| banner: Here I come: beware")
    submission = read_own(text)
    assert isinstance(submission, Submission)
    assert "bomb()" in "".join(submission.script)
    assert (submission.notes, submission.banner) == ("be bold", "Here I come: beware")


def test_lines_of_the_script_have_the_numbers_that_errors_name() -> None:
    text = render(FAULTED, draft="")
    assert text.split("\n")[: len(FAULTED.script)] == list(FAULTED.script)


def test_all_that_the_seat_sees_is_there() -> None:
    text = render(FULLEST)
    assert FULLEST.diagnostics is not None
    for row in FULLEST.table:
        assert row.alias in text
        assert row.score in text
    assert all(f"#| {line}" in text for line in FULLEST.board)
    assert all(line in text for line in FULLEST.diagnostics.reason.split("\n"))
    assert f"line {FAULTED.diagnostics.fault_line}" in render(FAULTED) if FAULTED.diagnostics else False


def test_a_problem_stands_below_its_line_and_the_draft_is_kept() -> None:
    draft = render(FIRST).replace("#| notes:", "#| notes: mine").split("\n")
    draft[1] = "  move(1"
    rejection = BENCHMARK.read_worksheet("\n".join(draft))
    assert isinstance(rejection, Rejection)
    again = render(FIRST, rejection.reason, "\n".join(draft)).split("\n")
    place = next(index for index, line in enumerate(again) if line.startswith("#| !!"))
    assert again[:place] == [line for line in draft if not line.startswith("#|")][:place]
    assert rejection.reason.startswith(f"{place}:")
    assert "#| notes: mine" in again
    repaired = "\n".join(again).replace("move(1\n", "move(1, 0)\n")
    submission = read_own(repaired)
    assert isinstance(submission, Submission)
    assert not any("!!" in line for line in submission.script)


def test_a_likely_mistake_is_found_in_a_worksheet_as_in_a_file() -> None:
    script = "while true:\n  place()\n  move(2, 0)\n"
    reply = BENCHMARK.read_worksheet(f"{script}\n#| notes: none\n")
    assert isinstance(reply, str)
    found = BENCHMARK.review_script(reply)
    assert found.startswith("3:3: warning: wrong-value")
    assert found == BENCHMARK.review_script(script)
    sheet = render(FIRST, problem=found, draft=script)
    assert "  move(2, 0)\n#| !! 3:3: warning: wrong-value" in sheet


def test_a_problem_that_names_no_line_stands_above_all() -> None:
    assert render(FIRST, "the script is empty").startswith("#| !! the script is empty\n")


def test_an_empty_worksheet_is_no_script() -> None:
    assert isinstance(BENCHMARK.read_worksheet("#| notes: x\n"), Rejection)


@pytest.mark.parametrize("text", ["", "\r\n", "#|", "#| notes", "\ufeffwait()\r\n#| banner: x"])
def test_anything_can_be_read(text: str) -> None:
    BENCHMARK.read_worksheet(text)


@settings(max_examples=60)
@given(script=scripts(), notes=spoken(700), banner=spoken(100), scripted=st.booleans())
def test_a_decision_reads_as_itself(script: list[str], notes: str, banner: str, scripted: bool) -> None:
    submission = admit(
        Submission(
            seat=0,
            origin=Origin.SCRIPTED if scripted else Origin.LLM,
            script=split_script("\n".join(script)),
            notes="" if scripted else notes,
            banner="" if scripted else banner,
        )
    )
    assume(submission.script)
    again = read(BENCHMARK.render_reply(submission, scripted=scripted), scripted=scripted)
    assert again == submission
