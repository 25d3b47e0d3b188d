"""From source lines to the syntax tree: the grammar put to work; the only importer of lark."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache, partial
from hashlib import sha256
from io import BytesIO
from itertools import islice
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Transformer, Tree, UnexpectedToken
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser

from gwl import syntax
from gwl.checks import check_statements
from gwl.diagnosis import Impasse
from gwl.errors import CompileError, Diagnostic, Problem
from gwl.lexical import find_limit_problems
from gwl.limits import MAX_NODES
from gwl.reader import Reader
from gwl.shift_reduce import Choice, Reduction, Tables, parse_tokens
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
    reader = Reader(lines)
    statements = None
    if not reader.lexical_problems:
        tokens = reader.list_tokens()
        statements = _parse_whole(tokens)
        most_nodes = len(tokens)  # Each node but the program's has a token of its own, and END is its.
    if statements is None:
        statements = reader.read(_Automaton(_load_grammar().parse_interactive()))
        most_nodes = MAX_NODES + 1
    problems = _sort_out([*reader.problems, *check_statements(statements, most_nodes)])
    if reader.lexical_problems or problems:
        # The whole source is split into tokens before any of it is parsed (golden vectors).
        raise _compile_error(lines, [*reader.lexical_problems, *problems])
    return syntax.Program(statements, len(lines))


def _parse_whole(tokens: Sequence[Token]) -> tuple[syntax.Statement, ...] | None:
    statements = parse_tokens(_load_tables(), tokens)
    assert statements is None or isinstance(statements, tuple), "a program is a tuple of statements"
    return statements


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
            try:
                self._parser.parser_state.feed_token(token)  # type: ignore[arg-type]  # lark looks at `type` alone
            except UnexpectedToken:
                read = values[start:] if position else []
                expected = self._parser.choices()  # type: ignore[no-untyped-call]  # lark's own
                return Impasse(
                    token, expected, [value if isinstance(value, Token) else None for value in read]
                )
            if position == 0:
                start = len(values) - 1
        return None

    def complete_expression(self) -> syntax.Expression:
        values = self._parser.parser_state.value_stack
        if not isinstance(values[-1], Token) or values[-1].kind != TokenKind.NEWLINE:
            self.offer([Token(TokenKind.NEWLINE, "", 0, 0)])
        expression: syntax.Expression = values[-2]
        return expression

    def finish(self) -> tuple[syntax.Statement, ...]:
        end = Token(TokenKind.END, "", 0, 0)
        statements: tuple[syntax.Statement, ...] = self._parser.parser_state.feed_token(end, is_end=True)  # type: ignore[arg-type]
        return statements


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


@cache
def _load_tables() -> Tables:
    """The automaton that lark made of the grammar, for those who need no more of it than to run it."""
    made = _load_grammar().parse_interactive().parser_state.parse_conf
    follow: dict[str, dict[int, int]] = defaultdict(dict)
    for state, moves in made.states.items():
        for name, (move, target) in moves.items():
            if move is Shift:
                follow[name][state] = target

    rules: Iterable[Any] = made.callbacks  # lark says of its rules that they are texts
    reductions = {
        rule: Reduction(len(rule.expansion), follow[rule.origin.name], *_choose_maker(rule)) for rule in rules
    }

    def convert(move: object, target: Any) -> int | Reduction:  # Any: a state or a rule, by the move
        return int(target) if move is Shift else reductions[target]

    kinds = {kind.value: kind for kind in TokenKind}
    actions = [
        {kinds[name]: convert(*move) for name, move in made.states[state].items() if name in kinds}
        for state in range(len(made.states))
    ]
    return Tables(actions, made.start_state, made.end_state)


def _choose_maker(rule: Any) -> tuple[Callable[..., object] | None, Choice | None]:  # Any: lark's Rule
    """The `make` and `choose` of a rule's reduction, by what lark takes the signs in a grammar to mean."""
    parts = rule.expansion
    kept = [place for place, part in enumerate(parts) if not (part.is_term and part.filter_out)]
    repeated = [place for place in kept if parts[place].name.startswith("__")]
    make: Callable[..., object]
    if rule.origin.name.startswith("__"):  # what `(...)*` and `(...)+` stand for
        make = _lengthen if repeated else _begin
    elif rule.options.expand1 and not rule.alias:
        if len(parts) == 1:
            return None, None
        make = _keep
    else:
        make = getattr(_NODES, rule.alias or rule.origin.name)
        if repeated:
            return make, partial(_splice, kept, repeated)
    if len(kept) == len(parts):
        return make, None
    return make, itemgetter(*kept) if len(kept) > 1 else itemgetter(slice(kept[0], kept[0] + 1))


def _splice(kept: Sequence[int], repeated: Container[int], parts: list[Any]) -> list[object]:
    chosen: list[object] = []
    for place in kept:
        chosen += parts[place] if place in repeated else (parts[place],)
    return chosen


def _begin(part: object) -> list[object]:
    return [part]


def _lengthen(parts: list[object], part: object) -> list[object]:
    parts.append(part)
    return parts


def _keep(part: object) -> object:
    return part


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


_BINARY = {operator.value: operator for operator in syntax.BinaryOperator}
_UNARY = {operator.value: operator for operator in syntax.UnaryOperator}


class _Nodes:
    """Makes a node of each reduction, by the name of its rule, so that no parse tree is ever walked."""

    def program(self, *statements: syntax.Statement) -> tuple[syntax.Statement, ...]:
        return statements

    def block(self, *statements: syntax.Statement) -> syntax.Block:
        return syntax.Block(statements[0].line, statements[0].column, statements)

    def var(self, word: Token, name: Token, value: syntax.Expression) -> syntax.Var:
        return syntax.Var(word.line, word.column, name.text, value)

    def assign(self, name: Token, value: syntax.Expression) -> syntax.Assign:
        return syntax.Assign(name.line, name.column, name.text, value)

    def assign_element(self, target: syntax.Index, value: syntax.Expression) -> syntax.AssignIndex:
        first: syntax.Expression = target
        while isinstance(first, syntax.Index):
            first = first.array
        return syntax.AssignIndex(first.line, first.column, target, value)

    def discard(self, word: Token, value: syntax.Expression) -> syntax.Discard:
        return syntax.Discard(word.line, word.column, value, bare=False)

    def bare_call(self, call: syntax.Call) -> syntax.Discard:
        return syntax.Discard(call.line, call.column, call, bare=True)

    def wrong(self, expression: syntax.Expression) -> syntax.Expression:
        return expression

    def return_(self, word: Token, value: syntax.Expression | None = None) -> syntax.Return:
        return syntax.Return(word.line, word.column, value)

    def break_(self, word: Token) -> syntax.Break:
        return syntax.Break(word.line, word.column)

    def continue_(self, word: Token) -> syntax.Continue:
        return syntax.Continue(word.line, word.column)

    def action(self, word: Token, arguments: tuple[syntax.Expression, ...] = ()) -> syntax.Action:
        return syntax.Action(word.line, word.column, syntax.ActionName(word.text), arguments)

    def if_(self, word: Token, *branches: tuple[syntax.Expression, syntax.Block] | syntax.Block) -> syntax.If:
        otherwise = branches[-1] if isinstance(branches[-1], syntax.Block) else None
        conditional = tuple(branch for branch in branches if not isinstance(branch, syntax.Block))
        return syntax.If(word.line, word.column, conditional, otherwise)

    def branch(
        self, condition: syntax.Expression, block: syntax.Block
    ) -> tuple[syntax.Expression, syntax.Block]:
        return condition, block

    def while_(self, word: Token, condition: syntax.Expression, body: syntax.Block) -> syntax.While:
        return syntax.While(word.line, word.column, condition, body)

    def for_range(
        self,
        word: Token,
        variable: Token,
        start: syntax.Expression,
        operator: Token,
        stop: syntax.Expression,
        body: syntax.Block,
    ) -> syntax.For:
        inclusive = operator.kind == TokenKind.UPTO
        return syntax.For(word.line, word.column, variable.text, start, stop, inclusive, body)

    def for_array(
        self, word: Token, variable: Token, array: syntax.Expression, body: syntax.Block
    ) -> syntax.For:
        return syntax.For(word.line, word.column, variable.text, array, None, False, body)

    def proc(self, word: Token, name: Token, parameters: tuple[str, ...], body: syntax.Block) -> syntax.Proc:
        return syntax.Proc(word.line, word.column, name.text, parameters, body)

    def parameters(self, *names: Token) -> tuple[str, ...]:
        return tuple(name.text for name in names)

    def binary(self, left: syntax.Expression, operator: Token, right: syntax.Expression) -> syntax.Binary:
        return syntax.Binary(operator.line, operator.column, _BINARY[operator.text], left, right)

    def unary(self, operator: Token, operand: syntax.Expression) -> syntax.Unary:
        return syntax.Unary(operator.line, operator.column, _UNARY[operator.text], operand)

    def boolean(self, word: Token) -> syntax.Boolean:
        return syntax.Boolean(word.line, word.column, word.kind == TokenKind.TRUE)

    def integer(self, digits: Token) -> syntax.Integer:
        return syntax.Integer(digits.line, digits.column, int(digits.text))

    def name(self, name: Token) -> syntax.Name:
        return syntax.Name(name.line, name.column, name.text)

    def index(self, array: syntax.Expression, bracket: Token, index: syntax.Expression) -> syntax.Index:
        return syntax.Index(bracket.line, bracket.column, array, index)

    def call(self, name: Token, arguments: tuple[syntax.Expression, ...] = ()) -> syntax.Call:
        return syntax.Call(name.line, name.column, name.text, arguments)

    def array(self, bracket: Token, items: tuple[syntax.Expression, ...] = ()) -> syntax.ArrayLiteral:
        return syntax.ArrayLiteral(bracket.line, bracket.column, items)

    def arguments(self, *expressions: syntax.Expression) -> tuple[syntax.Expression, ...]:
        return expressions


_NODES = _Nodes()


class _Builder(Transformer[Any, Any]):  # Any: lark calls what it finds here with what that gave before.
    """The same for lark, which hands over what a rule's parts came to as one list."""

    def __getattr__(self, name: str) -> Callable[[list[Any]], object]:
        make = getattr(_NODES, name)
        return lambda parts: make(*parts)
