"""Random warriors that run long and seldom fault: what two engines are compared on.

Expressions are made to fit their type, apart from a few on purpose, so that programs go on to loops, calls,
arrays and stalls, where engines could differ, instead of ending at their first line.
"""

from __future__ import annotations

from random import Random

from gwl import compile_source
from gwl.errors import CompileError
from gwl.limits import MAX_LINE_LENGTH
from gwl.program import Program

MAX_LINES = 60
MAX_DEPTH = 5
INTEGERS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "-3",
    "60",
    "1000",
    "4611686018427387904",
    "gridSize",
    "ID",
    "BOMB",
)
GLOBALS = ("g0", "g1", "g2", "g3")
FLAGS = ("f0", "f1")
ARRAYS = ("a0", "a1")
PROCS = {"p0": 0, "p1": 1, "p2": 2, "p3": 3, "p4": 5, "p5": 1}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
MOVES = tuple(f"move({dx}, {dy})" for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def make_program(random: Random, *, brisk: bool) -> Program:
    """The program of a random warrior, sometimes a damaged one.

    Args:
        brisk: whether it acts after nearly every statement, so that many ticks take little time.
    """
    while True:
        script = _Writer(random, brisk=brisk).write()
        if random.random() < 0.3:
            script = mutate_script(random, script)
        try:
            return compile_source(script)
        except CompileError:
            continue  # Too long, or damaged too much.


def mutate_script(random: Random, script: list[str]) -> list[str]:
    """The script with a few small damages, most of which leave it legal."""
    lines = list(script)
    for _ in range(random.randint(1, 3)):
        index = random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0:
            lines[index] = _swap_word(random, lines[index])
        elif kind == 1 and len(lines) > 1:
            del lines[index]
        elif kind == 2:
            lines.insert(index, lines[random.randrange(len(lines))])
        else:
            other = random.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
    return lines


_WORDS = (
    *INTEGERS,
    *COMPARISONS,
    *GLOBALS,
    *FLAGS,
    *ARRAYS,
    *("+", "-", "*", "div", "mod", "and", "or", "not", "true", "false", "x()", "rand(3)"),
)


def _swap_word(random: Random, line: str) -> str:
    words = line.split(" ")
    places = [index for index, word in enumerate(words) if word]
    if places:
        words[random.choice(places)] = random.choice(_WORDS)
    return " ".join(words)


class _Writer:
    def __init__(self, random: Random, *, brisk: bool) -> None:
        self._random = random
        self._brisk = brisk
        self._lines: list[str] = []
        self._locals: list[str] = []
        self._in_loop = False
        self._in_proc = False
        self._fault_rate = random.choice((0.0, 0.0, 0.002, 0.02))
        self._action_rate = random.choice((0.02, 0.1, 0.3))
        self._procs = [name for name in PROCS if random.random() < 0.5]
        self._calls_much = random.random() < 0.3

    def write(self) -> list[str]:
        for name in GLOBALS:
            self._lines.append(f"var {name} = {self._random.choice(INTEGERS)}")
        for name in FLAGS:
            self._lines.append(f"var {name} = {self._random.choice(('true', 'false'))}")
        for name in ARRAYS:
            items = self._random.choices(INTEGERS, k=self._random.randint(1, 6))
            self._lines.append(f"var {name} = [{', '.join(items)}]")
        for name in self._procs:
            self._write_proc(name, PROCS[name])
        self._lines.append("while true:")
        self._in_loop = True
        self._write_block(1, self._random.randint(2, 9))
        self._lines.append("  " + self._random.choice((*MOVES, "place()", "wait()", "discard 0")))
        return [self._shorten(line) for line in self._lines]

    def _shorten(self, line: str) -> str:
        if len(line) <= MAX_LINE_LENGTH:
            return line
        indent = line[: len(line) - len(line.lstrip())]
        if not line.endswith(":"):
            return f"{indent}g0 = g0 + 1"
        return f"{indent}elif f0:" if line.lstrip().startswith("elif") else f"{indent}while f1:"

    def _write_proc(self, name: str, arity: int) -> None:
        parameters = [f"v{index}" for index in range(arity)]
        self._lines.append(f"proc {name}({', '.join(parameters)}) =")
        self._locals = parameters
        self._in_proc = True
        if self._random.random() < (0.95 if self._calls_much else 0.7):
            # Most recursion ends by itself; some runs into the depth limit.
            often = self._random.choice((2, 3, 5)) if self._calls_much else 40
            self._lines += ["  g3 = g3 + 1", f"  if g3 mod {often} == 0:", f"    return {self._integer(0)}"]
        self._write_block(1, self._random.randint(1, 7 if self._calls_much else 4))
        self._lines.append(f"  return {self._integer(2)}")
        self._in_proc = False
        self._locals = []

    def _write_block(self, depth: int, count: int) -> None:
        visible = list(self._locals)
        for _ in range(count):
            if len(self._lines) < MAX_LINES:
                self._write_statement(depth)
            if self._brisk and self._random.random() < 0.8 and not self._lines[-1].endswith(":"):
                self._lines.append("  " * depth + self._action())
        if self._lines[-1].endswith(":"):
            self._lines.append("  " * depth + "g0 = g0 - 1")
        self._locals = visible

    def _write_statement(self, depth: int) -> None:
        indent = "  " * depth
        roll = self._random.random()
        if roll < self._action_rate:
            self._lines.append(indent + self._action())
        elif depth < MAX_DEPTH and roll < 0.6 and len(self._lines) < MAX_LINES - 10:
            self._write_compound(depth)
        else:
            self._lines.append(indent + self._simple())

    def _action(self) -> str:
        if self._random.random() < 0.1:
            return f"move({self._integer(2)}, {self._integer(2)})"
        return self._random.choice((*MOVES, "place()", "place()", "bomb()", "wait()"))

    def _simple(self) -> str:
        roll = self._random.random()
        if roll < 0.45:
            return f"{self._random.choice((*GLOBALS, *self._locals))} = {self._integer(3)}"
        if roll < 0.55:
            return f"{self._random.choice(FLAGS)} = {self._boolean(3)}"
        if roll < 0.65:
            array = self._random.choice(ARRAYS)
            return f"{array}[{self._index(array)}] = {self._integer(2)}"
        if roll < 0.7:
            return f"{self._random.choice(ARRAYS)} = [{self._items(self._random.randint(1, 4))}]"
        if roll < 0.8 and self._in_proc:
            name = f"w{self._random.randrange(8 if self._calls_much else 3)}"
            line = f"var {name} = {self._integer(2)}"
            self._locals.append(name)
            return line
        if roll < 0.85 and self._in_loop:
            return self._random.choice(("break", "continue"))
        return f"discard {self._random.choice((self._integer(2), self._boolean(2)))}"

    def _write_compound(self, depth: int) -> None:
        indent = "  " * depth
        roll = self._random.random()
        in_loop = self._in_loop
        count = self._random.randint(1, 3)
        visible = list(self._locals)
        if roll < 0.45:
            self._lines.append(f"{indent}if {self._boolean(3)}:")
            self._write_block(depth + 1, count)
            if self._random.random() < 0.3:
                self._lines.append(f"{indent}elif {self._boolean(2)}:")
                self._write_block(depth + 1, 1)
            if self._random.random() < 0.4:
                self._lines.append(f"{indent}else:")
                self._write_block(depth + 1, count)
        elif roll < 0.65:
            self._in_loop = True
            self._lines.append(f"{indent}while {self._boolean(2)}:")
            self._write_block(depth + 1, count)
        else:
            self._in_loop = True
            name = f"k{depth}"
            span = f"{self._random.randint(-3, 2)} {self._random.choice(('..', '..<'))} {self._integer(1)}"
            bounds = self._random.choice((span, self._random.choice(ARRAYS), f"[{self._items(3)}]"))
            self._lines.append(f"{indent}for {name} in {bounds}:")
            self._locals.append(name)
            self._write_block(depth + 1, count)
        self._locals = visible
        self._in_loop = in_loop

    def _items(self, count: int) -> str:
        return ", ".join(self._integer(1) for _ in range(count))

    def _index(self, array: str) -> str:
        if self._random.random() < self._fault_rate * 5:
            return self._integer(1)
        return f"abs({self._integer(1)} mod 1000) mod len({array})"

    def _integer(self, depth: int) -> str:
        if self._random.random() < self._fault_rate:
            return self._random.choice((*FLAGS, *ARRAYS, "nowhere", "true"))
        roll = self._random.random()
        if depth == 0 or roll < 0.3:
            return self._random.choice((*INTEGERS[:8], *GLOBALS, *self._locals))
        if self._calls_much and self._procs and self._random.random() < 0.3:
            return self._call(depth - 1)
        left, right = self._integer(depth - 1), self._integer(depth - 1)
        small = self._random.choice(("2", "3", "5", "-7", "100"))
        if roll < 0.6:
            return f"({left} {self._random.choice('+-')} {right}) mod 1000003"
        if roll < 0.66:
            return f"({left} mod 1000) * ({right} mod 1000)"
        if roll < 0.72:
            return f"{left} {self._random.choice(('div', 'mod'))} {small}"
        if roll < 0.76:
            return f"-({left} mod 100)"
        if roll < 0.8:
            array = self._random.choice(ARRAYS)
            return f"{array}[{self._index(array)}]"
        if roll < 0.86 and self._procs:
            return self._call(0)
        return self._builtin(left, right)

    def _call(self, depth: int) -> str:
        name = self._random.choice(self._procs)
        return f"{name}({', '.join(self._integer(depth) for _ in range(PROCS[name]))})"

    def _builtin(self, left: str, right: str) -> str:
        name = self._random.choice(
            ("check", "who", "x", "y", "tiles", "energy", "tick", "alive", "rand", "min", "max", "xor", "shr")
        )
        match name:
            case "check" | "who":
                return f"{name}({left} mod 6, {right} mod 6)"
            case "min" | "max" | "xor":
                return f"{name}({left}, {right})"
            case "shr":
                return f"shr(shl({left}, 5), {self._random.randint(0, 62)})"
            case "alive":
                return f"alive({left} mod 6)"
            case "rand":
                return f"rand({self._random.randint(1, 50)})"
            case _:
                return f"{name}()"

    def _boolean(self, depth: int) -> str:
        if self._random.random() < self._fault_rate:
            return self._integer(1)
        roll = self._random.random()
        if depth == 0 or roll < 0.15:
            return self._random.choice((*FLAGS, *FLAGS, "true", "false"))
        if roll < 0.6:
            return f"{self._integer(depth - 1)} {self._random.choice(COMPARISONS)} {self._integer(depth - 1)}"
        if roll < 0.8:
            word = self._random.choice(("and", "or"))
            return f"({self._boolean(depth - 1)}) {word} ({self._boolean(depth - 1)})"
        if roll < 0.9:
            return f"not ({self._boolean(depth - 1)})"
        return (
            f"({self._boolean(depth - 1)}) {self._random.choice(('==', '!='))} ({self._boolean(depth - 1)})"
        )
