"""From source lines to the syntax tree, with every syntax error on the way; the only importer of lark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from lark import Lark, Token as LarkToken, Transformer, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from gwl import syntax
from gwl.errors import CompileError, Diagnostic, ErrorCode
from gwl.layout import Indentation, LogicalLine, Token, TokenKind, join_lines, scan_line


def parse_source(lines: Sequence[str]) -> syntax.Program:
    """Parses a whole warrior.

    Raises:
        CompileError: with every diagnostic, the first error of the source first.
    """
    reader = _Reader(lines)
    return reader.read()


class _Builder(Transformer[LarkToken, object]):
    """Makes a node of each reduction, so that no parse tree is ever walked."""

    def program(self, children):
        return tuple(children)

    def block(self, children):
        return syntax.Block(children[0].line, children[0].column, tuple(children))

    def var(self, children):
        word, name, value = children
        return syntax.Var(word.line, word.column, str(name), value)

    def assign(self, children):
        name, value = children
        return syntax.Assign(name.line, name.column, str(name), value)

    def assign_element(self, children):
        target, value = children
        first = target
        while isinstance(first, syntax.Index):
            first = first.array
        return syntax.AssignIndex(first.line, first.column, target, value)

    def discard(self, children):
        word, value = children
        return syntax.Discard(word.line, word.column, value, bare=False)

    def bare_call(self, children):
        (call,) = children
        return syntax.Discard(call.line, call.column, call, bare=True)

    def wrong(self, children):
        return children[0]


    def break_(self, children):
        return syntax.Break(children[0].line, children[0].column)

    def continue_(self, children):
        return syntax.Continue(children[0].line, children[0].column)

    def return_(self, children):
        return syntax.Return(children[0].line, children[0].column, children[1] if len(children) > 1 else None)

    def action(self, children):
        word = children[0]
        return syntax.Action(
            word.line, word.column, syntax.ActionName(str(word)), children[1] if len(children) > 1 else ()
        )

    def if_(self, children):
        word, *parts = children
        otherwise = parts.pop() if len(parts) % 2 else None
        return syntax.If(word.line, word.column, tuple(zip(parts[::2], parts[1::2])), otherwise)

    def otherwise(self, children):
        return children[0]

    def while_(self, children):
        word, condition, body = children
        return syntax.While(word.line, word.column, condition, body)

    def for_(self, children):
        word, variable, start, *bounds, body = children
        stop = bounds[1] if bounds else None
        inclusive = bool(bounds) and bounds[0].type == "UPTO"
        return syntax.For(word.line, word.column, str(variable), start, stop, inclusive, body)

    def proc(self, children):
        word, name, *parameters, body = children
        return syntax.Proc(word.line, word.column, str(name), parameters[0] if parameters else (), body)

    def parameters(self, children):
        return tuple(str(name) for name in children)

    def binary(self, children):
        left, operator, right = children
        return syntax.Binary(operator.line, operator.column, syntax.BinaryOperator(str(operator)), left, right)

    def unary(self, children):
        operator, operand = children
        return syntax.Unary(operator.line, operator.column, syntax.UnaryOperator(str(operator)), operand)

    def boolean(self, children):
        return syntax.Boolean(children[0].line, children[0].column, children[0] == "true")

    def integer(self, children):
        return syntax.Integer(children[0].line, children[0].column, int(children[0]))

    def index(self, children):
        array, bracket, index = children
        return syntax.Index(bracket.line, bracket.column, array, index)

    def name(self, children):
        return syntax.Name(children[0].line, children[0].column, str(children[0]))

    def call(self, children):
        name = children[0]
        return syntax.Call(name.line, name.column, str(name), children[1] if len(children) > 1 else ())

    def array(self, children):
        bracket = children[0]
        return syntax.ArrayLiteral(bracket.line, bracket.column, children[1] if len(children) > 1 else ())

    def arguments(self, children):
        return tuple(children)


for _word in ("if", "while", "for", "break", "continue", "return"):
    setattr(_Builder, _word, getattr(_Builder, _word + "_"))


@cache
def _load_grammar() -> Lark:
    text = files("gwl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, start="program", parser="lalr", lexer="basic", transformer=_Builder())


_ACTIONS = {"move": "MOVE", "place": "PLACE", "bomb": "BOMB", "wait": "WAIT"}


class _Reader:
    def __init__(self, lines):
        self._lines = lines
        self._parser = _load_grammar().parse_interactive()

    def read(self):
        indentation = Indentation()
        for line in join_lines(scan_line(number, text) for number, text in enumerate(self._lines, 1)):
            change, fits = indentation.enter(line.width)
            if not fits or line.width % 2:
                raise self._fail(line.tokens[0])
            if change > 0:
                self._feed("_INDENT", line.tokens[0])
            for _ in range(-change):
                self._feed("_DEDENT", line.tokens[0])
            for position, token in enumerate(line.tokens):
                kind = token.kind.value
                if position == 0:
                    kind = _ACTIONS.get(token.text, kind)
                self._feed(kind, token)
            self._feed("_NEWLINE", line.tokens[-1])
        end = Token(TokenKind.BAD, "", len(self._lines), 1)
        while indentation.width:
            indentation.enter(indentation.width - 1)
            self._feed("_DEDENT", end)
        statements = self._feed("$END", end)
        return syntax.Program(statements, len(self._lines))

    def _feed(self, kind, token):
        try:
            return self._parser.feed_token(LarkToken(kind, token.text, 0, token.line, token.column))
        except UnexpectedToken:
            raise self._fail(token) from None

    def _fail(self, token):
        return CompileError(
            (Diagnostic(ErrorCode.BAD_STATEMENT, token.line, token.column, f"unexpected {token.text!r}", ""),)
        )
