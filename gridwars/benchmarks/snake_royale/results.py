"""What a game came to: places, scores, and what is measured but not scored (Snake Royale spec section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from gridwars.benchmarks.contract import Origin, Results
from gridwars.benchmarks.points import compute_place_points
from gridwars.benchmarks.snake_royale.orders import Order
from gridwars.benchmarks.snake_royale.rules import (
    SEATS,
    BySeat,
    DeathCause,
    EndRule,
    Module,
    SeatOrNone,
    compute_places,
)
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.voices import Voice

REASONS = {
    EndRule.NONE: "",
    EndRule.LAST_STANDING: "complete",
    EndRule.FULL_TIME: "complete",
    EndRule.WALL_CLOCK: "deadline",
    EndRule.SIM_FAULT: "fault",
    EndRule.HOST_ERROR: "fault",
}


class SnakeRoyaleResults(Results, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The results of a game; what is a tuple of four is by seat.

    Attributes:
        scores: in thousandths, as fractions.
        places: from 1; seats that are level share the better one.
        death_turns: 0 for who lives.
        killed_by: a seat, or -1.
        declined_kills: turns on which a free kill was let go by.
        replies: turns decided by what a policy replied, of which `repaired` gave no direction.
        fallbacks: turns on which the fallback was played.
    """

    end_rule: EndRule
    module: Module
    turns: int
    places: Annotated[tuple[int, ...], BySeat]
    survived_turns: Annotated[tuple[int, ...], BySeat]
    death_turns: Annotated[tuple[int, ...], BySeat]
    death_causes: Annotated[tuple[DeathCause, ...], BySeat]
    killed_by: Annotated[tuple[SeatOrNone, ...], BySeat]
    final_lengths: Annotated[tuple[int, ...], BySeat]
    max_lengths: Annotated[tuple[int, ...], BySeat]
    food_eaten: Annotated[tuple[int, ...], BySeat]
    declined_kills: Annotated[tuple[int, ...], BySeat]
    trapped_turns: Annotated[tuple[int, ...], BySeat]
    reverse_repaired: Annotated[tuple[int, ...], BySeat]
    said_turns: Annotated[tuple[int, ...], BySeat]
    replies: Annotated[tuple[int, ...], BySeat]
    repaired: Annotated[tuple[int, ...], BySeat]
    fallbacks: Annotated[tuple[int, ...], BySeat]


class Tally:
    """How the seats' orders came about, counted.

    Attributes:
        replies, repaired, fallbacks: by seat.
    """

    def __init__(self) -> None:
        self.replies = [0 for _ in SEATS]
        self.repaired = [0 for _ in SEATS]
        self.fallbacks = [0 for _ in SEATS]

    def count(self, order: Order) -> None:
        if order.origin is Origin.FALLBACK:
            self.fallbacks[order.seat] += 1
        elif order.origin is not Origin.SCRIPTED:
            self.replies[order.seat] += 1
            self.repaired[order.seat] += order.repaired


def compute_results(
    state: GameState, module: Module, end_rule: EndRule, voices: Sequence[Voice], tally: Tally
) -> SnakeRoyaleResults:
    """The results so far; with no end rule the game goes on."""
    snakes = state.snakes
    places = compute_places(
        [(snake.survived_turns, snake.final_length, snake.food_eaten) for snake in snakes]
    )
    return SnakeRoyaleResults(
        scores=tuple(str(Fraction(score, 1000)) for score in compute_place_points(places)),
        ranking=tuple(sorted(SEATS, key=lambda seat: (places[seat], seat))),
        reason=REASONS[end_rule],
        end_rule=end_rule,
        module=module,
        turns=state.turn,
        places=places,
        survived_turns=tuple(snake.survived_turns for snake in snakes),
        death_turns=tuple(snake.death_turn for snake in snakes),
        death_causes=tuple(snake.death_cause for snake in snakes),
        killed_by=tuple(snake.killed_by for snake in snakes),
        final_lengths=tuple(snake.final_length for snake in snakes),
        max_lengths=tuple(snake.max_length for snake in snakes),
        food_eaten=tuple(snake.food_eaten for snake in snakes),
        declined_kills=tuple(snake.declined_kills for snake in snakes),
        trapped_turns=tuple(snake.trapped_turns for snake in snakes),
        reverse_repaired=tuple(snake.reverse_repaired for snake in snakes),
        said_turns=tuple(voice.said_turns for voice in voices),
        replies=tuple(tally.replies),
        repaired=tuple(tally.repaired),
        fallbacks=tuple(tally.fallbacks),
    )
