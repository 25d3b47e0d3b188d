"""Whatever compiles fits the kernel: the golden programs, and sources of many shapes as large as they get."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Sequence

import pytest

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.conformance import CompileCase
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.encoding import encode_program
from gridwars.benchmarks.grid_wars.kernel.instance import CompiledKernel, WasmKernel
from gridwars.vectors import read_lines
from gwl import compile_source
from gwl.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_SOURCE_LENGTH
from tests.gridwars.benchmarks.grid_wars.kernel.answers import BATTLES

SPAWN = (124, 145, 754, 775)
SECONDS = 0.05
"""The most that loading any program may take; the slowest takes a tenth of it."""


def _repeat(head: Sequence[str], unit: Sequence[str], tail: Sequence[str]) -> list[str]:
    """As many units of whole lines as a source may hold."""
    lines = [*head, *tail]
    room = MAX_SOURCE_LENGTH - sum(len(line) + 1 for line in lines)
    cost = sum(len(line) + 1 for line in unit)
    count = min(room // cost, (MAX_LINES - len(lines)) // len(unit))
    return [*head, *(list(unit) * count), *tail]


def _join(
    head: str, unit: str, tail: str, *, before: Sequence[str] = (), after: Sequence[str] = ()
) -> list[str]:
    """One statement that goes on over lines, with as many units as a source may hold."""
    row = unit * ((MAX_LINE_LENGTH - 1) // len(unit))
    return _repeat([*before, head], [row], [tail, *after])


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, MAX_LINE_LENGTH - 1)


KEPT = [first + second for first in "abcdefgh" for second in "abcdefghjklmnpqrstuvwxyz"][:180]
NEST = ["  " * depth + f"for {'abcdefg'[depth - 1]} in z:" for depth in range(1, 8)]
SHAPES = {
    "sums": _join("var s = (1", "+1", "+1)"),
    "minus signs": _join("var s = -", "-", "s"),
    "not words": _join("var t = not", " not", " t"),
    "brackets": ["var s = [", *["[" * 99] * 19, "1", *["]" * 99] * 19, "]"],
    "open sums": ["var s = (", *["1+(" * 33] * 20, "1", *[")" * 99] * 6, ")" * 67],
    "array": _join("var a = [0", ",1", ",2]"),
    "and": _join("var t = (true", " and t", " and t)", after=["if t:", "  place()"]),
    "or in and": _join("var t = (true", " and(t or t)", " and t)"),
    "constants": [f"s={number}" for number in range(1, 121)],
    "loops": _repeat(["var z = [1]", "proc f() =", "  return"], [*NEST, "  " * 8 + "a=b"], ["f()"]),
    "array loops": _repeat(["var z = []"], ["for i in z:", "  break"], []),
    "ranges": _repeat([], ["for i in 0..9:", "  continue"], []),
    "branches": _repeat(["var t = true"], ["if t:", "  t=t", "elif t:", "  t=t", "else:", "  t=t"], []),
    "calls": _join("var s = (f(0)", "+f(1)", "+f(2))", after=["proc f(n) =", "  return n"]),
    "nested calls": [
        "var s = f(",
        *["f(" * 49] * 13,
        "1",
        *[")" * 90] * 7,
        ")" * 8,
        "proc f(n) =",
        "  return n",
    ],
    "parameters": ["proc f(a", *[",a" * 49] * 19, ") =", "  return f(1", *[",1" * 49] * 19, ")", "f(1", ")"],
    "array around recursion": _join(
        "  return [1", ",1", ",f()][1]", before=["proc f() ="], after=["discard f()"]
    ),
    "sum around recursion": [
        "proc f() =",
        *("  return 1+(", *["1+(" * 30] * 31, "f()", *[")" * 90] * 10, ")" * 31),
        "discard f()",
    ],
    "parameters kept by many calls": [
        *_wrap(f"proc f({', '.join(KEPT)}) ="),
        *_wrap(f"  return ({' + '.join([*['g()'] * 200, *KEPT])})"),
        "proc g() =",
        "  if x() > 50:",
        *_wrap(f"    return f({', '.join(['1'] * len(KEPT))})"),
        "  return 1",
        *_wrap(f"discard f({', '.join(['2'] * len(KEPT))})"),
    ],
    "loops in a proc that many call": [
        "proc f() =",
        *["  for a in a..1:", "    break"] * 45,
        *_wrap(f"discard ({' + '.join(['f()'] * 400)})"),
    ],
    "procs": [
        *(
            line
            for index in range(32)
            for line in (f"proc p{index}(a, b) =", f"  var d = p{(index * 7 + 1) % 32}(a, b)", "  return d")
        ),
        "p0(1, 2)",
    ],
}


@pytest.fixture(scope="module")
def kernel() -> WasmKernel:
    return CompiledKernel().start()


def test_every_golden_program_is_taken(kernel: WasmKernel) -> None:
    cases = [line.decode(CompileCase) for line in read_lines(BATTLES.with_name("compile.jsonl.gz"))]
    programs = [compile_source(case.script) for case in cases if case.expect["ok"]]
    assert len(programs) > 800
    for program in programs:
        kernel.unload()
        assert _load_in_time(kernel, encode_program(program)) == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_the_largest_program_of_a_shape_is_taken_and_played_as_by_the_reference(
    kernel: WasmKernel, shape: str
) -> None:
    program = compile_source(SHAPES[shape])
    kernel.unload()
    assert _load_in_time(kernel, encode_program(program)) == 0
    job = BattleJob([program, None, None, None], 1, SPAWN, 45, 12, tick_digests=True)
    start_engine(EngineChoice.BOTH).play_battle(job)


def _load_in_time(kernel: WasmKernel, encoded: bytes) -> int:
    begun = time.thread_time()
    number = kernel.load(encoded)
    assert time.thread_time() - begun < SECONDS
    return number
