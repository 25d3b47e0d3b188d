"""The head file: which line was a log's last when its writer left it.

A chain alone cannot show that its end was cut off or its last line changed. `<log>.head` holds the last
line's sequence number and digest; it is replaced only after that line is durable, so it may be older
than the log and is never newer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gridwars.canonical import CanonicalError, encode_canonical, parse_canonical
from gridwars.files import open_regular
from gridwars.log.durable import replace_durably
from gridwars.log.errors import LogUnreadableError

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MAXIMUM_BYTES = 200


@dataclass(frozen=True, slots=True)
class Head:
    """A log's last line: its number, from 1, and its SHA-256."""

    sequence: int
    digest: str


class HeadError(ValueError):
    """A head file that no writer has written."""


def find_head_path(log_path: Path) -> Path:
    """Beside the log; a compressed log keeps the head of the log it was made from."""
    return log_path.with_name(log_path.name.removesuffix(".gz") + ".head")


def read_head(log_path: Path) -> Head | None:
    """The head of a log; None where there is none.

    Raises:
        HeadError: where the file holds anything else.
        LogUnreadableError: where it cannot be read.
    """
    try:
        with open_regular(find_head_path(log_path)) as file:
            data = file.read(_MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogUnreadableError(log_path, f"its head file cannot be read: {error.strerror}") from error
    try:
        value = parse_canonical(data.removesuffix(b"\n"))
    except CanonicalError as error:
        raise HeadError(f"the head file {error}") from None
    match value:
        case {"digest": str(digest), "seq": int(sequence)} if (
            type(sequence) is int and sequence > 0 and _DIGEST.fullmatch(digest)
        ):
            head = Head(sequence, digest)
            if data == _render(head):
                return head
    raise HeadError("the head file holds something else than a digest and a sequence number")


def write_head(log_path: Path, head: Head) -> None:
    """Replaces the head file in one step, durably.

    Raises:
        OSError: where the disk does not take it; an older head stays.
    """
    replace_durably(find_head_path(log_path), _render(head))


def _render(head: Head) -> bytes:
    return encode_canonical({"seq": head.sequence, "digest": head.digest}) + b"\n"
