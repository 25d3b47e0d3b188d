"""Holds logs against heads that somebody published or signed: only those prove that none was written anew.

A log's head file is published as it is. For the folder of a run, `run.heads` holds the heads of all its logs,
so that none can be left out or put in either.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from gridwars.audit.many import expand_paths
from gridwars.audit.report import AuditReport, AuditStatus
from gridwars.canonical import CanonicalError, Json, encode_canonical, parse_canonical
from gridwars.files import open_regular
from gridwars.log.durable import write_durably
from gridwars.log.errors import LogError
from gridwars.log.head import Head, find_head_path, write_head
from gridwars.log.reader import read_log
from gridwars.log.scan import scan_lines
from gridwars.log.signing import SigningError, verify_file

HEADS_NAME = "run.heads"

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_BYTES = 2**26


class PublishedError(ValueError):
    """What was given as a head is none, or is not of what is audited; the message says what would be."""


class _HeadRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    digest: str
    seq: int


class _RunHeads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heads: dict[str, _HeadRecord]


Published = Mapping[str, Head]
"""Heads by the log's path below the folder; "" for that of a single log, sequence 0 where it is not known."""


def write_heads(path: Path) -> Path:
    """Writes the head of a log, or those of a folder's logs, to be published or signed; gives the file.

    Raises:
        LogError: for a log that is damaged.
        PublishedError: where there is no log.
        OSError
    """
    if not path.is_dir():
        write_head(path, _find_head(path))
        return find_head_path(path)
    logs = [log for log in expand_paths([path]) if log != path]
    if not logs:
        raise PublishedError(f"{path}: holds no log")
    heads = {log.relative_to(path).as_posix(): _find_head(log) for log in logs}
    document: dict[str, Json] = {
        name: {"digest": head.digest, "seq": head.sequence} for name, head in heads.items()
    }
    file = path / HEADS_NAME
    write_durably(file, encode_canonical({"heads": document}) + b"\n", flags=os.O_TRUNC)
    return file


def read_published(text: str) -> Published:
    """The heads that a digest, a head file or `run.heads` holds.

    Raises:
        PublishedError: for anything else.
    """
    if _DIGEST.fullmatch(text):
        return {"": Head(0, text)}
    return _read_file(Path(text))


def hold_against(
    reports: Sequence[AuditReport], paths: Sequence[Path], heads: Published
) -> list[AuditReport]:
    """The reports, where a log is not that of its head with what is wrong.

    Args:
        paths: that were audited: one log, or one folder.

    Raises:
        PublishedError: where it is not such.
    """
    if "" in heads:
        if len(reports) != 1:
            raise PublishedError(f"it is the head of one log, but {len(reports)} are audited")
        return [_check(reports[0], heads[""])]
    if len(paths) != 1 or not paths[0].is_dir():
        raise PublishedError("these are the heads of a run; audit its folder, and nothing else")
    names = {report.path.relative_to(paths[0]).as_posix(): report for report in reports}
    checked = [
        _check(report, heads[name])
        if name in heads
        else _blame(report, "was not there when its run's heads were published")
        for name, report in names.items()
    ]
    gone = [
        AuditReport(paths[0] / name, AuditStatus.CHAIN_BROKEN, "was published, and is gone")
        for name in heads
        if name not in names
    ]
    return checked + gone


def check_signatures(
    reports: Sequence[AuditReport], paths: Sequence[Path], signers: Path
) -> list[AuditReport]:
    """The reports, held against the signed heads beside the logs; a note says who signed.

    Raises:
        SigningError: where signatures cannot be checked at all.
    """
    checked: list[AuditReport] = []
    for path in paths:
        folder = path if path.is_dir() else None
        mine = [
            each
            for each in reports
            if each.path == path or (folder is not None and each.path.is_relative_to(folder))
        ]
        whole = folder is not None and (folder / HEADS_NAME).is_file()
        if whole and folder is not None:
            name = verify_file(folder / HEADS_NAME, signers)
            checked += _note(hold_against(mine, [folder], _read_file(folder / HEADS_NAME)), name)
            continue
        for report in mine:
            head_path = find_head_path(report.path)
            try:
                name = verify_file(head_path, signers)
                checked += _note(hold_against([report], [report.path], _read_file(head_path)), name)
            except (SigningError, PublishedError) as error:
                checked.append(_blame(report, str(error)))
    return checked


def _note(reports: Sequence[AuditReport], name: str) -> list[AuditReport]:
    return [replace(report, notes=(*report.notes, f"signed by {name}")) for report in reports]


def _check(report: AuditReport, head: Head) -> AuditReport:
    if head.sequence == 0:
        if report.head == head.digest:
            return report
        found = f"ends with {report.head}" if report.head else "has no end that can be read"
        return _blame(report, f"is not the log of the head {head.digest}: it {found}")
    try:
        digests = [hashlib.sha256(line.data).hexdigest() for line in scan_lines(report.path) if line.whole]
    except LogError as error:
        return _blame(report, error.reason)
    if len(digests) < head.sequence:
        return _blame(report, f"is cut: its head is of line {head.sequence}, it has {len(digests)}")
    if digests[head.sequence - 1] != head.digest:
        found = digests[head.sequence - 1]
        place = f"line {head.sequence} is {found}, not {head.digest}"
        return _blame(report, f"is not the log of its head: {place}")
    if len(digests) > head.sequence:
        note = f"the head is of line {head.sequence}: what follows was written since"
        return replace(report, notes=(*report.notes, note))
    return report


def _blame(report: AuditReport, message: str) -> AuditReport:
    """The report with a head that does not hold, unless something said before is wrong anyway."""
    if report.status is not AuditStatus.INTACT:
        return replace(report, notes=(*report.notes, message))
    return replace(report, status=AuditStatus.CHAIN_BROKEN, message=message)


def _find_head(log: Path) -> Head:
    lines = read_log(log).require_sound().lines
    if not lines:
        raise PublishedError(f"{log}: holds no whole line")
    return Head(len(lines), lines[-1].digest)


def _read_file(path: Path) -> Published:
    try:
        with open_regular(path) as file:
            data = file.read(_MOST_BYTES)
        document = parse_canonical(data.removesuffix(b"\n"))
        is_run = isinstance(document, dict) and "heads" in document
        heads = document if is_run else {"heads": {"": document}}
        records = msgspec.convert(heads, _RunHeads).heads
    except FileNotFoundError:
        raise PublishedError(f"{path}: no such head file; a digest has 64 digits of 0-9 and a-f") from None
    except OSError as error:
        raise PublishedError(f"{path}: cannot be read: {error.strerror}") from error
    except (CanonicalError, msgspec.ValidationError) as error:
        raise PublishedError(f"{path}: is no head file: {error}") from None
    if not all(_DIGEST.fullmatch(each.digest) and each.seq > 0 for each in records.values()):
        raise PublishedError(f"{path}: is no head file: a head is a line's digest and its number")
    return {name: Head(each.seq, each.digest) for name, each in records.items()}
