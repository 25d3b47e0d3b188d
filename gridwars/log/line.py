"""The one text of a log line: an envelope (`seq`, `time`, `prev`) around one event.

A line is canonical JSON of its fields in their declared order. Logs live longer than versions, so a field
that has a default may be missing and then holds it, as fields do that were added since. Anything else
(another order, a field too many, a value that only reads as the right one) no writer has written.
"""

from __future__ import annotations

import functools
import hashlib
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from gridwars.benchmarks.contract import Event
from gridwars.canonical import CanonicalError, Json, find_difference, parse_canonical, render_canonical

FIRST_PREVIOUS = "0" * 64
"""`prev` of a log's first line."""

MAXIMUM_LINE_BYTES = 16 * 2**20
"""A line's newline aside; more than the longest prompt of any model, little enough to hold in memory."""

MAXIMUM_LINE_VALUES = 500_000
"""Of one line: each takes some fifty times the memory of the two bytes that it is written in."""

_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"')
_KIND_LENGTH = 80

_ENVELOPE = ("seq", "time", "prev")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PLACE_IN_MESSAGE = re.compile(r" - at `\$(.*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Line:
    """One event, with what its line says about it.

    Attributes:
        sequence: from 1; the line's number in the file.
        time: when it was written, in UTC; a record, nothing is derived from it.
        digest: SHA-256 of the line without its newline, which the next line carries as `prev`.
    """

    sequence: int
    time: datetime
    digest: str
    event: Event


@dataclass(frozen=True, slots=True)
class Link:
    """What the chain must know of one line.

    Attributes:
        sequence, previous: as the line says; 0 and "" where it cannot be read.
        kind: the event's tag.
        problem: why the line cannot be read; "" where it can.
    """

    digest: str
    sequence: int
    previous: str
    kind: str
    problem: str = ""


class LineError(ValueError):
    """A readable line whose fields are not those of an event; names the field and the value."""


def render_line(sequence: int, time: datetime, previous: str, event: Event) -> bytes:
    """The line without its newline.

    Raises:
        TypeError: where the event holds a float or anything else that is not `Json`.
    """
    fields = msgspec.to_builtins(event)
    assert fields.keys().isdisjoint(_ENVELOPE), (
        f"an event's field has a name of the envelope: {fields.keys()}"
    )
    envelope = {"seq": sequence, "time": _render_time(time), "prev": previous}
    return render_canonical(envelope | fields, sort_keys=False).encode()


def parse_line(data: bytes) -> tuple[Link, dict[str, Json]]:
    """A line's place in the chain and its fields; never fails, as what cannot be read has a place too."""
    digest = hashlib.sha256(data).hexdigest()
    if (
        _count_values(data) > MAXIMUM_LINE_VALUES
        and _count_values(_TEXT.sub(b"", data)) > MAXIMUM_LINE_VALUES
    ):
        return Link(digest, 0, "", "", problem=f"holds more than {MAXIMUM_LINE_VALUES} values"), {}
    try:
        document = parse_canonical(data, sort_keys=False)
    except CanonicalError as error:
        return Link(digest, 0, "", "", problem=str(error)), {}
    if isinstance(document, dict):
        sequence, time, previous, kind = (document.get(name) for name in (*_ENVELOPE, "kind"))
        if (
            type(sequence) is int
            and sequence > 0
            and isinstance(time, str)
            and _read_time(time) is not None
            and isinstance(previous, str)
            and _DIGEST.fullmatch(previous)
            and isinstance(kind, str)
        ):
            return Link(digest, sequence, previous, kind[:_KIND_LENGTH]), document
    return Link(digest, 0, "", "", problem="has no valid seq, time, prev and kind"), {}


def _count_values(data: bytes) -> int:
    """At least as many values as a JSON text without texts holds."""
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def decode_line(
    data: bytes, link: Link, document: dict[str, Json], event_types: tuple[type[Event], ...]
) -> Line:
    """The typed event of a line that `parse_line` could read.

    Raises:
        LineError: for a kind that is not among the types, and for fields that are not the kind's.
    """
    fields = {name: value for name, value in document.items() if name not in _ENVELOPE}
    try:
        event: Event = msgspec.convert(fields, _unite(event_types))
    except msgspec.ValidationError as error:
        raise LineError(_name_value(str(error), fields)) from None
    time = _read_time(str(document["time"]))
    assert time is not None
    envelope = dict(zip(_ENVELOPE, (link.sequence, str(document["time"]), link.previous), strict=True))
    if not _is_full(data, envelope, event) and not _is_rendering(
        document, envelope | msgspec.to_builtins(event)
    ):
        place = find_difference(
            render_line(link.sequence, time, link.previous, event).decode(), data.decode()
        )
        raise LineError(f"a field is missing, too many or out of its order (from character {place})")
    return Line(link.sequence, time, link.digest, event)


def _is_full(data: bytes, envelope: Mapping[str, object], event: Event) -> bool:
    """Whether a line holds every field and no other, as most do: told by its bytes, without its values."""
    try:
        return data == msgspec.json.encode(envelope)[:-1] + b"," + msgspec.json.encode(event)[1:]
    except UnicodeEncodeError:
        return False  # A lone surrogate, which only our own text can hold.


def _is_rendering(recorded: Json, full: Json) -> bool:
    """Whether a value is the full one, or lacks fields of it; what those hold is then their default."""
    if isinstance(recorded, dict) and isinstance(full, dict):
        names = iter(full)
        return all(name in names and _is_rendering(value, full[name]) for name, value in recorded.items())
    if isinstance(recorded, list) and isinstance(full, list | tuple):
        return len(recorded) == len(full) and all(map(_is_rendering, recorded, full))
    return type(recorded) is type(full) and recorded == full


@functools.cache
def _unite(event_types: tuple[type[Event], ...]) -> object:
    return functools.reduce(operator.or_, event_types)


def _name_value(message: str, fields: dict[str, Json]) -> str:
    """Adds the offending value to msgspec's message, which names only its place and type."""
    value: Json = fields
    place = _PLACE_IN_MESSAGE.search(message)
    for name, index in _STEP.findall(place[1]) if place else ():
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and index and int(index) < len(value):
            value = value[int(index)]
        else:
            return message
    return message if value is fields else f"{message}: {render_canonical(value)[:80]}"


def _render_time(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _read_time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None and _render_time(time) == text else None
