"""Which policies there are: from the text an operator writes for a seat, or from a log's record."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Callable, Mapping, Sequence

from gridwars.benchmarks.contract import Benchmark
from gridwars.log.events import FILE_KIND, SeatRecord
from gridwars.policies.builtin import make_builtin, restore_builtin
from gridwars.policies.command import make_command, restore_command
from gridwars.policies.file import make_file, restore_file
from gridwars.policies.human import make_human, restore_human
from gridwars.policies.making import Maker, Making
from gridwars.policies.policy import Policy, PolicyError
from gridwars.policies.prices import PriceTable
from gridwars.policies.recorded import make_recorded, restore_recorded
from gridwars.policies.search import make_search, restore_search

Restorer = Callable[[SeatRecord, Benchmark], Policy]
"""Makes a policy again from what the log holds of it.

Raises:
    PolicyError: where the record lacks something, or this machine does.
"""

PROVIDERS: Mapping[str, str] = {
    "anthropic": "gridwars.policies.anthropic",
    "openai": "gridwars.policies.openai",
    "openai-chat": "gridwars.policies.openai_chat",
}
"""Each provider's file, which holds it as `PROVIDER`; imported when a seat first asks for it."""


def _make_model(kind: str, text: str, making: Making) -> Policy:
    from gridwars.policies.llm import make_llm

    return make_llm(importlib.import_module(PROVIDERS[kind]).PROVIDER, text, making)


def _restore_model(record: SeatRecord, benchmark: Benchmark, texts: Sequence[str]) -> Policy:
    from gridwars.policies.llm import restore_llm

    return restore_llm(importlib.import_module(PROVIDERS[record.kind]).PROVIDER, record, benchmark, texts)


MAKERS: dict[str, Maker] = {
    "builtin": make_builtin,
    FILE_KIND: make_file,
    "recorded": make_recorded,
    "command": make_command,
    "human": make_human,
    "search": make_search,
    **{kind: functools.partial(_make_model, kind) for kind in PROVIDERS},
}
"""By what stands before the colon of a seat's text; the first two may be left out."""

KINDS: dict[str, Restorer] = {
    "builtin": restore_builtin,
    FILE_KIND: restore_file,
    "recorded": restore_recorded,
    "command": restore_command,
    "human": restore_human,
    "search": restore_search,
}
"""How each kind of policy but models is made again from its record."""


def make_policies(
    texts: Sequence[str],
    aliases: Sequence[str],
    benchmark: Benchmark,
    parameters: Sequence[Mapping[str, object]] | None = None,
    prices: PriceTable | None = None,
) -> tuple[Policy, ...]:
    """One policy per seat, in seat order.

    Args:
        texts: what the operator wrote: `KIND:TEXT`, a built-in's name, or a path (anything with a `/`
            or a dot).
        parameters: of each seat; none where left out.

    Raises:
        PolicyError: for the first seat that cannot be filled.
    """
    given = parameters if parameters is not None else [{} for _ in texts]
    table = prices if prices is not None else PriceTable()
    return tuple(
        _make(text, Making(alias, benchmark, own, table))
        for text, alias, own in zip(texts, aliases, given, strict=True)
    )


def is_model(text: str) -> bool:
    """Whether an operator's text names a language model."""
    kind, colon, _ = text.partition(":")
    return bool(colon) and kind in PROVIDERS


def restore_policies(
    records: Sequence[SeatRecord], benchmark: Benchmark, texts: Sequence[str] = ()
) -> tuple[Policy, ...]:
    """The policies that a log's start event describes.

    Args:
        texts: among them the templates that models' prompts are made of, whatever this version's are.

    Raises:
        PolicyError: for a kind that this version does not know, or a record that lacks something.
    """
    return tuple(_restore(record, benchmark, texts) for record in records)


def _make(text: str, making: Making) -> Policy:
    kind, colon, rest = text.partition(":")
    if kind in MAKERS and (colon or kind not in making.benchmark.baselines):
        return MAKERS[kind](rest, making)
    if _is_path(text):
        return make_file(text, making)
    if colon:
        close = difflib.get_close_matches(kind, MAKERS, n=1)
        hint = f'did you mean "{close[0]}:{rest}"?' if close else f"there is: {', '.join(MAKERS)}"
        raise PolicyError(f'seat "{text}": unknown kind "{kind}"; {hint}')
    return make_builtin(text, making)


def _restore(record: SeatRecord, benchmark: Benchmark, texts: Sequence[str]) -> Policy:
    if record.kind in KINDS:
        return KINDS[record.kind](record, benchmark)
    if record.kind in PROVIDERS:
        return _restore_model(record, benchmark, texts)
    known = ", ".join(MAKERS)
    raise PolicyError(f'seat "{record.policy}": unknown kind "{record.kind}"; this version knows {known}')


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or "." in text
