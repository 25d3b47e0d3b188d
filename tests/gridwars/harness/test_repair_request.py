"""The second attempt is asked with all that is known of the first."""

from __future__ import annotations

from pathlib import Path

from gridwars.benchmarks.contract import Request
from gridwars.log.events import Message
from tests.gridwars.harness.test_orchestrator import ScriptedTalker, make_builtins, play


class Talker(ScriptedTalker):
    """Keeps every request that it was to make a prompt of."""

    def __init__(self) -> None:
        super().__init__(lambda request: "3" if request.attempt == 2 else "not \ud800 a number")
        self.rendered: list[Request] = []

    def render_prompt(self, request: Request) -> tuple[Message, ...]:
        self.rendered.append(request)
        return ()


def test_repair_is_asked_with_reason_and_reply(tmp_path: Path) -> None:
    talker = Talker()
    play(tmp_path / "log.jsonl", [talker, *make_builtins("miser", "fair", "rash")[1:]])
    repairs = [request for request in talker.rendered if request.attempt == 2]
    assert repairs
    for request in repairs:
        assert request.rejection is not None
        assert request.rejection.reason
        assert request.rejection.reply == "not \ud800 a number"
    assert all(request.rejection is None for request in talker.rendered if request.attempt == 1)
