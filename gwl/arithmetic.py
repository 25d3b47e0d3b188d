"""Operations of GWL v1 section 4 on integers, with the faults that Python's would not raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import xor
from types import MappingProxyType

from gwl.builtins import Builtin
from gwl.errors import FaultCode
from gwl.limits import MAX_INTEGER, MIN_INTEGER

_MAX_SHIFT = 62


class Faulted(Exception):  # noqa: N818 - the end of a warrior, not an error of the machine
    """Raised where an instruction cannot go on; carries what `gwl.faults.make_fault` takes."""

    def __init__(self, code: FaultCode, *numbers: int) -> None:
        super().__init__(code, *numbers)
        self.code = code
        self.numbers = numbers


def divide(left: int, right: int) -> int:
    """`left div right`, truncated toward zero."""
    if right == 0:
        raise Faulted(FaultCode.DIV_ZERO, left)
    if right == -1 and left == MIN_INTEGER:
        raise Faulted(FaultCode.OVERFLOW, left, right)
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """`left mod right`, with the sign of `left`."""
    if right == 0:
        raise Faulted(FaultCode.MOD_ZERO, left)
    magnitude = abs(left) % abs(right)
    return -magnitude if left < 0 else magnitude


def shift_left(value: int, distance: int) -> int:
    """`value` shifted in a 64-bit word; what leaves it is lost."""
    word = value << _checked_shift(distance) & 2 * MAX_INTEGER + 1
    return word if word <= MAX_INTEGER else word + 2 * MIN_INTEGER


def shift_right(value: int, distance: int) -> int:
    """`value` shifted with its sign."""
    return value >> _checked_shift(distance)


def _checked_shift(distance: int) -> int:
    if not 0 <= distance <= _MAX_SHIFT:
        raise Faulted(FaultCode.SHIFT_RANGE, distance)
    return distance


BINARY_BUILTINS: Mapping[int, Callable[[int, int], int]] = MappingProxyType(
    {
        Builtin.MIN: min,
        Builtin.MAX: max,
        Builtin.XOR: xor,
        Builtin.SHL: shift_left,
        Builtin.SHR: shift_right,
        Builtin.MOD: remainder,
        Builtin.DIV: divide,
    }
)
"""The builtins that make one integer of two and ask for nothing else."""
