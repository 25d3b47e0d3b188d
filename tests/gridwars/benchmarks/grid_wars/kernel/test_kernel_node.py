"""The same bytes play the same battles in another WebAssembly engine."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from itertools import count
from pathlib import Path

import pytest

from gridwars.benchmarks.grid_wars.conformance_battles import make_job
from gridwars.benchmarks.grid_wars.kernel.build import MODULE
from gridwars.benchmarks.grid_wars.kernel.encoding import NO_PROGRAM, encode_job, encode_program
from tests.gridwars.benchmarks.grid_wars.kernel.answers import read_battles

NODE = shutil.which("node")
STRIDE = 15


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_node_plays_the_golden_battles_to_the_same_digests() -> None:
    assert NODE is not None
    cases = read_battles()[::STRIDE]
    assert len(cases) > 90
    battles = []
    for job in map(make_job, cases):
        numbers = count()
        seats = [NO_PROGRAM if program is None else next(numbers) for program in job.programs]
        battles.append(
            {
                "programs": [_text(encode_program(program)) for program in job.programs if program],
                "job": _text(encode_job(job, seats, pictures=False)),
            }
        )
    script = Path(__file__).with_name("play_battles.mjs")
    done = subprocess.run(
        [NODE, script, MODULE], input=json.dumps(battles), capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [case.expect["digest"] for case in cases]


def _text(data: bytes) -> str:
    return b64encode(data).decode()
