"""A compiled warrior: a flat list of instructions with the tables they refer to.

The instruction set is that of GWL v1 section 5, where each construct's price is fixed; the operands
are those of the golden vectors' listings, so a listing can be compared field by field.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Op(IntEnum):
    """Instruction kinds, with the meaning of the operands `a` and `b`."""

    PUSH = 0
    """a: index into `constants`; b: 1 where the constant is a boolean."""
    LOAD = 1
    """a: slot; b: a `Scope`, or for `Scope.UNDEFINED` a is an index into `names`."""
    STORE = 2
    """Operands as `LOAD`."""
    INDEX = 3
    """a: 0 read, 1 write."""
    BINARY = 4
    """a: 0.. for `+ - * div mod == != < <= > >=`."""
    UNARY = 5
    """a: 0 negate, 1 not, 2 assert boolean."""
    CALL = 6
    """a: builtin number, 100 + proc number, or -1 - index into `names`; b: argument count."""
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
    """a: an `ActionKind`."""
    HALT = 13


class Scope(IntEnum):
    GLOBAL = 0
    LOCAL = 1
    UNDEFINED = 2


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


@dataclass(frozen=True, slots=True)
class Program:
    """What `gwl.compile` returns; immutable, so machines may share it.

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
