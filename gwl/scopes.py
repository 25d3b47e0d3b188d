"""Which slot a name stands for: the globals of a program and the nested scopes of a proc."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gwl import syntax
from gwl.program import Scope


class Slot(NamedTuple):
    number: int
    scope: Scope


class Scopes:
    """The slots of one program while it is compiled, in source order (GWL v1 section 3).

    At top level a declared name is found again as the global it already is; between `enter_proc` and
    `leave_proc` declarations make locals.
    """

    def __init__(self, statements: tuple[syntax.Statement, ...]) -> None:
        self._globals: dict[str, Slot] = {}
        for name in _top_level_names(statements):
            if name not in self._globals:
                self._globals[name] = Slot(len(self._globals), Scope.GLOBAL)
        self.global_names = list(self._globals)
        """Name of each global slot, "" for a hidden one."""
        self._blocks: list[dict[str, Slot]] = []
        self._local_count = 0

    def find(self, name: str) -> Slot | None:
        for block in reversed(self._blocks):
            if name in block:
                return block[name]
        return self._globals.get(name)

    def declare(self, name: str) -> Slot:
        """The slot of a `var` or loop variable; in a proc a second `var` in a block reuses its slot."""
        if not self._blocks:
            return self._globals[name]
        block = self._blocks[-1]
        if name not in block:
            block[name] = self._add_local()
        return block[name]

    def add_hidden(self) -> Slot:
        """A slot no name reaches, such as a loop's limit."""
        if self._blocks:
            return self._add_local()
        self.global_names.append("")
        return Slot(len(self.global_names) - 1, Scope.GLOBAL)

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope of its own inside a proc; at top level nothing, where all names are in one flat set."""
        if not self._blocks:
            yield
            return
        self._blocks.append({})
        yield
        self._blocks.pop()

    def enter_proc(self, parameters: tuple[str, ...]) -> None:
        """Opens the scope of the parameters; of two with one name, the name means the later."""
        self._blocks = [{name: Slot(index, Scope.LOCAL) for index, name in enumerate(parameters)}]
        self._local_count = len(parameters)

    def leave_proc(self) -> int:
        """Closes the proc's scope and returns how many local slots it needs."""
        self._blocks = []
        return self._local_count

    def _add_local(self) -> Slot:
        self._local_count += 1
        return Slot(self._local_count - 1, Scope.LOCAL)


def _top_level_names(statements: tuple[syntax.Statement, ...]) -> Iterator[str]:
    """Every name that top-level code declares, nested blocks included, in source order."""
    pending = list(reversed(statements))
    while pending:
        statement = pending.pop()
        bodies: list[syntax.Block] = []
        match statement:
            case syntax.Var(name=name):
                yield name
            case syntax.For(variable=name, body=body):
                yield name
                bodies = [body]
            case syntax.While(body=body):
                bodies = [body]
            case syntax.If(branches=branches, otherwise=otherwise):
                bodies = [body for _, body in branches] + ([] if otherwise is None else [otherwise])
            case _:
                pass  # Declares nothing outside itself.
        for body in reversed(bodies):
            pending.extend(reversed(body.statements))
