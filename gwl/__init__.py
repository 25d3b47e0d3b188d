"""GWL, the warrior language of Grid Wars: compiler and metered machine.

`compile_source` turns source lines into a `Program` or raises `CompileError`, `check_source` lists every
error or warning, `format_source` lays a warrior out anew, and `gwl.machine.Machine` runs a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gwl.errors import CompileError, Diagnostic, ErrorCode, Fault, FaultCode, Severity, WarningCode
from gwl.layout import split_source

if TYPE_CHECKING:
    from gwl.program import Program

__all__ = [
    "CompileError",
    "Diagnostic",
    "ErrorCode",
    "Fault",
    "FaultCode",
    "Severity",
    "WarningCode",
    "check_source",
    "compile_source",
    "format_source",
    "split_source",
]

# The functions import what they need, so that whoever wants the types alone does not wait for the grammar.


def compile_source(lines: Sequence[str]) -> Program:
    """Compiles a warrior; `split_source` makes lines of a text.

    Raises:
        CompileError: with the errors found, the one that counts first.
    """
    from gwl.compiler import compile_program
    from gwl.parser import parse_source

    return compile_program(parse_source(lines))


def check_source(lines: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Lists what is wrong with a warrior: the errors, the one that counts first, or else the warnings."""
    from gwl.compiler import compile_program
    from gwl.lint import find_warnings
    from gwl.parser import parse_source

    try:
        tree = parse_source(lines)
    except CompileError as error:
        return error.diagnostics
    return find_warnings(tree, compile_program(tree), lines)


def format_source(lines: Sequence[str]) -> list[str]:
    """Lays a warrior out in the canonical way, without changing its meaning.

    Raises:
        CompileError: where it does not compile.
    """
    from gwl import formatting

    return formatting.format_source(lines)
