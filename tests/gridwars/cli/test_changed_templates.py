"""An update may bring other templates of prompts; what was begun goes on with its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.events import Asked, list_texts
from gridwars.log.reader import read_log
from gridwars.prompting import prompts_path
from tests.gridwars.policies.behaviours import answering, refusing
from tests.servers.dialects import DIALECTS, Trouble
from tests.servers.faulty import FaultyServer, serve_in_thread

(CHAT,) = (dialect for dialect in DIALECTS if dialect.kind == "openai-chat")
REPLY = '{"script": ["while true:", "  place()", "  move(1, 0)"], "notes": "", "banner": ""}'
REFUSAL = Trouble(401, "invalid_api_key", "authentication_error", "Incorrect API key")
CHANGED = ("grid_wars/round.md.j2", "grid_wars/system.md.j2")
ADDED = "A sentence that an update brought."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    """A model that answers once, then refuses the key, and then answers for ever."""
    monkeypatch.setenv("PEER_KEY", "a-key-for-tests")
    with serve_in_thread(CHAT, answering(REPLY), refusing(REFUSAL), answering(REPLY)) as server:
        yield server


def play(server: FaultyServer, out: Path, *options: str) -> ExitCode:
    seat = ["--seat", "openai-chat:some-model", "--set", f"base_url={server.base_url}"]
    settings = ["--rounds", "2", "--ticks", "40", "--set", "key_variable=PEER_KEY", "--quiet"]
    return run(["play", *seat, *settings, *options, "--out", str(out)])


def resume(path: Path) -> ExitCode:
    return run(["resume", str(path), "--quiet"])


@pytest.fixture
def update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that becomes the installed prompts by `install`."""
    folder = tmp_path / "updated"
    shutil.copytree(prompts_path(), folder)
    for name in CHANGED:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{ADDED}\n")
    return folder


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridwars.prompting.prompter.prompts_path", lambda: folder)


def cut_behind_start(log: Path) -> None:
    """What a kill leaves amid the first group: the start, and nothing of the templates."""
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
    log.with_name(f"{log.name}.head").unlink()


def test_an_episode_goes_on_with_the_templates_that_its_log_holds(
    server: FaultyServer, tmp_path: Path, update: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    assert play(server, log) is ExitCode.STOPPED
    install(update, monkeypatch)
    assert resume(log) is ExitCode.OK
    assert run(["audit", str(log)]) is ExitCode.OK
    events = read_log(log).require_sound().events
    assert sum(isinstance(event, Asked) for event in events) == 3
    assert not any(ADDED in text for text in list_texts(events))
    assert len(server.calls) == 3
    assert not any(ADDED in json.dumps(call.body) for call in server.calls)


def test_a_run_goes_on_with_the_templates_that_its_folder_holds(
    server: FaultyServer, tmp_path: Path, update: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    assert play(server, folder, "--episodes", "2") is ExitCode.STOPPED
    cut_behind_start(folder / "episode-0001.jsonl")
    install(update, monkeypatch)
    assert resume(folder) is ExitCode.OK
    assert run(["audit", str(folder)]) is ExitCode.OK
    logs = [read_log(folder / f"episode-000{number}.jsonl").require_sound() for number in (1, 2)]
    assert all(log.ended for log in logs)
    assert list_texts(logs[0].events) == list_texts(logs[1].events)
    assert not any(ADDED in json.dumps(call.body) for call in server.calls)


def test_a_template_that_a_kill_kept_out_of_the_log_is_logged_when_it_goes_on(
    server: FaultyServer, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    assert play(server, log) is ExitCode.STOPPED
    texts = list_texts(read_log(log).events)
    assert texts
    cut_behind_start(log)
    assert resume(log) is ExitCode.OK
    found = read_log(log).require_sound()
    assert list_texts(found.events)[: len(texts)] == texts
    assert run(["audit", str(log)]) is ExitCode.OK
    (kept,) = (line.sequence for line in found.lines if line.event == found.events[1])
    assert kept == 2


def test_without_the_old_templates_nothing_is_asked_and_they_are_named(
    server: FaultyServer,
    tmp_path: Path,
    update: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "log.jsonl"
    assert play(server, log) is ExitCode.STOPPED
    cut_behind_start(log)
    before, calls = log.read_bytes(), len(server.calls)
    install(update, monkeypatch)
    capsys.readouterr()
    assert resume(log) is ExitCode.USAGE
    said = capsys.readouterr().err
    assert all(name in said for name in CHANGED)
    assert "resume with the version of gridwars that began it, or put the files back" in " ".join(
        said.split()
    )
    assert log.read_bytes() == before
    assert len(server.calls) == calls
