"""Whose mistake it was: compile errors of a script, and faults of a running warrior."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from gwl.excerpt import render_excerpt


class ErrorCode(StrEnum):
    """Compile error codes (GWL v1 section 6)."""

    TOO_MANY_LINES = "too-many-lines"
    LINE_TOO_LONG = "line-too-long"
    SOURCE_TOO_LONG = "source-too-long"
    ODD_INDENT = "odd-indent"
    BAD_DEDENT = "bad-dedent"
    UNEXPECTED_INDENT = "unexpected-indent"
    EXPECTED_BLOCK = "expected-block"
    BAD_CHARACTER = "bad-character"
    INT_RANGE = "int-range"
    EXPECTED_TOKEN = "expected-token"
    TRAILING_TOKENS = "trailing-tokens"
    EXPECTED_NAME = "expected-name"
    NOT_AN_EXPRESSION = "not-an-expression"
    BAD_EXPRESSION = "bad-expression"
    BAD_STATEMENT = "bad-statement"
    NOT_ASSIGNABLE = "not-assignable"
    EXPRESSION_STATEMENT = "expression-statement"
    PROC_NESTED = "proc-nested"
    TOO_MANY_PROCS = "too-many-procs"
    DUPLICATE_PROC = "duplicate-proc"
    NESTING = "nesting"
    TOO_MANY_NODES = "too-many-nodes"
    ACTION_ARITY = "action-arity"
    BREAK_OUTSIDE = "break-outside"
    CONTINUE_OUTSIDE = "continue-outside"
    RETURN_OUTSIDE = "return-outside"


class WarningCode(StrEnum):
    """What compiles, but cannot be meant."""

    UNKNOWN_NAME = "unknown-name"
    UNKNOWN_PROC = "unknown-proc"
    ARGUMENT_COUNT = "argument-count"
    CONSTANT_NAME = "constant-name"
    WRONG_TYPE = "wrong-type"
    WRONG_VALUE = "wrong-value"
    UNREACHABLE = "unreachable"
    ENDLESS_STALL = "endless-stall"


class Severity(StrEnum):
    """Whether a script with this diagnostic compiles."""

    ERROR = "error"
    WARNING = "warning"


class FaultCode(StrEnum):
    """Fault codes (GWL v1 section 6)."""

    UNDEFINED_VARIABLE = "undefined-variable"
    UNDEFINED_PROC = "undefined-proc"
    PROC_ARITY = "proc-arity"
    BUILTIN_ARITY = "builtin-arity"
    CALL_DEPTH = "call-depth"
    ALLOCATION = "allocation"
    NOT_AN_ARRAY = "not-an-array"
    INDEX_TYPE = "index-type"
    ITEM_TYPE = "item-type"
    INDEX_RANGE = "index-range"
    LITERAL_TYPE = "literal-type"
    COMPARE_TYPES = "compare-types"
    ORDER_TYPES = "order-types"
    ARITH_TYPES = "arith-types"
    DIV_ZERO = "div-zero"
    MOD_ZERO = "mod-zero"
    OVERFLOW = "overflow"
    NEG_TYPE = "neg-type"
    NOT_TYPE = "not-type"
    LOGIC_TYPE = "logic-type"
    CONDITION_TYPE = "condition-type"
    BOOL_ARGUMENT = "bool-argument"
    INT_ARGUMENT = "int-argument"
    RAND_RANGE = "rand-range"
    LEN_TYPE = "len-type"
    SHIFT_RANGE = "shift-range"
    MOVE_TYPE = "move-type"


class Problem(NamedTuple):
    """What is wrong with a script and where, before its source line is looked up."""

    code: ErrorCode | WarningCode
    line: int
    column: int
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong with a script, said to its author.

    Attributes:
        line, column: from 1; the column counts code points of the line as the author wrote it.
        message: a phrase without position, such as `unknown name "scna"`.
        source: the line as written, "" where there is none.
        hint: what would be right, "" where nothing is likely.
    """

    code: ErrorCode | WarningCode
    line: int
    column: int
    message: str
    source: str
    hint: str = ""

    @property
    def severity(self) -> Severity:
        return Severity.WARNING if isinstance(self.code, WarningCode) else Severity.ERROR

    def render(self) -> str:
        """The text shown to a person or fed back to a model: message, source line, caret and hint."""
        kind = "warning: " if self.severity is Severity.WARNING else ""
        parts = [f"{self.line}:{self.column}: {kind}{self.code}: {self.message}"]
        if self.source.strip():
            parts += render_excerpt(self.source, self.column)
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)


class CompileError(Exception):
    """A script that does not compile.

    Attributes:
        diagnostics: at least one; the first is the error that counts.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__(diagnostics[0].render())

    @property
    def first(self) -> Diagnostic:
        return self.diagnostics[0]

    def render(self, limit: int | None = None) -> str:
        """All diagnostics, or the first `limit` of them and how many more there are."""
        shown = self.diagnostics[:limit]
        text = "\n".join(diagnostic.render() for diagnostic in shown)
        rest = len(self.diagnostics) - len(shown)
        return f"{text}\n({rest} more)" if rest else text


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a warrior stopped for good.

    `message` is built from `code` and integer or name details alone, by one table, so that every
    engine writes the same text.
    """

    code: FaultCode
    line: int
    message: str
