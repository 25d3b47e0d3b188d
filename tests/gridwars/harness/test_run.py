"""A run's folder is played, gone on with, and played again where it is void, each episode for itself."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import Event, Request
from gridwars.clock import SystemClock
from gridwars.harness.budget import Treasury
from gridwars.harness.folder import RunFolder
from gridwars.harness.orchestrator import Terms
from gridwars.harness.plan import RunPlan, SeatChoice, find_seat_problems, make_plan
from gridwars.harness.run import EpisodeReport, Stage, Status, play_run
from gridwars.harness.stopping import Stopping
from gridwars.log.events import Limits, Start
from gridwars.log.metering import Allowance, Budget, Spend
from gridwars.log.reader import read_log
from gridwars.policies import registry
from gridwars.policies.making import Making
from gridwars.policies.policy import PolicyError, Progress
from gridwars.policies.prices import PriceTable
from tests.gridwars.paid_talker import KIND, MOST_TOKENS, PaidTalker, Talkers, make_record
from tests.gridwars.toy_benchmark import BENCHMARKS, TOY, Bid
from tests.gridwars.toy_log import split_lines

USED = 50


class Watcher:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[int, Event, bool]] = []
        self.reports: list[EpisodeReport] = []
        self.running = 0
        self.most_running = 0

    def observe(self, number: int, event: Event, was_known: bool) -> None:
        if isinstance(event, Start):
            self.running += 1
            self.most_running = max(self.running, self.most_running)
        self.events.append((number, event, was_known))

    def watch(self, number: int, progress: Progress) -> None:
        pass

    def finish(self, report: EpisodeReport) -> None:
        self.running -= 1
        self.reports.append(report)


@pytest.fixture
def talkers(monkeypatch: pytest.MonkeyPatch) -> Talkers:
    made = Talkers()
    monkeypatch.setitem(registry.KINDS, KIND, made.restore)

    def make(text: str, making: Making) -> PaidTalker:
        return PaidTalker(make_record(making.alias, strategy=text), lambda request: "7")

    monkeypatch.setitem(registry.MAKERS, KIND, make)
    return made


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    path = tmp_path / "run"
    path.mkdir()
    return RunFolder(path)


def make(
    count: int = 3,
    *,
    options: Mapping[str, int] | None = None,
    budget: Budget | None = None,
    seat: str = f"{KIND}:plan",
) -> RunPlan:
    return make_plan(
        TOY,
        dict(options or {"seed": 5}),
        {0: SeatChoice(seat, {})},
        prices=PriceTable(),
        limits=Limits(budget=budget or Budget()),
        episode_count=count,
    )


def play(
    plan: RunPlan,
    folder: RunFolder,
    *,
    watcher: Watcher | None = None,
    parallel: int = 2,
    rerun_void: bool = False,
    stopping: Stopping | None = None,
) -> tuple[EpisodeReport, ...]:
    terms = Terms(stopping or Stopping(), Treasury(plan.limits.budget))
    stage = Stage(SystemClock(), watcher or Watcher(), terms, parallel, BENCHMARKS)
    return asyncio.run(play_run(plan, folder, stage, rerun_void=rerun_void))


def list_statuses(reports: Sequence[EpisodeReport]) -> list[Status]:
    return [report.status for report in reports]


def test_every_episode_has_its_log_and_the_next_seed(talkers: Talkers, folder: RunFolder) -> None:
    reports = play(make(3), folder)
    assert list_statuses(reports) == [Status.FINISHED] * 3
    assert [report.path.name for report in reports] == [f"episode-000{n}.jsonl" for n in (1, 2, 3)]
    starts = [read_log(report.path, benchmarks=BENCHMARKS).start for report in reports]
    assert [start.config["seed"] for start in starts if start] == [5, 6, 7]
    assert [start.run.episode_number for start in starts if start and start.run] == [1, 2, 3]
    assert all(report.account.spend == Spend(3, 3 * USED, 3 * USED) for report in reports)
    for report in reports:
        assert audit_log(report.path, benchmarks=BENCHMARKS).status is AuditStatus.INTACT


def test_a_wrong_digest_of_the_run_is_found_by_an_audit(talkers: Talkers, folder: RunFolder) -> None:
    from gridwars.log.writer import LogWriter

    (report,) = play(make(1), folder)
    start, *rest = read_log(report.path, benchmarks=BENCHMARKS).events
    assert isinstance(start, Start)
    assert start.run is not None
    forged = folder.path / "forged.jsonl"
    wrong = msgspec.structs.replace(start, run=msgspec.structs.replace(start.run, digest="0" * 64))
    with LogWriter.create(forged, clock=SystemClock()) as writer:
        writer.append([wrong, *rest])
    finding = audit_log(forged, benchmarks=BENCHMARKS).finding
    assert finding is not None
    assert finding.field == "run.digest"


def test_no_more_episodes_are_played_at_a_time_than_wanted(talkers: Talkers, folder: RunFolder) -> None:
    watcher = Watcher()
    play(make(6), folder, watcher=watcher, parallel=2)
    assert watcher.most_running == 2
    assert sorted(report.number for report in watcher.reports) == [1, 2, 3, 4, 5, 6]


def test_a_finished_run_is_only_reported_on(talkers: Talkers, folder: RunFolder) -> None:
    plan = make(2)
    first = play(plan, folder)
    contents = {path: path.read_bytes() for path in folder.path.iterdir()}
    talkers.made.clear()
    assert play(plan, folder) == first
    assert talkers.asked == []
    assert {path: path.read_bytes() for path in folder.path.iterdir()} == contents


def test_a_run_cut_anywhere_is_gone_on_with_to_the_same_reports(talkers: Talkers, folder: RunFolder) -> None:
    plan = make(3)
    whole = play(plan, folder)
    lines = split_lines(whole[1].path)
    for count in range(len(lines)):
        whole[1].path.write_bytes(b"".join(line + b"\n" for line in lines[:count]))
        for name in (f"{whole[1].path.name}.head", f"{whole[2].path.name}.head", whole[2].path.name):
            (folder.path / name).unlink(missing_ok=True)
        again = play(plan, folder)
        assert [report.results for report in again] == [report.results for report in whole]
        assert list_statuses(again) == [Status.FINISHED] * 3
        assert again[0].head == whole[0].head


def test_a_log_killed_amid_its_first_line_is_begun_anew_and_kept(talkers: Talkers, folder: RunFolder) -> None:
    torn = folder.path / "episode-0001.jsonl"
    torn.write_bytes(b'{"seq":1,"time":"2026')
    (report,) = play(make(1), folder)
    assert report.status is Status.FINISHED
    assert report.path != torn
    assert torn.read_bytes() == b'{"seq":1,"time":"2026'
    assert play(make(1), folder) == (report,)


def test_a_void_episode_is_played_again_on_its_seed_only_when_asked(
    talkers: Talkers, folder: RunFolder
) -> None:
    plan = make(3)

    def say(request: Request) -> str | None:
        is_down = request.part == 2 and len(talkers.made) == 2
        return None if is_down else "7"

    talkers.say = say
    reports = play(plan, folder, parallel=1)
    assert list_statuses(reports) == [Status.FINISHED, Status.VOID, Status.FINISHED]
    assert [(void.part, void.seat) for void in reports[1].voids] == [(2, 0)]
    assert play(plan, folder) == reports
    talkers.made.clear()
    rerun = play(plan, folder, rerun_void=True)
    assert list_statuses(rerun) == [Status.FINISHED] * 3
    assert len(talkers.made) == 1
    assert rerun[1].path.name == "episode-0002-rerun-1.jsonl"
    start = read_log(rerun[1].path, benchmarks=BENCHMARKS).start
    assert start is not None
    assert start.config["seed"] == 6
    assert reports[1].path.exists()
    assert rerun[1].account.spend == reports[1].account.spend.plus(Spend(3, 3 * USED, 3 * USED))
    assert play(plan, folder, rerun_void=True) == rerun


def test_a_run_out_of_budget_stops_and_goes_on_with_more(talkers: Talkers, folder: RunFolder) -> None:
    small = make(3, budget=Budget(run=Allowance(calls=5)))
    stopped = play(small, folder, parallel=1)
    assert list_statuses(stopped) == [Status.FINISHED, Status.STOPPED, Status.STOPPED]
    assert "budget of the run leaves no further call: 5 of 5" in stopped[1].message
    assert stopped[1].account.spend.calls == 2
    assert not stopped[2].path.exists()
    large = make(3, budget=Budget(run=Allowance(calls=9)))
    assert large.digest == small.digest
    talkers.made.clear()
    reports = play(large, folder)
    assert list_statuses(reports) == [Status.FINISHED] * 3
    assert len(talkers.asked) == 4


@pytest.mark.parametrize("parallel", [1, 4, 20])
def test_most_of_a_budget_is_used_however_many_play_at_a_time(
    talkers: Talkers, folder: RunFolder, parallel: int
) -> None:
    needed = 20 * 3 * USED
    reports = play(
        make(20, budget=Budget(run=Allowance(microdollars=needed * 9 // 10))), folder, parallel=parallel
    )
    spent = sum(report.account.spend.microdollars for report in reports)
    assert needed * 9 // 10 - MOST_TOKENS < spent <= needed * 9 // 10
    stopped = [report for report in reports if report.status is Status.STOPPED]
    assert stopped
    assert all("the next call may cost $0.0002" in report.message for report in stopped)
    assert set(list_statuses(play(make(20), folder, parallel=parallel))) == {Status.FINISHED}


def test_what_an_episode_has_spent_is_known_before_its_turn_to_go_on(
    talkers: Talkers, folder: RunFolder
) -> None:
    talkers.stops = frozenset({(3, 0, 1)})
    spent = sum(report.account.charged.calls for report in play(make(2), folder, parallel=2))
    talkers.stops = frozenset()
    talkers.made.clear()
    reports = play(make(2, budget=Budget(run=Allowance(calls=spent))), folder, parallel=1)
    assert list_statuses(reports) == [Status.STOPPED] * 2
    assert talkers.asked == []


def test_what_was_spent_on_void_episodes_counts_against_the_budget(
    talkers: Talkers, folder: RunFolder
) -> None:
    talkers.say = lambda request: None if request.part == 3 else "7"
    (report,) = play(make(1), folder)
    assert report.status is Status.VOID
    talkers.say = lambda request: "7"
    (again,) = play(make(1, budget=Budget(run=Allowance(calls=4))), folder, rerun_void=True)
    assert again.status is Status.STOPPED
    assert again.account.spend.calls == 4


def test_a_stop_of_one_episode_stops_all(talkers: Talkers, folder: RunFolder) -> None:
    talkers.stops = frozenset({(2, 0, 1)})
    reports = play(make(4), folder, parallel=2)
    assert list_statuses(reports) == [Status.STOPPED] * 4
    assert all("nobody pays" in report.message for report in reports)
    assert not any(report.path.exists() for report in reports[2:])


def test_one_damaged_log_does_not_keep_the_others_from_being_played(
    talkers: Talkers, folder: RunFolder
) -> None:
    plan = make(3)
    first, *_ = play(plan, folder)
    content = first.path.read_bytes()
    assert b'"amount":1' in content
    first.path.write_bytes(content.replace(b'"amount":1', b'"amount":2', 1))
    (folder.path / "episode-0002.jsonl").unlink()
    (folder.path / "episode-0002.jsonl.head").unlink()
    reports = play(plan, folder)
    assert list_statuses(reports) == [Status.FAILED, Status.FINISHED, Status.FINISHED]
    assert "episode-0001.jsonl" in reports[0].message


def test_a_log_of_another_run_is_not_taken_for_ones_own(talkers: Talkers, folder: RunFolder) -> None:
    play(make(2), folder)
    reports = play(make(2, options={"seed": 5, "limit": 8}), folder)
    assert list_statuses(reports) == [Status.FAILED] * 2
    assert "another run" in reports[0].message
    first, second = folder.path / "episode-0001.jsonl", folder.path / "episode-0002.jsonl"
    first.write_bytes(second.read_bytes())
    (folder.path / "episode-0001.jsonl.head").unlink()
    assert play(make(2), folder)[0].status is Status.FAILED


def test_the_digest_covers_what_is_played_and_not_what_bounds_it(talkers: Talkers) -> None:
    plan = make(3)
    assert make(3).digest == plan.digest
    assert make(3, budget=Budget(run=Allowance(calls=1))).digest == plan.digest
    others = [
        make(2),
        make(3, options={"seed": 6}),
        make(3, options={"seed": 5, "rounds": 4}),
        make(3, seat=f"{KIND}:other"),
        make(3, seat="fair"),
    ]
    digests = {plan.digest, *(other.digest for other in others)}
    assert len(digests) == len(others) + 1


def test_a_seed_that_the_last_episode_cannot_have_is_refused_before_play(talkers: Talkers) -> None:
    from gridwars.benchmarks.contract import ConfigurationError

    make(2, options={"seed": 999})
    with pytest.raises(ConfigurationError, match="1001"):
        make(3, options={"seed": 999})


def test_a_file_that_changes_while_a_run_is_played_changes_nothing(folder: RunFolder, tmp_path: Path) -> None:
    script = tmp_path / "mine.txt"
    script.write_text("3", encoding="utf-8")
    plan = make(2, seat=str(script))
    script.write_text("4", encoding="utf-8")
    for report in play(plan, folder):
        events = read_log(report.path, benchmarks=BENCHMARKS).events
        bids = [event.amount for event in events if isinstance(event, Bid) and event.seat == 0]
        assert bids == [3, 3, 3]
    assert make(2, seat=str(script)).digest != plan.digest


def test_all_seats_that_cannot_be_filled_are_named(talkers: Talkers) -> None:
    seats = {0: SeatChoice("fiar", {}), 1: SeatChoice("fair", {}), 2: SeatChoice("rash", {"effort": "low"})}
    problems = find_seat_problems(TOY, {}, seats, PriceTable())
    assert list(problems) == [0, 2]
    assert '"fair"' in problems[0]
    assert "effort" in problems[2]
    with pytest.raises(PolicyError, match='"fair" is to play seat d; Sealed bids has 3, a to c'):
        make_plan(TOY, {}, {3: SeatChoice("fair", {})}, prices=PriceTable(), limits=Limits(), episode_count=1)


def test_logs_are_found_by_number_and_rerun(folder: RunFolder) -> None:
    names = ["episode-0002.jsonl", "episode-0002-rerun-1.jsonl", "episode-0002-rerun-10.jsonl"]
    others = [
        "episode-00021.jsonl",
        "episode-0002.jsonl.head",
        "episode-0002-rerun-x.jsonl",
        "episode-2.jsonl",
    ]
    for name in [*reversed(names), *others]:
        (folder.path / name).touch()
    assert [path.name for path in folder.list_logs(2)] == names
    assert folder.list_logs(1) == []
    assert folder.name_log(1).name == "episode-0001.jsonl"
    assert folder.name_log(123456).name == "episode-123456.jsonl"
