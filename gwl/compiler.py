"""From the syntax tree to the instruction list whose prices GWL v1 section 5 fixes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from gwl import syntax
from gwl.assembler import Assembler, Later, Row
from gwl.builtins import ARRAY_LITERAL, BUILTINS, CALLED_WHEN_READ, CONSTANTS, FIRST_PROC, Builtin
from gwl.program import ActionKind, BinaryOp, Op, ProcEntry, Program, Scope, UnaryOp
from gwl.scopes import Scopes, Slot
from gwl.syntax import BinaryOperator

_UNARY = {operator: UnaryOp[operator.name] for operator in syntax.UnaryOperator}
_BINARY: dict[BinaryOperator, BinaryOp] = {
    operator: BinaryOp[operator.name]
    for operator in BinaryOperator
    if operator is not BinaryOperator.AND and operator is not BinaryOperator.OR
}
_ACTIONS = {name: ActionKind[name.name] for name in syntax.ActionName}

_EXPRESSIONS = (
    syntax.Name,
    syntax.Integer,
    syntax.Binary,
    syntax.Call,
    syntax.Unary,
    syntax.Index,
    syntax.Boolean,
    syntax.ArrayLiteral,
)
"""For `isinstance`, which takes many times as long with a union."""

Children = Iterator[syntax.Statement | syntax.Expression]


def compile_program(tree: syntax.Program) -> Program:
    """Compiles a tree that the parser accepted; there is nothing left to refuse."""
    return _Compiler(tree).compile()


class _Loop(NamedTuple):
    continue_label: Later
    break_label: Later


@dataclass(frozen=True, slots=True)
class _Arrival:
    """The place behind a call's arguments: not before it is known which undefined name comes first."""

    call: syntax.Call


_Step = syntax.Expression | Row | _Arrival | Later


class _Compiler:
    """One compilation.

    A `_compile_…` method is a generator: it emits its own instructions and yields each part where that
    part's instructions belong. `_run` drives them from one explicit stack, so that nesting in the source
    never becomes recursion here.
    """

    def __init__(self, tree: syntax.Program) -> None:
        self._tree = tree
        self._code = Assembler()
        self._scopes = Scopes(tree.statements)
        self._procs = [statement for statement in tree.statements if isinstance(statement, syntax.Proc)]
        self._proc_index = {proc.name: index for index, proc in enumerate(self._procs)}
        self._loops: list[_Loop] = []

    def compile(self) -> Program:
        main = Later()
        self._code.emit(Op.JUMP, main, 0, 1)
        entries = [self._compile_proc(proc) for proc in self._procs]
        self._code.place(main)
        for statement in self._tree.statements:
            if not isinstance(statement, syntax.Proc):
                self._run(self._compile_statement(statement))
        self._code.emit(Op.HALT, 0, 0, max(1, self._tree.line_count))
        return self._code.finish(self._scopes.global_names, entries)

    def _compile_proc(self, proc: syntax.Proc) -> ProcEntry:
        entry = self._code.here()
        local_count = Later()
        self._scopes.enter_proc(proc.parameters)
        self._code.emit(Op.ENTER, local_count, 0, proc.line)
        self._run(self._compile_block(proc.body))
        self._code.push_integer(0, proc.line)
        self._code.emit(Op.RETURN, 0, 0, proc.line)
        local_count.value = self._scopes.leave_proc()
        return ProcEntry(proc.name, entry, len(proc.parameters), local_count.value)

    def _run(self, parts: Children) -> None:
        open_parts = [parts]
        while open_parts:
            part = next(open_parts[-1], None)
            if part is None:
                open_parts.pop()
            elif isinstance(part, _EXPRESSIONS):
                self._compile_expression(part)
            else:
                open_parts.append(self._compile_statement(part))

    def _compile_block(self, block: syntax.Block) -> Children:
        with self._scopes.block():
            yield from block.statements

    def _compile_statement(self, statement: syntax.Statement) -> Children:
        line = statement.line
        match statement:
            case syntax.Var():
                yield statement.value  # Before the name is declared: `var a = a` reads an outer one.
                self._store(self._scopes.declare(statement.name), line)
            case syntax.Assign():
                yield statement.value
                self._store(self._resolve(statement.name), line)
            case syntax.AssignIndex():
                yield statement.target.array
                yield statement.target.index
                yield statement.value
                self._code.emit(Op.INDEX, 1, 0, statement.target.line)
            case syntax.Discard():
                yield statement.value
                self._code.emit(Op.LEAVE, 1, 0, line)
            case syntax.Return():
                if statement.value is None:
                    self._code.push_integer(0, line)
                else:
                    yield statement.value
                self._code.emit(Op.RETURN, 0, 0, line)
            case syntax.Break():
                self._code.emit(Op.JUMP, self._loops[-1].break_label, 0, line)
            case syntax.Continue():
                self._code.emit(Op.JUMP, self._loops[-1].continue_label, 0, line)
            case syntax.Action():
                yield from statement.arguments
                kind = _ACTIONS[statement.name]
                self._code.emit(Op.ACTION, kind, len(statement.arguments), line)
            case syntax.If():
                yield from self._compile_if(statement)
            case syntax.While():
                yield from self._compile_while(statement)
            case syntax.For():
                if statement.stop is None:
                    yield from self._compile_for_array(statement)
                else:
                    yield from self._compile_for_range(statement, statement.stop)
            case syntax.Proc():
                raise AssertionError("a proc stands at top level only")
            case _:
                assert_never(statement)

    def _compile_if(self, statement: syntax.If) -> Children:
        end = Later()
        for condition, body in statement.branches:
            otherwise = Later()
            yield condition
            self._code.emit(Op.JUMP_FALSE, otherwise, 0, condition.line)
            yield from self._compile_block(body)
            self._code.emit(Op.JUMP, end, 0, statement.line)
            self._code.place(otherwise)
        if statement.otherwise is not None:
            yield from self._compile_block(statement.otherwise)
        self._code.place(end)

    def _compile_while(self, statement: syntax.While) -> Children:
        again, loop = self._code.here(), _Loop(Later(), Later())
        yield statement.condition
        self._code.emit(Op.JUMP_FALSE, loop.break_label, 0, statement.line)
        yield from self._compile_loop_body(loop, statement.body)
        self._code.emit(Op.JUMP, again, 0, statement.line)
        self._code.place(loop.break_label)

    def _compile_for_range(self, statement: syntax.For, stop: syntax.Expression) -> Children:
        line, loop = statement.line, _Loop(Later(), Later())
        with self._scopes.block():
            variable = self._scopes.declare(statement.variable)
            yield statement.start
            self._store(variable, line)
            yield stop
            limit = self._scopes.add_hidden()
            self._store(limit, line)
            again = self._code.here()
            self._load(variable, line)
            self._load(limit, line)
            compare = BinaryOp.LESS_EQUAL if statement.inclusive else BinaryOp.LESS
            self._code.emit(Op.BINARY, compare, 0, line)
            self._code.emit(Op.JUMP_FALSE, loop.break_label, 0, line)
            yield from self._compile_loop_body(loop, statement.body)
            self._increment(variable, line)
            self._code.emit(Op.JUMP, again, 0, line)
            self._code.place(loop.break_label)

    def _compile_for_array(self, statement: syntax.For) -> Children:
        line, loop = statement.line, _Loop(Later(), Later())
        with self._scopes.block():
            variable = self._scopes.declare(statement.variable)
            yield statement.start
            array = self._scopes.add_hidden()
            self._store(array, line)
            position = self._scopes.add_hidden()
            self._code.push_integer(0, line)
            self._store(position, line)
            again = self._code.here()
            self._load(position, line)
            self._load(array, line)
            self._code.emit(Op.CALL, Builtin.LEN, 1, line)
            self._code.emit(Op.BINARY, BinaryOp.LESS, 0, line)
            self._code.emit(Op.JUMP_FALSE, loop.break_label, 0, line)
            self._load(array, line)
            self._load(position, line)
            self._code.emit(Op.INDEX, 0, 0, line)
            self._store(variable, line)
            yield from self._compile_loop_body(loop, statement.body)
            self._increment(position, line)
            self._code.emit(Op.JUMP, again, 0, line)
            self._code.place(loop.break_label)

    def _compile_loop_body(self, loop: _Loop, body: syntax.Block) -> Children:
        self._loops.append(loop)
        yield from self._compile_block(body)
        self._loops.pop()
        self._code.place(loop.continue_label)

    def _compile_expression(self, expression: syntax.Expression) -> None:
        """Emits an expression's instructions.

        What remains to be done stands on a stack, the next on top: a part, an instruction to emit, a label to
        place, or a call whose arguments are done.
        """
        code = self._code
        todo: list[_Step] = [expression]
        while todo:
            step = todo.pop()
            if isinstance(step, syntax.Name):
                self._read(step)
            elif isinstance(step, syntax.Integer):
                code.push_integer(step.value, step.line)
            elif isinstance(step, tuple):
                code.emit(*step)
            elif isinstance(step, syntax.Binary):
                if step.operator in _BINARY:
                    todo += ((Op.BINARY, _BINARY[step.operator], 0, step.line), step.right, step.left)
                else:
                    todo += reversed(self._plan_logic(step))
            elif isinstance(step, syntax.Call):
                todo.append(_Arrival(step))
                todo += reversed(step.arguments)
            elif isinstance(step, _Arrival):
                call = step.call
                code.emit(Op.CALL, self._callee(call.name), len(call.arguments), call.line)
            elif isinstance(step, syntax.Unary):
                todo += ((Op.UNARY, _UNARY[step.operator], 0, step.line), step.operand)
            elif isinstance(step, syntax.Index):
                todo += ((Op.INDEX, 0, 0, step.line), step.index, step.array)
            elif isinstance(step, syntax.Boolean):
                code.push_boolean(step.value, step.line)
            elif isinstance(step, syntax.ArrayLiteral):
                todo.append((Op.CALL, ARRAY_LITERAL, len(step.items), step.line))
                todo += reversed(step.items)
            elif isinstance(step, Later):
                code.place(step)
            else:
                assert_never(step)

    def _plan_logic(self, expression: syntax.Binary) -> list[_Step]:
        """The steps of an operator that leaves out its right side where the left one decides."""
        line, otherwise, end = expression.line, Later(), Later()
        is_and = expression.operator is BinaryOperator.AND
        evaluated: list[_Step] = [expression.right, (Op.UNARY, UnaryOp.ASSERT_BOOLEAN, 0, line)]
        decided: list[_Step] = [(Op.PUSH, int(not is_and), 1, line)]
        if_true, if_false = (evaluated, decided) if is_and else (decided, evaluated)
        jump_false, jump = (Op.JUMP_FALSE, otherwise, 0, line), (Op.JUMP, end, 0, line)
        return [expression.left, jump_false, *if_true, jump, otherwise, *if_false, end]

    def _read(self, expression: syntax.Name) -> None:
        name, line = expression.name, expression.line
        if name in CONSTANTS:
            self._code.push_integer(CONSTANTS[name], line)
        elif name in CALLED_WHEN_READ:
            self._code.emit(Op.CALL, CALLED_WHEN_READ[name], 0, line)
        else:
            self._load(self._resolve(name), line)

    def _resolve(self, name: str) -> Slot:
        return self._scopes.find(name) or Slot(self._code.name_index(name), Scope.UNDEFINED)

    def _callee(self, name: str) -> int:
        """The `a` operand of a call by this name; builtins win over procs."""
        if name in BUILTINS:
            return BUILTINS[name]
        if name in self._proc_index:
            return FIRST_PROC + self._proc_index[name]
        return -1 - self._code.name_index(name)

    def _load(self, slot: Slot, line: int) -> None:
        self._code.emit(Op.LOAD, slot.number, slot.scope, line)

    def _store(self, slot: Slot, line: int) -> None:
        self._code.emit(Op.STORE, slot.number, slot.scope, line)

    def _increment(self, slot: Slot, line: int) -> None:
        self._load(slot, line)
        self._code.push_integer(1, line)
        self._code.emit(Op.BINARY, BinaryOp.ADD, 0, line)
        self._store(slot, line)
