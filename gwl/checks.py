"""The rules of GWL v1 section 2 that the grammar cannot say: nesting, procs, jumps, arguments, tree size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gwl import syntax
from gwl.errors import ErrorCode, Problem
from gwl.limits import MAX_NESTING, MAX_NODES, MAX_PROCS
from gwl.walk import LEAVES, get_blocks, get_expressions, get_operands

_PARAMETERS = {
    syntax.ActionName.MOVE: ("dx", "dy"),
    syntax.ActionName.PLACE: (),
    syntax.ActionName.BOMB: (),
    syntax.ActionName.WAIT: (),
}


_PLAIN = (syntax.Var, syntax.Assign, syntax.AssignIndex, syntax.Discard)
"""Statements of which the grammar says all but how many nodes they have."""


class _Place(NamedTuple):
    """Where a statement stands: the depth of its block, and what its jumps can leave."""

    depth: int = 0
    in_loop: bool = False
    in_proc: bool = False


def check_statements(
    statements: tuple[syntax.Statement, ...], most_nodes: int = MAX_NODES + 1
) -> Iterator[Problem]:
    """Finds the errors of a program's top-level statements, in order of the source.

    The tree may hold stand-ins for what was damaged or missing, at column 0; anything goes inside them.

    Args:
        most_nodes: that the tree can have; they are counted only where that is too many.
    """
    counts = most_nodes > MAX_NODES
    procs: dict[str, syntax.Proc] = {}
    node_count = 1
    todo = [(statement, _Place()) for statement in reversed(statements)]
    while todo:
        statement, place = todo.pop()
        if not counts and isinstance(statement, _PLAIN):
            continue
        if isinstance(statement, syntax.Proc):
            yield from _check_proc(statement, procs)
        yield from _check_statement(statement, place)
        blocks = get_blocks(statement)
        if counts:
            before = node_count
            node_count += _count_nodes(statement) + len(blocks)
            if before <= MAX_NODES < node_count:
                message = f"the script is too complex: more than {MAX_NODES} syntax tree nodes up to here"
                yield Problem(ErrorCode.TOO_MANY_NODES, statement.line, statement.column, message)
        if not blocks:
            continue
        inner = _enter(statement, place)
        for block in reversed(blocks):
            if inner.depth <= MAX_NESTING:
                todo.extend((child, inner) for child in reversed(block.statements))
            elif block.column > 0:
                message = f"blocks are nested more than {MAX_NESTING} deep here"
                yield Problem(ErrorCode.NESTING, block.line, block.column, message)


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


def _count_nodes(statement: syntax.Statement) -> int:
    """Nodes of a statement and its expressions, by the table of GWL v1 section 2; its blocks aside."""
    count = 2 if isinstance(statement, syntax.Assign) else 1
    todo = list(get_expressions(statement))
    while todo:
        count += 1
        expression = todo.pop()
        if not isinstance(expression, LEAVES):
            todo += get_operands(expression)
    return count
