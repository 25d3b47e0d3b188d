from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from gridwars.audit import AuditReport, AuditStatus, audit_log, audit_many, expand_paths, find_worst
from gridwars.benchmarks.contract import Event, Finding, ReplayAudit, ReplayError
from gridwars.canonical import Json
from gridwars.log.chain import Damage
from gridwars.log.head import find_head_path
from gridwars.log.writer import LogWriter
from tests.gridwars.toy_benchmark import BENCHMARKS, Toy, ToyConfig
from tests.gridwars.toy_log import StepClock, forge, join_lines, list_documents, split_lines, write_log

CONFIG = ToyConfig(seed=2, rounds=3, seats=3)
Document = dict[str, Json]


def _audit(path: Path) -> AuditReport:
    return audit_log(path, benchmarks=BENCHMARKS)


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


class Faulty(Toy):
    """Fails where an audit must not: in its own code, or by ending its process."""

    deadly: ClassVar[bool] = False

    def audit(self, config: msgspec.Struct, events: Sequence[tuple[int, Event]]) -> Iterator[Finding]:
        if self.deadly:
            os._exit(1)
        raise IndexError("seat out of range")


class Deadly(Faulty):
    deadly = True


@pytest.mark.parametrize("asked", [False, True])
def test_an_untouched_log_is_intact(tmp_path: Path, asked: bool) -> None:
    report = _audit(write_log(tmp_path / "log.jsonl", CONFIG, asked=asked))
    assert report.status is AuditStatus.INTACT
    assert (report.message, report.notes, report.benchmark, report.ended) == ("", (), "toy", True)
    assert report.event_counts["bid"] == 9
    assert report.event_counts["outcome"] == 3
    assert report.event_counts.get("reply", 0) == (9 if asked else 0)


def test_an_unfinished_log_is_intact_wherever_it_stops(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl", CONFIG, asked=True)
    find_head_path(path).unlink()
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    for size in range(first, len(data), 97):
        report = _audit(_write(path, data[:size]))
        assert report.status is AuditStatus.INTACT
        assert not report.ended
        assert report.notes[0] == "unfinished"
        assert report.notes[-1] == "no head file: a cut tail cannot be excluded"
    assert _audit(_write(path, data)).notes == (
        "no head file: a change of the last line's time cannot be excluded",
    )


def test_an_older_head_is_noted(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    lines = split_lines(path)
    early = write_log(tmp_path / "early.jsonl")
    find_head_path(early).unlink()
    _write(early, join_lines(lines[:2]))
    with LogWriter.open(early, clock=StepClock()):
        pass
    find_head_path(early).replace(find_head_path(path))
    assert _audit(path).status is AuditStatus.INTACT
    assert _audit(path).notes == ("the head file is of line 2: a tail cut since then cannot be excluded",)


def test_a_broken_chain_is_named(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl", CONFIG)
    report = _audit(_write(path, path.read_bytes().replace(b'"winner":', b'"winner":1', 1)))
    assert report.status is AuditStatus.CHAIN_BROKEN
    assert report.chain_break is not None
    assert (report.chain_break.damage, report.chain_break.line_number) == (Damage.CHANGED, 5)
    assert report.message == str(report.chain_break)
    assert sum(report.event_counts.values()) == 4


def test_without_a_head_a_change_of_the_last_line_shows_by_derivation(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.jsonl")
    find_head_path(path).unlink()
    data = path.read_bytes()
    last = data.rindex(b"\n", 0, len(data) - 1) + 1
    time = range(data.index(b'"time":"', last) + 8, data.index(b'Z","prev"', last))
    places = [place for place in range(last, len(data) - 1) if place not in time]
    assert len(places) > 100
    for place in places:
        for substitute in (b"0", b"x", b"\n", b" "):
            if data[place : place + 1] != substitute:
                changed = _write(path, data[:place] + substitute + data[place + 1 :])
                assert _audit(changed).status is not AuditStatus.INTACT, (place, substitute)


@pytest.mark.parametrize(
    ("sequence", "field", "value", "seat"),
    [
        (1, "config", {"seed": 3, "rounds": 3, "seats": 3, "limit": 9}, 0),
        (5, "prize", 99, None),
        (5, "winner", 0, None),
        (9, "scores", [1, 2, 3], None),
        (14, "reason", "deadline", None),
        (14, "results", {"scores": ["1", "2", "3"], "ranking": [0, 1, 2], "reason": "complete"}, None),
    ],
)
def test_the_first_thing_that_does_not_follow_is_named(
    tmp_path: Path, sequence: int, field: str, value: Json, seat: int | None
) -> None:
    documents = list_documents(CONFIG)
    documents[sequence - 1][field] = value
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.status is AuditStatus.RESULT_DIFFERS
    assert report.finding is not None
    assert report.finding.sequence == sequence
    assert report.finding.seat == seat
    assert report.finding_kind == documents[sequence - 1]["kind"]
    assert f"event {sequence} ({report.finding_kind})" in report.message
    assert report.finding.recorded in report.message
    assert report.finding.derived in report.message


def test_a_changed_decision_shows_at_what_follows_from_it(tmp_path: Path) -> None:
    documents = list_documents(CONFIG)
    assert documents[1]["kind"] == "bid"
    documents[1]["amount"] = 9
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding is not None
    assert (report.finding.sequence, report.finding.field) == (5, "winner")


def test_names_of_seats_that_the_seed_does_not_give_are_found(tmp_path: Path) -> None:
    documents = list_documents(CONFIG)
    seats = documents[0]["seats"]
    assert isinstance(seats, list)
    assert isinstance(seats[2], dict)
    seats[2]["alias"] = "Zoe"
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding == Finding(1, "seats[2].alias", "Zoe", "Ada", seat=2)
    seats.pop()
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding == Finding(1, "seats", "2 seats", "3 seats")


def test_a_configuration_that_leaves_something_out_is_found(tmp_path: Path) -> None:
    documents = list_documents(ToyConfig())
    documents[0]["config"] = {}
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding is not None
    assert (report.finding.field, report.finding.recorded) == ("config", "{}")


def _index(documents: list[Document], kind: str) -> int:
    return next(index for index, document in enumerate(documents) if document["kind"] == kind)


def _repeat(kind: str) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        index = _index(documents, kind)
        documents.insert(index, documents[index])

    return change


def _leave_out(kind: str) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        del documents[_index(documents, kind)]

    return change


def _refer(documents: list[Document]) -> None:
    documents[1]["prompt"] = [{"role": "system", "text": "", "digest": "f" * 64}]


def _falsify(documents: list[Document]) -> None:
    documents.insert(1, {"kind": "text", "digest": "f" * 64, "text": "Bid!"})


@pytest.mark.parametrize(
    ("change", "recorded", "derived"),
    [
        (_repeat("reply"), "a second reply", "one reply"),
        (_leave_out("request"), "a reply", "a request before it"),
        (_refer, "f" * 64, "the digest of a text before it"),
        (_falsify, "f" * 64, "06afa90bcbb9303d3cb05e60afac812a9e3d2745ea6b3b9883b54ed1e651840e"),
    ],
)
def test_questions_and_replies_that_do_not_fit_are_found(
    tmp_path: Path, change: Callable[[list[Document]], None], recorded: str, derived: str
) -> None:
    documents = list_documents(CONFIG, asked=True)
    change(documents)
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding is not None
    assert (report.finding.recorded, report.finding.derived) == (recorded, derived)


def test_a_question_asked_again_by_a_resumed_run_is_no_fault(tmp_path: Path) -> None:
    documents = list_documents(CONFIG, asked=True)
    _repeat("request")(documents)
    assert _audit(_write(tmp_path / "log.jsonl", forge(documents))).status is AuditStatus.INTACT


def _say(text: str) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        documents[_index(documents, "reply")]["text"] = text

    return change


def _judge(**fields: Json) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        judged = {
            "part": 1,
            "seat": 0,
            "attempt": 1,
            "outcome": "valid",
            "reason": "",
            "repairs": [],
            **fields,
        }
        documents.insert(_index(documents, "bid"), {"kind": "judged", **judged})

    return change


def _claim(origin: str) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        documents[_index(documents, "bid")]["origin"] = origin

    return change


def _ask_twice(documents: list[Document]) -> None:
    _judge()(documents)
    place = _index(documents, "bid")
    again = [documents[_index(documents, kind)] | {"attempt": 2} for kind in ("request", "reply")]
    documents[place:place] = again


def _silence(documents: list[Document]) -> None:
    for kind in ("request", "reply"):
        del documents[_index(documents, kind)]


@pytest.mark.parametrize(
    ("change", "kind", "field", "recorded", "derived"),
    [
        (_say("4"), "bid", "amount", "1", "4"),
        (_say("four"), "bid", "amount", "1", "0"),
        (_claim("retry"), "bid", "origin", "retry", "llm"),
        (_claim("scripted"), "bid", "origin", "scripted", "llm"),
        (_silence, "bid", "origin", "llm", "a reply before it"),
        (_judge(outcome="repaired"), "judged", "outcome", "repaired", "valid"),
        (_judge(reason="nonsense"), "judged", "reason", "nonsense", ""),
        (_ask_twice, "request", "attempt", "2", "no second question after a reply that was taken"),
    ],
)
def test_what_does_not_follow_from_a_reply_is_found(
    tmp_path: Path,
    change: Callable[[list[Document]], None],
    kind: str,
    field: str,
    recorded: str,
    derived: str,
) -> None:
    documents = list_documents(CONFIG, asked=True)
    change(documents)
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.finding is not None
    assert (report.finding_kind, report.finding.field) == (kind, field)
    assert (report.finding.recorded, report.finding.derived) == (recorded, derived)
    assert (report.finding.part, report.finding.seat) == (1, 0)


def _play_file(documents: list[Document], text: str) -> None:
    """Makes the first seat one that plays a file."""
    start: Any = documents[0]
    digest = hashlib.sha256(text.encode()).hexdigest()
    start["seats"][0] |= {
        "policy": "mine.txt",
        "kind": "file",
        "parameters": {"text": text},
        "digest": digest,
    }


def test_a_seat_that_plays_a_file_submits_what_stands_in_it(tmp_path: Path) -> None:
    documents = list_documents(ToyConfig(seed=2, rounds=1, seats=2))
    bid = documents[_index(documents, "bid")]
    _play_file(documents, str(bid["amount"]))
    assert _audit(_write(tmp_path / "log.jsonl", forge(documents))).status is AuditStatus.INTACT
    _play_file(documents, "9")
    finding = _audit(_write(tmp_path / "log.jsonl", forge(documents))).finding
    assert finding is not None
    assert (finding.sequence, finding.field, finding.recorded, finding.derived) == (2, "amount", "1", "9")
    assert finding.seat == 0


def test_the_digest_of_a_file_is_that_of_its_text(tmp_path: Path) -> None:
    documents = list_documents(ToyConfig(seed=2, rounds=1, seats=2))
    _play_file(documents, "1")
    start: Any = documents[0]
    start["seats"][0]["digest"] = "0" * 64
    finding = _audit(_write(tmp_path / "log.jsonl", forge(documents))).finding
    assert finding is not None
    assert (finding.field, finding.recorded, finding.seat) == ("seats[0].digest", "0" * 64, 0)


def test_right_judgements_are_no_fault(tmp_path: Path) -> None:
    documents = list_documents(CONFIG, asked=True)
    _judge()(documents)
    assert _audit(_write(tmp_path / "log.jsonl", forge(documents))).status is AuditStatus.INTACT


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("protocol", "gridwars.log.v9", AuditStatus.VERSION_DIFFERS),
        ("benchmark", "chess", AuditStatus.VERSION_DIFFERS),
        ("rules_version", 9, AuditStatus.VERSION_DIFFERS),
        ("rules_version", "1", AuditStatus.UNREADABLE),
        ("config", {"rounds": 99}, AuditStatus.UNREADABLE),
        ("kind", "begin", AuditStatus.UNREADABLE),
    ],
)
def test_what_cannot_be_judged_says_why(tmp_path: Path, field: str, value: Json, status: AuditStatus) -> None:
    documents = list_documents()
    documents[0][field] = value
    report = _audit(_write(tmp_path / "log.jsonl", forge(documents)))
    assert report.status is status
    assert report.message.startswith("line 1 (")


def test_a_derivation_that_fails_is_a_report(tmp_path: Path) -> None:
    report = audit_log(write_log(tmp_path / "log.jsonl"), benchmarks={"toy": Faulty()})
    assert report.status is AuditStatus.UNREADABLE
    assert report.message == "cannot be derived again: IndexError: seat out of range"


def test_a_recording_in_a_foreign_format_goes_to_the_benchmark_that_knows_it(tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    report = _audit(_write(path, b'{\n "protocol": "toy.sum.v1", "bids": [1, 2], "sum": 3}\n'))
    assert (report.status, report.benchmark) == (AuditStatus.INTACT, "toy")
    report = _audit(_write(path, b'{"protocol": "toy.sum.v1", "bids": [1, 2], "sum": 4}'))
    assert report.status is AuditStatus.RESULT_DIFFERS
    assert report.message == "event 0 (replay): sum is recorded as 4, derived as 3"
    report = _audit(_write(path, b'{"protocol": "toy.sum.v1"}'))
    assert report.status is AuditStatus.UNREADABLE
    assert "no bids" in report.message
    report = _audit(_write(path, b'{"protocol": "chess.v1"}'))
    assert report.status is AuditStatus.VERSION_DIFFERS


def test_folders_give_way_to_the_logs_below_them(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.jsonl", "a/y.jsonl.gz", "a/notes.txt", "a/z.jsonl.head"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "a" / "round").symlink_to(tmp_path)
    (tmp_path / "empty").mkdir()
    single = tmp_path / "a" / "notes.txt"
    expected = ["notes.txt", "y.jsonl.gz", "z.jsonl", "b.jsonl", "empty"]
    assert [path.name for path in expand_paths([single, tmp_path, tmp_path / "empty"])] == expected


def test_a_folder_without_logs_is_not_all_well(tmp_path: Path) -> None:
    (report,) = audit_many([tmp_path], benchmarks=BENCHMARKS)
    assert report.status is AuditStatus.UNREADABLE


@pytest.mark.parametrize("processes", [1, 2])
def test_many_logs_are_reported_in_their_order(tmp_path: Path, processes: int) -> None:
    for number in range(7):
        write_log(tmp_path / f"{number}.jsonl", ToyConfig(seed=number))
    _write(tmp_path / "3.jsonl", b"no log\n")
    progress: list[tuple[int, int]] = []
    reports = list(
        audit_many(
            [tmp_path],
            processes=processes,
            progress=lambda done, total: progress.append((done, total)),
            benchmarks=BENCHMARKS,
        )
    )
    assert [report.path.name for report in reports] == [f"{number}.jsonl" for number in range(7)]
    assert [report.status for report in reports if report.path.name != "3.jsonl"] == [AuditStatus.INTACT] * 6
    assert reports[3].status is AuditStatus.UNREADABLE
    assert progress == [(done, 7) for done in range(1, 8)]
    assert find_worst(report.status for report in reports) is AuditStatus.UNREADABLE


def test_a_process_that_dies_costs_reports_and_not_the_audit(tmp_path: Path) -> None:
    for number in range(3):
        write_log(tmp_path / f"{number}.jsonl")
    reports = list(audit_many([tmp_path], processes=2, benchmarks={"toy": Deadly()}))
    assert len(reports) == 3
    assert {report.status for report in reports} == {AuditStatus.UNREADABLE}
    assert "a process of the audit died" in reports[0].message


def test_a_caller_that_stops_early_leaves_no_process_behind(tmp_path: Path) -> None:
    for number in range(4):
        write_log(tmp_path / f"{number}.jsonl")
    reports = audit_many([tmp_path], processes=2, benchmarks=BENCHMARKS)
    assert next(reports).status is AuditStatus.INTACT
    assert isinstance(reports, Iterator)
    del reports


def test_the_worst_status_is_the_one_that_says_most() -> None:
    worst = [
        AuditStatus.INTACT,
        AuditStatus.VERSION_DIFFERS,
        AuditStatus.UNREADABLE,
        AuditStatus.CHAIN_BROKEN,
        AuditStatus.RESULT_DIFFERS,
    ]
    assert sorted(AuditStatus) == sorted(worst)
    for index, status in enumerate(worst):
        assert find_worst(worst[: index + 1]) is status
    assert find_worst([]) is AuditStatus.INTACT


def test_the_audit_knows_nothing_of_what_plays() -> None:
    code = "import sys, gridwars.audit; print([m for m in sys.modules if m.startswith('gridwars.')])"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "gridwars.audit" in output
    for other in ("gridwars.harness", "gridwars.policies", "gridwars.cli", "grid_wars"):
        assert other not in output


def test_the_toys_replay_audits_are_the_contracts() -> None:
    audits: Mapping[str, ReplayAudit] = Toy.replay_audits
    with pytest.raises(ReplayError):
        list(audits["toy.sum.v1"](b"{}"))
