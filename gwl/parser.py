"""From source lines to the syntax tree: the grammar put to work; the only importer of lark."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Transformer, Tree, UnexpectedToken, v_args
from lark import Token as Terminal
from lark.parsers.lalr_interactive_parser import InteractiveParser

from gwl import syntax
from gwl.checks import check_statements
from gwl.diagnosis import Impasse
from gwl.errors import CompileError, Diagnostic, Problem
from gwl.lexical import find_limit_problems
from gwl.reader import Reader
from gwl.tokens import Token, TokenKind

MAX_DIAGNOSTICS = 50
"""More than anybody reads; the rest of a hopeless script is not reported."""


def parse_source(lines: Sequence[str]) -> syntax.Program:
    """Parses a whole warrior.

    Raises:
        CompileError: with the errors found, the one to be reported first.
    """
    problems = list(islice(find_limit_problems(lines), MAX_DIAGNOSTICS))
    if problems:
        raise _compile_error(lines, problems)
    reader = Reader(lines, _Automaton(_load_grammar().parse_interactive()))
    statements = reader.read()
    problems = _sort_out([*reader.problems, *check_statements(statements)])
    if reader.lexical_problems or problems:
        # The whole source is split into tokens before any of it is parsed (golden vectors).
        raise _compile_error(lines, [*reader.lexical_problems, *problems])
    return syntax.Program(statements, len(lines))


def _sort_out(problems: Iterable[Problem]) -> list[Problem]:
    """In order of the source, and of several at one place the first alone, from which the others follow."""
    places: dict[tuple[int, int], Problem] = {}
    for problem in sorted(problems, key=attrgetter("line", "column")):
        places.setdefault((problem.line, problem.column), problem)
    return list(places.values())


def _compile_error(lines: Sequence[str], problems: Sequence[Problem]) -> CompileError:
    from gwl.hints import (
        find_hint,
    )  # Compiling its patterns takes a while that correct scripts need not wait.

    diagnostics = []
    for problem in problems[:MAX_DIAGNOSTICS]:
        source = lines[problem.line - 1] if problem.line <= len(lines) else ""
        hint = problem.hint or find_hint(problem.code, source, problem.column)
        diagnostics.append(Diagnostic(*problem[:4], source, hint))
    return CompileError(tuple(diagnostics))


class _Automaton:
    """The LALR automaton of the grammar; see `gwl.reader.Automaton`."""

    def __init__(self, parser: InteractiveParser) -> None:
        self._parser = parser

    def copy(self) -> _Automaton:
        parser = self._parser.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]  # lark's own
        values = parser.parser_state.value_stack
        # A list of statements under way is a Tree, which lark lengthens in place.
        values[:] = [Tree(v.data, list(v.children)) if isinstance(v, Tree) else v for v in values]
        return _Automaton(parser)

    def accepts(self, kind: TokenKind) -> bool:
        return self.copy().offer([Token(kind, "", 0, 0)]) is None

    def offer(self, tokens: Iterable[Token]) -> Impasse | None:
        values = self._parser.parser_state.value_stack
        start = 0
        for position, token in enumerate(tokens):
            terminal = Terminal(token.kind, token.text, None, token.line, token.column)
            try:
                self._parser.feed_token(terminal)
            except UnexpectedToken:
                read = values[start:] if position else []
                expected = self._parser.choices()  # type: ignore[no-untyped-call]  # lark's own
                return Impasse(token, expected, [_as_token(value) for value in read])
            if position == 0:
                start = len(values) - 1
        return None

    def complete_expression(self) -> syntax.Expression:
        values = self._parser.parser_state.value_stack
        if not isinstance(values[-1], Terminal) or values[-1].type != TokenKind.NEWLINE:
            self._parser.feed_token(Terminal(TokenKind.NEWLINE, ""))
        expression: syntax.Expression = values[-2]
        return expression

    def finish(self) -> tuple[syntax.Statement, ...]:
        statements: tuple[syntax.Statement, ...] = self._parser.feed_token(Terminal(TokenKind.END, ""))
        return statements


def _as_token(value: object) -> Token | None:
    """A token back from the parser's stack; None for a node."""
    if not isinstance(value, Terminal):
        return None
    return Token(TokenKind(value.type), str(value), value.line or 0, value.column or 0)


@cache
def _load_grammar() -> Lark:
    """From `grammar.tables`, in a fifteenth of the time; from the grammar where lark is another one."""
    grammar = _read_resource("grammar.lark").decode()
    key, _, tables = _read_resource("grammar.tables").partition(b"\n")
    if key == _compute_key(grammar):
        # As `Lark.load` does, which takes no transformer.
        saved = pickle.loads(tables)  # noqa: S301 - a file of this package
        parser: Lark = Lark._load_from_dict(**saved, transformer=_Builder())  # type: ignore[no-untyped-call]
        return parser
    return _analyse(grammar, _Builder())


def render_tables() -> bytes:
    """What `grammar.tables` is to hold: a line that says of which grammar and lark, and the tables.

    To renew the file:

        python -c "import gwl.parser as p; open('gwl/grammar.tables', 'wb').write(p.render_tables())"
    """
    grammar = _read_resource("grammar.lark").decode()
    tables = BytesIO()
    _analyse(grammar, None).save(tables)
    return _compute_key(grammar) + b"\n" + tables.getvalue()


def _analyse(grammar: str, transformer: _Builder | None) -> Lark:
    return Lark(grammar, start="program", parser="lalr", lexer="basic", transformer=transformer)


def _compute_key(grammar: str) -> bytes:
    return sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest().encode()


def _read_resource(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()


@v_args(inline=True)
class _Builder(Transformer[Terminal, Any]):  # Any: lark calls these by name with what they gave each other.
    """Makes a node of each reduction, so that no parse tree is ever walked."""

    def program(self, *statements: syntax.Statement) -> tuple[syntax.Statement, ...]:
        return statements

    def block(self, *statements: syntax.Statement) -> syntax.Block:
        return syntax.Block(statements[0].line, statements[0].column, statements)

    def var(self, word: Terminal, name: Terminal, value: syntax.Expression) -> syntax.Var:
        return syntax.Var(*_position(word), str(name), value)

    def assign(self, name: Terminal, value: syntax.Expression) -> syntax.Assign:
        return syntax.Assign(*_position(name), str(name), value)

    def assign_element(self, target: syntax.Index, value: syntax.Expression) -> syntax.AssignIndex:
        first: syntax.Expression = target
        while isinstance(first, syntax.Index):
            first = first.array
        return syntax.AssignIndex(first.line, first.column, target, value)

    def discard(self, word: Terminal, value: syntax.Expression) -> syntax.Discard:
        return syntax.Discard(*_position(word), value, bare=False)

    def bare_call(self, call: syntax.Call) -> syntax.Discard:
        return syntax.Discard(call.line, call.column, call, bare=True)

    def wrong(self, expression: syntax.Expression) -> syntax.Expression:
        return expression

    def return_(self, word: Terminal, value: syntax.Expression | None = None) -> syntax.Return:
        return syntax.Return(*_position(word), value)

    def break_(self, word: Terminal) -> syntax.Break:
        return syntax.Break(*_position(word))

    def continue_(self, word: Terminal) -> syntax.Continue:
        return syntax.Continue(*_position(word))

    def action(self, word: Terminal, arguments: tuple[syntax.Expression, ...] = ()) -> syntax.Action:
        return syntax.Action(*_position(word), syntax.ActionName(str(word)), arguments)

    def if_(
        self, word: Terminal, *branches: tuple[syntax.Expression, syntax.Block] | syntax.Block
    ) -> syntax.If:
        otherwise = branches[-1] if isinstance(branches[-1], syntax.Block) else None
        conditional = tuple(branch for branch in branches if not isinstance(branch, syntax.Block))
        return syntax.If(*_position(word), conditional, otherwise)

    def branch(
        self, condition: syntax.Expression, block: syntax.Block
    ) -> tuple[syntax.Expression, syntax.Block]:
        return condition, block

    def while_(self, word: Terminal, condition: syntax.Expression, body: syntax.Block) -> syntax.While:
        return syntax.While(*_position(word), condition, body)

    def for_range(
        self,
        word: Terminal,
        variable: Terminal,
        start: syntax.Expression,
        operator: Terminal,
        stop: syntax.Expression,
        body: syntax.Block,
    ) -> syntax.For:
        inclusive = operator.type == TokenKind.UPTO
        return syntax.For(*_position(word), str(variable), start, stop, inclusive, body)

    def for_array(
        self, word: Terminal, variable: Terminal, array: syntax.Expression, body: syntax.Block
    ) -> syntax.For:
        return syntax.For(*_position(word), str(variable), array, None, False, body)

    def proc(
        self, word: Terminal, name: Terminal, parameters: tuple[str, ...], body: syntax.Block
    ) -> syntax.Proc:
        return syntax.Proc(*_position(word), str(name), parameters, body)

    def parameters(self, *names: Terminal) -> tuple[str, ...]:
        return tuple(str(name) for name in names)

    def binary(self, left: syntax.Expression, operator: Terminal, right: syntax.Expression) -> syntax.Binary:
        return syntax.Binary(*_position(operator), syntax.BinaryOperator(str(operator)), left, right)

    def unary(self, operator: Terminal, operand: syntax.Expression) -> syntax.Unary:
        return syntax.Unary(*_position(operator), syntax.UnaryOperator(str(operator)), operand)

    def boolean(self, word: Terminal) -> syntax.Boolean:
        return syntax.Boolean(*_position(word), word.type == TokenKind.TRUE)

    def integer(self, digits: Terminal) -> syntax.Integer:
        return syntax.Integer(*_position(digits), int(digits))

    def name(self, name: Terminal) -> syntax.Name:
        return syntax.Name(*_position(name), str(name))

    def index(self, array: syntax.Expression, bracket: Terminal, index: syntax.Expression) -> syntax.Index:
        return syntax.Index(*_position(bracket), array, index)

    def call(self, name: Terminal, arguments: tuple[syntax.Expression, ...] = ()) -> syntax.Call:
        return syntax.Call(*_position(name), str(name), arguments)

    def array(self, bracket: Terminal, items: tuple[syntax.Expression, ...] = ()) -> syntax.ArrayLiteral:
        return syntax.ArrayLiteral(*_position(bracket), items)

    def arguments(self, *expressions: syntax.Expression) -> tuple[syntax.Expression, ...]:
        return expressions


def _position(terminal: Terminal) -> tuple[int, int]:
    assert terminal.line is not None, "every token has a position"
    assert terminal.column is not None, "every token has a position"
    return terminal.line, terminal.column
