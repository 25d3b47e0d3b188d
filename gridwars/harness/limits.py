"""The deadlines of an episode, as the log records them."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long things may take; they bound play and never change how a decision is judged.

    Attributes:
        batch_milliseconds: from asking a batch until every seat without a reply falls back.
        episode_milliseconds: the episode clock, from the start of play or of a resumed run; 0: none.
        reserve_milliseconds: what must be left on the episode clock for a batch to be opened.
    """

    batch_milliseconds: int = 600_000
    episode_milliseconds: int = 0
    reserve_milliseconds: int = 0
