"""Every way to tamper with one line, at every place of a small log."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from gridwars.log.chain import ChainBreak, Damage, check_chain
from gridwars.log.head import Head
from gridwars.log.line import parse_line
from tests.gridwars.toy_benchmark import ToyConfig
from tests.gridwars.toy_log import split_lines, write_log


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    return split_lines(write_log(tmp_path / "log.jsonl", ToyConfig(rounds=2, seats=2)))


@pytest.fixture
def head(lines: list[bytes]) -> Head:
    return Head(len(lines), sha256(lines[-1]).hexdigest())


def _check(lines: list[bytes], head: Head | None = None) -> ChainBreak | None:
    return check_chain([parse_line(line)[0] for line in lines], head)


def _name(lines: list[bytes], head: Head | None = None) -> tuple[Damage, int, int]:
    found = _check(lines, head)
    assert found is not None
    return found.damage, found.line_number, found.sequence


def _replace_field(line: bytes) -> bytes:
    return line.replace(b'"kind":"', b'"kind":"x', 1)


def test_an_untouched_chain_and_each_of_its_beginnings_hold(lines: list[bytes], head: Head) -> None:
    assert len(lines) == 8
    assert _check(lines, head) is None
    for count in range(len(lines) + 1):
        assert _check(lines[:count]) is None


def test_a_missing_line_is_named(lines: list[bytes], head: Head) -> None:
    for index in range(len(lines)):
        rest = lines[:index] + lines[index + 1 :]
        assert _name(rest, head) == (Damage.MISSING, index + 1, index + 1)


def test_missing_lines_in_the_middle_are_named_by_their_first(lines: list[bytes]) -> None:
    assert _name(lines[:2] + lines[5:]) == (Damage.MISSING, 3, 3)


@pytest.mark.parametrize(
    "change", [_replace_field, lambda line: line + b" ", lambda line: b"", lambda line: b"\xff"]
)
def test_a_changed_line_is_named(lines: list[bytes], head: Head, change: Callable[[bytes], bytes]) -> None:
    for index in range(len(lines)):
        changed = [*lines[:index], change(lines[index]), *lines[index + 1 :]]
        assert _name(changed, head) == (Damage.CHANGED, index + 1, index + 1)


def test_a_changed_number_or_link_is_named(lines: list[bytes], head: Head) -> None:
    for index, line in enumerate(lines):
        for old, new in ((b'"seq":%d' % (index + 1), b'"seq":%d'), (b'"prev":"', b'"prev":"%d')):
            for number in (1, 4, 9):
                changed = line.replace(old, new % number, 1)
                if new.startswith(b'"prev'):
                    changed = changed.replace(b'","kind"', b'"kind"', 1)[: len(line)]
                if changed == line:
                    continue
                found = _name([*lines[:index], changed, *lines[index + 1 :]], head)
                assert found == (Damage.CHANGED, index + 1, index + 1)


def test_a_copied_line_is_named_wherever_it_stands(lines: list[bytes], head: Head) -> None:
    for source in range(len(lines)):
        for place in range(len(lines) + 1):
            copied = [*lines[:place], lines[source], *lines[place:]]
            # A copy beside its original cannot be told from it: the second of them is named.
            named = source + 2 if place in (source, source + 1) else place + 1
            assert _name(copied, head) == (Damage.DUPLICATED, named, source + 1)


def test_two_exchanged_lines_are_named_by_the_first(lines: list[bytes], head: Head) -> None:
    for first in range(len(lines)):
        for second in range(first + 1, len(lines)):
            exchanged = list(lines)
            exchanged[first], exchanged[second] = lines[second], lines[first]
            assert _name(exchanged, head) == (Damage.REORDERED, first + 1, first + 1)


def test_an_inserted_line_is_named_whatever_it_claims(lines: list[bytes], head: Head) -> None:
    foreign = _replace_field(lines[3])
    previous = ["0" * 64, *(sha256(line).hexdigest() for line in lines)]
    for place in range(len(lines)):
        for claimed in (1, place + 1, place + 2, 99):
            for link in (previous[place], "f" * 64):
                envelope = b'{"seq":%d,"time":"2026-01-02T03:04:05.000006Z","prev":"%s"' % (
                    claimed,
                    link.encode(),
                )
                inserted = envelope + foreign[foreign.index(b',"kind"') :]
                found = _check([*lines[:place], inserted, *lines[place:]], head)
                assert found is not None
                assert (found.damage, found.line_number) == (Damage.INSERTED, place + 1), (
                    place,
                    claimed,
                    link,
                )


def test_a_line_behind_the_last_is_found_by_its_link(lines: list[bytes], head: Head) -> None:
    envelope = b'{"seq":9,"time":"2026-01-02T03:04:05.000006Z","prev":"%s","kind":"bid"}' % (b"f" * 64)
    found = _check([*lines, envelope], head)
    assert found is not None
    assert found.line_number == 9


def test_an_older_head_holds_and_a_wrong_one_does_not(lines: list[bytes]) -> None:
    digests = [sha256(line).hexdigest() for line in lines]
    for number, digest in enumerate(digests, start=1):
        assert _check(lines, Head(number, digest)) is None
        expected = Damage.CHANGED if number == len(lines) else Damage.HEAD
        assert _name(lines, Head(number, "f" * 64))[0] is expected


def test_the_text_names_line_sequence_and_both_sides(lines: list[bytes]) -> None:
    assert str(_check(lines[:2] + lines[3:])) == (
        "line 3 (sequence 3) is missing: expected sequence 3, found sequence 4"
    )
