"""What is shown of a run while it is played: every state in words, and estimates from what was played."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Event, Outcome
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.progress_view import LineView
from gridwars.cli.run_report import describe_account
from gridwars.cli.tracking import (
    RunTracker,
    SeatState,
    Sign,
    describe_run,
    describe_spend,
    render_cost,
    render_duration,
)
from gridwars.harness.run import EpisodeReport, Status
from gridwars.log.events import Answered, Asked, Called, Judged, SeatRecord, Start
from gridwars.log.metering import Spend
from gridwars.log.reader import read_log
from gridwars.log.spending import Account
from gridwars.policies.policy import Phase, Progress
from tests.gridwars.harness.test_orchestrator import ManualClock
from tests.gridwars.paid_talker import PROMPT, make_record

SAMPLE = Path(__file__).parents[3] / "runs" / "sample" / "episode.jsonl"
SNAKES = Path(__file__).parents[2] / "fixtures" / "logs" / "v1" / "snake-royale-models.jsonl"


def begin(seats: tuple[SeatRecord, ...] = (make_record(),) * 4) -> Start:
    benchmark = get_benchmark("grid-wars")
    return Start("gridwars.log.v1", benchmark.name, 1, "0", {"seed": 1, "rounds": 4}, seats)


@pytest.fixture
def tracker() -> RunTracker:
    made = RunTracker(ManualClock(), episode_count=2, budget_microdollars=2_000_000)
    made.take(1, begin(), False)
    return made


def get_state(tracker: RunTracker) -> SeatState:
    return tracker.running[1].states[0]


@pytest.mark.parametrize(
    ("progress", "words", "sign"),
    [
        (Progress(0, 1, Phase.WAITING, "paused for 5 s"), "waiting paused for 5 s", Sign.BUSY),
        (Progress(0, 1, Phase.ASKED), "asked", Sign.BUSY),
        (Progress(0, 1, Phase.STREAMING, token_count=1234), "streaming, 1,234 tokens", Sign.BUSY),
        (Progress(0, 1, Phase.EDITING), "being edited", Sign.BUSY),
        (
            Progress(0, 1, Phase.RETRYING, "2/6 in 12 s because 429"),
            "retry 2/6 in 12 s because 429",
            Sign.TROUBLE,
        ),
        (Progress(0, 2, Phase.STREAMING, token_count=5), "repair, streaming, 5 tokens", Sign.BUSY),
        (Progress(0, 1, Phase.RETRYING, "\x1b[2Jboo"), "retry \\x1b[2Jboo", Sign.TROUBLE),
    ],
)
def test_progress_is_told_in_words(tracker: RunTracker, progress: Progress, words: str, sign: Sign) -> None:
    tracker.watch(1, progress)
    assert get_state(tracker) == SeatState(words, sign)


@pytest.mark.parametrize(
    ("event", "words", "sign"),
    [
        (Asked(1, 0, 1, PROMPT), "asked", Sign.BUSY),
        (Answered(1, 0, 1, "text"), "replied", Sign.BUSY),
        (Judged(1, 0, 1, Outcome.VALID), "sealed", Sign.GOOD),
        (Judged(1, 0, 1, Outcome.REPAIRED, repairs=("fence",)), "sealed, fence put right", Sign.GOOD),
        (Judged(1, 0, 1, Outcome.INVALID, "1:2: bad\nmore"), "invalid: 1:2: bad", Sign.TROUBLE),
        (Judged(1, 0, 1, Outcome.VOID, "no answer in 6 calls"), "void: no answer in 6 calls", Sign.TROUBLE),
        (Judged(1, 0, 1, Outcome.REFUSED, "no"), "refused: no", Sign.TROUBLE),
    ],
)  # fmt: skip
def test_events_are_told_in_words(tracker: RunTracker, event: Event, words: str, sign: Sign) -> None:
    tracker.take(1, event, False)
    assert get_state(tracker) == SeatState(words, sign)


def test_an_editor_is_known_until_it_is_left(tracker: RunTracker) -> None:
    tracker.watch(1, Progress(2, 1, Phase.EDITING))
    assert tracker.running[1].editing == {2}
    tracker.watch(1, Progress(2, 1, Phase.DONE))
    assert tracker.running[1].editing == set()


def test_spend_is_the_sum_over_running_and_finished_episodes(tracker: RunTracker) -> None:
    tracker.take(1, Asked(1, 0, 1, PROMPT), False)
    call = Called(1, 0, 1, 1, "p", "m", http_status=200, tokens={"input": 9}, cost_microdollars=90_000)
    tracker.take(1, call, False)
    done = Account(Spend(3, 40, 410_000), 1)
    tracker.finish(EpisodeReport(2, Path("x"), Status.VOID, account=done))
    assert tracker.account.spend == Spend(4, 49, 500_000)
    said = describe_run(tracker)
    assert "1 of 2 episodes done, 1 void" in said
    assert "over $0.50 of $2.00 spent, 49 tokens, 4 calls, 1 of them at a cost that is not known" in said
    assert "in the end" not in said


def test_an_episode_that_stopped_is_not_done(tracker: RunTracker) -> None:
    tracker.finish(EpisodeReport(1, Path("x"), Status.FINISHED))
    tracker.finish(EpisodeReport(2, Path("y"), Status.STOPPED))
    assert "1 of 2 episodes done, 1 stopped" in describe_run(tracker)


def test_what_the_log_held_before_is_spent_and_changes_no_state(tracker: RunTracker) -> None:
    tracker.take(1, Asked(1, 0, 1, PROMPT), True)
    call = Called(1, 0, 1, 1, "p", "m", http_status=200, tokens={"input": 9}, cost_microdollars=7)
    tracker.take(1, call, True)
    tracker.take(1, Judged(1, 0, 1, Outcome.VOID, "down"), True)
    assert tracker.account.spend == Spend(1, 9, 7)
    assert get_state(tracker) == SeatState()


def test_estimates_are_by_what_was_played() -> None:
    clock = ManualClock()
    tracker = RunTracker(clock, episode_count=2)
    assert tracker.estimate_seconds_left() is None
    log = read_log(SAMPLE)
    assert log.start is not None
    for event in log.events:
        if type(event).__name__ == "Battle":
            clock.seconds += 10
        tracker.take(1, event, False)
        if tracker.running[1].batch_count == 2:
            break
    tracker.take(
        1, Called(3, 0, 1, 1, "p", "m", http_status=200, tokens={"input": 1}, cost_microdollars=20), False
    )
    assert tracker.running[1].most_batches == 5
    assert tracker.estimate_seconds_left() == 80
    assert tracker.estimate_microdollars() == 100


def test_a_game_of_many_batches_is_followed_from_batch_to_batch() -> None:
    log = read_log(SNAKES)
    assert log.start is not None
    tracker = RunTracker(ManualClock(), episode_count=1)
    followed = []
    for event in log.events:
        tracker.take(1, event, False)
        followed.append(tracker.running[1].batch_number)
    most = tracker.running[1].most_batches
    assert list(dict.fromkeys(followed)) == list(range(1, most + 1))
    assert tracker.estimate_seconds_left() == 0


def test_batches_that_the_log_held_before_say_nothing_about_the_pace() -> None:
    tracker = RunTracker(ManualClock(), episode_count=1)
    for event in read_log(SAMPLE).events:
        tracker.take(1, event, True)
    assert tracker.running[1].batch_count == 5
    assert tracker.estimate_seconds_left() is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59, "59 s"), (61, "1 min 01 s"), (3661, "1 h 01 min"), (90000, "25 h 00 min")],
)
def test_durations_are_told_as_people_do(seconds: float, text: str) -> None:
    assert render_duration(seconds) == text


def test_what_was_spent_without_a_budget_names_none() -> None:
    assert describe_spend(Account(Spend(1, 2, 3))) == "$0.000003 spent, 2 tokens, 1 call"


@pytest.mark.parametrize(
    ("account", "said", "cell"),
    [
        (
            Account(Spend(2, 9, 0), 2),
            "cost not known, 9 tokens, 2 calls, 2 of them at a cost that",
            "not known",
        ),
        (
            Account(Spend(2, 9, 70_000), 1),
            "over $0.07 spent, 9 tokens, 2 calls, 1 of them at a",
            "over $0.07",
        ),
        (Account(Spend(2, 9, 0)), "$0.00 spent, 9 tokens, 2 calls", "$0.00"),
        (
            Account(Spend(6, 9, 70_000), lost_calls=3),
            "$0.07 spent, 9 tokens, 6 calls, and 3 more perhaps made and paid for",
            "$0.07",
        ),
    ],
    ids=["unknown", "partly known", "free", "asked when the process was killed"],
)
def test_a_cost_that_is_not_known_is_not_told_as_an_amount(account: Account, said: str, cell: str) -> None:
    assert describe_spend(account).startswith(said)
    assert render_cost(account) == cell
    assert describe_account(account)["microdollars"] == (None if account.unpriced_calls else account.spend[2])


def test_a_line_view_says_what_is_waited_for_at_once_and_then_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = ManualClock()
    view = LineView(RunTracker(clock, episode_count=1))
    view.observe(1, begin(), False)

    def list_lines_after(seconds: float) -> list[str]:
        capsys.readouterr()
        for _ in range(round(seconds)):
            clock.seconds += 1
            view.remind()
        return [line.strip() for line in capsys.readouterr().err.splitlines()]

    view.watch(1, Progress(0, 1, Phase.WAITING, "for the provider, which is down; tried again in 40 s"))
    wait = "round 1, seat a talker: waiting for the provider, which is down; tried again in 40 s"
    assert list_lines_after(29) == [f"1 s  {wait}; 1 s so far"]
    assert list_lines_after(10) == [f"31 s  {wait}; 31 s so far"]
    view.observe(1, Asked(1, 0, 1, PROMPT), False)
    view.watch(1, Progress(0, 1, Phase.STREAMING, token_count=7))
    assert list_lines_after(31) == [
        "1 min 09 s  round 1, seat a talker: streaming, 7 tokens; 30 s so far, at most 59 min 30 s more"
    ]
    view.watch(1, Progress(0, 1, Phase.DONE))
    view.observe(1, Answered(1, 0, 1, "text"), False)
    assert list_lines_after(100) == []
