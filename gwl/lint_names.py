"""Names and procs that a script uses and nothing declares, with what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

from gwl import syntax
from gwl.builtins import BUILTINS, CALLED_WHEN_READ, CONSTANTS
from gwl.errors import Problem, WarningCode
from gwl.program import Op, Program, Scope
from gwl.tokens import ACTIONS
from gwl.walk import walk_expressions, walk_statements

_VALUE_HABITS = {
    "True": 'write "true"',
    "TRUE": 'write "true"',
    "False": 'write "false"',
    "FALSE": 'write "false"',
} | dict.fromkeys(
    ("None", "null", "nil", "NULL", "undefined"), "GWL has no empty value; use an integer that means nothing"
)
_CALL_HABITS = {
    "range": 'write "for i in 0 ..< n:"',
    "xrange": 'write "for i in 0 ..< n:"',
    "random": "rand(n) gives 0 to n - 1",
    "randint": "rand(n) gives 0 to n - 1",
    "randrange": "rand(n) gives 0 to n - 1",
    "length": "write len(a)",
    "size": "write len(a)",
    "print": "GWL has no output; leave the line out",
    "echo": "GWL has no output; leave the line out",
    "pow": "GWL has no powers; multiply, or use shl(1, n) for a power of 2",
    "int": "all numbers are integers; leave the call out",
    "floor": 'all numbers are integers and "div" rounds toward zero; leave the call out',
    "round": "all numbers are integers; leave the call out",
}


def find_unknown_names(tree: syntax.Program, program: Program) -> Iterator[Problem]:
    """Finds every place where the compiler found nothing behind a name."""
    names = {
        (program.names[instruction.a], instruction.line)
        for instruction in program.instructions
        if instruction.op in (Op.LOAD, Op.STORE) and instruction.b == Scope.UNDEFINED
    }
    calls = {
        (program.names[-1 - instruction.a], instruction.line)
        for instruction in program.instructions
        if instruction.op == Op.CALL and instruction.a < 0
    }
    if not names and not calls:
        return
    declared = _collect_declarations(tree)
    procs = {
        statement.name: statement.parameters
        for statement in tree.statements
        if isinstance(statement, syntax.Proc)
    }
    for statement in walk_statements(tree.statements):
        if isinstance(statement, syntax.Assign) and (statement.name, statement.line) in names:
            message = f'nothing declares the variable "{statement.name}"; this assignment faults'
            hint = _suggest_target(statement.name, declared)
            yield Problem(WarningCode.UNKNOWN_NAME, statement.line, statement.column, message, hint)
        for part in walk_expressions(statement):
            if isinstance(part, syntax.Name) and (part.name, part.line) in names:
                message = f'unknown name "{part.name}"; reading it faults'
                hint = _suggest_name(part.name, declared, procs)
                yield Problem(WarningCode.UNKNOWN_NAME, part.line, part.column, message, hint)
            elif isinstance(part, syntax.Call) and (part.name, part.line) in calls:
                message = f'unknown proc "{part.name}"; calling it faults'
                hint = _suggest_proc(part.name, declared, procs)
                yield Problem(WarningCode.UNKNOWN_PROC, part.line, part.column, message, hint)


def _collect_declarations(tree: syntax.Program) -> dict[str, int]:
    """The line of the first declaration of each name anywhere in the script."""
    declared: dict[str, int] = {}
    for statement in walk_statements(tree.statements):
        match statement:
            case syntax.Var(name=name) | syntax.For(variable=name):
                declared.setdefault(name, statement.line)
            case syntax.Proc(parameters=parameters):
                for name in parameters:
                    declared.setdefault(name, statement.line)
            case _:
                pass
    return declared


def _suggest_target(name: str, declared: dict[str, int]) -> str:
    if name in CONSTANTS or name in CALLED_WHEN_READ:
        return "a constant cannot be changed"
    if name in declared:
        return f"its declaration at line {declared[name]} does not reach here"
    return _suggest_similar(name, declared) or f'declare it first: "var {name} = ..."'


def _suggest_name(name: str, declared: dict[str, int], procs: Mapping[str, tuple[str, ...]]) -> str:
    if name in _VALUE_HABITS:
        return _VALUE_HABITS[name]
    if name in BUILTINS:
        return f'to call it write "{name}({", ".join("ab"[: BUILTINS[name].arity])})"'
    if name in procs:
        return f'to call it write "{name}({", ".join(procs[name])})"'
    if name in declared:
        return f"its declaration at line {declared[name]} does not reach here"
    return _suggest_similar(name, (*declared, *CONSTANTS, *CALLED_WHEN_READ))


def _suggest_proc(name: str, declared: dict[str, int], procs: Iterable[str]) -> str:
    if name in ACTIONS:
        return "an action stands alone as a statement and has no value"
    if name in _CALL_HABITS:
        return _CALL_HABITS[name]
    if name in declared:
        return f'"{name}" is a variable; an element is read as {name}[i]'
    if name in CONSTANTS:
        return "a constant is read without brackets"
    return _suggest_similar(name, (*procs, *BUILTINS, *ACTIONS))


def _suggest_similar(name: str, known: Iterable[str]) -> str:
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1, cutoff=0.7)
    return f'did you mean "{by_lower_case[close[0]]}"?' if close else ""
