"""A program plays a seat: what it is told, what it may not see, and that nothing of it is left behind."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sys
import time
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Outcome, Reply
from gridwars.policies import command
from gridwars.policies.command import MOST_BYTES, CommandPolicy, make_command
from gridwars.policies.making import Making
from gridwars.policies.policy import PlayStopped, PolicyError
from gridwars.policies.registry import make_policies, restore_policies
from tests.gridwars.policies.lent import Lent, ask
from tests.gridwars.toy_benchmark import TOY

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="starts programs as POSIX does")


def make(folder: Path, source: str, **parameters: object) -> CommandPolicy:
    script = folder / "agent.py"
    script.write_text(source, encoding="utf-8")
    return make_command(f"{sys.executable} '{script}' --flag", Making("Bob", TOY, parameters))


def answer(policy: CommandPolicy, rejection: str = "") -> Reply:
    attempt = 2 if rejection else 1
    reply = asyncio.run(policy.answer(ask(attempt=attempt, rejection=rejection), (), Lent())).reply
    assert isinstance(reply, Reply)
    return reply


def test_the_request_comes_as_one_json_object_and_the_reply_is_all_of_the_output(tmp_path: Path) -> None:
    policy = make(tmp_path, "import sys; print(sys.argv[1], sys.stdin.read(), end='')")
    reply = answer(policy, rejection="not a number")
    assert reply.text is not None
    flag, _, request = reply.text.partition(" ")
    assert flag == "--flag"
    assert json.loads(request) == {
        "protocol": "gridwars.command.v1",
        "benchmark": "toy",
        "rules_version": 1,
        "part": 2,
        "seat": 1,
        "alias": "Bob",
        "attempt": 2,
        "rejection": {"reason": "not a number", "further": "", "reply": ""},
        "observation": {"round": 2, "prize": 3, "limit": 9, "scores": [1, 2]},
    }


def test_a_program_sees_no_secret_but_what_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_API_KEY", "canary")
    monkeypatch.setenv("OTHER_SECRET", "other")
    source = "import os; print(*sorted(os.environ), sep='\\n')"
    plain = (answer(make(tmp_path, source)).text or "").split("\n")
    assert "PATH" in plain
    assert not {"CANARY_API_KEY", "OTHER_SECRET"} & set(plain)
    named = (answer(make(tmp_path, source, environment=["CANARY_API_KEY"])).text or "").split("\n")
    assert "CANARY_API_KEY" in named
    assert "OTHER_SECRET" not in named


def test_the_record_holds_no_value_of_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_API_KEY", "canary-value")
    policy = make(tmp_path, "", environment=["CANARY_API_KEY"])
    assert "canary-value" not in repr(policy.record)


@pytest.mark.parametrize(
    ("source", "outcome", "said"),
    [
        ("import sys; sys.exit('no ' * 5000 + 'oh no')", Outcome.INVALID, ["exit code 1", "oh no"]),
        ("import os; os.kill(os.getpid(), 9)", Outcome.INVALID, ["signal 9"]),
        (f"print('x' * {MOST_BYTES + 1})", Outcome.INVALID, [f"more than {MOST_BYTES} bytes"]),
        ("while True: print('x' * 10000, flush=True)", Outcome.INVALID, ["more than"]),
        ("print()", Outcome.EMPTY, ["empty"]),
    ],
    ids=["fails", "is killed", "says too much", "never stops talking", "says nothing"],
)
def test_a_program_that_fails_has_given_no_reply(
    source: str, outcome: Outcome, said: list[str], tmp_path: Path
) -> None:
    reply = answer(make(tmp_path, source))
    assert (reply.text, reply.outcome) == (None, outcome)
    assert all(part in reply.failure for part in said), reply.failure
    assert len(reply.failure) < 400


def test_output_that_is_no_utf_8_is_kept_for_whoever_reads_it(tmp_path: Path) -> None:
    assert answer(make(tmp_path, "import sys; sys.stdout.buffer.write(b'7\\xff')")).text == "7\udcff"


def test_a_program_that_does_not_read_its_request_may_answer(tmp_path: Path) -> None:
    assert answer(make(tmp_path, "import sys; sys.stdin.close(); print(7)")).text == "7\n"


CHILDREN = """
import os, subprocess, sys, time
sleeper = [sys.executable, "-c", "import time; time.sleep(60)", sys.argv[0]]
subprocess.Popen(sleeper)
subprocess.Popen(sleeper, start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
{ending}
"""


def list_processes(mark: str) -> list[str]:
    """The command lines of living processes that hold the mark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().decode("utf-8", "replace")
            state = entry.with_name("stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark in line and state != "Z":
            found.append(line)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes as Linux has them")
@pytest.mark.parametrize(
    ("ending", "parameters"), [("print(7)", {}), ("time.sleep(60)", {"timeout_seconds": 1})]
)
def test_nothing_that_a_program_started_outlives_the_call(
    ending: str, parameters: dict[str, object], tmp_path: Path
) -> None:
    policy = make(tmp_path, CHILDREN.format(ending=ending), **parameters)
    started = time.monotonic()
    reply = answer(policy)
    assert time.monotonic() - started < 10
    if parameters:
        assert "within 1 s" in reply.failure
    else:
        assert reply.text == "7\n"
    deadline = time.monotonic() + 5
    while list_processes(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list_processes(str(tmp_path)) == []


def test_a_cancelled_answer_leaves_no_program_running(tmp_path: Path) -> None:
    policy = make(tmp_path, "import time; time.sleep(60)")

    async def cancel() -> None:
        task = asyncio.create_task(policy.answer(ask(), (), Lent()))
        deadline = time.monotonic() + 20
        while not list_processes(str(tmp_path)) and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        assert list_processes(str(tmp_path))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert list_processes(str(tmp_path)) == []


def test_a_program_that_is_gone_when_it_is_asked_gives_no_reply(tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\necho 7\n", encoding="utf-8")
    program.chmod(0o755)
    policy = make_command(f"'{program}'", Making("Bob", TOY))
    assert answer(policy).text == "7\n"
    program.unlink()
    assert "cannot be started" in answer(policy).failure


def test_a_machine_that_can_start_no_program_stops_play_and_blames_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lack_files(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(command, "run_program", lack_files)
    with pytest.raises(PlayStopped, match=r"agent\.py.*Too many open files"):
        answer(make(tmp_path, "print(7)"))


@pytest.mark.parametrize(
    ("text", "parameters", "said"),
    [
        ("", {}, ["no program is named"]),
        ("no-such-program-here --x", {}, ["no-such-program-here"]),
        ("'unclosed", {}, ["cannot be split"]),
        ("true", {"timeout": 3}, ["timeout", "timeout_seconds"]),
        ("true", {"timeout_seconds": "3"}, ["timeout_seconds"]),
        ("true", {"timeout_seconds": 0}, ["at least 1"]),
    ],
)
def test_a_wrong_command_is_refused_before_play(
    text: str, parameters: dict[str, object], said: list[str]
) -> None:
    with pytest.raises(PolicyError) as error:
        make_command(text, Making("Bob", TOY, parameters))
    assert all(part in str(error.value) for part in said), error.value


def test_a_seat_is_restored_from_its_record(tmp_path: Path) -> None:
    (made,) = make_policies(
        [f"command:{sys.executable} -c 'print(7)'"], ["Bob"], TOY, [{"timeout_seconds": 9}]
    )
    (restored,) = restore_policies([made.record], TOY)
    assert isinstance(restored, CommandPolicy)
    assert restored.record == made.record
    assert answer(restored).text == "7\n"
