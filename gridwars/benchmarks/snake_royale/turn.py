"""One turn: the fifteen steps, each a function, in the order of the rules (Snake Royale spec section 5).

All loops over snakes run in the order of seats and over those alive when the turn began. What a step
finds out for later ones stands in the `Turn`; deaths are only marked until step 11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gridwars.benchmarks.snake_royale.alliance import find_declined_kills
from gridwars.benchmarks.snake_royale.board import OFF_BOARD
from gridwars.benchmarks.snake_royale.digest import compute_digest
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.rules import SEAT_COUNT, DeathCause, HeadOnRule
from gridwars.benchmarks.snake_royale.sight import compute_occupied
from gridwars.benchmarks.snake_royale.state import GameState, Snake


@dataclass(slots=True)
class Turn:
    """A turn being played.

    Attributes:
        directions, alternatives: by seat, as submitted; no alternative is None.
        alive: the snakes that were alive when the turn began.
        moved: those of them that did not hit a wall.
        chosen: by seat, the direction after the repair of necks.
        targets: by seat, the cell it moves to, or OFF_BOARD.
        dying: by seat that is to be removed, why and by whom.
        living: the snakes that the turn leaves alive, once the dead are removed.
        happenings: what happened so far.
    """

    state: GameState
    directions: Sequence[int]
    alternatives: Sequence[int | None]
    alive: list[Snake]
    moved: list[Snake] = field(default_factory=list)
    chosen: list[int] = field(default_factory=lambda: [0] * SEAT_COUNT)
    targets: list[int] = field(default_factory=lambda: [OFF_BOARD] * SEAT_COUNT)
    dying: dict[int, tuple[DeathCause, int]] = field(default_factory=dict)
    living: list[Snake] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)

    def tell(
        self,
        kind: Kind,
        slot: int = -1,
        *,
        at: int = 0,
        other: int = -1,
        value: int = 0,
        extra: int = 0,
        text: str = "",
    ) -> None:
        """Notes what happened at a cell; cell 0, the default, is (0, 0)."""
        x, y = self.state.board.coordinates[at]
        self.happenings.append(Happening(kind, self.state.turn, slot, other, x, y, value, extra, text))


def apply_turn(
    state: GameState, directions: Sequence[int], alternatives: Sequence[int | None] = (None,) * SEAT_COUNT
) -> Turn:
    """Plays one turn of a game that is not over.

    Args:
        directions, alternatives: by seat; those of the dead are ignored.

    Returns:
        The turn, whose `happenings` tell it all, declined kills last.
    """
    turn = Turn(state, directions, alternatives, state.living)
    declined = find_declined_kills(state, turn.alive, directions)
    for step in STEPS:
        step(turn)
    for seat, rival, cell in declined:
        state.snakes[seat].declined_kills += 1
        turn.tell(Kind.DECLINE, seat, at=cell, other=rival)
    return turn


def begin_turn(turn: Turn) -> None:
    """Step 1."""
    turn.state.turn += 1
    turn.tell(Kind.TURN, value=len(turn.alive))


def repair_necks(turn: Turn) -> None:
    """Step 2: a move onto the own neck gives way to the alternative, or to the last direction."""
    steps = turn.state.board.steps
    directions, chosen = turn.directions, turn.chosen
    for snake in turn.alive:
        seat, body = snake.seat, snake.body
        direction = directions[seat]
        # A neck is always on the board, and where segments are stacked no step leads to it.
        if len(body) > 1 and steps[direction][body[0]] == body[1]:
            alternative = turn.alternatives[seat]
            use_alternative = alternative is not None and steps[alternative][body[0]] != body[1]
            direction = alternative if alternative is not None and use_alternative else snake.last_dir
            snake.reverse_repaired += 1
        chosen[seat] = direction


def set_targets(turn: Turn) -> None:
    """Step 3."""
    steps = turn.state.board.steps
    chosen, targets = turn.chosen, turn.targets
    for snake in turn.alive:
        direction = chosen[snake.seat]
        targets[snake.seat] = steps[direction][snake.body[0]]
        snake.last_dir = direction


def hit_walls(turn: Turn) -> None:
    """Step 4: who leaves the board dies, and takes no part in steps 5 to 9."""
    coordinates, number = turn.state.board.coordinates, turn.state.turn
    moved, happenings, targets = turn.moved, turn.happenings, turn.targets
    for snake in turn.alive:
        seat = snake.seat
        target = targets[seat]
        if target == OFF_BOARD:
            turn.dying[seat] = (DeathCause.WALL, -1)
        else:
            moved.append(snake)
            x, y = coordinates[target]
            happenings.append(Happening(Kind.MOVE, number, seat, -1, x, y, turn.chosen[seat]))


def move_heads(turn: Turn) -> None:
    """Step 5."""
    for snake in turn.moved:
        snake.body.insert(0, turn.targets[snake.seat])


def eat(turn: Turn) -> None:
    """Step 6: of several snakes on one piece of food the lowest seat eats."""
    food = turn.state.food
    for snake in turn.moved:
        head = snake.body[0]
        snake.ate = head in food
        if snake.ate:
            food.remove(head)
            snake.health = turn.state.switches.health_start
            snake.food_eaten += 1
            turn.tell(Kind.EAT, snake.seat, at=head, value=len(snake.body), extra=snake.health)


def drop_tails(turn: Turn) -> None:
    """Step 7."""
    if turn.state.switches.leave_trail:
        return
    for snake in turn.moved:
        if not snake.ate:
            snake.body.pop()


def hunger(turn: Turn) -> None:
    """Step 8: health runs down, and on a shrink turn so does everybody."""
    switches = turn.state.switches
    if switches.health_start > 0:
        for snake in turn.moved:
            snake.health -= 1
            if snake.health <= 0:
                turn.dying[snake.seat] = (DeathCause.STARVE, -1)
    if switches.shrink_every > 0 and turn.state.turn % switches.shrink_every == 0:
        for snake in turn.moved:
            if snake.seat in turn.dying:
                continue
            snake.body.pop()
            turn.tell(Kind.SHRINK, snake.seat, value=len(snake.body), text="hunger")
            if not snake.body:
                turn.dying[snake.seat] = (DeathCause.STARVE, -1)


def meet_heads(turn: Turn) -> None:
    """Step 9: before bodies, lest the winner die on the loser's neck."""
    contenders = [snake for snake in turn.moved if snake.seat not in turn.dying]
    targets = turn.targets
    if len({targets[snake.seat] for snake in contenders}) == len(contenders):
        return
    groups: dict[int, list[Snake]] = {}
    for snake in contenders:
        groups.setdefault(targets[snake.seat], []).append(snake)
    for cell, group in groups.items():
        if len(group) < 2:
            continue
        winner = _find_winner(turn, group)
        winner_seat = winner.seat if winner is not None else -1
        turn.tell(
            Kind.HEAD_ON,
            group[0].seat,
            at=cell,
            other=winner_seat,
            value=len(group),
            extra=len(winner.body) if winner is not None else 0,
            text=",".join(f"{snake.seat}:{len(snake.body)}" for snake in group),
        )
        for snake in group:
            if snake is not winner:
                turn.dying[snake.seat] = (DeathCause.HEAD_ON, winner_seat)


def hit_bodies(turn: Turn) -> None:
    """Step 10: corpses block too, but for the head of a head-on's loser, where the winner stands.

    All are tested before any of these deaths counts.
    """
    owners: dict[int, int] = {}
    dying = turn.dying
    for snake in turn.alive:
        blocks_head = snake.seat in dying and dying[snake.seat][0] is not DeathCause.HEAD_ON
        for cell in snake.body if blocks_head else snake.body[1:]:
            owners[cell] = snake.seat
    hit = [
        (snake.seat, owners[snake.body[0]])
        for snake in turn.moved
        if snake.seat not in dying and snake.body[0] in owners
    ]
    for seat, killer in hit:
        dying[seat] = (DeathCause.BODY, killer)


def remove_dead(turn: Turn) -> None:
    """Step 11."""
    state = turn.state
    for seat in sorted(turn.dying):
        cause, killer = turn.dying[seat]
        snake = state.snakes[seat]
        length = len(snake.body)
        turn.tell(Kind.DEATH, seat, at=snake.body[0] if length else 0, other=killer, value=length, text=cause)
        if cause is DeathCause.WALL:
            x, y = state.board.step_beyond(snake.body[0], snake.last_dir)
            turn.happenings[-1] = Happening(
                Kind.DEATH, state.turn, seat, killer, x, y, value=length, text=cause
            )
        snake.final_length = length
        snake.max_length = max(snake.max_length, length)
        snake.alive = False
        snake.death_turn = state.turn
        snake.death_cause = cause
        snake.killed_by = killer
        snake.survived_turns = state.turn - 1
        snake.body = []
        snake.trapped = False
    turn.living = [snake for snake in turn.alive if snake.alive]


def feed(turn: Turn) -> None:
    """Step 12."""
    if len(turn.state.food) < turn.state.switches.food_count:
        place_food(turn.state, turn.happenings)


def measure(turn: Turn) -> None:
    """Step 13."""
    state = turn.state
    board = state.board
    free = board.all_cells & ~compute_occupied(state, turn.living)
    for snake in turn.living:
        length = len(snake.body)
        if length > snake.max_length:
            snake.max_length = length
        snake.final_length = length
        snake.survived_turns = state.turn
        head = snake.body[0]
        # Only whether the room falls short of the length counts here, so no more of it is measured.
        if 1 + (board.around[head] & free).bit_count() >= length:
            snake.trapped = False
            continue
        room = board.count_reachable(head, ~(free | board.bits[head]), length)
        if room < length:
            snake.trapped_turns += 1
            if not snake.trapped:
                turn.tell(Kind.TRAPPED, snake.seat, at=head, value=room, extra=length)
        snake.trapped = room < length


def take_digest(turn: Turn) -> None:
    """Step 14."""
    turn.state.digest = compute_digest(turn.state)


def note_duel(turn: Turn) -> None:
    """Step 15."""
    state = turn.state
    if state.duel_turn < 0 and len(turn.living) == 2:
        state.duel_turn = state.turn
        turn.tell(Kind.DUEL, value=2)


STEPS: tuple[Callable[[Turn], None], ...] = (
    begin_turn,
    repair_necks,
    set_targets,
    hit_walls,
    move_heads,
    eat,
    drop_tails,
    hunger,
    meet_heads,
    hit_bodies,
    remove_dead,
    feed,
    measure,
    take_digest,
    note_duel,
)


def place_food(state: GameState, happenings: list[Happening]) -> None:
    """Puts food on free cells until there is enough of it or no room."""
    taken = {cell for snake in state.snakes for cell in snake.body}.union(state.food)
    free = [cell for cell in state.board.cells if cell not in taken]
    while free and len(state.food) < state.switches.food_count:
        cell = free.pop(state.food_stream.draw_below(len(free)))
        state.food.append(cell)
        x, y = state.board.coordinates[cell]
        happenings.append(Happening(Kind.FOOD_SPAWN, state.turn, x=x, y=y))


def _find_winner(turn: Turn, group: Sequence[Snake]) -> Snake | None:
    if turn.state.switches.head_to_head is HeadOnRule.BOTH_DIE:
        return None
    longest = max(len(snake.body) for snake in group)
    winners = [snake for snake in group if len(snake.body) == longest]
    return winners[0] if len(winners) == 1 else None
