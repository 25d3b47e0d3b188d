"""Which policies there are: from the text an operator writes for a seat, or from a log's record."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gridwars.benchmarks.contract import Benchmark
from gridwars.log.events import SeatRecord
from gridwars.policies.builtin import make_builtin, restore_builtin
from gridwars.policies.file import make_file, restore_file
from gridwars.policies.policy import Policy, PolicyError

KINDS: dict[str, Callable[[SeatRecord, Benchmark], Policy]] = {
    "builtin": restore_builtin,
    "file": restore_file,
}
"""How each kind of policy is made again from its record."""


def make_policies(texts: Sequence[str], aliases: Sequence[str], benchmark: Benchmark) -> tuple[Policy, ...]:
    """One policy per seat, in seat order.

    Args:
        texts: what the operator wrote: a built-in's name, or a path (anything with a `/` or a dot).

    Raises:
        PolicyError: for the first seat that cannot be filled.
    """
    return tuple(
        (make_file if _is_path(text) else make_builtin)(text, alias, benchmark)
        for text, alias in zip(texts, aliases, strict=True)
    )


def restore_policies(records: Sequence[SeatRecord], benchmark: Benchmark) -> tuple[Policy, ...]:
    """The policies that a log's start event describes.

    Raises:
        PolicyError: for a kind that this version does not know, or a record that lacks something.
    """
    return tuple(_restore(record, benchmark) for record in records)


def _restore(record: SeatRecord, benchmark: Benchmark) -> Policy:
    if record.kind not in KINDS:
        known = ", ".join(KINDS)
        raise PolicyError(f'seat "{record.policy}": unknown kind "{record.kind}"; this version knows {known}')
    return KINDS[record.kind](record, benchmark)


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or "." in text
