"""Small files that unpack to much: what reads them stops where they are no longer read, in bounded memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from gridwars.log.chain import MOST_LINKS_BEHIND
from gridwars.log.line import MAXIMUM_LINE_BYTES, MAXIMUM_LINE_VALUES
from gridwars.log.reader import read_log
from tests.gridwars.toy_benchmark import BENCHMARKS, ToyConfig
from tests.gridwars.toy_log import forge, list_documents

pytestmark = pytest.mark.slow

MOST_BYTES = 10 * MAXIMUM_LINE_BYTES
"""Of memory, beyond what Python and the imports take."""

BOMBS = {
    "blank lines": b"\n" * 2**25,
    "empty objects": b"{}\n" * 2**23,
    "one long line": b'{"seq":1,"text":"' + b"x" * 2**26,
    "many values": b'{"seq":1,"a":[' + b"{}," * (MAXIMUM_LINE_BYTES // 3 - 10) + b"{}]}\n",
    "a log, then blank lines": forge(list_documents()) + b"\n" * 2**25,
}


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        *(("audit", name) for name in BOMBS),
        ("show", "blank lines"),
        ("conformance", "blank lines"),
        ("conformance", "one long line"),
        ("conformance", "many values"),
    ],
)
def test_a_bomb_takes_little_memory_and_time(tmp_path: Path, name: str, verb: str) -> None:
    path = tmp_path / "battles.jsonl.gz"
    path.write_bytes(gzip.compress(BOMBS[name], 1))
    usual = _measure(verb, tmp_path / "battles.jsonl")
    assert _measure(verb, path) - usual < MOST_BYTES


def _measure(verb: str, path: Path) -> int:
    """The most memory that a verb takes, in bytes; it must fail, and within its time."""
    program = (
        "import resource, sys; from gridwars.cli.main import run; code = run(sys.argv[1:]);"
        "print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, verb, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    code, size = done.stderr.split()[-2:]
    assert code in ("3", "4"), done.stderr  # unreadable, or what stands behind the log breaks its chain
    return int(size) * (1 if sys.platform == "darwin" else 1024)


def test_what_stands_far_behind_a_break_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole = forge(list_documents(ToyConfig(rounds=12, seats=4)))
    path.write_bytes(whole + b"\n" * MOST_LINKS_BEHIND + b"x" * (MAXIMUM_LINE_BYTES + 1))
    problem = read_log(path, benchmarks=BENCHMARKS).problem
    assert problem is not None
    assert problem.line_number == whole.count(b"\n") + 1


def test_a_text_of_commas_is_one_value(tmp_path: Path) -> None:
    documents = list_documents(asked=True)
    reply = next(document for document in documents if document["kind"] == "reply")
    reply["text"] = '",[{\\' * MAXIMUM_LINE_VALUES
    path = tmp_path / "log.jsonl"
    path.write_bytes(forge(documents))
    assert read_log(path, benchmarks=BENCHMARKS).problem is None
