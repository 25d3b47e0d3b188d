"""Random legal GWL programs as source lines, over the whole grammar and every freedom of layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_NESTING, MAX_SOURCE_LENGTH

Tokens = list[str]

ACTIONS = ("move", "place", "bomb", "wait")
STARTING_NAMES = (
    "a",
    "b",
    "i",
    "n2",
    "_",
    "BOMB",
    "ID",
    "tick",
    "True",
    "check",
    "x",
    "len",
    "f",
    "g",
    "print",
)
"""Names that may begin a statement; the actions are names only elsewhere."""
NAMES = (*STARTING_NAMES, *ACTIONS)
CALLABLES = (*NAMES, "div", "mod")
INFIX = ("+", "-", "*", "div", "mod", "==", "!=", "<", "<=", ">", ">=", "and", "or")
JOINING_TEXTS = frozenset({"+", "-", "*", "==", "!=", "<", "<=", ">", ">=", ",", "..", "..<"}) | {
    *("and", "or", "not", "div", "mod", "in")
}


def scripts(max_depth: int = 3, max_statements: int = 4) -> st.SearchStrategy[list[str]]:
    """Legal programs within the size limits.

    Args:
        max_depth: of nested blocks, at most 8.
        max_statements: in one block.
    """
    return st.builds(
        lambda seed, depth, statements: generate_script(Random(seed), depth, statements),
        st.integers(0, 2**32 - 1),
        st.integers(0, min(max_depth, MAX_NESTING)),
        st.integers(1, max_statements),
    )


def generate_script(random: Random, max_depth: int = 3, max_statements: int = 4) -> list[str]:
    """A legal program within the size limits; smaller than asked for where that would not keep to them."""
    while True:
        program = list(_Grammar(random, max_statements).generate_program(max_depth))
        lines = list(_write(random, program))
        if (
            len(lines) <= MAX_LINES
            and max(map(len, lines), default=0) <= MAX_LINE_LENGTH
            and sum(len(line) + 1 for line in lines) <= MAX_SOURCE_LENGTH
        ):
            return lines
        max_depth, max_statements = max(0, max_depth - random.randrange(2)), max(1, max_statements - 1)


@dataclass(frozen=True)
class LogicalLine:
    """A statement or header by its tokens, in a block at `depth`."""

    depth: int
    tokens: Tokens


@dataclass(frozen=True)
class Place:
    """Where a statement stands."""

    depth: int = 0
    in_loop: bool = False
    in_proc: bool = False


class _Grammar:
    def __init__(self, random: Random, max_statements: int) -> None:
        self._random = random
        self._max_statements = max_statements

    def generate_program(self, max_depth: int) -> Iterator[LogicalLine]:
        names = self._random.sample(NAMES, self._random.randint(0, 3)) if max_depth else []
        for name in names:
            yield from self._generate_block(Place(), max_depth, 0)
            parameters = [
                [parameter] for parameter in self._random.choices(NAMES, k=self._random.randint(0, 3))
            ]
            yield LogicalLine(0, ["proc", name, "(", *_separate(parameters), ")", "="])
            yield from self._generate_block(Place(1, in_proc=True), max_depth - 1)
        yield from self._generate_block(Place(), max_depth, 0)

    def _generate_block(self, place: Place, max_depth: int, least: int = 1) -> Iterator[LogicalLine]:
        for _ in range(self._random.randint(least, self._max_statements)):
            if max_depth and self._random.random() < 0.4:
                yield from self._generate_compound(place, max_depth)
            else:
                yield LogicalLine(place.depth, self._generate_simple(place))

    def _generate_compound(self, place: Place, max_depth: int) -> Iterator[LogicalLine]:
        kind = self._random.choice(("if", "while", "range", "array"))
        inner = replace(place, depth=place.depth + 1, in_loop=place.in_loop or kind != "if")
        match kind:
            case "if":
                headers = [["if", *self._generate_expression()]]
                headers += [["elif", *self._generate_expression()] for _ in range(self._random.randint(0, 2))]
                headers += [["else"]] * self._random.randint(0, 1)
            case "while":
                headers = [["while", *self._generate_expression()]]
            case "range":
                bounds = [
                    *self._generate_expression(),
                    self._random.choice(("..", "..<")),
                    *self._generate_expression(),
                ]
                headers = [["for", self._random.choice(NAMES), "in", *bounds]]
            case _:
                headers = [["for", self._random.choice(NAMES), "in", *self._generate_expression()]]
        for header in headers:
            yield LogicalLine(place.depth, [*header, ":"])
            yield from self._generate_block(inner, max_depth - 1)

    def _generate_simple(self, place: Place) -> Tokens:
        kinds = ["var", "assign", "element", "discard", "call", "move", "act", "act"]
        kinds += ["break", "continue"] if place.in_loop else []
        kinds += ["return", "return value"] if place.in_proc else []
        match self._random.choice(kinds):
            case "var":
                return ["var", self._random.choice(NAMES), "=", *self._generate_expression()]
            case "assign":
                return [self._random.choice(STARTING_NAMES), "=", *self._generate_expression()]
            case "element":
                base = [self._random.choice(STARTING_NAMES)]
                target = base if self._random.random() < 0.7 else self._generate_call(base[0], 1)
                return [*target, "[", *self._generate_expression(), "]", "=", *self._generate_expression()]
            case "discard":
                return ["discard", *self._generate_expression()]
            case "call":
                return self._generate_call(self._random.choice((*STARTING_NAMES, "div", "mod")), 2)
            case "move":
                return ["move", "(", *self._generate_expression(), ",", *self._generate_expression(), ")"]
            case "act":
                return [self._random.choice(ACTIONS[1:]), "(", ")"]
            case "return value":
                return ["return", *self._generate_expression()]
            case word:
                return [word]

    def _generate_expression(self, max_depth: int = 2) -> Tokens:
        tokens = self._generate_operand(max_depth)
        for _ in range(self._random.choice((0, 0, 0, 1, 1, 2))):
            tokens += [self._random.choice(INFIX), *self._generate_operand(max_depth)]
        return tokens

    def _generate_operand(self, max_depth: int) -> Tokens:
        signs = self._random.choices(("-", "not"), k=self._random.choice((0, 0, 0, 1, 2)))
        if self._random.random() < 0.15:
            return [*signs, self._random.choice(("true", "false"))]
        tokens = [*signs, *self._generate_primary(max_depth)]
        while max_depth and self._random.random() < 0.15:
            tokens += ["[", *self._generate_expression(max_depth - 1), "]"]
        return tokens

    def _generate_primary(self, max_depth: int) -> Tokens:
        choices = ("int", "name") if max_depth == 0 else ("int", "name", "name", "call", "group", "array")
        match self._random.choice(choices):
            case "int":
                return [
                    str(
                        self._random.choice((0, 1, self._random.randrange(40), self._random.randrange(2**63)))
                    )
                ]
            case "name":
                return [self._random.choice(NAMES)]
            case "call":
                return self._generate_call(self._random.choice(CALLABLES), max_depth - 1)
            case "group":
                return ["(", *self._generate_expression(max_depth - 1), ")"]
            case _:
                return ["[", *self._generate_list(max_depth - 1), "]"]

    def _generate_call(self, name: str, max_depth: int) -> Tokens:
        return [name, "(", *self._generate_list(max_depth), ")"]

    def _generate_list(self, max_depth: int) -> Tokens:
        return _separate([self._generate_expression(max_depth) for _ in range(self._random.randint(0, 3))])


def _separate(items: list[Tokens]) -> Tokens:
    tokens: Tokens = []
    for item in items:
        tokens += [",", *item] if tokens else item
    return tokens


def _write(random: Random, program: list[LogicalLine]) -> Iterator[str]:
    """The program with any spacing, indentation, comments, blank lines and line breaks."""
    widths = [0]
    for line in program:
        del widths[line.depth + 1 :]
        if len(widths) <= line.depth:
            widths.append(widths[-1] + random.choice((2, 2, 2, 4, 6)))
        yield from _write_remarks(random)
        yield from _write_line(random, line.tokens, widths[-1])
    yield from _write_remarks(random)


def _write_line(random: Random, tokens: Tokens, width: int) -> Iterator[str]:
    """One logical line as one or more physical ones."""
    text = "\t" * (width // 2) if random.random() < 0.1 else " " * width
    depth = 0
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        text += token
        depth += (token in "([") - (token in ")]")
        may_break = following and (depth > 0 or token in JOINING_TEXTS)
        if may_break and (len(text) > MAX_LINE_LENGTH - 40 or random.random() < 0.05):
            yield text + _write_line_end(random)
            yield from _write_remarks(random)
            text = _write_spaces(random, 5)
        elif _is_word(token[-1]) and _is_word(following[:1]):
            text += random.choice((" ", " ", " ", "  ", "\t"))
        else:
            text += random.choice((" ", " ", " ", "", "  ", "\t"))
    yield text + _write_line_end(random)


def _write_remarks(random: Random) -> Iterator[str]:
    """Lines that hold nothing but white space and comments; mostly none."""
    while random.random() < 0.1:
        yield _write_spaces(random, 5) + random.choice(
            ("", "\r", "\xa0", "\u2028", "\f", _write_comment(random))
        )


def _write_line_end(random: Random) -> str:
    return _write_spaces(random, 2) + _write_comment(random) if random.random() < 0.1 else ""


def _write_comment(random: Random) -> str:
    return "#" + "".join(
        random.choices(("a", " ", "#", "(", "\t", "é", "日", "\U0001f600", "\x00", "\ud800"), k=4)
    )


def _write_spaces(random: Random, most: int) -> str:
    return "".join(random.choices(" \t", k=random.randint(0, most)))


def _is_word(text: str) -> bool:
    return text.isalnum() or text == "_"
