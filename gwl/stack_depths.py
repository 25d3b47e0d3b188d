"""How many values a program has on its stack at each address."""

from __future__ import annotations

from typing import assert_never

from gwl.program import Instruction, Op, Program


def compute_stack_depths(program: Program) -> list[int | None]:
    """The depth before each instruction, within its own call; None where no run can come.

    Every path to an address has the same depth there, since statements leave nothing behind.
    """
    depths: list[int | None] = [None] * len(program.instructions)
    pending = [(0, 0)] + [(proc.entry, 0) for proc in program.procs]
    while pending:
        address, depth = pending.pop()
        if depths[address] is not None:
            assert depths[address] == depth, f"address {address} is reached with two stack depths"
            continue
        depths[address] = depth
        instruction = program.instructions[address]
        depth += _effect(instruction)
        if instruction.op in (Op.JUMP, Op.JUMP_FALSE):
            pending.append((instruction.a, depth))
        if instruction.op not in (Op.JUMP, Op.RETURN, Op.HALT):
            pending.append((address + 1, depth))
    return depths


def _effect(instruction: Instruction) -> int:
    """Values pushed less values popped."""
    op, a, b, _ = instruction
    match op:
        case Op.PUSH | Op.LOAD:
            return 1
        case Op.STORE | Op.BINARY | Op.JUMP_FALSE | Op.RETURN:
            return -1
        case Op.INDEX:
            return -3 if a else -1
        case Op.CALL:
            return 1 - b
        case Op.LEAVE:
            return -a
        case Op.ACTION:
            return -b
        case Op.UNARY | Op.JUMP | Op.ENTER | Op.HALT:
            return 0
        case _:
            assert_never(op)
