"""The one shelf of compiled scripts: what a process meets again and again, it compiles once.

Built-ins play the same script in every round, and an audit meets each script at its reply, its submission
and its battle. The kernel, too, takes a program once if it is one object.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gwl import compile_source
from gwl.builtins import Builtin
from gwl.errors import CompileError, Diagnostic
from gwl.program import Op, Program

MAX_SCRIPTS = 512
"""Kept at a time, those that were asked for last: some 20 MB of scripts as long as the rules allow."""


def compile_script(script: Sequence[str]) -> Program:
    """The program of a script; the same object for the same lines, as long as it is kept.

    Raises:
        CompileError: as `gwl.compile_source`.
    """
    compiled = _compile(tuple(script))
    if isinstance(compiled, Program):
        return compiled
    raise CompileError(compiled)


def find_errors(script: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Why a script does not compile, the error that counts first; none where it does."""
    compiled = _compile(tuple(script))
    return () if isinstance(compiled, Program) else compiled


def draws(program: Program) -> bool:
    """Whether it has a call of `rand`, even one that is never reached."""
    return any(
        instruction.op is Op.CALL and instruction.a == Builtin.RAND for instruction in program.instructions
    )


@lru_cache(maxsize=MAX_SCRIPTS)
def _compile(script: tuple[str, ...]) -> Program | tuple[Diagnostic, ...]:
    try:
        return compile_source(script)
    except CompileError as error:
        return error.diagnostics
