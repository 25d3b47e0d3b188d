"""The rules of GWL v1 section 2 that the grammar cannot say: nesting, procs, jumps, arguments, tree size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from gwl import syntax
from gwl.errors import ErrorCode, Problem
from gwl.limits import MAX_NESTING, MAX_NODES, MAX_PROCS

_PARAMETERS = {
    syntax.ActionName.MOVE: ("dx", "dy"),
    syntax.ActionName.PLACE: (),
    syntax.ActionName.BOMB: (),
    syntax.ActionName.WAIT: (),
}


class _Place(NamedTuple):
    """Where a statement stands: the depth of its block, and what its jumps can leave."""

    depth: int = 0
    in_loop: bool = False
    in_proc: bool = False


def check_statements(statements: tuple[syntax.Statement, ...]) -> Iterator[Problem]:
    """Finds the errors of a program's top-level statements, in order of the source.

    The tree may hold stand-ins for damaged lines, at column 0; anything goes inside their blocks.
    """
    procs: dict[str, syntax.Proc] = {}
    node_count = 1
    todo = [(statement, _Place()) for statement in reversed(statements)]
    while todo:
        statement, place = todo.pop()
        if isinstance(statement, syntax.Proc):
            yield from _check_proc(statement, procs)
        yield from _check_statement(statement, place)
        before = node_count
        node_count += _count_nodes(statement)
        if before <= MAX_NODES < node_count:
            message = f"the script is too complex: more than {MAX_NODES} syntax tree nodes up to here"
            yield Problem(ErrorCode.TOO_MANY_NODES, statement.line, statement.column, message)
        inner = _enter(statement, place)
        blocks = list(_blocks(statement))
        node_count += len(blocks)
        for block in reversed(blocks):
            if inner.depth > MAX_NESTING:
                message = f"blocks are nested more than {MAX_NESTING} deep here"
                yield Problem(ErrorCode.NESTING, block.line, block.column, message)
            else:
                todo.extend((child, inner) for child in reversed(block.statements))


def _check_proc(proc: syntax.Proc, procs: dict[str, syntax.Proc]) -> Iterator[Problem]:
    """Takes the proc up into `procs`, the first of each name."""
    if not proc.name:
        return
    if proc.name in procs:
        first = procs[proc.name].line
        message = f'there is already a proc named "{proc.name}", at line {first}'
        yield Problem(ErrorCode.DUPLICATE_PROC, proc.line, proc.column, message)
        return
    procs[proc.name] = proc
    if len(procs) == MAX_PROCS + 1:
        message = f"more than {MAX_PROCS} procs"
        yield Problem(ErrorCode.TOO_MANY_PROCS, proc.line, proc.column, message)


def _check_statement(statement: syntax.Statement, place: _Place) -> Iterator[Problem]:
    line, column = statement.line, statement.column
    match statement:
        case syntax.Break() if not place.in_loop:
            yield Problem(ErrorCode.BREAK_OUTSIDE, line, column, '"break" stands outside of any loop')
        case syntax.Continue() if not place.in_loop:
            yield Problem(ErrorCode.CONTINUE_OUTSIDE, line, column, '"continue" stands outside of any loop')
        case syntax.Return() if not place.in_proc:
            yield Problem(ErrorCode.RETURN_OUTSIDE, line, column, '"return" stands outside of any proc')
        case syntax.Action(name=name, arguments=arguments) if len(arguments) != len(_PARAMETERS[name]):
            wanted = f"{name}({', '.join(_PARAMETERS[name])})"
            message = f'"{wanted}" takes {len(_PARAMETERS[name]) or "no"} arguments, found {len(arguments)}'
            yield Problem(ErrorCode.ACTION_ARITY, line, column, message)


def _enter(statement: syntax.Statement, place: _Place) -> _Place:
    if statement.column == 0:
        return _Place(place.depth + 1, in_loop=True, in_proc=True)
    match statement:
        case syntax.Proc():
            return _Place(place.depth + 1, in_loop=False, in_proc=True)
        case syntax.While() | syntax.For():
            return place._replace(depth=place.depth + 1, in_loop=True)
        case _:
            return place._replace(depth=place.depth + 1)


def _blocks(statement: syntax.Statement) -> Iterator[syntax.Block]:
    match statement:
        case syntax.If(branches=branches, otherwise=otherwise):
            yield from (block for _, block in branches)
            if otherwise is not None:
                yield otherwise
        case syntax.While(body=body) | syntax.For(body=body) | syntax.Proc(body=body):
            yield body


def _count_nodes(statement: syntax.Statement) -> int:
    """Nodes of a statement and its expressions, by the table of GWL v1 section 2; its blocks aside."""
    count = 2 if isinstance(statement, syntax.Assign | syntax.AssignIndex) else 1
    todo = list(_expressions(statement))
    if isinstance(statement, syntax.AssignIndex):
        count -= 1  # The target's own node is counted below.
    while todo:
        expression = todo.pop()
        count += 1
        match expression:
            case syntax.ArrayLiteral(items=parts) | syntax.Call(arguments=parts):
                todo.extend(parts)
            case syntax.Index(array=array, index=index):
                todo += (array, index)
            case syntax.Binary(left=left, right=right):
                todo += (left, right)
            case syntax.Unary(operand=operand):
                todo.append(operand)
            case syntax.Integer() | syntax.Boolean() | syntax.Name():
                pass
            case _:
                assert_never(expression)
    return count


def _expressions(statement: syntax.Statement) -> Iterator[syntax.Expression]:
    match statement:
        case syntax.Var(value=value) | syntax.Assign(value=value) | syntax.Discard(value=value):
            yield value
        case syntax.AssignIndex(target=target, value=value):
            yield from (target, value)
        case syntax.Return(value=result):
            if result is not None:
                yield result
        case syntax.If(branches=branches):
            yield from (condition for condition, _ in branches)
        case syntax.While(condition=condition):
            yield condition
        case syntax.For(start=start, stop=stop):
            yield start
            if stop is not None:
                yield stop
        case syntax.Action(arguments=arguments):
            yield from arguments
        case syntax.Break() | syntax.Continue() | syntax.Proc():
            pass
        case _:
            assert_never(statement)
