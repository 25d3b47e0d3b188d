"""What a fault says to the author: one table from code and numbers to text, shared by every engine.

An engine reports the address of the faulting instruction, a code and at most two 64-bit integers; names
and operators come from the instruction itself, so that a machine in any language gives the same text.
"""

from __future__ import annotations

from gwl.builtins import ARRAY_LITERAL, FIRST_PROC, Builtin
from gwl.errors import Fault, FaultCode
from gwl.limits import MAX_ARRAY_ELEMENTS, MAX_CALL_DEPTH
from gwl.program import BinaryOp, Op, Program, Scope, UnaryOp
from gwl.syntax import BinaryOperator
from gwl.values import ValueKind


def make_fault(program: Program, address: int, code: FaultCode, numbers: tuple[int, ...]) -> Fault:
    """The fault of the instruction at `address`.

    Args:
        numbers: what `render_fault` takes apart for the code; a `ValueKind` stands for each type.
    """
    line = program.instructions[address].line
    return Fault(code, line, render_fault(code, subject_name(program, address), numbers))


def subject_name(program: Program, address: int) -> str:
    """The name or operator that the instruction is about, "" where it has none."""
    op, a, b, _ = program.instructions[address]
    match op:
        case Op.LOAD | Op.STORE if b == Scope.UNDEFINED:
            return program.names[a]
        case Op.CALL:
            if a < 0:
                return program.names[-1 - a]
            if a >= FIRST_PROC:
                return program.procs[a - FIRST_PROC].name
            return "" if a == ARRAY_LITERAL else Builtin(a).spelling
        case Op.BINARY:
            return BinaryOperator[BinaryOp(a).name]
        case Op.UNARY if a == UnaryOp.NEGATE:
            return "-"
        case _:
            return ""


def render_fault(code: FaultCode, name: str, numbers: tuple[int, ...]) -> str:
    """The message, without its position.

    Args:
        name: of the subject.
        numbers: as the patterns below spell them out.
    """
    match code, numbers:
        case FaultCode.UNDEFINED_VARIABLE, ():
            return f'no variable "{name}" is in scope here; declare it first with "var {name} = ..."'
        case FaultCode.UNDEFINED_PROC, ():
            return f'there is no proc or builtin named "{name}"'
        case ((FaultCode.PROC_ARITY | FaultCode.BUILTIN_ARITY), (expected, given)):
            return f'"{name}" takes {_count(expected, "argument")}, got {given}'
        case FaultCode.CALL_DEPTH, ():
            return (
                f'calling "{name}" would make {MAX_CALL_DEPTH + 1} open calls; '
                f"at most {MAX_CALL_DEPTH} are allowed"
            )
        case FaultCode.ALLOCATION, (in_use, wanted):
            return (
                f"no room for an array of {wanted}: "
                f"the arrays already hold {in_use} of {MAX_ARRAY_ELEMENTS} elements"
            )
        case FaultCode.NOT_AN_ARRAY, (kind,):
            return f"only an array has elements, this is {_kind(kind)}"
        case FaultCode.INDEX_TYPE, (kind,):
            return f"an array index must be an integer, got {_kind(kind)}"
        case FaultCode.ITEM_TYPE, (ValueKind.INTEGER, kind):
            return f"an array holds only integers, it cannot store {_kind(kind)}"
        case FaultCode.ITEM_TYPE, (kind, _):
            return f"an array index must be an integer, got {_kind(kind)}"
        case FaultCode.INDEX_RANGE, (index, 0):
            return f"index {index} is out of range: the array is empty"
        case FaultCode.INDEX_RANGE, (index, length):
            return f"index {index} is out of range for an array of {length} (valid: 0 to {length - 1})"
        case FaultCode.LITERAL_TYPE, (element_index, kind):
            return f"an array holds only integers, but the element at index {element_index} is {_kind(kind)}"
        case FaultCode.COMPARE_TYPES, (left, right):
            return f'"{name}" compares two integers or two booleans, got {_kind(left)} and {_kind(right)}'
        case FaultCode.ORDER_TYPES, (ValueKind.BOOLEAN, ValueKind.INTEGER):
            return (
                f'"{name}" needs two integers, got a boolean and an integer; '
                f'comparisons do not chain: write "a {name} b and b {name} c"'
            )
        case ((FaultCode.ORDER_TYPES | FaultCode.ARITH_TYPES), (left, right)):
            return f'"{name}" needs two integers, got {_kind(left)} and {_kind(right)}'
        case FaultCode.DIV_ZERO, (dividend,):
            return f'"div" by zero: {dividend} div 0 has no value'
        case FaultCode.MOD_ZERO, (dividend,):
            return f'"mod" by zero: {dividend} mod 0 has no value'
        case FaultCode.OVERFLOW, (left, right):
            return f"{left} {name} {_operand(right)} does not fit in a 64-bit integer"
        case FaultCode.OVERFLOW, (value,):
            return f"{name}({value}) does not fit in a 64-bit integer"
        case FaultCode.NEG_TYPE, (kind,):
            return f'"-" needs an integer, got {_kind(kind)}'
        case FaultCode.NOT_TYPE, (kind,):
            return (
                f'"not" needs a boolean, got {_kind(kind)}; '
                'it binds tighter than a comparison: write "not (a == b)"'
            )
        case FaultCode.LOGIC_TYPE, (kind,):
            return f'"and" and "or" need booleans, got {_kind(kind)} on the right{_suggest_comparison(kind)}'
        case FaultCode.CONDITION_TYPE, (kind,):
            return (
                f'a condition or the left side of "and" or "or" must be a boolean, got {_kind(kind)}'
                f"{_suggest_comparison(kind)}"
            )
        case FaultCode.BOOL_ARGUMENT, (argument_number,):
            return f'"{name}" takes no booleans, but argument {argument_number} is one'
        case FaultCode.INT_ARGUMENT, (argument_number,):
            return f'"{name}" needs integers, but argument {argument_number} is an array'
        case FaultCode.RAND_RANGE, (limit,):
            return f'"rand" needs an integer of at least 1, got {limit}'
        case FaultCode.LEN_TYPE, ():
            return '"len" needs an array, got an integer'
        case FaultCode.SHIFT_RANGE, (shift,):
            return f'"{name}" shifts by 0 to 62, got {shift}'
        case FaultCode.MOVE_TYPE, (argument_number, kind):
            return f'"move" needs two integers, but argument {argument_number} is {_kind(kind)}'
        case _:
            raise AssertionError(f"a {code} fault comes with other numbers than {numbers}")


def _kind(kind: int) -> str:
    return ("an integer", "a boolean", "an array")[kind]


def _suggest_comparison(kind: int) -> str:
    return '; compare, as in "n != 0"' if kind == ValueKind.INTEGER else ""


def _operand(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number or 'no'} {noun}s"
