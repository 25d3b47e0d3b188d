"""The syntax tree of GWL: what the parser builds and the compiler, formatter and tools walk.

Trees can be thousands of levels deep within the size limits, so nothing that walks one may recurse
once per level, and nodes compare by identity. Positions are those that GWL v1 section 5 gives an
instruction: an infix node stands at its operator, an index at its `[`, a statement at its first
token, everything else at itself. Lines and columns count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ActionName(StrEnum):
    """The four actions, special only as the first token of a statement."""

    MOVE = "move"
    PLACE = "place"
    BOMB = "bomb"
    WAIT = "wait"


class UnaryOperator(StrEnum):
    NEGATE = "-"
    NOT = "not"


class BinaryOperator(StrEnum):
    """Infix operators; `and` and `or` do not evaluate both sides."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "div"
    MODULO = "mod"
    EQUAL = "=="
    NOT_EQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    AND = "and"
    OR = "or"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    line: int
    column: int


@dataclass(frozen=True, slots=True, eq=False)
class Integer(Node):
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Boolean(Node):
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArrayLiteral(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Index(Node):
    array: Expression
    index: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Node):
    operator: UnaryOperator
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(Node):
    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call(Node):
    name: str
    arguments: tuple[Expression, ...]


Expression = Integer | Boolean | Name | ArrayLiteral | Index | Unary | Binary | Call


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Block(Node):
    """One or more statements of one indentation; the position is that of the first."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Var(Node):
    name: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assign(Node):
    """`name = value`."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AssignIndex(Node):
    """`array[index] = value`; `target` keeps the `[` position for the instruction's line."""

    target: Index
    value: Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Discard(Node):
    """`discard value`, or a bare call (`bare` true), which costs one node more than the call alone."""

    value: Expression
    bare: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Return(Node):
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class If(Node):
    """`branches` holds the `if` and every `elif` in order."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class While(Node):
    condition: Expression
    body: Block


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class For(Node):
    """`for variable in start ..< stop` (or `..`, `inclusive`), or over an array when `stop` is None."""

    variable: str
    start: Expression
    stop: Expression | None
    inclusive: bool
    body: Block


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Proc(Node):
    name: str
    parameters: tuple[str, ...]
    body: Block


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Action(Node):
    name: ActionName
    arguments: tuple[Expression, ...]


Statement = (
    Var | Assign | AssignIndex | Discard | Return | Break | Continue | If | While | For | Proc | Action
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A whole warrior; `line_count` counts every source line, blank ones too."""

    statements: tuple[Statement, ...]
    line_count: int
