"""Episodes of models behind servers of this machine, with everything that a log can hold of them."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from tests.gridwars.policies.behaviours import answering, cut, refusing
from tests.servers.dialects import DIALECTS, Ending, Trouble
from tests.servers.faulty import Behaviour, serve_in_thread

KEY_VARIABLE = "PEER_KEY"
"""Must be set to play; no server looks at it."""

PRICES = """table = "fixture, 2026-12-01"
[[price]]
provider = "anthropic"
models = ["*"]
input = 3
output = 15
[[price]]
provider = "openai"
models = ["*"]
input = 1.25
cache_read = 0.125
output = 10
[[price]]
provider = "openai-chat"
models = ["*"]
input = 0.5
output = 2
"""

EAST = json.dumps(
    {"script": ["while true:", "  place()", "  move(1, 0)"], "notes": "Paint a row.", "banner": "East!"}
)
SOUTH = json.dumps(
    {"script": ["while true:", "  place()", "  move(0, 1)"], "notes": "", "banner": "South <script>"}
)
WRONG = json.dumps({"script": ["while true:", "  plaice()"], "notes": "", "banner": ""})
CUT_SHORT = "```gwl\nwhile true:\n  wait()\n"
BUSY = Trouble(500, "server_error", "api_error", "try again")


def play_grid_wars(log: Path) -> Path:
    """Two rounds of three models and a built-in: a cut stream, repairs, a refusal, a limit."""
    return _play(
        log,
        "play --rounds 2 --ticks 40 --seed 3 --seat d=painter --strategy a=plan --strategy b=hunter "
        "--budget run.dollars=5",
        anthropic=[refusing(BUSY), answering("Let us talk."), answering(EAST), cut, answering(SOUTH)],
        openai=[answering(WRONG), answering(WRONG), answering(EAST)],
        openai_chat=[answering("", Ending.REFUSAL), answering(CUT_SHORT, Ending.LIMIT), answering(SOUTH)],
    )


def play_snake_royale(log: Path) -> Path:
    """Five turns of two models and two built-ins: repairs, a fallback, a retry."""
    return _play(
        log,
        "play snake-royale --max-turns 5 --seed 11 --strategy a=glutton",
        anthropic=[
            answering(json.dumps({"dir": "up", "say": "hi", "notes": "north"})),
            answering("hmm"),
            answering(json.dumps({"dir": "left", "alt": "down"})),
            refusing(BUSY),
            answering(json.dumps({"dir": "down", "alt": "up"})),
        ],
        openai_chat=[
            answering(json.dumps({"dir": "right"})),
            answering("nothing"),
            answering("nothing at all"),
            answering(json.dumps({"dir": "up"})),
        ],
    )


def play_void(log: Path, second: Behaviour | None = None) -> Path:
    """Two rounds of a model that cannot be reached in the second, or meets with `second` there."""
    return _play(
        log,
        "play --rounds 2 --ticks 40 --seed 5 --set calls=2",
        code=ExitCode.VOID,
        openai_chat=[answering(EAST), second or refusing(BUSY)],
    )


def _play(
    log: Path, command_line: str, code: ExitCode = ExitCode.OK, **behaviours: Sequence[Behaviour]
) -> Path:
    prices = log.with_name("prices.toml")
    prices.write_text(PRICES, encoding="utf-8")
    with _seat_models(behaviours) as seats:
        wanted = [*command_line.split(), "--quiet", "--prices", str(prices), *seats, "--out", str(log)]
        with contextlib.redirect_stdout(io.StringIO()):
            assert run(wanted) is code
    return log


@contextlib.contextmanager
def _seat_models(behaviours: dict[str, Sequence[Behaviour]]) -> Iterator[list[str]]:
    """The options that seat a model of each kind, the first at seat a, while their servers run."""
    dialects = {str(dialect.kind): dialect for dialect in DIALECTS}
    options: list[str] = []
    with contextlib.ExitStack() as servers:
        for seat, (name, behaves) in zip("abcd", behaviours.items(), strict=False):
            kind = name.replace("_", "-")
            server = servers.enter_context(serve_in_thread(dialects[kind], *behaves))
            options += ["--seat", f"{seat}={kind}:some-model", "--set", f"{seat}.retry_seconds=0"]
            options += ["--set", f"{seat}.base_url={server.base_url}"]
            options += ["--set", f"{seat}.key_variable={KEY_VARIABLE}"]
        yield options
