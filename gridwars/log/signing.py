"""Signs files, and checks signatures, with the SSH keys that people already have: `ssh-keygen -Y`.

A signature stands beside its file as `FILE.sig`. Who may sign is said by a file of allowed signers, as git
reads one: a name, then a public key, on each line.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

NAMESPACE = "gridwars"
"""What a signature is for, so that one of another purpose does not pass."""

_SECONDS = 60


class SigningError(ValueError):
    """A file that cannot be signed, or whose signature does not hold; the message names it and the remedy."""


def find_signature_path(path: Path) -> Path:
    return path.with_name(path.name + ".sig")


def sign_file(path: Path, key: Path) -> Path:
    """Signs a file, in place of an older signature; a key's passphrase is asked for on the terminal.

    Args:
        key: a private key's file, or a public one's whose private half is in the agent.

    Returns:
        The signature.

    Raises:
        SigningError: where there is no such key, or no `ssh-keygen`.
    """
    signature = find_signature_path(path)
    signature.unlink(missing_ok=True)  # ssh-keygen asks before it replaces a file
    command = [_find_program(), "-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(path)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)  # noqa: S603
    if done.returncode != 0 or not signature.is_file():
        raise SigningError(f"{path}: cannot be signed with {key}: {_say(done.stderr)}")
    return signature


def verify_file(path: Path, signers: Path) -> str:
    """Checks a file's signature.

    Args:
        signers: the allowed signers' file.

    Returns:
        The name of who signed it.

    Raises:
        SigningError: where there is no signature, or none of an allowed signer.
    """
    signature = find_signature_path(path)
    for file, what in ((signers, "no such file of allowed signers"), (signature, "is missing; sign the log")):
        if not file.is_file():
            raise SigningError(f"{file}: {what}")
    program = _find_program()
    options = ["-f", str(signers), "-s", str(signature)]
    found = _run([program, "-Y", "find-principals", *options], b"")
    name = found.stdout.decode("utf-8", "replace").partition("\n")[0].strip()
    if found.returncode != 0 or not name:
        raise SigningError(f"{signature}: is by nobody whom {signers} allows")
    checked = _run([program, "-Y", "verify", *options, "-I", name, "-n", NAMESPACE], path.read_bytes())
    if checked.returncode != 0:
        raise SigningError(f"{path}: is not what {name} signed: {_say(checked.stdout + checked.stderr)}")
    return name


def _run(command: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, input=data, capture_output=True, check=False, timeout=_SECONDS)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise SigningError(f"{command[0]} gave no answer within {_SECONDS} s") from None


def _find_program() -> str:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise SigningError("ssh-keygen is not found; install OpenSSH's client, 8.1 or newer")
    return program


def _say(output: bytes) -> str:
    return " ".join(output.decode("utf-8", "replace").split())[:200] or "ssh-keygen does not say why"
