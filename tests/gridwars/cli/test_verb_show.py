"""`gridwars show` from the outside."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from tests.gridwars.cli.conftest import ROUND_COUNT, TICK_COUNT

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]


def test_show_says_what_play_said(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = tmp_path / "again.jsonl"
    run(
        ["play", "--rounds", str(ROUND_COUNT), "--ticks", str(TICK_COUNT), "--seed", "7", "--out", str(again)]
    )
    said = capsys.readouterr().out.partition("\nlog ")[0]
    assert run(["show", str(log)]) is ExitCode.OK
    assert capsys.readouterr().out == said


def test_round_shows_diagnostics_and_the_final_board(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "--round", "2", str(log)]) is ExitCode.OK
    text = capsys.readouterr().out
    assert "round 2" in text
    assert all(column in text for column in ("tiles", "illegal", "blocked", "refused", "stalls"))
    board = [line.strip() for line in text.splitlines() if re.fullmatch(r"[.1-4x*]{30}", line.strip())]
    assert len(board) == 30


def test_board_can_be_seen_at_any_tick(log: Path, run_json: RunJson) -> None:
    code, first = run_json(["show", "--round", "2", "--tick", "-1", "--json", log])
    assert code is ExitCode.OK
    assert "1" not in "".join(first["lines"][:30])
    moments = [run_json(["show", "--round", "2", "--tick", str(tick), "--json", log])[1] for tick in (0, 30)]
    assert [picture["moment"] for picture in moments] == [0, 30]
    assert moments[0]["lines"] != moments[1]["lines"]


def test_json_summary_has_start_end_and_every_table(log: Path, run_json: RunJson) -> None:
    code, document = run_json(["show", "--json", log])
    assert code is ExitCode.OK
    assert document["start"]["config"]["seed"] == 7
    assert document["end"]["results"]["rounds"] == ROUND_COUNT
    assert document["problem"] == ""
    assert len(document["blocks"]) > 1
    assert document["result"]


def test_json_has_numbers_beside_what_is_drawn(log: Path, run_json: RunJson) -> None:
    _, whole = run_json(["show", "--json", log])
    exact = whole["end"]["results"]["scores"]
    assert [seat["score_exact"] for seat in whole["seats"]] == exact
    assert [seat["score"] for seat in whole["seats"]] == [float(Fraction(each)) for each in exact]
    _, part = run_json(["show", "--json", "--round", "2", log])
    assert [event["kind"] for event in part["events"]] == ["round", *["submit"] * 4, "battle"]
    assert {event["round"] for event in part["events"]} == {2}
    assert all(isinstance(stats["tiles"], int) for stats in part["events"][-1]["stats"])


def test_svg_is_well_formed_repeatable_and_fetches_nothing(log: Path, tmp_path: Path) -> None:
    pictures = [tmp_path / name for name in ("a.svg", "b.svg")]
    for picture in pictures:
        assert run(["show", "--round", "1", "--tick", "30", "--svg", str(picture), str(log)]) is ExitCode.OK
    text = pictures[0].read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "round 1, tick 30" in text.replace("&#160;", " ")
    assert "url(http" not in text
    assert text == pictures[1].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--round", "3"], ["--round 3", "rounds 1 to 2"]),
        (["--round", "0"], ["--round", "x>=1"]),
        (["--tick", "3"], ["2 rounds", "--round NUMBER"]),
        (["--round", "1", "--tick", "60"], ["--tick 60", "last tick of round 1 is 59"]),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(
    arguments: list[str], said: list[str], log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", *arguments, str(log)]) is ExitCode.USAGE
    message = " ".join(capsys.readouterr().err.split())
    assert all(part in message for part in said), message


def test_unfinished_log_is_shown_as_far_as_it_goes(log: Path, run_json: RunJson) -> None:
    log.with_name(log.name + ".head").unlink()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-3]))
    code, document = run_json(["show", "--json", log])
    assert code is ExitCode.OK
    assert not document["ended"]
    assert document["end"] is None


def test_changed_log_is_shown_up_to_the_change_and_says_so(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_bytes(log.read_bytes().replace(b'"round":2', b'"round":3', 1))
    assert run(["show", str(log)]) is ExitCode.CHAIN_BROKEN
    captured = capsys.readouterr()
    assert "was changed" in captured.err
    assert "1 of 2 rounds" in captured.out


def test_foreign_text_cannot_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "o\x1bdd.gwl"
    odd.write_text("place()\n", encoding="utf-8")
    log = tmp_path / "log.jsonl"
    assert (
        run(["play", "--rounds", "1", "--ticks", "20", "--seat", str(odd), "--out", str(log)]) is ExitCode.OK
    )
    assert run(["show", str(log)]) is ExitCode.OK
    assert run(["show", "--round", "1", str(log)]) is ExitCode.OK
    assert run(["play", "--seat", "o\x1bps.gwl"]) is ExitCode.USAGE
    captured = capsys.readouterr()
    assert "\\x1b" in captured.out
    assert "\x1b" not in captured.out + captured.err
