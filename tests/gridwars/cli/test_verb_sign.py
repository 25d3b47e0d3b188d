"""Heads that were kept elsewhere or signed: what `audit --head`, `sign` and `audit --signer` do with them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gridwars.cli.exit_codes import ExitCode
from gridwars.cli.main import run
from gridwars.log.head import find_head_path, read_head
from tests.gridwars.forging import Forgery

RunJson = Callable[[Sequence[str | Path]], tuple[ExitCode, Any]]
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing")


def _write_anew(log: Path) -> None:
    """Another log, whole and true in itself, with its own head: a moment later than the first."""
    forgery = Forgery(log)
    for document in forgery.documents:
        document["time"] = document["time"].replace(".", ".9")[:26] + "Z"
    forgery.write(log)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "key"
    path.parent.mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    (path.parent / "signers").write_text(f"me@example.org {path.with_suffix('.pub').read_text()}")
    return path


def test_a_published_head_tells_a_log_that_was_written_anew(
    log: Path, tmp_path: Path, run_json: RunJson
) -> None:
    head = read_head(log)
    assert head is not None
    kept = shutil.copy(find_head_path(log), tmp_path / "kept.head")
    for published in (head.digest, kept):
        assert run_json(["audit", log, "--json", "--head", published])[0] is ExitCode.OK
    _write_anew(log)
    assert run_json(["audit", log, "--json"])[0] is ExitCode.OK
    for published in (head.digest, kept):
        code, report = run_json(["audit", log, "--json", "--head", published])
        assert code is ExitCode.CHAIN_BROKEN
        assert head.digest in report["logs"][0]["message"]


def test_a_head_of_an_earlier_line_leaves_what_follows_open(log: Path, run_json: RunJson) -> None:
    kept = shutil.copy(find_head_path(log), log.with_name("kept.head"))
    find_head_path(log).unlink()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]))
    code, report = run_json(["audit", log, "--json", "--head", kept])
    assert code is ExitCode.CHAIN_BROKEN
    assert f"is cut: its head is of line {len(lines)}" in report["logs"][0]["message"]


@pytest.mark.parametrize(
    ("head", "said"),
    [("gone.head", "no such head file"), ("f" * 63, "64 digits"), ("log", "is no head file")],
)
def test_what_is_no_head_is_refused(
    log: Path, head: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", str(log), "--head", str(log) if head == "log" else head]) is ExitCode.FILE
    assert said in capsys.readouterr().err


def test_one_head_is_of_one_log(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(log), str(log), "--head", "f" * 64]) is ExitCode.FILE
    assert "head of one log, but 2 are audited" in capsys.readouterr().err


@needs_ssh
def test_a_signed_log_is_told_from_one_that_was_written_anew(log: Path, key: Path, run_json: RunJson) -> None:
    signers = key.with_name("signers")
    code, signed = run_json(["sign", log, "--key", key, "--json"])
    assert code is ExitCode.OK
    assert Path(signed["signature"]).is_file()
    code, report = run_json(["audit", log, "--json", "--signer", signers])
    assert code is ExitCode.OK
    assert "signed by me@example.org" in report["logs"][0]["notes"]
    _write_anew(log)
    code, report = run_json(["audit", log, "--json", "--signer", signers])
    assert code is ExitCode.CHAIN_BROKEN
    assert "is not what me@example.org signed" in report["logs"][0]["message"]


@needs_ssh
def test_a_signature_of_somebody_else_or_none_does_not_pass(log: Path, key: Path, run_json: RunJson) -> None:
    signers = key.with_name("signers")
    code, report = run_json(["audit", log, "--json", "--signer", signers])
    assert code is ExitCode.CHAIN_BROKEN
    assert ".sig: is missing" in report["logs"][0]["message"]
    other = key.with_name("other")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", other], check=True)
    assert run_json(["sign", log, "--key", other, "--json"])[0] is ExitCode.OK
    code, report = run_json(["audit", log, "--json", "--signer", signers])
    assert code is ExitCode.CHAIN_BROKEN
    assert "is by nobody whom" in report["logs"][0]["message"]


@needs_ssh
def test_a_signed_run_keeps_every_log(log: Path, key: Path, tmp_path: Path, run_json: RunJson) -> None:
    folder, signers = tmp_path / "run", key.with_name("signers")
    arguments = ["play", "--rounds", "1", "--ticks", "20", "--episodes", "3", "--quiet", "--json"]
    assert run_json([*arguments, "--out", folder])[0] is ExitCode.OK
    assert run_json(["sign", folder, "--key", key, "--json"])[0] is ExitCode.OK
    assert run_json(["audit", folder, "--json", "--signer", signers])[0] is ExitCode.OK
    assert run_json(["audit", folder, "--json", "--head", folder / "run.heads"])[0] is ExitCode.OK
    (folder / "episode-0003.jsonl").unlink()
    shutil.copy(log, folder / "more.jsonl")
    code, report = run_json(["audit", folder, "--json", "--signer", signers])
    messages = {Path(each["path"]).name: each["message"] for each in report["logs"]}
    assert code in (ExitCode.CHAIN_BROKEN, ExitCode.RESULT_DIFFERS)
    assert messages["episode-0003.jsonl"] == "was published, and is gone"
    assert "was not there" in messages["more.jsonl"]


def test_without_ssh_keygen_it_says_what_to_install(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["sign", str(log), "--key", str(tmp_path / "key")]) is ExitCode.FILE
    assert "install OpenSSH" in capsys.readouterr().err
