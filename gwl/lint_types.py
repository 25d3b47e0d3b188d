"""Operations whose operands are certain to have the wrong type, and so to fault when they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from enum import Enum

from gwl import syntax
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.errors import FaultCode, Problem, WarningCode
from gwl.syntax import BinaryOperator, UnaryOperator
from gwl.walk import walk_expressions, walk_statements


class Type(Enum):
    INTEGER = "an integer"
    BOOLEAN = "a boolean"
    ARRAY = "an array"


Types = Mapping[syntax.Expression, Type | None]
"""What each expression is certain to be; None where that cannot be told, or where it faults."""

_ARITHMETIC = frozenset(
    {
        BinaryOperator.ADD,
        BinaryOperator.SUBTRACT,
        BinaryOperator.MULTIPLY,
        BinaryOperator.DIVIDE,
        BinaryOperator.MODULO,
    }
)
_LOGIC = frozenset({BinaryOperator.AND, BinaryOperator.OR})
_EQUALITY = frozenset({BinaryOperator.EQUAL, BinaryOperator.NOT_EQUAL})
_NEEDS_NO_ARRAY = frozenset({"check", "who"})


def find_wrong_types(tree: syntax.Program) -> Iterator[Problem]:
    """Finds what is certain to fault; the inner of two such operations alone."""
    integers = _find_integer_variables(tree)
    for statement in walk_statements(tree.statements):
        types: dict[syntax.Expression, Type | None] = {}
        for expression in reversed(list(walk_expressions(statement))):
            is_target = isinstance(statement, syntax.AssignIndex) and expression is statement.target
            problem = None if is_target else _check_expression(expression, types)
            types[expression] = None if problem else _infer(expression, integers)
            if problem:
                yield problem
        yield from _check_statement(statement, types)


def _find_integer_variables(tree: syntax.Program) -> frozenset[str]:
    """Names of which every variable is an integer whenever it is read, as it is before its first value.

    Whatever is given to a parameter, or comes from a proc, may be anything.
    """
    given: dict[str, list[syntax.Expression]] = {}
    unknown: set[str] = set()
    for statement in walk_statements(tree.statements):
        match statement:
            case syntax.Var(name=name, value=value) | syntax.Assign(name=name, value=value):
                given.setdefault(name, []).append(value)
            case syntax.For(variable=name, start=start, stop=stop):
                given.setdefault(name, []).extend([] if stop is None else [start])
            case syntax.Proc(parameters=parameters):
                unknown.update(parameters)
    integers = given.keys() - unknown
    while True:
        kept = {
            name for name in integers if all(_infer(value, integers) is Type.INTEGER for value in given[name])
        }
        if kept == integers:
            return frozenset(integers)
        integers = kept


def _infer(expression: syntax.Expression, integers: Set[str]) -> Type | None:
    match expression:
        case syntax.Integer() | syntax.Index() | syntax.Unary(operator=UnaryOperator.NEGATE):
            return Type.INTEGER
        case syntax.Boolean() | syntax.Unary(operator=UnaryOperator.NOT):
            return Type.BOOLEAN
        case syntax.ArrayLiteral():
            return Type.ARRAY
        case syntax.Binary(operator=operator):
            return Type.INTEGER if operator in _ARITHMETIC else Type.BOOLEAN
        case syntax.Name(name=name):
            is_integer = name in CONSTANTS or name in CALLED_WHEN_READ or name in integers
            return Type.INTEGER if is_integer else None
        case syntax.Call(name=name):
            return Type.INTEGER if name in BUILTINS else None
        case _:
            return None


def _check_expression(expression: syntax.Expression, types: Types) -> Problem | None:
    match expression:
        case syntax.Unary(operator=UnaryOperator.NEGATE, operand=operand):
            return _require(operand, Type.INTEGER, types, FaultCode.NEG_TYPE, 'what "-" negates')
        case syntax.Unary(operand=operand):
            hint = '"not" binds tighter than "==": write "not (a == b)"'
            return _require(operand, Type.BOOLEAN, types, FaultCode.NOT_TYPE, 'what "not" negates', hint)
        case syntax.Binary():
            return _check_binary(expression, types)
        case syntax.Call(name=name, arguments=arguments) if name in BUILTINS:
            return _check_call(name, arguments, types)
        case syntax.Index(array=array, index=index):
            return _require(array, Type.ARRAY, types, FaultCode.NOT_AN_ARRAY, "what is indexed") or _require(
                index, Type.INTEGER, types, FaultCode.INDEX_TYPE, "the index"
            )
        case syntax.ArrayLiteral(items=items):
            return _require_all(items, types, FaultCode.LITERAL_TYPE, "an element of an array")
        case _:
            return None


def _check_binary(expression: syntax.Binary, types: Types) -> Problem | None:
    operator, left, right = expression.operator, expression.left, expression.right
    side = f'side of "{operator}"'
    if operator in _LOGIC:
        return _require(
            left, Type.BOOLEAN, types, FaultCode.CONDITION_TYPE, f"the left {side}", _COMPARE
        ) or _require(right, Type.BOOLEAN, types, FaultCode.LOGIC_TYPE, f"the right {side}", _COMPARE)
    if operator not in _EQUALITY:
        code = FaultCode.ARITH_TYPES if operator in _ARITHMETIC else FaultCode.ORDER_TYPES
        hint = "" if operator in _ARITHMETIC else 'a chain is written "a < b and b < c"'
        return _require(left, Type.INTEGER, types, code, f"the left {side}", hint) or _require(
            right, Type.INTEGER, types, code, f"the right {side}"
        )
    kinds = [types[left], types[right]]
    differ = None not in kinds and kinds[0] is not kinds[1]
    if not differ and Type.ARRAY not in kinds:
        return None
    what = "arrays" if Type.ARRAY in kinds else f"{Type.BOOLEAN.value} and {Type.INTEGER.value}"
    message = f'"{operator}" cannot compare {what}; this faults ({FaultCode.COMPARE_TYPES})'
    return Problem(WarningCode.WRONG_TYPE, expression.line, expression.column, message)


def _check_call(name: str, arguments: tuple[syntax.Expression, ...], types: Types) -> Problem | None:
    if len(arguments) != BUILTINS[name].arity:
        return None  # Counted before the types are looked at.
    for argument in arguments:
        kind = types[argument]
        if kind is Type.BOOLEAN:
            return _report(argument, f'an argument of "{name}"', "an integer", kind, FaultCode.BOOL_ARGUMENT)
        if kind is Type.ARRAY and name in _NEEDS_NO_ARRAY:
            return _report(argument, f'an argument of "{name}"', "an integer", kind, FaultCode.INT_ARGUMENT)
        if kind is Type.INTEGER and name == "len":
            return _report(argument, 'the argument of "len"', "an array", kind, FaultCode.LEN_TYPE)
    return None


def _check_statement(statement: syntax.Statement, types: Types) -> Iterator[Problem]:
    found: list[Problem | None] = []
    match statement:
        case syntax.If(branches=branches):
            found += [_check_condition(condition, types) for condition, _ in branches]
        case syntax.While(condition=condition):
            found.append(_check_condition(condition, types))
        case syntax.For(start=start, stop=None):
            code = FaultCode.BOOL_ARGUMENT if types[start] is Type.BOOLEAN else FaultCode.LEN_TYPE
            hint = 'to count write "for i in 0 ..< n:"'
            found.append(_require(start, Type.ARRAY, types, code, 'what "for" goes through', hint))
        case syntax.For(start=start, stop=stop) if stop is not None:
            found.append(_require_all((start, stop), types, FaultCode.ORDER_TYPES, "a bound of a range"))
        case syntax.AssignIndex(target=target, value=value):
            found.append(
                _require(target.array, Type.ARRAY, types, FaultCode.NOT_AN_ARRAY, "what is indexed")
                or _require(target.index, Type.INTEGER, types, FaultCode.ITEM_TYPE, "the index")
                or _require(value, Type.INTEGER, types, FaultCode.ITEM_TYPE, "an element of an array")
            )
        case syntax.Action(arguments=arguments):
            found.append(_require_all(arguments, types, FaultCode.MOVE_TYPE, 'an argument of "move"'))
        case _:
            pass
    yield from (problem for problem in found if problem)


_COMPARE = 'compare it, for instance with "!= 0"'


def _check_condition(condition: syntax.Expression, types: Types) -> Problem | None:
    return _require(condition, Type.BOOLEAN, types, FaultCode.CONDITION_TYPE, "the condition", _COMPARE)


def _require_all(
    expressions: tuple[syntax.Expression, ...], types: Types, code: FaultCode, role: str
) -> Problem | None:
    for expression in expressions:
        problem = _require(expression, Type.INTEGER, types, code, role)
        if problem:
            return problem
    return None


def _require(
    expression: syntax.Expression, wanted: Type, types: Types, code: FaultCode, role: str, hint: str = ""
) -> Problem | None:
    kind = types[expression]
    if kind is None or kind is wanted:
        return None
    return _report(expression, role, wanted.value, kind, code, hint)


def _report(
    expression: syntax.Expression, role: str, wanted: str, kind: Type, code: FaultCode, hint: str = ""
) -> Problem:
    message = f"{role} must be {wanted}, but is {kind.value}; this faults ({code})"
    return Problem(WarningCode.WRONG_TYPE, expression.line, expression.column, message, hint)
