"""The instruction list under construction: pools, and operands that are known only later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gwl.program import Instruction, Op, ProcEntry, Program


@dataclass(slots=True, eq=False)
class Later:
    """An operand filled in after its instruction was emitted: a jump target or a count."""

    value: int | None = None

    def known(self) -> int:
        assert self.value is not None, "an operand was never filled in"
        return self.value


Row = tuple[Op, "int | Later", int, int]
"""An instruction with an operand that may be known only later."""


class Assembler:
    """Collects the instructions of one program in order."""

    def __init__(self) -> None:
        self._instructions: list[Row] = []
        self._incomplete: list[int] = []
        """Addresses of the instructions with a `Later`."""
        self._constants: dict[int, int] = {}
        self._names: dict[str, int] = {}

    def emit(self, op: Op, a: int | Later, b: int, line: int) -> None:
        if isinstance(a, Later):
            self._incomplete.append(len(self._instructions))
        self._instructions.append((op, a, b, line))

    def push_integer(self, value: int, line: int) -> None:
        self.emit(Op.PUSH, self._constants.setdefault(value, len(self._constants)), 0, line)

    def push_boolean(self, value: bool, line: int) -> None:
        self.emit(Op.PUSH, int(value), 1, line)

    def name_index(self, name: str) -> int:
        """The index of an undefined name in the program's `names`."""
        return self._names.setdefault(name, len(self._names))

    def here(self) -> int:
        """The address of the next instruction."""
        return len(self._instructions)

    def place(self, label: Later) -> None:
        """Makes `label` the address of the next instruction."""
        label.value = self.here()

    def finish(self, global_names: Sequence[str], procs: Sequence[ProcEntry]) -> Program:
        for address in self._incomplete:
            op, a, b, line = self._instructions[address]
            assert isinstance(a, Later), "so it was noted"
            self._instructions[address] = op, a.known(), b, line
        return Program(
            instructions=tuple(map(_make_instruction, self._instructions)),
            constants=tuple(self._constants),
            names=tuple(self._names),
            global_names=tuple(global_names),
            procs=tuple(procs),
        )


_make_instruction = partial(tuple.__new__, Instruction)
"""Of a row; `Instruction(...)` itself takes three times as long, as there are hundreds in a program."""
