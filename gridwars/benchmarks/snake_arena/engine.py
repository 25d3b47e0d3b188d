"""A game of the arena: what bots see, the turn in its ten steps, and who is placed where.

The rules' section "Exact simultaneous turn resolution" and arena spec sections 3 to 8. `snake-engine.js`
is the same for bots and pages, equal bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.snake_arena.mulberry import Mulberry32
from gridwars.benchmarks.snake_arena.rules import (
    OFFSETS,
    START_LENGTH,
    ArenaOptions,
    DeathCause,
    Direction,
    read_direction,
)
from gridwars.benchmarks.snake_arena.spawns import Cell, draw_food, draw_spawns


class Death(NamedTuple):
    """How a snake died.

    Attributes:
        by: who gets the kill; None for nobody.
    """

    turn: int
    cause: DeathCause
    by: str | None


@dataclass(slots=True)
class Snake:
    """One contestant's snake.

    Attributes:
        body: cells, the head first; its last in death.
        errors: actions that were no direction.
        last_dir: its last valid direction; None before the first.
    """

    id: str
    name: str
    body: list[Cell]
    health: int
    alive: bool = True
    kills: int = 0
    eaten: int = 0
    errors: int = 0
    last_dir: Direction | None = None
    death: Death | None = None


class Placement(NamedTuple):
    """Where a snake stands at the end of a game, fields as bots' hosts know them."""

    id: str
    place: int
    alive: bool
    length: int
    kills: int
    eaten: int
    death: Death | None
    errors: int


Happening = dict[str, object]
"""As bots' hosts know it: an `error`, `eat` (`x`, `y`), `death` (`cause`, `by`) or `shrink` (`ring`)."""


@dataclass(slots=True)
class Arena:
    """A game between two turns.

    Attributes:
        food: in the order in which it was put down.
        turn: turns played.
        ring: how many outer rings the storm holds.
    """

    options: ArenaOptions
    snakes: tuple[Snake, ...]
    stream: Mulberry32
    food: list[Cell] = field(default_factory=list)
    turn: int = 0
    ring: int = 0

    @property
    def living(self) -> list[Snake]:
        return [snake for snake in self.snakes if snake.alive]

    @property
    def next_shrink_turn(self) -> int:
        """The first turn from the coming one on at whose end the storm is due, cap or not."""
        late = self.turn + 1 - self.options.shrink_start
        if late <= 0:
            return self.options.shrink_start
        every = self.options.shrink_every
        return self.options.shrink_start + -(-late // every) * every

    @property
    def finished(self) -> bool:
        fewest = 1 if len(self.snakes) > 1 else 0
        return self.turn >= self.options.max_turns or len(self.living) <= fewest

    def fail_to_load(self, bot_id: str) -> None:
        """Marks a snake dead before the first turn, since there is no bot to move it."""
        snake = next(snake for snake in self.snakes if snake.id == bot_id)
        snake.alive = False
        snake.death = Death(0, DeathCause.LOAD_ERROR, None)

    def is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.options.width and 0 <= cell[1] < self.options.height

    def is_hazardous(self, cell: Cell) -> bool:
        x, y = cell
        ring = self.ring
        return ring > 0 and (
            x < ring or y < ring or x >= self.options.width - ring or y >= self.options.height - ring
        )

    def list_hazards(self) -> list[Cell]:
        """The storm's cells, row by row."""
        if self.ring == 0:
            return []
        return [cell for cell in self._iterate_cells() if self.is_hazardous(cell)]

    def _iterate_cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.options.height) for x in range(self.options.width)]

    def describe(self, bot_id: str) -> dict[str, object]:
        """The state that a bot is given for the coming move; `you` is its own entry, None without one."""
        snakes = [_describe_snake(snake) for snake in self.living]
        return {
            "turn": self.turn + 1,
            "width": self.options.width,
            "height": self.options.height,
            "you": next((snake for snake in snakes if snake["id"] == bot_id), None),
            "snakes": snakes,
            "food": list(map(_describe_cell, self.food)),
            "hazards": list(map(_describe_cell, self.list_hazards())),
            "nextShrinkTurn": self.next_shrink_turn,
        }

    def step(self, actions: Mapping[str, object]) -> list[Happening]:
        """Plays one turn, also of a game that is finished.

        Args:
            actions: by id what was submitted; what is missing or no direction is an error of that snake.

        Returns:
            What happened: errors, meals, deaths and the storm, each in participant order.
        """
        happenings: list[Happening] = []
        contenders = self.living
        self.turn += 1
        directions = [self._normalise(snake, actions.get(snake.id), happenings) for snake in contenders]
        for snake, direction in zip(contenders, directions, strict=True):
            dx, dy = OFFSETS[direction]
            x, y = snake.body[0]
            snake.body.insert(0, (x + dx, y + dy))
            snake.health -= 1
        self._feed(contenders, happenings)
        self._eliminate(contenders, happenings)
        self._close_in(happenings)
        self._put_food()
        return happenings

    def place(self) -> list[Placement]:
        """By place, and in participant order where it is shared."""
        keys = [_rank_key(snake) for snake in self.snakes]
        placements = [
            Placement(
                snake.id,
                1 + sum(other > key for other in keys),
                snake.alive,
                len(snake.body),
                snake.kills,
                snake.eaten,
                snake.death,
                snake.errors,
            )
            for snake, key in zip(self.snakes, keys, strict=True)
        ]
        return sorted(placements, key=lambda placement: placement.place)

    def _normalise(self, snake: Snake, action: object, happenings: list[Happening]) -> Direction:
        """Step 2: what is no direction goes on as before, or up."""
        direction = read_direction(action)
        if direction is not None:
            snake.last_dir = direction
            return direction
        snake.errors += 1
        happenings.append({"type": "error", "id": snake.id})
        return snake.last_dir or Direction.UP

    def _feed(self, contenders: Sequence[Snake], happenings: list[Happening]) -> None:
        """Steps 4 to 6: several may eat one piece; who eats keeps the tail."""
        eaten = set()
        lying = set(self.food)
        for snake in contenders:
            head = snake.body[0]
            if head in lying:
                snake.health = self.options.start_health
                snake.eaten += 1
                eaten.add(head)
                happenings.append({"type": "eat", "id": snake.id, "x": head[0], "y": head[1]})
            else:
                snake.body.pop()
        if eaten:
            self.food = [cell for cell in self.food if cell not in eaten]

    def _eliminate(self, contenders: Sequence[Snake], happenings: list[Happening]) -> None:
        """Steps 7 and 8: all are judged before any is dead."""
        deaths = [
            (snake, *judged) for snake in contenders if (judged := self._judge(snake, contenders)) is not None
        ]
        for snake, cause, killer in deaths:
            by = killer.id if killer is not None else None
            snake.alive = False
            snake.death = Death(self.turn, cause, by)
            if killer is not None:
                killer.kills += 1
            happenings.append({"type": "death", "id": snake.id, "cause": cause.value, "by": by})

    def _judge(self, snake: Snake, contenders: Sequence[Snake]) -> tuple[DeathCause, Snake | None] | None:
        """The first cause of death that applies, and whose kill it is."""
        head = snake.body[0]
        if not self.is_inside(head):
            return DeathCause.WALL, None
        if self.is_hazardous(head):
            return DeathCause.STORM, None
        if snake.health <= 0:
            return DeathCause.STARVED, None
        if head in snake.body[1:]:
            return DeathCause.SELF, None
        others = [other for other in contenders if other is not snake]
        owner = next((other for other in others if head in other.body[1:]), None)
        if owner is not None:
            return DeathCause.BODY, owner
        rival = next(
            (other for other in others if other.body[0] == head and len(other.body) >= len(snake.body)), None
        )
        return None if rival is None else (DeathCause.HEAD_ON, rival)

    def _close_in(self, happenings: list[Happening]) -> None:
        """Step 9."""
        late = self.turn - self.options.shrink_start
        if late < 0 or late % self.options.shrink_every or self.ring >= self.options.ring_cap:
            return
        self.ring += 1
        self.food = [cell for cell in self.food if not self.is_hazardous(cell)]
        happenings.append({"type": "shrink", "ring": self.ring})

    def _put_food(self) -> None:
        """Step 10: two draws, whatever comes of them."""
        taken = {cell for snake in self.living for cell in snake.body}.union(self.food)
        free = [cell for cell in self._iterate_cells() if cell not in taken and not self.is_hazardous(cell)]
        roll, index = self.stream.draw(), self.stream.pick(len(free))
        if free and (len(self.food) < self.options.min_food or roll < self.options.food_chance):
            self.food.append(free[index])


def create_arena(contestants: Sequence[str | tuple[str, str]], options: ArenaOptions | None = None) -> Arena:
    """A game before its first turn.

    Args:
        contestants: ids in participant order, or ids with names.

    Raises:
        ConfigurationError: for an id that is empty or there twice.
    """
    options = options or ArenaOptions()
    named = [(entry, entry) if isinstance(entry, str) else entry for entry in contestants]
    ids = [bot_id for bot_id, _ in named]
    for index, bot_id in enumerate(ids):
        if not bot_id or bot_id in ids[:index]:
            raise ConfigurationError(f"participants[{index}]: {bot_id!r} is empty or there twice")
    stream = Mulberry32(options.seed)
    spawns = draw_spawns(options, len(ids), stream)
    snakes = tuple(
        Snake(bot_id, name, [cell] * START_LENGTH, options.start_health)
        for (bot_id, name), cell in zip(named, spawns, strict=True)
    )
    return Arena(options, snakes, stream, draw_food(options, spawns, stream))


def _rank_key(snake: Snake) -> tuple[int, int, int]:
    """Higher comes first: the living, then who died later, then who was longer."""
    if snake.death is None:
        return 1, 0, 0
    return 0, snake.death.turn, len(snake.body)


def _describe_snake(snake: Snake) -> dict[str, object]:
    body = list(map(_describe_cell, snake.body))
    return {
        "id": snake.id,
        "name": snake.name,
        "head": _describe_cell(snake.body[0]),
        "body": body,
        "length": len(body),
        "health": snake.health,
    }


def _describe_cell(cell: Cell) -> dict[str, int]:
    return {"x": cell[0], "y": cell[1]}
