"""The instruction list under construction: pools, and operands that are known only later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gwl.program import Instruction, Op, ProcEntry, Program


@dataclass(slots=True, eq=False)
class Later:
    """An operand filled in after its instruction was emitted: a jump target or a count."""

    value: int | None = None

    def known(self) -> int:
        assert self.value is not None, "an operand was never filled in"
        return self.value


class Assembler:
    """Collects the instructions of one program in order."""

    def __init__(self) -> None:
        self._instructions: list[tuple[Op, int | Later, int, int]] = []
        self._constants: dict[int, int] = {}
        self._names: dict[str, int] = {}

    def emit(self, op: Op, a: int | Later, b: int, line: int) -> None:
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
        return Program(
            instructions=tuple(
                Instruction(op, a.known() if isinstance(a, Later) else a, b, line)
                for op, a, b, line in self._instructions
            ),
            constants=tuple(self._constants),
            names=tuple(self._names),
            global_names=tuple(global_names),
            procs=tuple(procs),
        )
