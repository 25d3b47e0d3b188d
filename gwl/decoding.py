"""Instructions specialised for the machine: what can be decided before a program runs is decided here.

Each instruction becomes a pair of integers, an opcode and an operand, at the same address, so that prices
and addresses stay those of the program. Opcodes are plain module constants, since looking up an enum member
would cost the machine more than the comparison with it; their order is the order of the machine's groups.
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never
from weakref import WeakKeyDictionary

from gwl.arithmetic import BINARY_BUILTINS
from gwl.builtins import ARRAY_LITERAL, FIRST_PROC, Builtin
from gwl.errors import FaultCode
from gwl.program import Instruction, Op, Program, Scope

PUSH: Final = 0
"""Operand: index into `Code.constants`."""
LOAD_LOCAL: Final = 1
LOAD_GLOBAL: Final = 2
STORE_LOCAL: Final = 3
STORE_GLOBAL: Final = 4

JUMP_FALSE: Final = 5
JUMP: Final = 6

ADD: Final = 7
"""`ADD` to `GREATER_EQUAL` are in the order of `BinaryOp`."""
SUBTRACT: Final = 8
MULTIPLY: Final = 9
DIVIDE: Final = 10
MODULO: Final = 11
EQUAL: Final = 12
NOT_EQUAL: Final = 13
LESS: Final = 14
LESS_EQUAL: Final = 15
GREATER: Final = 16
GREATER_EQUAL: Final = 17

NEGATE: Final = 18
"""`NEGATE` to `ASSERT_BOOLEAN` are in the order of `UnaryOp`."""
NOT: Final = 19
ASSERT_BOOLEAN: Final = 20

LOAD_ITEM: Final = 21
STORE_ITEM: Final = 22
LENGTH: Final = 23
ARRAY: Final = 24
"""Operand: number of elements."""

CALL: Final = 25
"""Operand: proc index."""
ENTER: Final = 26
"""Operand: number of local slots, the parameters included."""
RETURN: Final = 27
DROP: Final = 28
"""Operand: number of values."""

CHECK: Final = 29
WHO: Final = 30
COMPUTE: Final = 31
"""Operand: one of `BINARY_BUILTINS`."""
ALIVE: Final = 32
RAND: Final = 33
ABSOLUTE: Final = 34

X: Final = 35
Y: Final = 36
TILES: Final = 37
ENERGY: Final = 38
TICK: Final = 39
WARRIOR_ID: Final = 40
BOMB_COST: Final = 41

ACT: Final = 42
"""Operand: an `ActionKind`."""
HALT: Final = 43
REFUSE: Final = 44
"""An instruction that can only fault, with what `find_refusal` gives for it."""


class Code(NamedTuple):
    """A decoded program.

    Attributes:
        steps: opcode and operand of each address.
        constants: the program's, then false and true.
        procs: entry address and arity of each.
    """

    steps: tuple[tuple[int, int], ...]
    constants: tuple[int, ...]
    procs: tuple[tuple[int, int], ...]


def decode(program: Program) -> Code:
    """The decoded form of a program, made once for all its machines."""
    code = _CODES.get(program)
    if code is None:
        code = _CODES[program] = Code(
            steps=tuple(_decode_instruction(program, instruction) for instruction in program.instructions),
            constants=(*program.constants, False, True),
            procs=tuple((proc.entry, proc.arity) for proc in program.procs),
        )
    return code


_CODES: WeakKeyDictionary[Program, Code] = WeakKeyDictionary()


def find_refusal(program: Program, instruction: Instruction) -> tuple[FaultCode, tuple[int, ...]] | None:
    """Fault code and numbers of an instruction with a wrong name or argument count, else None."""
    op, a, b, _ = instruction
    if op in (Op.LOAD, Op.STORE) and b == Scope.UNDEFINED:
        return FaultCode.UNDEFINED_VARIABLE, ()
    if op is not Op.CALL or a == ARRAY_LITERAL:
        return None
    if a < 0:
        return FaultCode.UNDEFINED_PROC, ()
    if a >= FIRST_PROC:
        arity = program.procs[a - FIRST_PROC].arity
        return None if b == arity else (FaultCode.PROC_ARITY, (arity, b))
    arity = Builtin(a).arity
    return None if b == arity else (FaultCode.BUILTIN_ARITY, (arity, b))


def _decode_instruction(program: Program, instruction: Instruction) -> tuple[int, int]:
    op, a, b, _ = instruction
    if find_refusal(program, instruction) is not None:
        return REFUSE, 0
    match op:
        case Op.PUSH:
            return PUSH, len(program.constants) + a if b else a
        case Op.LOAD:
            return LOAD_LOCAL if b == Scope.LOCAL else LOAD_GLOBAL, a
        case Op.STORE:
            return STORE_LOCAL if b == Scope.LOCAL else STORE_GLOBAL, a
        case Op.INDEX:
            return LOAD_ITEM + a, 0
        case Op.BINARY:
            return ADD + a, 0
        case Op.UNARY:
            return NEGATE + a, 0
        case Op.CALL:
            return _decode_call(a, b)
        case Op.JUMP:
            return JUMP, a
        case Op.JUMP_FALSE:
            return JUMP_FALSE, a
        case Op.ENTER:
            return ENTER, a
        case Op.RETURN:
            return RETURN, 0
        case Op.LEAVE:
            return DROP, a
        case Op.ACTION:
            return ACT, a
        case Op.HALT:
            return HALT, 0
        case _:
            assert_never(op)


def _decode_call(callee: int, argument_count: int) -> tuple[int, int]:
    if callee >= FIRST_PROC:
        return CALL, callee - FIRST_PROC
    if callee == ARRAY_LITERAL:
        return ARRAY, argument_count
    builtin = Builtin(callee)
    return (COMPUTE, callee) if builtin in BINARY_BUILTINS else (_OPCODES[builtin], 0)


_OPCODES = {
    Builtin.CHECK: CHECK,
    Builtin.WHO: WHO,
    Builtin.X: X,
    Builtin.Y: Y,
    Builtin.TILES: TILES,
    Builtin.ENERGY: ENERGY,
    Builtin.TICK: TICK,
    Builtin.ALIVE: ALIVE,
    Builtin.RAND: RAND,
    Builtin.ABS: ABSOLUTE,
    Builtin.LEN: LENGTH,
    Builtin.ID: WARRIOR_ID,
    Builtin.BOMBCOST: BOMB_COST,
}
