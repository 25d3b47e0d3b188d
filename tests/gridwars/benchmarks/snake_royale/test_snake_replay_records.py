"""Whichever bit of a replay is changed, it is found, or it is in what nothing in the replay tells."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest

from gridwars.audit import AuditStatus, audit_log
from gridwars.benchmarks.contract import ReplayError
from gridwars.benchmarks.differences import find_differences
from gridwars.benchmarks.snake_royale.replay_format import decode_replay

REPLAYS = sorted((Path(__file__).parents[3] / "golden" / "snake_royale" / "replays").glob("*.replay"))
UNCOVERED = re.compile(
    r"joins\[\d\]\[[12]\]|config\.(players\[\d\]\.name|policy_?[kK]inds\[\d\]|board\.cell_px"
    r"|attempt1Ms|retryMs|turnBudgetMs|turnSpacingMs|renderFramesPerTurn|fastMode|showPlayerLabels)"
    r"|records\[\d+\]\.(policy|kind|baseline|latency_ms|say|detail|cause|attempt|remaining_s)"
    r"|records\[\d+\]\.results\.(names\[\d\]|policy_?[kK]inds?\[\d\])"
)
"""Paths of what `replay_records` names as not covered."""

BIT_COUNT = 60


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: str(path.stem))
def test_golden_replays_are_intact(path: Path) -> None:
    report = audit_log(path)
    assert report.status is AuditStatus.INTACT, report.message


@pytest.mark.parametrize("path", REPLAYS[:1] + REPLAYS[3:4], ids=lambda path: str(path.stem))
def test_a_changed_bit_is_found_or_nothing_tells_what_it_was(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    draw = random.Random(60)
    found = 0
    for _ in range(BIT_COUNT):
        place, bit = draw.randrange(len(data)), draw.randrange(8)
        changed = tmp_path / "changed.replay"
        changed.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
        if audit_log(changed).status is not AuditStatus.INTACT:
            found += 1
            continue
        try:
            left, right = (msgspec.to_builtins(decode_replay(each.read_bytes())) for each in (path, changed))
        except ReplayError:
            pytest.fail(f"bit {bit} of byte {place} is intact, though nothing can be read")
        keys = ("config", "joins", "turns", "records")
        differences = find_differences(
            dict(zip(keys, left, strict=True)), dict(zip(keys, right, strict=True))
        )
        paths = [difference.path for difference in differences]
        assert all(UNCOVERED.fullmatch(each) for each in paths), (place, bit, paths)
    assert found >= BIT_COUNT // 2


def test_a_changed_alias_and_a_lost_directive_are_named(tmp_path: Path) -> None:
    data = REPLAYS[0].read_bytes()
    for old, new in ((b'"k":"directive"', b'"k":"directivf"'), (b'"alias":"', b'"alias":"X')):
        place = data.index(old, data.index(b'"k":"directive"') - 1)
        changed = tmp_path / "changed.replay"
        same_length = data[:place] + new[: len(old)] + data[place + len(old) :]
        if len(new) > len(old):
            same_length = data[:place] + new + data[place + len(new) :]
        changed.write_bytes(same_length)
        report = audit_log(changed)
        assert report.status is AuditStatus.RESULT_DIFFERS, report.message
        assert report.finding is not None
        assert report.finding.field in ("k", "alias")
