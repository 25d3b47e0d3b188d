"""A best-of series between the same contestants (arena spec section 9)."""

from __future__ import annotations

from dataclasses import dataclass, field

from gridwars.benchmarks.snake_arena.rules import EXTRA_GAMES

_INIT_FACTOR = 31
"""Between a game's seed and those of its bots' `Math.random`."""


@dataclass(slots=True)
class Series:
    """Who has won how often; contestants are numbered as they came, not as they sit.

    Attributes:
        game_count: games played.
        wins: by contestant.
    """

    best_of: int
    contestant_count: int
    game_count: int = 0
    wins: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.wins = [0] * self.contestant_count

    @property
    def is_over(self) -> bool:
        target = self.best_of // 2 + 1
        return max(self.wins) >= target or self.game_count >= self.best_of + EXTRA_GAMES

    @property
    def winner(self) -> int | None:
        """Who has won most games; None while that is shared."""
        most = max(self.wins)
        leaders = [index for index, count in enumerate(self.wins) if count == most]
        return leaders[0] if len(leaders) == 1 else None

    def record(self, unique_first: int | None) -> None:
        """Counts a game.

        Args:
            unique_first: who alone came first; None where nobody did.
        """
        self.game_count += 1
        if unique_first is not None:
            self.wins[unique_first] += 1


def order_contestants(count: int, game_index: int) -> tuple[int, ...]:
    """By place in the engine, who sits there in a game; games count from 0, and all move on by one."""
    return tuple((place + game_index) % count for place in range(count))


def compute_seed(base_seed: int, game_index: int) -> int:
    return base_seed + game_index


def compute_init_seed(seed: int, place: int) -> int:
    """What a bot's random numbers follow from, by its place in the engine in this game."""
    return seed * _INIT_FACTOR + place
