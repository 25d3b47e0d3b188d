"""Finds and names the first line that does not follow from the one before it.

Every line carries the SHA-256 of its predecessor, so one that was changed, left out, put in, copied or
moved shows at its successor, and the lines around it tell which of these it was. Nothing follows the
last line: a change of it, or a tail cut off, shows only against the head file beside the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from gridwars.log.head import Head
from gridwars.log.line import FIRST_PREVIOUS, Link


class Damage(Enum):
    """What happened to a line, as far as its neighbours tell."""

    CHANGED = "was changed"
    MISSING = "is missing"
    INSERTED = "was inserted"
    DUPLICATED = "is a copy of another"
    REORDERED = "stands in the wrong place"
    HEAD = "does not fit the head file"


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first thing wrong with a chain.

    Attributes:
        line_number: from 1, in the file as it is; for a missing line, where it would stand.
        sequence: the number that belongs there or, for a line too many, the one it carries (0: none).
        expected, found: what must stand there and what does: digests, sequence numbers or words.
    """

    damage: Damage
    line_number: int
    sequence: int
    expected: str
    found: str

    def __str__(self) -> str:
        return (
            f"line {self.line_number} (sequence {self.sequence}) {self.damage.value}: "
            f"expected {self.expected}, found {self.found}"
        )


MOST_LINKS_BEHIND = 1000
"""That are looked at behind the first break, to tell what happened to it."""


class LinkCollector:
    """The links of a log as its lines come, up to shortly behind the first that does not follow.

    Attributes:
        links: in the file's order.
    """

    def __init__(self) -> None:
        self.links: list[Link] = []
        self._previous = FIRST_PREVIOUS
        self._broken_at: int | None = None

    def take(self, link: Link) -> bool:
        """Takes the next; tells whether it may stand behind the one before it."""
        is_sound = follows(link, len(self.links), self._previous)
        if not is_sound and self._broken_at is None:
            self._broken_at = len(self.links)
        self.links.append(link)
        self._previous = link.digest
        return is_sound

    @property
    def is_full(self) -> bool:
        """Whether no more need be read: whatever comes makes no log of it."""
        return self._broken_at is not None and len(self.links) - self._broken_at > MOST_LINKS_BEHIND


def check_chain(links: Sequence[Link], head: Head | None) -> ChainBreak | None:
    """The first break; None where every line follows and the last one is the head's."""
    previous = FIRST_PREVIOUS
    for index, link in enumerate(links):
        if not follows(link, index, previous):
            return _name_break(links, index, previous, head)
        previous = link.digest
    return _check_head(links, head) if head is not None else None


def name_bad_head(line_count: int, found: str) -> ChainBreak:
    """The break of a log whose head file cannot be read."""
    return ChainBreak(Damage.HEAD, line_count, line_count, "the last line's number and digest", found)


def follows(link: Link, index: int, previous: str) -> bool:
    """Whether a line may stand at this place (from 0), behind a line with this digest."""
    return link.sequence == index + 1 and link.previous == previous


def _name_break(links: Sequence[Link], index: int, previous: str, head: Head | None) -> ChainBreak:
    link = links[index]
    later = links[index + 1 :]
    sequence = index + 1

    def name(damage: Damage, expected: str, found: str, *, at: int = index) -> ChainBreak:
        extra = damage in (Damage.INSERTED, Damage.DUPLICATED)
        return ChainBreak(damage, at + 1, links[at].sequence if extra else at + 1, expected, found)

    twins = [n for n, other in enumerate(links) if n != index and other.digest == link.digest]
    if twins and link.sequence:
        return name(Damage.DUPLICATED, f"sequence {sequence}", f"a copy of line {twins[0] + 1}")
    place = next((n for n, other in enumerate(links) if n > index and follows(other, index, previous)), None)
    if place is not None:
        belongs = any(other.digest == link.previous for other in links if other.sequence == link.sequence - 1)
        replaced = any(other.sequence == link.sequence for other in later)
        damage = Damage.REORDERED if belongs and not replaced else Damage.INSERTED
        return name(damage, f"sequence {sequence}, which is line {place + 1}", _describe(link))
    if link.problem or link.previous == previous:
        return name(Damage.CHANGED, f"sequence {sequence}", _describe(link))
    if link.sequence > sequence:
        return name(Damage.MISSING, f"sequence {sequence}", _describe(link))
    if link.sequence < sequence:
        # Where this line links to the one before its predecessor, nothing links to the predecessor.
        follows_earlier = index > 0 and follows(link, index - 1, links[index - 1].previous)
        return name(
            Damage.INSERTED,
            f"sequence {sequence}",
            _describe(link),
            at=index - 1 if follows_earlier else index,
        )
    if index == 0 or head == Head(index, previous) or not _is_vouched_for(link, later, head):
        return name(Damage.CHANGED, f"prev {previous}", f"prev {link.previous}")
    return name(Damage.CHANGED, f"digest {link.previous}", f"digest {previous}", at=index - 1)


def _is_vouched_for(link: Link, later: Sequence[Link], head: Head | None) -> bool:
    """Whether the line is as it was written, by what follows it; without that, it is believed."""
    if later:
        return later[0].previous == link.digest
    return head is None or head.sequence != link.sequence or head.digest == link.digest


def _check_head(links: Sequence[Link], head: Head) -> ChainBreak | None:
    last = len(links)
    if head.sequence > last:
        expected = f"lines to sequence {head.sequence}, which the head file names"
        return ChainBreak(Damage.MISSING, last + 1, last + 1, expected, f"the end after {last} lines")
    found = links[head.sequence - 1].digest
    if found == head.digest:
        return None
    damage = Damage.CHANGED if head.sequence == last else Damage.HEAD
    expected = f"digest {head.digest} (by the head file)"
    return ChainBreak(damage, head.sequence, head.sequence, expected, f"digest {found}")


def _describe(link: Link) -> str:
    return f"a line that {link.problem}" if link.problem else f"sequence {link.sequence}"
