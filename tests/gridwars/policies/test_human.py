"""A person plays a seat, through whatever editor the environment names."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Outcome, Reply
from gridwars.policies.human import HumanPolicy, make_human
from gridwars.policies.making import Making
from gridwars.policies.policy import Phase, PolicyError
from gridwars.policies.registry import make_policies, restore_policies
from tests.gridwars.policies.lent import Lent, ask
from tests.gridwars.toy_benchmark import TOY

Install = Callable[[str], Path]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a Python program in the place of `$VISUAL`; gives the file to which it may append what it saw."""

    def install(source: str) -> Path:
        script = tmp_path / "editor.py"
        seen = tmp_path / "seen.txt"
        begin = "import sys\nfile, seen = sys.argv[2], open(sys.argv[1], 'a')\ntext = open(file).read()\n"
        script.write_text(f"{begin}seen.write(text + '\\f'); seen.flush()\n{source}", encoding="utf-8")
        monkeypatch.setenv("VISUAL", f"{sys.executable} '{script}' '{seen}'")
        return seen

    return install


def make() -> HumanPolicy:
    return make_human("", Making("Bob", TOY))


def answer(policy: HumanPolicy, rejection: str = "") -> Reply:
    reply = asyncio.run(policy.answer(ask(rejection=rejection), (), Lent())).reply
    assert isinstance(reply, Reply)
    return reply


def test_what_is_saved_is_the_reply(editor: Install) -> None:
    seen = editor("open(file, 'w').write(text.replace('0', '7'))")
    assert answer(make()).text == "7"
    assert seen.read_text().startswith("# prize 3\n0\n")


def test_what_cannot_be_read_is_opened_again_with_the_problem_and_the_draft(editor: Install) -> None:
    seen = editor("open(file, 'w').write(text.replace('seven', '7') if 'seven' in text else 'seven')")
    assert answer(make()).text == "7"
    first, second = seen.read_text().split("\f")[:2]
    assert "not a number" not in first
    assert second.startswith("# prize 3\n# not a number: 'seven'\nseven")


def test_a_rejected_reply_is_gone_on_with(editor: Install) -> None:
    seen = editor("open(file, 'w').write('8')")
    policy = make()
    assert answer(policy).text == "8"
    assert answer(policy, rejection="too high").text == "8"
    assert seen.read_text().split("\f")[1].startswith("# prize 3\n# too high\n8")


def test_what_is_likely_a_mistake_is_shown_once_and_then_played(editor: Install) -> None:
    seen = editor("open(file, 'w').write('0')")
    policy = make()
    assert answer(policy).text == "0"
    first, second, _ = seen.read_text().split("\f")
    assert "a bid of nothing" not in first
    assert second.startswith("# prize 3\n# a bid of nothing\n# This can be played")
    assert answer(policy).text == "0"
    assert seen.read_text().count("\f") == 3


@pytest.mark.parametrize(
    "source",
    ["open(file, 'w').write(' \\n')", "sys.exit(1)", "import os; os.remove(file)"],
    ids=["empties the file", "ends the editor with an error", "removes the file"],
)
def test_who_gives_up_is_asked_no_further(source: str, editor: Install) -> None:
    seen = editor(source)
    reply = answer(make())
    assert (reply.text, reply.outcome) == (None, Outcome.REFUSED)
    assert seen.read_text().count("\f") == 1


def test_two_people_take_turns_at_the_terminal_while_others_go_on(editor: Install, tmp_path: Path) -> None:
    editor("import time; time.sleep(0.2); open(file, 'w').write('7'); seen.write('left\\f')")
    ticks = 0

    async def play() -> None:
        nonlocal ticks
        tasks = [asyncio.create_task(make().answer(ask(seat=seat), (), Lent())) for seat in (0, 1)]
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0.01)
            ticks += 1

    asyncio.run(play())
    marks = (tmp_path / "seen.txt").read_text().split("\f")[:-1]
    assert [mark == "left" for mark in marks] == [False, True, False, True]
    assert ticks > 5


def test_the_terminal_is_announced_before_the_editor_has_it(editor: Install) -> None:
    editor("pass")
    lent = Lent()
    asyncio.run(make().answer(ask(), (), lent))
    assert [progress.phase for progress in lent.progress] == [Phase.WAITING, Phase.EDITING]


def test_the_deadline_ends_the_editor(editor: Install, tmp_path: Path) -> None:
    editor("import os, time; seen.write(str(os.getpid())); seen.close(); time.sleep(60)")

    async def expire() -> None:
        async with asyncio.timeout(10):
            task = asyncio.create_task(make().answer(ask(), (), Lent()))
            seen = tmp_path / "seen.txt"
            while not (seen.exists() and seen.read_text().partition("\f")[2]):
                await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(expire())
    pid = int((tmp_path / "seen.txt").read_text().partition("\f")[2])
    time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_visual_goes_before_editor(editor: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    editor("open(file, 'w').write('5')")
    monkeypatch.setenv("EDITOR", "no-such-editor-here")
    assert answer(make()).text == "5"
    monkeypatch.delenv("VISUAL")
    with pytest.raises(PolicyError, match="no-such-editor-here"):
        make()


def test_a_seat_is_named_and_restored(editor: Install) -> None:
    editor("open(file, 'w').write('5')")
    made = make_policies(["human", "human:Grace"], ["Bob", "Ada"], TOY)
    assert [policy.record.policy for policy in made] == ["human", "Grace"]
    restored = restore_policies([policy.record for policy in made], TOY)
    assert [policy.record for policy in restored] == [policy.record for policy in made]


def test_a_person_takes_no_parameters() -> None:
    with pytest.raises(PolicyError, match="effort"):
        make_human("", Making("Bob", TOY, {"effort": "high"}))
