"""The digest of a state: FNV-1a, what it covers, and that the fast way gives what the definition gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gridwars.benchmarks.fnv import hash_bytes
from gridwars.benchmarks.grid_wars.digest import compute_digest
from gridwars.benchmarks.grid_wars.rules import CELL_COUNT
from gridwars.benchmarks.grid_wars.state import BattleState, Bomb, Warrior

CELLS = st.integers(0, CELL_COUNT - 1)
NUMBERS = st.one_of(st.integers(0, 60), st.sampled_from((255, 256, -1)), st.integers(-(2**63), 2**63 - 1))


@st.composite
def states(draw: st.DrawFn) -> BattleState:
    warriors = tuple(
        Warrior(
            seat=seat,
            x=draw(st.integers(0, 29)),
            y=draw(st.integers(0, 29)),
            alive=draw(st.booleans()),
            energy=draw(NUMBERS),
            idle=draw(NUMBERS),
            tiles=draw(NUMBERS),
            kills=draw(NUMBERS),
            self_kills=draw(NUMBERS),
        )
        for seat in range(4)
    )
    state = BattleState(bomb_cost=0, ticks=20, warriors=warriors, machines=())
    for cell, owner in draw(st.dictionaries(CELLS, st.integers(1, 4), max_size=200)).items():
        state.owner[cell] = owner
    for cell in draw(st.lists(CELLS, max_size=4)):
        state.corpse[cell] = 1
    bombs = st.builds(Bomb, seat=st.integers(0, 3), fuse=st.integers(1, 5))
    state.bombs = draw(st.dictionaries(CELLS, bombs, max_size=8))
    return state


def _hash_as_defined(state: BattleState) -> int:
    """Every byte in the order of Grid Wars spec section 2."""
    data = bytearray()

    def add(*numbers: int) -> None:
        for number in numbers:
            data.extend(number.to_bytes(8, "little", signed=True))

    for cell in range(CELL_COUNT):
        data += bytes([state.owner[cell], state.corpse[cell]])
    for cell in range(CELL_COUNT):
        if cell in state.bombs:
            add(cell % 30, cell // 30, state.bombs[cell].fuse, state.bombs[cell].seat)
    for warrior in state.warriors:
        data.append(warrior.alive)
        add(warrior.x, warrior.y, warrior.energy, warrior.idle, warrior.tiles)
        add(warrior.kills, warrior.self_kills)
    return hash_bytes(bytes(data))


def test_the_hash_is_fnv_1a() -> None:
    assert hash_bytes(b"") == 0xCBF29CE484222325
    assert hash_bytes(b"a") == 0xAF63DC4C8601EC8C
    assert hash_bytes(b"foobar") == 0x85944171F73967E8
    assert hash_bytes(b"bar", hash_bytes(b"foo")) == hash_bytes(b"foobar")


@settings(max_examples=60)
@given(states())
def test_the_fast_digest_is_the_defined_one(state: BattleState) -> None:
    assert compute_digest(state) == f"{_hash_as_defined(state):016x}"


def test_a_full_board_has_the_defined_digest() -> None:
    state = BattleState(
        bomb_cost=0, ticks=20, warriors=tuple(Warrior(s, s, 0) for s in range(4)), machines=()
    )
    state.owner[:] = bytes(cell % 5 for cell in range(CELL_COUNT))
    state.corpse[:] = bytes(cell % 7 == 0 for cell in range(CELL_COUNT))
    assert compute_digest(state) == f"{_hash_as_defined(state):016x}"


def test_the_order_in_which_bombs_were_planted_does_not_matter() -> None:
    first, second = (
        BattleState(bomb_cost=0, ticks=20, warriors=(), machines=(), bombs=bombs)
        for bombs in ({5: Bomb(0, 3), 2: Bomb(1, 4)}, {2: Bomb(1, 4), 5: Bomb(0, 3)})
    )
    assert compute_digest(first) == compute_digest(second)
