"""All checks, by what a game does that passes."""

from __future__ import annotations

from collections.abc import Mapping

from gridwars.benchmarks.kit import audits, episodes, replies, showing
from gridwars.benchmarks.kit.trial import Check

CHECKS: Mapping[str, Check] = {
    "seats have baselines and names of their own": episodes.check_seats,
    "options keep to their ranges and come back from a log": episodes.check_options,
    "the same seed and decisions give the same events": episodes.check_determinism,
    "starts hold whatever a seed can bring": episodes.check_starts,
    "opening a batch changes nothing": episodes.check_opening,
    "an episode repeats from the decisions it sealed": episodes.check_repetition,
    "an early end closes the episode": episodes.check_early_end,
    "results rank every seat and say why it ended": episodes.check_results,
    "hidden texts reach no other seat": episodes.check_secrets,
    "an audit finds nothing in what was played": audits.check_quiet_audit,
    "an audit finds every changed field": audits.check_loud_audit,
    "an audit finds what is missing, doubled or out of place": audits.check_order_audit,
    "bad replies are rejected in words": replies.check_bad_replies,
    "hostile replies are read soon": replies.check_hostile_replies,
    "a decision survives being written as a reply": replies.check_written_replies,
    "a repaired reply says that it is one": replies.check_origins,
    "worksheets say the problem and keep the draft": showing.check_worksheets,
    "every key has one meaning": showing.check_keys,
    "what prompts are made of is plain and repeatable": showing.check_prompts,
    "tables are drawn of every cut of an episode": showing.check_tables,
    "parts and batches are counted as they end": showing.check_counting,
    "pictures go from before the first moment to the last": showing.check_pictures,
    "pictures can be drawn as play goes on": showing.check_growing_pictures,
}

SLOW_CHECKS = frozenset({"an audit finds every changed field"})
"""What plays an episode for every field of every event."""
