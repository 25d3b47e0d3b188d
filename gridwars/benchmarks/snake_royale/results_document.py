"""The reference's results document of a game that is over (Snake Royale spec section 10.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Origin
from gridwars.benchmarks.snake_royale.events import Directive
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    COLOURS,
    SEATS,
    DeathCause,
    EndRule,
    Module,
    SnakeRoyaleConfig,
    draw_spawn_deal,
)


class PolicyKind(StrEnum):
    """Who answered for a seat."""

    SCRIPTED = "scripted"
    LLM = "llm"
    EXTERNAL = "external"


class ResultsDocument(msgspec.Struct, frozen=True, rename="camel"):
    """What is a tuple of four is by seat.

    Attributes:
        cross_play: whether at least two kinds of policy are seated.
        dead_seats: who never registered; none of ours.
    """

    names: tuple[str, ...]
    aliases: tuple[str, ...]
    colours: tuple[str, ...]
    scores: tuple[float, ...]
    win: tuple[bool, ...]
    place: tuple[int, ...]
    reason: str
    end_rule: EndRule
    module: Module
    turns_played: int
    survived_turns: tuple[int, ...]
    death_turn: tuple[int, ...]
    death_cause: tuple[DeathCause, ...]
    killed_by: tuple[int, ...]
    final_length: tuple[int, ...]
    max_length: tuple[int, ...]
    food_eaten: tuple[int, ...]
    declined_kills: tuple[int, ...]
    trapped_turns: tuple[int, ...]
    reverse_repaired: tuple[int, ...]
    said_turns: tuple[int, ...]
    policy_kinds: tuple[PolicyKind, ...]
    cross_play: bool
    llm_turns: tuple[int, ...]
    fallback_turns: tuple[int, ...]
    orders_rejected: tuple[int, ...]
    dead_seats: tuple[bool, ...]
    seed: int
    stop_detail: str = ""


def make_document(
    config: SnakeRoyaleConfig,
    results: SnakeRoyaleResults,
    names: Sequence[str],
    kinds: Sequence[PolicyKind],
) -> ResultsDocument:
    """The document of these results.

    Args:
        names, kinds: of the policies, by seat.
    """
    return ResultsDocument(
        names=tuple(names),
        aliases=ALIASES,
        colours=tuple(COLOURS[anchor] for anchor in draw_spawn_deal(config.seed)),
        scores=tuple(float(Fraction(score)) for score in results.scores),
        win=tuple(place == 1 for place in results.places),
        place=results.places,
        reason=results.reason,
        end_rule=results.end_rule,
        module=results.module,
        turns_played=results.turns,
        survived_turns=results.survived_turns,
        death_turn=results.death_turns,
        death_cause=results.death_causes,
        killed_by=results.killed_by,
        final_length=results.final_lengths,
        max_length=results.max_lengths,
        food_eaten=results.food_eaten,
        declined_kills=results.declined_kills,
        trapped_turns=results.trapped_turns,
        reverse_repaired=results.reverse_repaired,
        said_turns=results.said_turns,
        policy_kinds=tuple(kinds),
        cross_play=len(set(kinds)) > 1,
        llm_turns=results.replies,
        fallback_turns=results.fallbacks,
        orders_rejected=results.repaired,
        dead_seats=tuple(False for _ in SEATS),
        seed=config.seed,
    )


def find_policy_kinds(directives: Iterable[Directive]) -> tuple[PolicyKind, ...]:
    """By seat, the kind that its orders tell of: scripted where every one of them is a script's."""
    asked = {directive.seat for directive in directives if directive.origin is not Origin.SCRIPTED}
    return tuple(PolicyKind.LLM if seat in asked else PolicyKind.SCRIPTED for seat in SEATS)
