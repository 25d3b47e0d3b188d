"""The syntax tree of GWL: what the parser builds and the compiler, formatter and tools walk.

Trees can be thousands of levels deep within the size limits, so nothing that walks one may recurse
once per level, and nodes compare by identity. Positions are those that GWL v1 section 5 gives an
instruction: an infix node stands at its operator, an index at its `[`, a statement at its first
token, everything else at itself. Lines and columns count from 1.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


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


class Node(msgspec.Struct, frozen=True, eq=False):
    line: int
    column: int

    # The usual one would go down all levels.
    __repr__ = object.__repr__


class Integer(Node, frozen=True, eq=False):
    value: int


class Boolean(Node, frozen=True, eq=False):
    value: bool


class Name(Node, frozen=True, eq=False):
    name: str


class ArrayLiteral(Node, frozen=True, eq=False):
    items: tuple[Expression, ...]


class Index(Node, frozen=True, eq=False):
    array: Expression
    index: Expression


class Unary(Node, frozen=True, eq=False):
    operator: UnaryOperator
    operand: Expression


class Binary(Node, frozen=True, eq=False):
    operator: BinaryOperator
    left: Expression
    right: Expression


class Call(Node, frozen=True, eq=False):
    name: str
    arguments: tuple[Expression, ...]


Expression = Integer | Boolean | Name | ArrayLiteral | Index | Unary | Binary | Call


class Block(Node, frozen=True, eq=False):
    """One or more statements of one indentation; the position is that of the first."""

    statements: tuple[Statement, ...]


class Var(Node, frozen=True, eq=False):
    name: str
    value: Expression


class Assign(Node, frozen=True, eq=False):
    """`name = value`."""

    name: str
    value: Expression


class AssignIndex(Node, frozen=True, eq=False):
    """`array[index] = value`; `target` keeps the `[` position for the instruction's line."""

    target: Index
    value: Expression


class Discard(Node, frozen=True, eq=False):
    """`discard value`, or a bare call (`bare` true), which costs one node more than the call alone."""

    value: Expression
    bare: bool


class Return(Node, frozen=True, eq=False):
    value: Expression | None


class Break(Node, frozen=True, eq=False):
    pass


class Continue(Node, frozen=True, eq=False):
    pass


class If(Node, frozen=True, eq=False):
    """`branches` holds the `if` and every `elif` in order."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


class While(Node, frozen=True, eq=False):
    condition: Expression
    body: Block


class For(Node, frozen=True, eq=False):
    """`for variable in start ..< stop` (or `..`, `inclusive`), or over an array when `stop` is None."""

    variable: str
    start: Expression
    stop: Expression | None
    inclusive: bool
    body: Block


class Proc(Node, frozen=True, eq=False):
    name: str
    parameters: tuple[str, ...]
    body: Block


class Action(Node, frozen=True, eq=False):
    name: ActionName
    arguments: tuple[Expression, ...]


Statement = (
    Var | Assign | AssignIndex | Discard | Return | Break | Continue | If | While | For | Proc | Action
)


class Program(msgspec.Struct, frozen=True, eq=False):
    """A whole warrior; `line_count` counts every source line, blank ones too."""

    statements: tuple[Statement, ...]
    line_count: int
