"""The law of the arena: the eleven steps of a tick, one function each, in the order of the rules."""

from __future__ import annotations

from collections.abc import Callable

from gridwars.benchmarks.grid_wars.rules import (
    BOARD_SIZE,
    CURVE_INTERVAL,
    FUSE,
    IDLE_LIMIT,
    MOST_ENERGY,
    SEAT_COUNT,
    TILES_PER_ENERGY,
    DeathCause,
    Ending,
    cell_at,
)
from gridwars.benchmarks.grid_wars.sensors import WarriorSensors
from gridwars.benchmarks.grid_wars.state import BattleState, Bomb, Warrior
from gwl.program import ActionKind

NEIGHBOURS = frozenset((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - {(0, 0)}
"""The offsets of a legal move."""

BLAST_CELLS = tuple(
    tuple(cell_at(x + dx, y + dy) for dx, dy in ((0, 0), (0, -1), (-1, 0), (1, 0), (0, 1)))
    for y in range(BOARD_SIZE)
    for x in range(BOARD_SIZE)
)
"""Per cell, the plus of five cells that a bomb on it scorches."""


def apply_tick(state: BattleState) -> None:
    """Plays one tick of a battle that is not over."""
    assert state.ending is None, "a battle that has ended plays no more ticks"
    for apply_step in STEPS:
        apply_step(state)
    state.tick += 1
    if state.ending is not None:
        _sample_curves(state)


def rotate_priority(state: BattleState) -> None:
    """Step 1: the first seat in order moves on by one every tick.

    "Priority rotates: seats (0+t) mod 4, (1+t) mod 4, (2+t) mod 4, (3+t) mod 4. All ties in steps 3-5
    break by this order and only by it."
    """
    state.priority = tuple((state.tick + place) % SEAT_COUNT for place in range(SEAT_COUNT))


def decide(state: BattleState) -> None:
    """Step 2: every living warrior runs to its action.

    "Each living, non-halted warrior resumes its VM and runs until it reaches an action or spends 2000
    instructions. The board is NOT mutated in this pass." A move to anything but one of the eight
    neighbours counts as illegal and becomes a wait; a stall is a wait.
    """
    for warrior, machine in zip(state.warriors, state.machines, strict=True):
        warrior.action = ActionKind.NONE
        warrior.offset = None
        warrior.came_from = warrior.cell
        if not warrior.alive or machine.halted:
            continue
        step = machine.resume(WarriorSensors(state, warrior))
        warrior.action = step.kind
        warrior.stalls += step.stalled
        if step.kind is ActionKind.MOVE:
            if (step.dx, step.dy) in NEIGHBOURS:
                warrior.offset = (step.dx, step.dy)
            else:
                warrior.illegal += 1


def plant_bombs(state: BattleState) -> None:
    """Step 3: bombs are paid for and planted.

    "If alive, energy >= bombCost and no live bomb is already on the cell, plant one (fuse 5) and pay;
    otherwise the action is refused."
    """
    for warrior in _acting(state, ActionKind.BOMB):
        if warrior.energy < state.bomb_cost or warrior.cell in state.bombs:
            warrior.refused += 1
        else:
            warrior.energy -= state.bomb_cost
            state.bombs[warrior.cell] = Bomb(seat=warrior.seat, fuse=FUSE)


def place_tiles(state: BattleState) -> None:
    """Step 4: "the warrior's current cell becomes its own, overwriting any previous owner"."""
    for warrior in _acting(state, ActionKind.PLACE):
        state.owner[warrior.cell] = warrior.id


def move(state: BattleState) -> None:
    """Step 5: warriors move, one after the other.

    "The target is ((x+dx) mod 30, (y+dy) mod 30). The move is blocked if the target holds a live bomb,
    a corpse, or a living warrior - including one that moved there earlier in this same pass." A cell
    that a warrior has just left is free.
    """
    for warrior in _acting(state, ActionKind.MOVE):
        if warrior.offset is None:
            continue
        dx, dy = warrior.offset
        target = cell_at(warrior.x + dx, warrior.y + dy)
        if target in state.bombs or state.corpse[target] or state.occupant[target]:
            warrior.blocked += 1
            continue
        state.occupant[warrior.cell] = 0
        warrior.x, warrior.y = target % BOARD_SIZE, target // BOARD_SIZE
        state.occupant[target] = warrior.id


def burn_fuses(state: BattleState) -> None:
    """Step 6: "every live bomb's fuse drops by 1"."""
    for bomb in state.bombs.values():
        bomb.fuse -= 1


def detonate(state: BattleState) -> None:
    """Step 7: bombs at fuse 0, and all that their blasts reach, go off in one wave.

    "In one wave: every cell in the closure loses its owner and its bomb, and every warrior standing in
    it is eliminated (killedBy = the owner of the lowest-cell-index detonating bomb covering that cell)
    and leaves a corpse." Killing oneself is a self-kill and no kill; a dead owner still scores.
    """
    wave = _compute_wave(state.bombs)
    for warrior in _living(state):
        covering = [cell for cell in wave if warrior.cell in BLAST_CELLS[cell]]
        if not covering:
            continue
        killer = state.warriors[state.bombs[covering[0]].seat]
        warrior.killed_by = killer.seat
        if killer is warrior:
            warrior.self_kills += 1
        else:
            killer.kills += 1
        _eliminate(state, warrior, DeathCause.BOMB)
    for cell in wave:
        del state.bombs[cell]
        for scorched in BLAST_CELLS[cell]:
            state.owner[scorched] = 0


def kill_idle(state: BattleState) -> None:
    """Step 8: standing still kills.

    "A warrior whose cell is unchanged since the previous tick gains an idle point; 50 kills it."
    """
    for warrior in _living(state):
        warrior.idle = warrior.idle + 1 if warrior.cell == warrior.came_from else 0
        if warrior.idle >= IDLE_LIMIT:
            _eliminate(state, warrior, DeathCause.IDLE)


def kill_faulted(state: BattleState) -> None:
    """Step 9: "every warrior that faulted this tick is eliminated"."""
    for warrior in _living(state):
        if state.machines[warrior.seat].fault is not None:
            _eliminate(state, warrior, DeathCause.FAULT)


def keep_books(state: BattleState) -> None:
    """Step 10: paint fades, tiles are counted, survivors gain energy.

    "Every warrior eliminated this tick loses all its tiles; tiles are recounted; survivors gain energy":
    1 + tiles div 60, capped at 60. The tile curve is sampled every 25 ticks.
    """
    for warrior in state.warriors:
        if warrior.death_tick == state.tick:
            state.owner[:] = state.owner.replace(bytes([warrior.id]), b"\0")
        warrior.tiles = state.owner.count(warrior.id)
        warrior.peak_tiles = max(warrior.peak_tiles, warrior.tiles)
        if warrior.alive:
            warrior.ticks_lived += 1
            warrior.energy = min(MOST_ENERGY, warrior.energy + 1 + warrior.tiles // TILES_PER_ENERGY)
    if state.tick % CURVE_INTERVAL == 0:
        _sample_curves(state)


def end_round(state: BattleState) -> None:
    """Step 11: is the battle over?

    "The round ends after this tick if t+1 == ticks (horizon), or exactly one warrior is alive
    (lastStanding), or none is (wipeout)", tested in that order.
    """
    living_count = len(_living(state))
    if state.tick + 1 == state.ticks:
        state.ending = Ending.HORIZON
    elif living_count == 1:
        state.ending = Ending.LAST_STANDING
    elif living_count == 0:
        state.ending = Ending.WIPEOUT


STEPS: tuple[Callable[[BattleState], None], ...] = (
    rotate_priority,
    decide,
    plant_bombs,
    place_tiles,
    move,
    burn_fuses,
    detonate,
    kill_idle,
    kill_faulted,
    keep_books,
    end_round,
)
"""The law: what one tick does, in order."""


def _acting(state: BattleState, action: ActionKind) -> list[Warrior]:
    """The warriors that chose `action` in this tick, in priority order."""
    return [state.warriors[seat] for seat in state.priority if state.warriors[seat].action is action]


def _living(state: BattleState) -> list[Warrior]:
    return [warrior for warrior in state.warriors if warrior.alive]


def _compute_wave(bombs: dict[int, Bomb]) -> list[int]:
    """The cells of all bombs that go off in this tick, ascending."""
    pending = [cell for cell, bomb in bombs.items() if bomb.fuse == 0]
    wave = set(pending)
    while pending:
        for cell in BLAST_CELLS[pending.pop()]:
            if cell in bombs and cell not in wave:
                wave.add(cell)
                pending.append(cell)
    return sorted(wave)


def _eliminate(state: BattleState, warrior: Warrior, cause: DeathCause) -> None:
    """Ends a warrior's life and leaves its corpse; its paint fades in the bookkeeping."""
    warrior.alive = False
    warrior.death_tick = state.tick
    warrior.death_cause = cause
    state.occupant[warrior.cell] = 0
    state.corpse[warrior.cell] = 1


def _sample_curves(state: BattleState) -> None:
    for warrior, curve in zip(state.warriors, state.curves, strict=True):
        curve.append(warrior.tiles)
