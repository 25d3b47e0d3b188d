"""Warnings: what compiles, but is certain to fault when it runs, or never runs, or cannot be meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from gwl import syntax
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.errors import Diagnostic, Problem, WarningCode
from gwl.lint_names import find_unknown_names
from gwl.lint_types import find_wrong_types
from gwl.lint_values import find_wrong_values
from gwl.program import Program
from gwl.walk import get_blocks, walk_expressions, walk_statements

MAX_WARNINGS = 50


def find_warnings(tree: syntax.Program, program: Program, lines: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Lints a script that compiles.

    Args:
        tree: parsed from `lines`.
        program: compiled from `tree`.
    """
    problems = [
        *find_unknown_names(tree, program),
        *find_wrong_types(tree),
        *find_wrong_values(tree),
        *_find_argument_counts(tree),
        *_find_constant_names(tree),
        *_find_dead_ends(tree),
    ]
    problems.sort(key=attrgetter("line", "column"))
    return tuple(
        Diagnostic(code, line, column, message, lines[line - 1], hint)
        for code, line, column, message, hint in problems[:MAX_WARNINGS]
    )


def _find_argument_counts(tree: syntax.Program) -> Iterator[Problem]:
    arities = {
        statement.name: len(statement.parameters)
        for statement in tree.statements
        if isinstance(statement, syntax.Proc)
    }
    arities |= {name: builtin.arity for name, builtin in BUILTINS.items()}
    for statement in walk_statements(tree.statements):
        for call in walk_expressions(statement):
            if isinstance(call, syntax.Call) and arities.get(call.name, len(call.arguments)) != len(
                call.arguments
            ):
                arity = arities[call.name]
                message = (
                    f'"{call.name}" takes {arity} arguments, found {len(call.arguments)}; this call faults'
                )
                yield Problem(WarningCode.ARGUMENT_COUNT, call.line, call.column, message)


def _find_constant_names(tree: syntax.Program) -> Iterator[Problem]:
    for statement in walk_statements(tree.statements):
        match statement:
            case syntax.Var(name=name) | syntax.For(variable=name):
                names: tuple[str, ...] = (name,)
            case syntax.Proc(parameters=parameters):
                names = parameters
            case _:
                continue
        for name in dict.fromkeys(names):
            if name in CONSTANTS or name in CALLED_WHEN_READ:
                message = f'"{name}" always reads as the constant, whatever is stored in it'
                yield Problem(
                    WarningCode.CONSTANT_NAME,
                    statement.line,
                    statement.column,
                    message,
                    "choose another name",
                )


def _find_dead_ends(tree: syntax.Program) -> Iterator[Problem]:
    """Statements that nothing leads to, and loops that neither act nor end."""
    bodies = [tree.statements]
    for statement in walk_statements(tree.statements):
        bodies.extend(block.statements for block in get_blocks(statement))
        if _is_endless(statement) and not _may_act(statement):
            message = "this loop neither acts nor ends: from here on the warrior only waits"
            yield Problem(WarningCode.ENDLESS_STALL, statement.line, statement.column, message)
    for body in bodies:
        ended = False
        for statement in body:
            if ended and not isinstance(statement, syntax.Proc):
                message = "this line is never reached"
                yield Problem(WarningCode.UNREACHABLE, statement.line, statement.column, message)
                break
            ended = ended or _never_goes_on(statement)


def _never_goes_on(statement: syntax.Statement) -> bool:
    """Whether the statement after this one is certain never to run."""
    match statement:
        case syntax.Return() | syntax.Break() | syntax.Continue():
            return True
        case syntax.If(otherwise=syntax.Block()):
            return all(_never_goes_on(block.statements[-1]) for block in get_blocks(statement))
        case _:
            return _is_endless(statement)


def _is_endless(statement: syntax.Statement) -> bool:
    if not isinstance(statement, syntax.While) or not isinstance(statement.condition, syntax.Boolean):
        return False
    return statement.condition.value and not _has_own_break(statement.body)


def _has_own_break(body: syntax.Block) -> bool:
    todo = list(body.statements)
    while todo:
        statement = todo.pop()
        if isinstance(statement, syntax.Break):
            return True
        if not isinstance(statement, syntax.While | syntax.For):
            for block in get_blocks(statement):
                todo.extend(block.statements)
    return False


def _may_act(loop: syntax.Statement) -> bool:
    """Whether a run of the loop may act or leave it, as far as can be seen; a proc may do anything."""
    return any(
        isinstance(statement, syntax.Action | syntax.Return)
        or any(
            isinstance(part, syntax.Call) and part.name not in BUILTINS
            for part in walk_expressions(statement)
        )
        for statement in walk_statements([loop])
    )
