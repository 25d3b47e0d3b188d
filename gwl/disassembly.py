"""A program as text: its instructions under the source lines they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gwl.builtins import ARRAY_LITERAL
from gwl.faults import subject_name
from gwl.program import ActionKind, Instruction, Op, Program, Scope, UnaryOp


def render_disassembly(program: Program, source: Sequence[str]) -> str:
    """One line per instruction with its address, which is also its price: each costs 1.

    Args:
        source: the lines the program was compiled from.
    """
    return "\n".join(_render_lines(program, source)) + "\n"


def _render_lines(program: Program, source: Sequence[str]) -> Iterator[str]:
    shown_line = 0
    for address, instruction in enumerate(program.instructions):
        if instruction.line != shown_line:
            shown_line = instruction.line
            text = source[shown_line - 1] if shown_line <= len(source) else ""
            yield f"{shown_line:4} | {text}".rstrip()
        mnemonic, operands = _describe(program, address, instruction)
        yield f"{'':6} {address:4}  {mnemonic:12} {operands}".rstrip()


def _describe(program: Program, address: int, instruction: Instruction) -> tuple[str, str]:
    """The name of an instruction, and its operands in the words of the source."""
    op, a, b, _ = instruction
    match op:
        case Op.PUSH:
            return "push", ("false", "true")[a] if b else str(program.constants[a])
        case Op.LOAD | Op.STORE:
            return op.name.lower(), _describe_slot(program, a, b)
        case Op.INDEX:
            return ("store-item" if a else "load-item"), ""
        case Op.BINARY:
            return "binary", subject_name(program, address)
        case Op.UNARY:
            return "unary", ("-", "not", "is boolean?")[UnaryOp(a)]
        case Op.CALL if a == ARRAY_LITERAL:
            return "array", f"of {b}"
        case Op.CALL:
            return "call", f"{subject_name(program, address)}/{b}"
        case Op.JUMP:
            return "jump", f"to {a}"
        case Op.JUMP_FALSE:
            return "branch", f"if false, to {a}"
        case Op.ENTER:
            return (
                "enter",
                f"{next(proc.name for proc in program.procs if proc.entry == address)}, {a} locals",
            )
        case Op.LEAVE:
            return "drop", ""
        case Op.ACTION:
            return "action", ActionKind(a).name.lower()
        case Op.RETURN | Op.HALT:
            return op.name.lower(), ""


def _describe_slot(program: Program, number: int, scope: int) -> str:
    match Scope(scope):
        case Scope.LOCAL:
            return f"local {number}"
        case Scope.UNDEFINED:
            return f"{program.names[number]} (undefined)"
        case Scope.GLOBAL:
            return program.global_names[number] or f"hidden {number}"
