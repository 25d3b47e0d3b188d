"""Going through a syntax tree without recursion: the parts of statements and expressions, and all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from gwl import syntax

LEAVES = (syntax.Integer, syntax.Boolean, syntax.Name)
"""Expressions without parts."""


def get_blocks(statement: syntax.Statement) -> tuple[syntax.Block, ...]:
    """The blocks of a statement, in order."""
    match statement:
        case syntax.If(branches=branches, otherwise=None):
            return tuple(block for _, block in branches)
        case syntax.If(branches=branches, otherwise=syntax.Block() as otherwise):
            return (*(block for _, block in branches), otherwise)
        case syntax.While(body=body) | syntax.For(body=body) | syntax.Proc(body=body):
            return (body,)
        case _:
            return ()


def get_expressions(statement: syntax.Statement) -> tuple[syntax.Expression, ...]:
    """The expressions that stand in a statement itself, in order; an assigned element is one of them."""
    match statement:
        case syntax.Var(value=value) | syntax.Assign(value=value) | syntax.Discard(value=value):
            return (value,)
        case syntax.AssignIndex(target=target, value=value):
            return target, value
        case syntax.Return(value=result):
            return () if result is None else (result,)
        case syntax.If(branches=branches):
            return tuple(condition for condition, _ in branches)
        case syntax.While(condition=condition):
            return (condition,)
        case syntax.For(start=start, stop=stop):
            return (start,) if stop is None else (start, stop)
        case syntax.Action(arguments=arguments):
            return arguments
        case syntax.Break() | syntax.Continue() | syntax.Proc():
            return ()
        case _:
            assert_never(statement)


def get_operands(expression: syntax.Expression) -> tuple[syntax.Expression, ...]:
    """The parts of an expression, in order."""
    match expression:
        case syntax.Integer() | syntax.Boolean() | syntax.Name():
            return ()
        case syntax.ArrayLiteral(items=parts) | syntax.Call(arguments=parts):
            return parts
        case syntax.Index(array=array, index=index):
            return array, index
        case syntax.Binary(left=left, right=right):
            return left, right
        case syntax.Unary(operand=operand):
            return (operand,)
        case _:
            assert_never(expression)


def walk_statements(statements: Iterable[syntax.Statement]) -> Iterator[syntax.Statement]:
    """All statements, those in blocks too, in order of the source."""
    todo = list(statements)[::-1]
    while todo:
        statement = todo.pop()
        yield statement
        for block in reversed(get_blocks(statement)):
            todo.extend(reversed(block.statements))


def walk_expressions(statement: syntax.Statement) -> Iterator[syntax.Expression]:
    """All expressions that stand in a statement itself, each before its parts."""
    todo = list(get_expressions(statement))[::-1]
    while todo:
        expression = todo.pop()
        yield expression
        todo.extend(reversed(get_operands(expression)))
