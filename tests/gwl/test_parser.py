"""Legal programs become the tree they stand for, however deep, at the positions that instructions get."""

from __future__ import annotations

import logging
from importlib.resources import files
from random import Random
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.lexer import PatternStr

from gwl import checks, parser, syntax
from gwl.parser import parse_source
from gwl.reader import Reader
from gwl.shift_reduce import parse_tokens
from gwl.tokens import ACTIONS, KEYWORDS, OPERATORS, TokenKind
from gwl.walk import get_blocks, get_expressions, get_operands, walk_expressions, walk_statements
from tests.gwl.strategies import generate_script, scripts


def _value(text: str) -> syntax.Expression:
    (statement,) = parse_source([f"var r = {text}"]).statements
    assert isinstance(statement, syntax.Var)
    return statement.value


def _show(expression: syntax.Expression) -> str:
    """A small expression with all its brackets."""
    parts = [_show(part) for part in get_operands(expression)]
    match expression:
        case syntax.Integer(value=value):
            return str(value)
        case syntax.Boolean(value=value):
            return "true" if value else "false"
        case syntax.Name(name=name):
            return name
        case syntax.Unary(operator=operator):
            return f"({operator} {parts[0]})"
        case syntax.Binary(operator=operator):
            return f"({parts[0]} {operator} {parts[1]})"
        case syntax.Index():
            return f"{parts[0]}[{parts[1]}]"
        case syntax.Call(name=name):
            return f"{name}({', '.join(parts)})"
        case syntax.ArrayLiteral():
            return f"[{', '.join(parts)}]"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a or b and c", "(a or (b and c))"),
        ("a and b == c", "(a and (b == c))"),
        ("a == b + c", "(a == (b + c))"),
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a div b mod c * d", "(((a div b) mod c) * d)"),
        ("a < b < c", "((a < b) < c)"),
        ("not a == b", "((not a) == b)"),
        ("- 5 * 3", "((- 5) * 3)"),
        ("not not - a", "(not (not (- a)))"),
        ("-a[0]", "(- a[0])"),
        ("f(1)[2][3]", "f(1)[2][3]"),
        ("[1, 2][0]", "[1, 2][0]"),
        ("5[0]", "5[0]"),
        ("(true)[0]", "true[0]"),
        ("a mod (b)", "(a mod b)"),
        ("mod (a, b) mod div(c, d)", "(mod(a, b) mod div(c, d))"),
        ("move + wait()", "(move + wait())"),
        ("f()", "f()"),
        ("[]", "[]"),
        ("a or b or c", "((a or b) or c)"),
    ],
)
def test_operators_bind_as_the_language_says(text: str, meaning: str) -> None:
    assert _show(_value(text)) == meaning


def test_nodes_stand_where_their_instructions_belong() -> None:
    tree = parse_source(["x[", "  1 +", "  2] = f(", "-y)[0]"])
    (statement,) = tree.statements
    assert (statement.line, statement.column) == (1, 1)
    positions = {
        type(part).__name__ + _show(part): (part.line, part.column) for part in walk_expressions(statement)
    }
    assert positions == {
        "Indexx[(1 + 2)]": (1, 2),
        "Namex": (1, 1),
        "Binary(1 + 2)": (2, 5),
        "Integer1": (2, 3),
        "Integer2": (3, 3),
        "Indexf((- y))[0]": (4, 4),
        "Callf((- y))": (3, 8),
        "Unary(- y)": (4, 1),
        "Namey": (4, 2),
        "Integer0": (4, 5),
    }


def test_every_statement_has_its_node() -> None:
    tree = parse_source(
        [
            "proc f(a, a) =",
            "  if a:",
            "    return",
            "  elif true:",
            "    return 1",
            "  else:",
            "    discard a",
            "for i in 0 ..< 3:",
            "  for j in [1]:",
            "    break",
            "  for k in 0 .. 1:",
            "    continue",
            "while true:",
            "  move(1, 0)",
            "  f(1)",
        ]
    )
    kinds = [type(statement).__name__ for statement in walk_statements(tree.statements)]
    assert " ".join(kinds) == (
        "Proc If Return Return Discard For For Break For Continue While Action Discard"
    )
    proc, outer, _ = tree.statements
    assert isinstance(proc, syntax.Proc)
    assert (proc.name, proc.parameters) == ("f", ("a", "a"))
    assert isinstance(outer, syntax.For)
    loops = [outer, *(inner for inner in outer.body.statements if isinstance(inner, syntax.For))]
    assert [(loop.variable, loop.stop is None, loop.inclusive) for loop in loops] == [
        ("i", False, False),
        ("j", True, False),
        ("k", False, True),
    ]


def test_a_bare_call_is_told_from_a_discard() -> None:
    first, second = parse_source(["f()", "discard f()"]).statements
    assert isinstance(first, syntax.Discard)
    assert isinstance(second, syntax.Discard)
    assert (first.bare, second.bare) == (True, False)


def test_every_source_line_counts_and_an_empty_source_is_a_program() -> None:
    for lines in ([], ["", "# nothing", "  "]):
        tree = parse_source(lines)
        assert (tree.statements, tree.line_count) == ((), len(lines))


def _nest(opener: str, closer: str, pairs: int) -> list[str]:
    """An assignment with so many nested brackets, in full lines."""
    pieces = [opener] * pairs + ["1"] + [closer] * pairs
    count = 99 // len(opener)
    return ["a = (", *("".join(pieces[at : at + count]) for at in range(0, len(pieces), count)), ")"]


@pytest.mark.parametrize(
    "lines",
    [
        _nest("(", ")", 1900),
        _nest("f(", ")", 1200),
        _nest("b[", "]", 1200),
        _nest("[", "]", 1300),
        _nest("-", "", 3800),
        _nest("1+", "", 1900),
        ["a = [", *["1," * 49] * 38, "1]"],
    ],
)
def test_deep_and_long_expressions_take_milliseconds(lines: list[str]) -> None:
    parse_source(["place()"])  # The grammar is built once.
    start = thread_time()
    tree = parse_source(lines)
    assert thread_time() - start < 0.5
    assert len(tree.statements) == 1


@given(scripts())
def test_random_legal_programs_parse(lines: list[str]) -> None:
    tree = parse_source(lines)
    assert tree.line_count == len(lines)
    for statement in walk_statements(tree.statements):
        assert all(isinstance(part, syntax.Expression) for part in get_expressions(statement))


def _load_grammar(*, debug: bool = False) -> Lark:
    text = files("gwl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(text, start="program", parser="lalr", debug=debug)


def test_the_grammar_has_no_conflict_that_is_settled_silently(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="lark"):
        _load_grammar(debug=True)
    assert [record.message for record in caplog.records if "conflict" in record.message.lower()] == []


def test_the_grammar_and_the_tokens_spell_every_word_alike() -> None:
    spelled = {
        terminal.name: terminal.pattern.value
        for terminal in _load_grammar().terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    assert len(spelled) > 40
    assert spelled == {kind.value: text for text, kind in (KEYWORDS | ACTIONS | OPERATORS).items()}
    declared = {terminal.name for terminal in _load_grammar().terminals} | {
        "_NEWLINE",
        "_INDENT",
        "_DEDENT",
        "_WRONG",
    }
    assert declared == {kind.value for kind in TokenKind} - {TokenKind.BAD, TokenKind.END}


def _show_tree(node: object) -> object:
    """A tree as plain values, its positions too."""
    if isinstance(node, syntax.Node | syntax.Program):
        return type(node).__name__, [_show_tree(getattr(node, field)) for field in node.__struct_fields__]
    return [_show_tree(part) for part in node] if isinstance(node, tuple) else node


@given(scripts())
def test_a_whole_source_reads_as_line_by_line(script: list[str]) -> None:
    reader = Reader(script)
    whole = parse_tokens(parser._load_tables(), reader.list_tokens())
    assert whole is not None
    careful = reader.read(parser._Automaton(parser._load_grammar().parse_interactive()))
    assert not reader.problems
    assert _show_tree(whole) == _show_tree(careful)


@given(st.integers(0, 2**32 - 1))
def test_what_is_no_program_line_by_line_is_none_as_a_whole(seed: int) -> None:
    random = Random(seed)
    script = [*generate_script(random), "wait()"]
    line = random.randrange(len(script))
    script[line] = random.choice(["  ", "", "    "]) + script[line].lstrip()[random.randint(0, 3) :]
    reader = Reader(script)
    if reader.lexical_problems:
        return
    whole = parse_tokens(parser._load_tables(), reader.list_tokens())
    careful = reader.read(parser._Automaton(parser._load_grammar().parse_interactive()))
    assert (whole is None) == bool(reader.problems)
    assert whole is None or _show_tree(whole) == _show_tree(careful)


@given(scripts())
def test_a_tree_has_no_more_nodes_than_its_source_has_tokens(script: list[str]) -> None:
    tokens = Reader(script).list_tokens()
    statements = list(walk_statements(parse_source(script).statements))
    blocks = sum(len(get_blocks(statement)) for statement in statements)
    assert 1 + blocks + sum(map(checks._count_nodes, statements)) <= len(tokens)
