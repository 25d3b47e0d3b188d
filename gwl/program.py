"""A compiled warrior: a flat list of instructions with the tables they refer to.

The instruction set is that of GWL v1 section 5, where each construct's price is fixed; the operands
are those of the golden vectors' listings, so a listing can be compared field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Op(IntEnum):
    """Instruction kinds, with the meaning of the operands `a` and `b`; one not named is 0."""

    PUSH = 0
    """a: index into `constants`; where b is 1, a itself as a boolean."""
    LOAD = 1
    """a: slot; b: a `Scope`, or for `Scope.UNDEFINED` a is an index into `names`."""
    STORE = 2
    """Operands as `LOAD`."""
    INDEX = 3
    """a: 0 read, 1 write."""
    BINARY = 4
    """a: a `BinaryOp`."""
    UNARY = 5
    """a: a `UnaryOp`."""
    CALL = 6
    """a: builtin number, `FIRST_PROC` + proc index, or -1 - index into `names`; b: argument count."""
    JUMP = 7
    """a: target."""
    JUMP_FALSE = 8
    """a: target."""
    ENTER = 9
    """a: number of local slots."""
    RETURN = 10
    LEAVE = 11
    """a: values dropped."""
    ACTION = 12
    """a: an `ActionKind`; b: argument count."""
    HALT = 13


class Scope(IntEnum):
    GLOBAL = 0
    LOCAL = 1
    UNDEFINED = 2


class BinaryOp(IntEnum):
    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    MODULO = 4
    EQUAL = 5
    NOT_EQUAL = 6
    LESS = 7
    LESS_EQUAL = 8
    GREATER = 9
    GREATER_EQUAL = 10


class UnaryOp(IntEnum):
    NEGATE = 0
    NOT = 1
    ASSERT_BOOLEAN = 2


class ActionKind(IntEnum):
    """What a warrior does in a tick; `NONE` where it faulted, halted or is dead."""

    NONE = 0
    MOVE = 1
    PLACE = 2
    BOMB = 3
    WAIT = 4


class Instruction(NamedTuple):
    op: Op
    a: int
    b: int
    line: int


@dataclass(frozen=True, slots=True)
class ProcEntry:
    name: str
    entry: int
    arity: int
    local_count: int


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Program:
    """What `gwl.compile_source` returns; immutable, so machines may share it.

    Attributes:
        instructions: the flat code; execution starts at 0.
        constants: the constant pool in order of first use.
        names: undefined names used, in order of first use.
        global_names: name of each global slot; hidden loop slots have an empty name.
        procs: in order of declaration.
    """

    instructions: tuple[Instruction, ...]
    constants: tuple[int, ...]
    names: tuple[str, ...]
    global_names: tuple[str, ...]
    procs: tuple[ProcEntry, ...]

    @property
    def global_count(self) -> int:
        return len(self.global_names)
