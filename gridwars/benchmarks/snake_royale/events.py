"""The kinds of event that a Snake Royale log holds: the deal, then every turn's orders and what followed.

The orders of a turn are one group: sealed before the turn is computed. `end` closes a log.
"""

from __future__ import annotations

from gridwars.benchmarks.contract import Event, Origin
from gridwars.benchmarks.snake_royale.happenings import Happening
from gridwars.benchmarks.snake_royale.orders import FallbackCause
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults
from gridwars.benchmarks.snake_royale.rules import Direction, Seat


class Deal(Event, frozen=True, tag="deal", forbid_unknown_fields=True):
    """How the game starts.

    Attributes:
        spawn_deal: by seat, the number of its anchor.
        hash: of the state before the first turn, 16 hex digits.
    """

    spawn_deal: tuple[int, ...]
    hash: str
    happenings: tuple[Happening, ...]


class Directive(Event, frozen=True, tag="directive", forbid_unknown_fields=True):
    """What one living seat submits for a turn; for the fields see `Order`."""

    turn: int
    seat: Seat
    origin: Origin
    direction: Direction
    alternative: Direction | None
    say: str
    notes: str
    repaired: bool
    cause: FallbackCause
    reason: str
    repairs: tuple[str, ...]


class TurnPlayed(Event, frozen=True, tag="turn", forbid_unknown_fields=True):
    """What a turn came to.

    Attributes:
        hash: of the state after it, 16 hex digits.
        happenings: in the order in which they happened.
    """

    turn: int
    hash: str
    happenings: tuple[Happening, ...]


class End(Event, frozen=True, tag="end", forbid_unknown_fields=True):
    """The game is over; `results.end_rule` says why."""

    results: SnakeRoyaleResults


EVENT_TYPES: tuple[type[Event], ...] = (Deal, Directive, TurnPlayed, End)
