"""Reading vector files and telling where two answers part."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from gridwars.vectors import (
    CaseResult,
    Difference,
    VectorError,
    VectorLine,
    find_vector_files,
    first_difference,
    kind_of,
    read_lines,
    run_file,
)


class _Case(msgspec.Struct):
    id: str
    expect: int


def _run_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(_Case)
        yield CaseResult(case.id, first_difference(case.expect, 1))


_KINDS = {"ones": _run_cases}


@pytest.mark.parametrize(
    ("expected", "got", "difference"),
    [
        (1, 1, None),
        (1, 2, Difference("", "1", "2")),
        (1, True, Difference("", "1", "True")),
        (0, False, Difference("", "0", "False")),
        (32.0, 32, None),
        ([1, 2], (1, 2), None),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, Difference("a[1].b", "2", "3")),
        ({"a": 1, "b": 2}, {"b": 2}, Difference("a", "1", "(nothing)")),
        ({"b": 2}, {"a": 1, "b": 2}, Difference("a", "(nothing)", "1")),
        ([1, 2], [1], Difference("[1]", "2", "(nothing)")),
        ([1], [1, 2], Difference("[1]", "(nothing)", "2")),
        ({"a": {}}, {"a": []}, Difference("a", "{}", "[]")),
        ("", None, Difference("", "''", "None")),
        (2**63, float(2**63) + 4096, Difference("", "9223372036854775808", "any")),
    ],
)
def test_the_first_difference_has_its_path(
    expected: object, got: object, difference: Difference | None
) -> None:
    found = first_difference(expected, got)
    if difference is None or found is None:
        assert found is difference
    else:
        assert (found.path, found.expected) == (difference.path, difference.expected)


def test_only_named_fields_are_compared_approximately() -> None:
    expected = {"scores": [1.0, 2.0], "raw": 1.0}
    assert first_difference(expected, {"scores": [1.0, 2.0 + 1e-12], "raw": 1.0}, {"scores"}) is None
    assert first_difference(expected, {"scores": [1.0, 2.0 + 1e-12], "raw": 1.0}) is not None
    assert first_difference(expected, {"scores": [1.0, 2.1], "raw": 1.0}, {"scores"}) is not None
    assert first_difference(expected, {"scores": [1.0, 2.0], "raw": 1.0 + 1e-12}, {"scores"}) is not None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ones.jsonl", "ones"),
        ("ones.jsonl.gz", "ones"),
        ("ones-2.jsonl", "ones"),
        ("ones_hidden.jsonl.gz", "ones"),
        ("ones.json", None),
        ("onesided.jsonl", None),
        ("twos.jsonl", None),
    ],
)
def test_a_files_name_tells_its_kind(name: str, kind: str | None) -> None:
    assert kind_of(Path(name), _KINDS) == kind


def test_a_folder_is_searched_for_files_of_known_kinds(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("ones.jsonl", "deep/ones.jsonl.gz", "twos.jsonl", "README.md"):
        (tmp_path / name).touch()
    assert find_vector_files(tmp_path, _KINDS) == [tmp_path / "deep/ones.jsonl.gz", tmp_path / "ones.jsonl"]


@pytest.mark.parametrize("missing", [".", "nothing", "twos.jsonl"])
def test_a_path_without_vectors_is_an_error_that_names_it(tmp_path: Path, missing: str) -> None:
    (tmp_path / "twos.jsonl").touch()
    with pytest.raises(VectorError, match=str(tmp_path)):
        find_vector_files(tmp_path / missing, _KINDS)


@pytest.mark.parametrize("name", ["ones.jsonl", "ones.jsonl.gz"])
def test_plain_and_compressed_files_run_alike(tmp_path: Path, name: str) -> None:
    text = b'{"id":"a","expect":1}\n\n{"id":"b","expect":2}\n'
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert list(run_file(tmp_path / name, _KINDS)) == [
        CaseResult("a", None),
        CaseResult("b", Difference("", "2", "1")),
    ]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "ones.jsonl:1: the file holds no case"),
        (b"\n \n", "ones.jsonl:1: the file holds no case"),
        (b'{"id":"a","expect":1}\n{"id"', "ones.jsonl:2: "),
        (b'{"id":"a","expect":1}\n{"id":"b"}\n', "ones.jsonl:2: .*expect"),
        (b'{"id":"a","expect":"1"}\n', r"ones.jsonl:1: .*\$.expect"),
        (b'{"id":"\xff","expect":1}\n', "ones.jsonl:1: "),
        (b"[]\n", "ones.jsonl:1: "),
    ],
)
def test_a_damaged_file_is_an_error_that_names_file_line_and_field(
    tmp_path: Path, content: bytes, place: str
) -> None:
    path = tmp_path / "ones.jsonl"
    path.write_bytes(content)
    with pytest.raises(VectorError, match=place):
        list(run_file(path, _KINDS))


def test_a_truncated_archive_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ones.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id":"a","expect":1}\n' * 100)[:-9])
    with pytest.raises(VectorError, match=r"ones\.jsonl\.gz:.*cannot be read"):
        list(read_lines(path))


def test_plain_text_under_an_archives_name_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ones.jsonl.gz"
    path.write_bytes(b'{"id":"a","expect":1}\n')
    with pytest.raises(VectorError, match=r"ones\.jsonl\.gz:1: cannot be read"):
        list(read_lines(path))
