"""The same bytes play the same battles in other WebAssembly engines: those of Node.js and of a browser."""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
from base64 import b64encode
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from gridwars.benchmarks.grid_wars.conformance_battles import make_job
from gridwars.benchmarks.grid_wars.kernel.build import MODULE
from gridwars.benchmarks.grid_wars.kernel.encoding import NO_PROGRAM, encode_job, encode_program
from tests.gridwars.benchmarks.grid_wars.kernel.answers import read_battles

NODE = shutil.which("node")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
IS_CI = "CI" in os.environ
"""There everything is installed, so that nothing is left out unseen."""
STRIDE = 15

PLAYER = Path(__file__).with_name("play_battles.mjs")
NODE_PROGRAM = """
import {{ readFileSync }} from "node:fs";
import {{ decode, playBattles }} from {player};
const {{ module, battles }} = JSON.parse(readFileSync(0, "utf8"));
console.log((await playBattles(decode(module), battles)).join("\\n"));
"""
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'"
PAGE = """<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<pre>not played</pre>
<script>
{player}
const {{ module, battles }} = {battles};
const shown = document.querySelector("pre");
playBattles(decode(module), battles).then(
  (digests) => {{ shown.textContent = digests.join("\\n"); }},
  (error) => {{ shown.textContent = String(error); }},
);
</script>
"""
BROWSER_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=600000",
    "--dump-dom",
)


class Battles(NamedTuple):
    """Golden battles as the player takes them.

    Attributes:
        document: JSON of the kernel's bytes and the battles.
    """

    document: str
    digests: list[str]


@functools.cache
def _load_battles() -> Battles:
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
    document = json.dumps({"module": _text(MODULE.read_bytes()), "battles": battles})
    return Battles(document, [str(case.expect["digest"]) for case in cases])


@pytest.mark.slow
@pytest.mark.skipif(NODE is None and not IS_CI, reason="node is not installed")
def test_node_plays_the_golden_battles_to_the_same_digests() -> None:
    assert NODE is not None, "node is missing"
    battles = _load_battles()
    program = NODE_PROGRAM.format(player=json.dumps(PLAYER.as_uri()))
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", program],
        input=battles.document,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == battles.digests


@pytest.mark.skipif(BROWSER is None and not IS_CI, reason="no Chromium is installed")
def test_a_page_without_a_server_plays_them_in_a_browser(tmp_path: Path) -> None:
    assert BROWSER is not None, "chromium is missing"
    battles = _load_battles()
    player = PLAYER.read_text(encoding="utf-8").replace("export ", "")
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(policy=POLICY, player=player, battles=battles.document), encoding="utf-8")
    done = subprocess.run(
        [BROWSER, *BROWSER_OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()],
        capture_output=True,
        text=True,
        check=True,
    )
    shown = re.search(r"<pre>([^<]*)</pre>", done.stdout)
    assert shown is not None, done.stderr[-2000:]
    assert shown[1].split() == battles.digests


def _text(data: bytes) -> str:
    return b64encode(data).decode()
