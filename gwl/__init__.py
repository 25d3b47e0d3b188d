"""GWL, the warrior language of Grid Wars: compiler and metered machine.

`compile_source` turns source lines into a `Program` or raises `CompileError`; a `Machine` runs programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gwl.errors import CompileError, Diagnostic, ErrorCode, Fault, FaultCode
from gwl.layout import split_source

if TYPE_CHECKING:
    from gwl.program import Program

__all__ = [
    "CompileError",
    "Diagnostic",
    "ErrorCode",
    "Fault",
    "FaultCode",
    "compile_source",
    "split_source",
]


def compile_source(lines: Sequence[str]) -> Program:
    """Compiles a warrior; `split_source` makes lines of a text.

    Raises:
        CompileError: with the errors found, the one to be reported first.
    """
    from gwl.compiler import compile_program  # Here, so that importing the package stays cheap.
    from gwl.parser import parse_source

    return compile_program(parse_source(lines))
