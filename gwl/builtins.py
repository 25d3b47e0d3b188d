"""The names GWL gives meaning to: builtin functions with their numbers and arities, and the constants."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType


class Builtin(IntEnum):
    """A builtin function; the value is its number in a call instruction.

    Attributes:
        spelling: its name in a script.
        arity: how many arguments it takes, all of them integers unless the machine says otherwise.
    """

    spelling: str
    arity: int

    def __new__(cls, number: int, spelling: str = "", arity: int = 0) -> Builtin:
        builtin = int.__new__(cls, number)
        builtin._value_ = number
        builtin.spelling = spelling
        builtin.arity = arity
        return builtin

    CHECK = 0, "check", 2
    WHO = 1, "who", 2
    X = 2, "x", 0
    Y = 3, "y", 0
    TILES = 4, "tiles", 0
    ENERGY = 5, "energy", 0
    TICK = 6, "tick", 0
    ALIVE = 7, "alive", 1
    RAND = 8, "rand", 1
    ABS = 9, "abs", 1
    MIN = 10, "min", 2
    MAX = 11, "max", 2
    LEN = 12, "len", 1
    XOR = 13, "xor", 2
    SHL = 14, "shl", 2
    SHR = 15, "shr", 2
    MOD = 16, "mod", 2
    DIV = 17, "div", 2
    ID = 18, "ID", 0
    BOMBCOST = 19, "BOMBCOST", 0


ARRAY_LITERAL = 20
"""What a call instruction names to build an array of its arguments; no name in a script reaches it."""

FIRST_PROC = 100
"""A call instruction names the proc at index i of the program as `FIRST_PROC + i`."""

BUILTINS: Mapping[str, Builtin] = MappingProxyType({builtin.spelling: builtin for builtin in Builtin})

CONSTANTS: Mapping[str, int] = MappingProxyType(
    {"BOMB": -1, "CORPSE": -2, "FOG": -3, "EMPTY": 0, "gridSize": 30, "MAXFUSE": 5}
)
"""Names that read as these integers whatever a script declares."""

CALLED_WHEN_READ: Mapping[str, Builtin] = MappingProxyType({"ID": Builtin.ID, "BOMBCOST": Builtin.BOMBCOST})
"""Names that read as a call of the builtin, without parentheses."""
