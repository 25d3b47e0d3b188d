"""Values that can be told without running a script, where they are certain to fault or to do nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gwl import syntax
from gwl.arithmetic import BINARY_BUILTINS, Faulted, divide, remainder
from gwl.builtins import BUILTINS, CONSTANTS
from gwl.errors import FaultCode, Problem, WarningCode
from gwl.limits import MAX_INTEGER, MIN_INTEGER
from gwl.syntax import BinaryOperator, UnaryOperator
from gwl.walk import walk_expressions, walk_statements

Values = Mapping[syntax.Expression, int | None]
"""What each expression is certain to be; None where that cannot be told, or where it faults."""

SIGHT = 4
WARRIORS = range(1, 5)
_DIVISIONS = {
    BinaryOperator.DIVIDE: ("div", FaultCode.DIV_ZERO),
    BinaryOperator.MODULO: ("mod", FaultCode.MOD_ZERO),
}
_SHIFTS = ("shl", "shr")
_SHIFT_RANGE = range(63)


def find_wrong_values(tree: syntax.Program) -> Iterator[Problem]:
    """Finds the inner of two such places alone, since the outer has no value then."""
    for statement in walk_statements(tree.statements):
        values: dict[syntax.Expression, int | None] = {}
        for expression in reversed(list(walk_expressions(statement))):
            problem = _check_expression(expression, values)
            values[expression] = None if problem else _fold(expression, values)
            if problem:
                yield problem
        if isinstance(statement, syntax.Action) and len(statement.arguments) == 2:
            yield from _check_move(statement, values)


def _fold(expression: syntax.Expression, values: Values) -> int | None:
    match expression:
        case syntax.Integer(value=value):
            return value
        case syntax.Name(name=name):
            return CONSTANTS.get(name)
        case syntax.Unary(operator=UnaryOperator.NEGATE, operand=operand):
            value_of = values[operand]
            return None if value_of is None else _fit(-value_of)
        case syntax.Binary(operator=operator, left=left, right=right):
            first, second = values[left], values[right]
            return None if first is None or second is None else _compute(operator, first, second)
        case syntax.Call(name=name, arguments=(left, right)) if name in BUILTINS:
            first, second = values[left], values[right]
            operation = BINARY_BUILTINS.get(BUILTINS[name])
            if operation is None or first is None or second is None:
                return None
            try:
                return operation(first, second)
            except Faulted:
                return None
        case _:
            return None


def _compute(operator: BinaryOperator, left: int, right: int) -> int | None:
    try:
        match operator:
            case BinaryOperator.ADD:
                return _fit(left + right)
            case BinaryOperator.SUBTRACT:
                return _fit(left - right)
            case BinaryOperator.MULTIPLY:
                return _fit(left * right)
            case BinaryOperator.DIVIDE:
                return divide(left, right)
            case BinaryOperator.MODULO:
                return remainder(left, right)
            case _:
                return None
    except Faulted:
        return None


def _fit(value: int) -> int | None:
    return value if MIN_INTEGER <= value <= MAX_INTEGER else None


def _check_expression(expression: syntax.Expression, values: Values) -> Problem | None:
    match expression:
        case syntax.Binary(operator=operator, right=right) if operator in _DIVISIONS and values[right] == 0:
            name, code = _DIVISIONS[operator]
            return _report(expression, f'"{name}" by zero has no value', code)
        case syntax.Binary(operator=operator, left=left, right=right) if operator not in _DIVISIONS:
            return _check_overflow(expression, operator, values[left], values[right])
        case syntax.Index(array=array, index=index):
            return _check_index(expression, array, values[index])
        case syntax.Call(name=name, arguments=arguments) if name in BUILTINS:
            if len(arguments) == BUILTINS[name].arity:
                return _check_call(expression, name, [values[argument] for argument in arguments])
    return None


def _check_overflow(
    expression: syntax.Expression, operator: BinaryOperator, left: int | None, right: int | None
) -> Problem | None:
    if left is None or right is None:
        return None
    is_arithmetic = operator in (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY)
    if not is_arithmetic or _compute(operator, left, right) is not None:
        return None
    return _report(expression, f"{left} {operator} {right} does not fit in 64 bits", FaultCode.OVERFLOW)


def _check_index(
    expression: syntax.Expression, array: syntax.Expression, index: int | None
) -> Problem | None:
    if index is None:
        return None
    if isinstance(array, syntax.ArrayLiteral) and index >= len(array.items):
        message = f"index {index} is out of range for an array of {len(array.items)}"
        return _report(expression, message, FaultCode.INDEX_RANGE)
    if index < 0:
        hint = "the last element is a[len(a) - 1]"
        return _report(expression, f"index {index} is out of any range", FaultCode.INDEX_RANGE, hint)
    return None


def _check_call(expression: syntax.Expression, name: str, arguments: list[int | None]) -> Problem | None:
    last = arguments[-1] if arguments else None
    if name in ("check", "who"):
        far = [each for each in arguments if each is not None and abs(each) > SIGHT]
        hint = "dx and dy count from the warrior, not from the board's corner"
        message = f'"{name}" sees {SIGHT} cells far, so that this is always FOG'
        return _note(expression, message, hint) if far else None
    if last is None:
        return None
    if name == "alive" and last not in WARRIORS:
        return _note(expression, f"warriors have the ids 1 to {WARRIORS[-1]}, so that this is always 0")
    if name == "rand" and last < 1:
        return _report(expression, f"rand({last}) has no value", FaultCode.RAND_RANGE)
    if name in _SHIFTS and last not in _SHIFT_RANGE:
        return _report(expression, f'"{name}" shifts by 0 to {_SHIFT_RANGE[-1]}', FaultCode.SHIFT_RANGE)
    if name in ("div", "mod") and last == 0:
        code = FaultCode.DIV_ZERO if name == "div" else FaultCode.MOD_ZERO
        return _report(expression, f'"{name}" by zero has no value', code)
    return None


def _check_move(action: syntax.Action, values: Values) -> Iterator[Problem]:
    offsets = [values[argument] for argument in action.arguments]
    shown = ", ".join("?" if offset is None else str(offset) for offset in offsets)
    if any(offset is not None and abs(offset) > 1 for offset in offsets):
        message = f"move({shown}) leads to no neighbour: it is illegal and counts as a wait"
        hint = "dx and dy are -1, 0 or 1"
    elif offsets == [0, 0]:
        message, hint = "move(0, 0) is illegal and counts as a wait", 'to stand still write "wait()"'
    else:
        return
    yield Problem(WarningCode.WRONG_VALUE, action.line, action.column, message, hint)


def _report(expression: syntax.Expression, message: str, code: FaultCode, hint: str = "") -> Problem:
    return _note(expression, f"{message}; this faults ({code})", hint)


def _note(expression: syntax.Expression, message: str, hint: str = "") -> Problem:
    return Problem(WarningCode.WRONG_VALUE, expression.line, expression.column, message, hint)
