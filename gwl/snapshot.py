"""A machine's whole state as plain data, and the proof that such data fits a program.

What is checked is what the running machine relies on without looking: that every address, slot, handle
and value on the stack is where the program expects it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import msgspec

from gwl.builtins import ARRAY_LITERAL, FIRST_PROC
from gwl.errors import Fault
from gwl.limits import MAX_ARRAY_ELEMENTS, MAX_CALL_DEPTH, MAX_INTEGER, MIN_INTEGER
from gwl.program import Op, ProcEntry, Program
from gwl.stack_depths import compute_stack_depths

Integer = Annotated[int, msgspec.Meta(ge=MIN_INTEGER, le=MAX_INTEGER)]
Natural = Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]


class SavedHandle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is an array, by its number."""

    array: Natural


SavedValue = Integer | bool | SavedHandle


class SavedArray(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An array and the address of the literal that owns it."""

    site: Natural
    items: list[Integer]


class SavedCaller(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that waits for another to return.

    Attributes:
        address: where it goes on.
    """

    address: Natural
    locals: list[SavedValue]


class Snapshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a `Machine` between two resumes, its program aside.

    Attributes:
        address: of the next instruction, or of the one at which the machine halted or faulted.
        callers: outermost first.
        arrays: in order of creation.
    """

    seat: Annotated[int, msgspec.Meta(ge=0, le=3)]
    bomb_cost: Integer
    rng: Annotated[int, msgspec.Meta(ge=0)]
    line: Natural
    halted: bool
    fault: Fault | None
    address: Natural
    stack: list[SavedValue]
    globals: list[SavedValue]
    locals: list[SavedValue]
    callers: list[SavedCaller]
    arrays: list[SavedArray]


def read_snapshot(program: Program, saved: dict[str, object]) -> Snapshot:
    """Raises ValueError naming the first thing that is malformed or does not fit the program."""
    try:
        snapshot = msgspec.convert(saved, Snapshot)
    except msgspec.ValidationError as error:
        raise ValueError(f"not a saved machine: {error}") from error
    for problem in _find_problems(program, snapshot):
        raise ValueError(f"the saved machine does not fit the program: {problem}")
    return snapshot


def _find_problems(program: Program, snapshot: Snapshot) -> Iterator[str]:
    if snapshot.rng >= 2**64:
        yield f"rng is {snapshot.rng}, not a 64-bit word"
    if snapshot.line > max(instruction.line for instruction in program.instructions):
        yield f"line {snapshot.line} is beyond the program"
    if snapshot.address >= len(program.instructions):
        yield f"address {snapshot.address} is beyond the program"
    if len(snapshot.globals) != program.global_count:
        yield f"{len(snapshot.globals)} globals instead of {program.global_count}"
    if len(snapshot.callers) > MAX_CALL_DEPTH:
        yield f"{len(snapshot.callers)} open calls, more than {MAX_CALL_DEPTH}"
    yield from _find_array_problems(program, snapshot)
    if snapshot.halted or snapshot.fault is not None:
        return  # It never runs again, and a fault may have left any number of operands.
    yield from _find_call_problems(program, snapshot)


def _find_array_problems(program: Program, snapshot: Snapshot) -> Iterator[str]:
    literals = {
        address: instruction.b
        for address, instruction in enumerate(program.instructions)
        if instruction.op is Op.CALL and instruction.a == ARRAY_LITERAL
    }
    for number, array in enumerate(snapshot.arrays):
        count = literals.pop(array.site, None)
        if count is None:
            yield f"array {number}: no literal at address {array.site}, or one that owns another array"
        elif count != len(array.items):
            yield f"array {number}: {len(array.items)} items, but its literal has {count}"
    if sum(len(array.items) for array in snapshot.arrays) > MAX_ARRAY_ELEMENTS:
        yield f"more than {MAX_ARRAY_ELEMENTS} array elements"
    places = [snapshot.stack, snapshot.globals, snapshot.locals]
    places += [caller.locals for caller in snapshot.callers]
    for value in chain.from_iterable(places):
        if isinstance(value, SavedHandle) and value.array >= len(snapshot.arrays):
            yield f"a value names array {value.array} of {len(snapshot.arrays)}"


def _find_call_problems(program: Program, snapshot: Snapshot) -> Iterator[str]:
    """Walks from the top level to the innermost call: address, locals and share of the stack of each."""
    depths = compute_stack_depths(program)
    owners = _compute_owners(program)
    proc: ProcEntry | None = None
    stack_size = 0
    for caller in snapshot.callers:
        callee = _find_callee(program, caller.address)
        depth = depths[caller.address] if callee is not None else None
        if callee is None or depth is None or owners[caller.address] is not proc:
            yield f"no call of {_describe(proc)} returns to address {caller.address}"
            return
        if len(caller.locals) != _local_count(proc, caller.address):
            yield f"{len(caller.locals)} locals at address {caller.address} of {_describe(proc)}"
        stack_size += depth - 1  # The result is still to come.
        proc = callee
    depth = depths[snapshot.address]
    if depth is None or owners[snapshot.address] is not proc:
        yield f"{_describe(proc)} never comes to address {snapshot.address}"
        return
    if len(snapshot.locals) != _local_count(proc, snapshot.address):
        yield f"{len(snapshot.locals)} locals at address {snapshot.address} of {_describe(proc)}"
    if len(snapshot.stack) != stack_size + depth:
        yield f"{len(snapshot.stack)} values on the stack instead of {stack_size + depth}"


def _compute_owners(program: Program) -> list[ProcEntry | None]:
    """The proc that each address belongs to, None at top level."""
    owners: list[ProcEntry | None] = [None] * len(program.instructions)
    starts = [*(proc.entry for proc in program.procs), program.instructions[0].a]
    for proc, end in zip(program.procs, starts[1:], strict=True):
        owners[proc.entry : end] = [proc] * (end - proc.entry)
    return owners


def _find_callee(program: Program, return_address: int) -> ProcEntry | None:
    """The proc whose call goes on at `return_address`, None where there is no such call."""
    if not 0 < return_address < len(program.instructions):
        return None
    op, a, b, _ = program.instructions[return_address - 1]
    if op is not Op.CALL or a < FIRST_PROC or b != program.procs[a - FIRST_PROC].arity:
        return None
    return program.procs[a - FIRST_PROC]


def _local_count(proc: ProcEntry | None, address: int) -> int:
    if proc is None:
        return 0
    return proc.arity if address == proc.entry else proc.local_count


def _describe(proc: ProcEntry | None) -> str:
    return "the top level" if proc is None else f'proc "{proc.name}"'
