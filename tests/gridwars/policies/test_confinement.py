"""A program that plays a seat tries everything to read the log; what lies beside it stays readable."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Reply
from gridwars.log.events import SeatRecord
from gridwars.policies import command, confinement
from gridwars.policies.checks import list_warnings
from gridwars.policies.command import CommandPolicy, make_command
from gridwars.policies.confinement import Confinement, find_confinement
from gridwars.policies.making import Making
from gridwars.policies.policy import PolicyError
from gridwars.policies.registry import restore_policies
from tests.gridwars.playing import play_policies
from tests.gridwars.policies.lent import Lent, ask
from tests.gridwars.toy_benchmark import TOY

SECRET = "sealed by a faster seat"

needs_landlock = pytest.mark.skipif(
    find_confinement() is Confinement.NONE, reason="this system has no Landlock"
)

SPY = """
import ctypes, glob, json, os, pathlib, subprocess, sys
log, folder = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
harness = os.getppid()
own = folder / "own"
own.mkdir(exist_ok=True)

def read(path):
    return pathlib.Path(path).read_text()

def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True).stdout

def link():
    (own / "link").symlink_to(log)
    return read(own / "link")

def link_hard():
    os.link(log, own / "hard")
    return read(own / "hard")

def move():
    os.rename(log, own / "moved")
    return read(own / "moved")

def rename():
    os.rename(log, log.with_name("renamed"))
    try:
        return read(log.with_name("renamed"))
    finally:
        os.rename(log.with_name("renamed"), log)

def read_files_of_harness():
    return "".join(read(path) for path in glob.glob(f"/proc/{harness}/fd/*") if os.path.isfile(path))

def reopen():
    return read(f"/proc/self/fd/{os.open(log, os.O_PATH)}")

def trace():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, harness, None, None):  # PTRACE_SEIZE, which stops nobody
        raise OSError(ctypes.get_errno(), "ptrace")
    return "%(secret)s"

def mount():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.unshare(0x10020000)
    libc.mount(bytes(log.parent), bytes(own), None, 4096, None)
    return read(own / log.name)

def write_and_read():
    (own / "notes").write_text("mine")
    (own / "folder").mkdir(exist_ok=True)
    os.rename(own / "notes", own / "folder" / "notes")
    return read(own / "folder" / "notes")

tries = {
    "open": lambda: read(log),
    "write and read": lambda: log.open("r+").read(),
    "another program": lambda: run("cat", str(log)),
    "in a session of its own": lambda: run("setsid", "cat", str(log)),
    "a link": link,
    "a hard link": link_hard,
    "a move": move,
    "another name": rename,
    "its root": lambda: read(f"/proc/{harness}/root{log}"),
    "its folder": lambda: read(f"/proc/{harness}/cwd/{os.path.relpath(log)}"),
    "its files": read_files_of_harness,
    "its memory": lambda: open(f"/proc/{harness}/mem", "rb").read(1) and "%(secret)s",
    "its environment": lambda: read(f"/proc/{harness}/environ") and "%(secret)s",
    "a path alone": reopen,
    "ptrace": trace,
    "a mount": mount,
}
chosen = sys.argv[2:] or tries
seen = [name for name in chosen if "%(secret)s" in call(tries[name])]
allowed = {
    "beside": lambda: read(log.parent / "beside.txt"),
    "own": write_and_read,
    "system": lambda: read("/proc/self/status")[:4] + read("/dev/null"),
    "listed": lambda: str(log.name in os.listdir(log.parent)),
}
print(json.dumps([seen, {name: call(attempt) for name, attempt in allowed.items()}]))
"""

CALL = """
def call(attempt):
    try:
        return attempt()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
"""


def make_spy(folder: Path, log: Path, *tries: str) -> CommandPolicy:
    spy = folder / "spies" / "spy.py"
    spy.parent.mkdir()
    spy.write_text(CALL + SPY.replace("%(secret)s", SECRET), encoding="utf-8")
    arguments = shlex.join([sys.executable, str(spy), str(log), *tries])
    return make_command(arguments, Making("Bob", TOY, {"timeout_seconds": 30}))


def write_log(folder: Path) -> Path:
    log = folder / "runs" / "log.jsonl"
    log.parent.mkdir()
    log.write_text(SECRET, encoding="utf-8")
    log.with_name("beside.txt").write_text("hello", encoding="utf-8")
    return log


def spy_on(policy: CommandPolicy, hidden: Path) -> tuple[list[str], dict[str, str]]:
    reply = asyncio.run(policy.answer(ask(), (), Lent(hidden))).reply
    assert isinstance(reply, Reply)
    assert reply.text is not None, reply.failure
    seen, allowed = json.loads(reply.text)
    return seen, allowed


@needs_landlock
def test_a_program_cannot_read_the_log_but_all_that_lies_beside_it(tmp_path: Path) -> None:
    log = write_log(tmp_path)
    with log.open("a") as held:  # as the harness holds it
        assert held.writable()
        seen, allowed = spy_on(make_spy(tmp_path, log), log)
    assert seen == []
    assert allowed == {"beside": "hello", "own": "mine", "system": "Name", "listed": "True"}
    assert log.read_text(encoding="utf-8") == SECRET


@needs_landlock
def test_nothing_of_a_run_can_be_read_nor_through_a_link_to_its_folder(tmp_path: Path) -> None:
    log = write_log(tmp_path)
    (tmp_path / "latest").symlink_to(log.parent)
    seen, allowed = spy_on(make_spy(tmp_path, tmp_path / "latest" / log.name), tmp_path / "latest")
    assert seen == []
    assert "Permission denied" in allowed["beside"]


def test_the_spy_finds_what_it_may_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "find_confinement", lambda: Confinement.NONE)
    log = write_log(tmp_path)
    tries = ["open", "another program", "a link", "its environment", "its files", "a hard link"]
    with log.open("a") as held:
        assert held.writable()
        seen, _ = spy_on(make_spy(tmp_path, log, *tries), log)
    assert seen == tries


@needs_landlock
def test_an_episode_hides_its_log_and_a_run_its_folder(tmp_path: Path) -> None:
    source = "import pathlib, sys; [pathlib.Path(path).read_text() for path in sys.argv[1:]]; print(7)"
    for name, begun in (("episode", False), ("run", True)):
        folder = tmp_path / name
        folder.mkdir()
        log, settings = folder / "episode-0001.jsonl", folder / "run.toml"
        if begun:
            settings.write_text("seed = 7", encoding="utf-8")
        spied = str(settings if begun else log)
        config = TOY.configure({})
        text = shlex.join([sys.executable, "-c", source, spied])
        seats = [make_command(text, Making(alias, TOY)) for alias in TOY.start(config).aliases]
        play_policies(log, TOY, config, seats)
        events = log.read_text(encoding="utf-8")
        assert "PermissionError" in events
        assert '"confinement":"landlock"' in events


def test_a_system_that_hides_nothing_is_told_of_and_goes_on_with_nothing_that_was_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record(how: str) -> SeatRecord:
        return SeatRecord(
            "true", "command", "Bob", {"arguments": ["true"], "parameters": {}, "confinement": how}
        )

    monkeypatch.setattr(command, "find_confinement", lambda: Confinement.NONE)
    policy = make_command("true", Making("Bob", TOY))
    assert policy.record.parameters["confinement"] == "none"
    (warning,) = list_warnings([policy])
    assert "true, a program, can read the growing log" in warning
    assert len(restore_policies([record("none")], TOY)) == 1
    with pytest.raises(PolicyError, match="kept from the log"):
        restore_policies([record("landlock")], TOY)


@needs_landlock
def test_a_program_is_not_run_where_the_kernel_refuses_to_confine_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_log(tmp_path)
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\necho 7\n", encoding="utf-8")
    program.chmod(0o755)
    failing = make_command("sh -c 'exit 3'", Making("Bob", TOY))
    assert "exit code 3" in asyncio.run(failing.answer(ask(), (), Lent(log))).reply.failure

    def refuse(*_: object) -> int:
        raise OSError(1, "refused")

    monkeypatch.setattr(confinement, "hide", refuse)
    with pytest.raises(SystemExit, match="is not started"):
        confinement._become(os.fspath(log), [str(program)])
