"""The digest of a battle's state: FNV-1a 64 over the board, the bombs and the warriors.

Grid Wars spec section 2 fixes what is hashed and in which order. `hash_bytes` is the plain definition;
`compute_digest` gives the same for a whole state in a fraction of the time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from gridwars.benchmarks.fnv import FNV_OFFSET, FNV_PRIME, hash_bytes
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, CELL_COUNT
from gridwars.benchmarks.grid_wars.state import BattleState
from gridwars.rng import MASK_64


def compute_digest(state: BattleState) -> str:
    """The digest of a state between two ticks, 16 lower-case hex digits."""
    value = _hash_cells(state.owner, state.corpse)
    for cell, bomb in sorted(state.bombs.items()):
        value = _hash_numbers((cell % BOARD_SIZE, cell // BOARD_SIZE, bomb.fuse, bomb.seat), value)
    for warrior in state.warriors:
        value = (value ^ warrior.alive) * FNV_PRIME & MASK_64
        position = (warrior.x, warrior.y)
        counts = (warrior.energy, warrior.idle, warrior.tiles, warrior.kills, warrior.self_kills)
        value = _hash_numbers(position + counts, value)
    return f"{value:016x}"


class _Gains(dict[int, int]):
    """What hashing a word of eight bytes adds to a hash with a given low byte.

    A byte of input changes nothing above a hash's low byte before the multiplication. So eight bytes
    multiply the hash by the prime's eighth power, like eight zeros, and add a number that only the low
    byte and the eight bytes decide. It is computed when first asked for.
    """

    _MOST_WORDS = 1000

    def __init__(self, low_byte: int) -> None:
        self._low_byte = low_byte

    def __missing__(self, word: int) -> int:
        if len(self) == self._MOST_WORDS:
            self.clear()
        gain = hash_bytes(_WORD.pack(word), self._low_byte) - self._low_byte * _EIGHT_ZEROS
        self[word] = gain
        return gain


_WORD = struct.Struct("<Q")
_CELL_WORDS = struct.Struct(f"<{CELL_COUNT // 4}Q")
_ZEROS = tuple(pow(FNV_PRIME, 8 * count, 2**64) for count in range(CELL_COUNT // 4 + 1))
"""What hashing so many words of eight zero bytes multiplies a hash by."""
_EIGHT_ZEROS = _ZEROS[1]
_GAINS = tuple(_Gains(low_byte) for low_byte in range(256))


def _hash_cells(owner: bytearray, corpse: bytearray) -> int:
    """Hashes owner and corpse of every cell, four cells in a word."""
    cells = bytearray(2 * CELL_COUNT)
    cells[0::2] = owner
    cells[1::2] = corpse
    value = FNV_OFFSET
    zeros = 0
    for word in _CELL_WORDS.unpack(cells):
        if word == 0:
            zeros += 1
            continue
        if zeros:
            value = value * _ZEROS[zeros] & MASK_64
            zeros = 0
        value = value * _EIGHT_ZEROS + _GAINS[value & 0xFF][word] & MASK_64
    return value * _ZEROS[zeros] & MASK_64


def _hash_numbers(numbers: Iterable[int], start: int) -> int:
    """Hashes numbers as 8 bytes each, little-endian, two's complement."""
    value = start
    for number in numbers:
        if 0 <= number < 256:
            value = (value ^ number) * _EIGHT_ZEROS & MASK_64
        else:
            value = hash_bytes(number.to_bytes(8, "little", signed=True), value)
    return value
