"""The state of a game: four snakes, the food and the stream that food is drawn from.

Only the steps of `turn` change it; between two turns it is plain data that can be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gridwars.benchmarks.snake_royale.board import Board
from gridwars.benchmarks.snake_royale.rules import DeathCause, EndRule, Switches
from gridwars.benchmarks.stream import Stream


@dataclass(slots=True)
class Snake:
    """One snake.

    Attributes:
        body: cells, the head first; none once it is dead.
        health: keeps its last value in death.
        last_dir: the direction of its last move, of the start before the first.
        ate: in the last turn.
        final_length: its length as of the last turn that it lived in, with which it dies.
        trapped: whether it has less room than it is long.
        declined_kills, reverse_repaired: measured, never scored.
        death_turn: 0 while it lives.
        killed_by: the seat whose head or body killed it, itself perhaps; -1 for none.
        survived_turns: turns that it ended alive.
    """

    seat: int
    body: list[int]
    health: int
    last_dir: int
    alive: bool = True
    ate: bool = False
    food_eaten: int = 0
    max_length: int = 0
    final_length: int = 0
    trapped: bool = False
    trapped_turns: int = 0
    declined_kills: int = 0
    reverse_repaired: int = 0
    death_turn: int = 0
    death_cause: DeathCause = DeathCause.NONE
    killed_by: int = -1
    survived_turns: int = 0


@dataclass(slots=True)
class GameState:
    """A game between two turns.

    Attributes:
        turn: turns played.
        snakes: by seat.
        food: in the order in which it was put down.
        digest: the game's hash after the last turn, 64 bits.
        duel_turn: the turn that left exactly two alive; -1 before.
    """

    switches: Switches
    board: Board
    snakes: tuple[Snake, ...]
    food_stream: Stream
    food: list[int] = field(default_factory=list)
    turn: int = 0
    digest: int = 0
    duel_turn: int = -1

    @property
    def living(self) -> list[Snake]:
        return [snake for snake in self.snakes if snake.alive]

    @property
    def end_rule(self) -> EndRule:
        """Why there is no further turn; NONE where there is."""
        if sum(snake.alive for snake in self.snakes) <= 1:
            return EndRule.LAST_STANDING
        return EndRule.FULL_TIME if self.turn >= self.switches.max_turns else EndRule.NONE
