"""What an audit came to, in words and as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from gridwars.benchmarks.contract import Finding
from gridwars.log.chain import ChainBreak
from gridwars.log.events import RunRecord


class AuditStatus(IntEnum):
    """What an audit came to; the value is the exit code that says so."""

    INTACT = 0
    """Nothing differs; the log of an unfinished episode may be that too."""
    UNREADABLE = 3
    """No log, or lines that are no events of its benchmark."""
    CHAIN_BROKEN = 4
    """A line was changed, left out, put in, copied or moved after it was written."""
    RESULT_DIFFERS = 5
    """Every line is as it was written, but something recorded does not follow from the decisions."""
    VERSION_DIFFERS = 6
    """Played by rules, or written in a format, that this version does not know."""


_SEVERITY = (
    AuditStatus.INTACT,
    AuditStatus.VERSION_DIFFERS,
    AuditStatus.UNREADABLE,
    AuditStatus.CHAIN_BROKEN,
    AuditStatus.RESULT_DIFFERS,
)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the audit of one file found.

    Attributes:
        message: the first thing wrong, in one line; "" where nothing is.
        finding: the first difference between what is recorded and what was derived.
        finding_kind: kind of the event that it is in.
        chain_break: the first break of the chain.
        event_counts: by kind, of the events before anything wrong; empty for a foreign recording.
        ended: whether the episode was played to its end.
        notes: what the status does not say, such as that a cut tail cannot be excluded.
        head: SHA-256 of a log's last line; "" where there is none.
        run: which episode of which run a log says it is.
        seed: of the episode.
        is_void: whether a seat was kept from answering by no fault of its own.
    """

    path: Path
    status: AuditStatus
    message: str = ""
    benchmark: str = ""
    finding: Finding | None = None
    finding_kind: str = ""
    chain_break: ChainBreak | None = None
    event_counts: Mapping[str, int] = field(default_factory=dict)
    ended: bool = False
    notes: tuple[str, ...] = ()
    head: str = ""
    run: RunRecord | None = None
    seed: int | None = None
    is_void: bool = False


def find_worst(statuses: Iterable[AuditStatus]) -> AuditStatus:
    """The status of many logs together, INTACT for none."""
    return max(statuses, key=_SEVERITY.index, default=AuditStatus.INTACT)
