"""Whatever a script holds, the compiler takes it or says what is wrong, in no time; see --fuzz-seconds."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from time import perf_counter, thread_time

import pytest

from gwl import CompileError, Diagnostic, check_source, compile_source, format_source
from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH
from gwl.tokens import ACTIONS, KEYWORDS, OPERATORS
from tests.gwl.strategies import generate_script
from tests.gwl.vector_files import read_cases

HARD_LIMIT_SECONDS = 1.0

PIECES = (
    *KEYWORDS,
    *ACTIONS,
    *OPERATORS,
    *("a", "f", "x", "ID", "BOMB", "0", "1", "9223372036854775807", "9223372036854775808"),
    *(
        "!",
        ".",
        "@",
        "{",
        '"',
        ";",
        "&&",
        "é",
        "\ufeff",
        "\xa0",
        "\x00",
        "\ud800",
        "\U0001f600",
        "\r",
        "\t",
        "#",
    ),
)


def _make_garbage(random: Random) -> list[str]:
    """Characters of any kind in lines of any length."""
    alphabet = random.choice((range(128), range(0x110000), b" \t()[]=:-+#\n.<a1"))
    length = random.choice((10, 100, 4000, 20_000))
    text = "".join(map(chr, random.choices(alphabet, k=random.randrange(length))))
    return text.split("\n") if random.random() < 0.5 else text.splitlines()


def _make_token_soup(random: Random) -> list[str]:
    """Tokens in any order, within the size limits."""
    pieces = random.sample(PIECES, random.randint(2, 12)) if random.random() < 0.5 else PIECES
    lines: list[str] = []
    total = 0
    while len(lines) < random.choice((3, 30, MAX_LINES)):
        line = " " * random.choice((0, 0, 0, 2, 2, 4, 3))
        while len(line) < random.choice((10, 40, MAX_LINE_LENGTH)):
            line += random.choice(pieces) + random.choice(("", " "))
        line = line[:MAX_LINE_LENGTH]
        total += len(line) + 1
        if total > MAX_SOURCE_LENGTH:
            break
        lines.append(line)
    return lines


def _make_deep_nest(random: Random) -> list[str]:
    """As many brackets and signs as the size limits allow, with a fault somewhere."""
    openers = random.choice(("(", "[", "f(", "a[", "-", "not ", "1+", "f(1,", "-(", "[f("))
    closers = random.choice((")", "]", ")]", "", "))"))
    text = "a=" + openers * random.randrange(1500) + "1" + closers * random.randrange(2000)
    position = random.randrange(len(text))
    text = text[:position] + random.choice(("", random.choice(PIECES))) + text[position:]
    return [text[start : start + 99] for start in range(0, min(len(text), 3900), 99)]


def _mutate(random: Random, lines: list[str]) -> list[str]:
    """A script with a few small damages."""
    lines = list(lines)
    for _ in range(random.randint(1, 6)):
        if not lines:
            break
        at = random.randrange(len(lines))
        line = lines[at]
        column = random.randrange(len(line) + 1)
        match random.randrange(8):
            case 0:
                lines[at] = "  " + line
            case 1:
                lines[at] = line[1:]
            case 2:
                del lines[at]
            case 3:
                lines.insert(at, random.choice(lines))
            case 4:
                lines[at] = line[:column] + line[column + random.randint(1, 3) :]
            case 5:
                lines[at : at + 1] = [line[:column], line[column:]]
            case 6:
                lines[at : at + 2] = ["".join(lines[at : at + 2])]
            case _:
                lines[at] = line[:column] + random.choice(PIECES) + line[column:]
    return lines


def _mutate_golden(random: Random) -> list[str]:
    return _mutate(random, random.choice(read_cases("compile"))["script"])


def _mutate_generated(random: Random) -> list[str]:
    return _mutate(random, generate_script(random))


MAKERS: tuple[Callable[[Random], list[str]], ...] = (
    _make_garbage,
    _make_token_soup,
    _make_deep_nest,
    _mutate_golden,
    _mutate_generated,
    generate_script,
)


@pytest.fixture
def seconds(request: pytest.FixtureRequest) -> float:
    """This maker's share of the time that the fuzz tests have."""
    total: float = request.config.getoption("--fuzz-seconds")
    return total / len(MAKERS)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__.strip("_"))
@pytest.mark.timeout(7200)
def test_any_script_compiles_or_is_refused_within_a_second(
    make: Callable[[Random], list[str]], seconds: float
) -> None:
    compile_source([])  # The grammar is built once.
    first_seed = int.from_bytes(os.urandom(6))
    end = perf_counter() + seconds
    count = 0
    while perf_counter() < end or count == 0:
        seed = first_seed + count
        lines = make(Random(seed))
        start = thread_time()  # The wall clock would also measure whatever else the machine does.
        try:
            _compile(lines)
        except Exception as error:
            raise AssertionError(f"{make.__name__}(Random({seed})): {lines!r}") from error
        assert thread_time() - start < HARD_LIMIT_SECONDS, f"{make.__name__}(Random({seed})) took too long"
        count += 1


def _compile(lines: list[str]) -> None:
    """Compiles and, where that works, lints and formats; shows every error."""
    try:
        program = compile_source(lines)
    except CompileError as error:
        _require_presentable(error.diagnostics, lines)
        return
    _require_presentable(check_source(lines), lines)
    assert compile_source(format_source(lines)).constants == program.constants


def _require_presentable(diagnostics: tuple[Diagnostic, ...], lines: list[str]) -> None:
    places = [(found.line, found.column, found.message) for found in diagnostics]
    assert len(set(places)) == len(places), places
    assert all(1 <= line <= max(1, len(lines)) and column >= 1 for line, column, _ in places), places
    for diagnostic in diagnostics:
        diagnostic.render().encode()
