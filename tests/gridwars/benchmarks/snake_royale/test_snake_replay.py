"""The reference's binary replays: read, written, checked, and refused where they are damaged."""

from __future__ import annotations

import struct
from pathlib import Path

import msgspec
import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import ReplayError
from gridwars.benchmarks.snake_royale.digest import render_digest
from gridwars.benchmarks.snake_royale.events import Directive, End, TurnPlayed
from gridwars.benchmarks.snake_royale.replay import CODEC, audit_replay, read_game, write_game
from gridwars.benchmarks.snake_royale.replay_format import (
    MAGIC,
    DirectiveRecord,
    Replay,
    Result,
    decode_replay,
    encode_replay,
)
from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from tests.gridwars.benchmarks.snake_royale.games import GOLDEN, REPLAYS

CHAT = GOLDEN / "replays" / "chat-0000.replay"
BASELINES = [path for path in REPLAYS if "seed" in path.name]


def load(path: Path) -> Replay:
    return decode_replay(path.read_bytes())


def test_there_are_replays() -> None:
    assert len(REPLAYS) == 6
    assert len(BASELINES) == 3


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_every_hash_and_result_of_a_replay_follows_from_its_orders(path: Path) -> None:
    assert list(audit_replay(path.read_bytes())) == []
    assert audit_log(path).status is AuditStatus.INTACT


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_the_format_is_written_as_it_is_read(path: Path) -> None:
    assert decode_replay(encode_replay(load(path))) == load(path)


@pytest.mark.parametrize("path", BASELINES, ids=lambda path: path.stem)
def test_a_game_of_baselines_comes_out_byte_for_byte(path: Path) -> None:
    assert CODEC.encode(CODEC.decode(path.read_bytes())) == path.read_bytes()


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_an_exported_game_is_the_imported_one(path: Path) -> None:
    first, second = load(path), write_game(read_game(load(path)))
    assert second.turns == first.turns
    kept = [record for record in first.records if isinstance(record, DirectiveRecord)]
    assert [record for record in second.records if isinstance(record, DirectiveRecord)] == kept
    assert isinstance(first.records[-1], Result)
    assert first.records[-1] == second.records[-1]


def test_an_alternative_that_the_table_of_turns_does_not_hold_is_taken_from_the_records() -> None:
    """The reference's own player stops agreeing with this game in turn 4."""
    replay = load(CHAT)
    records = tuple(
        msgspec.structs.replace(record, alt=None) if isinstance(record, DirectiveRecord) else record
        for record in replay.records
    )
    forgetful = encode_replay(replay._replace(records=records))
    finding = next(finding for finding in audit_replay(forgetful) if finding.field == "hash")
    assert finding.part == 4
    used = [event for event in read_game(replay).events if isinstance(event, Directive) and event.alternative]
    assert used


def test_a_changed_hash_direction_or_result_is_found() -> None:
    replay = load(CHAT)
    row = replay.turns[6]
    wrong_hash = replay._replace(turns=(*replay.turns[:6], row._replace(digest=5), *replay.turns[7:]))
    finding = next(audit_replay(encode_replay(wrong_hash)))
    assert (finding.field, finding.part, finding.recorded) == ("hash", 7, render_digest(5))
    other_codes = (3 - row.codes[0], *row.codes[1:])
    wrong_code = replay._replace(
        turns=(*replay.turns[:6], row._replace(codes=other_codes), *replay.turns[7:])
    )
    finding = next(audit_replay(encode_replay(wrong_code)))
    assert (finding.field, finding.part, finding.seat) == ("dir", 7, 0)
    result = replay.records[-1]
    assert isinstance(result, Result)
    forged = msgspec.structs.replace(result.results, food_eaten=(9, 9, 9, 9))
    wrong_result = replay._replace(records=(*replay.records[:-1], Result(forged)))
    assert next(audit_replay(encode_replay(wrong_result))).field == "results.food_eaten[0]"


@pytest.mark.parametrize("path", REPLAYS[:2], ids=lambda path: path.stem)
def test_a_file_that_is_cut_anywhere_is_an_error(path: Path) -> None:
    data = path.read_bytes()
    for length in [*range(200), *range(200, len(data), 97), len(data) - 1]:
        with pytest.raises(ReplayError):
            decode_replay(data[:length])
    with pytest.raises(ReplayError, match="follow the last record"):
        decode_replay(data + b"\0")


@pytest.mark.parametrize(
    ("position", "data", "message"),
    [
        (0, b"COWLDSNA", "does not begin"),
        (8, struct.pack("<I", 2), "format version 2"),
        (16, b"snake-arcade", "game is"),
    ],
)
def test_another_format_is_refused(position: int, data: bytes, message: str) -> None:
    original = CHAT.read_bytes()
    changed = original[:position] + data + original[position + len(data) :]
    with pytest.raises(ReplayError, match=message):
        decode_replay(changed)


def test_turns_after_the_end_of_the_game_are_refused() -> None:
    replay = load(CHAT)
    with pytest.raises(ReplayError, match="the game is over after turn 27"):
        read_game(replay._replace(turns=(*replay.turns, replay.turns[-1])))


def test_a_replay_that_stops_is_a_game_that_ended_early() -> None:
    replay = load(CHAT)
    half = replay._replace(turns=replay.turns[:5], records=replay.records[:-1])
    events = read_game(half).events
    assert sum(isinstance(event, TurnPlayed) for event in events) == 5
    end = events[-1]
    assert isinstance(end, End)
    assert end.results.reason == "deadline"
    exported = write_game(read_game(half))
    assert list(audit_replay(encode_replay(exported))) == []


def test_the_command_line_imports_audits_and_exports_binary_replays(tmp_path: Path) -> None:
    log, back = tmp_path / "game.jsonl", tmp_path / "back.replay"
    source = BASELINES[0]
    for arguments in (
        ["replay", "import", str(source), "--out", str(log)],
        ["audit", str(log), str(source)],
        ["show", str(log)],
        ["show", "--turn", "3", str(log)],
        ["replay", "export", str(log), "--out", str(back)],
    ):
        assert run(arguments) == ExitCode.OK, arguments
    assert back.read_bytes() == source.read_bytes()
    assert back.read_bytes().startswith(MAGIC)
    broken = tmp_path / "broken.replay"
    broken.write_bytes(source.read_bytes()[:-5])
    assert audit_log(broken).status is AuditStatus.UNREADABLE
