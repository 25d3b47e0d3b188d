"""What the kernel takes as a program: a fixed form, and nothing that could lead it astray."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from gridwars.benchmarks.grid_wars.conformance_battles import compute_fast_answer
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.encoding import encode_job, encode_program, lay_out_result
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.kernel.instance import CompiledKernel, WasmKernel
from gridwars.vectors import first_difference
from gwl import compile_source
from gwl.program import Instruction, Op, ProcEntry, Program, Scope
from tests.gridwars.benchmarks.grid_wars.kernel.answers import read_battles
from tests.gridwars.benchmarks.grid_wars.kernel.native import COMPILER, NativeKernel, build_driver
from tests.gridwars.benchmarks.grid_wars.kernel.programs import make_program

LENGTH, HEADER, INSTRUCTION, PROC, FLOW, STACK, SIZE, ROOM = range(-2, -10, -1)
"""-1 - each `LoadStatus`."""

ENCODED_SCRIPT = ["var n = 5", "proc f(a) =", "  return a * n", "move(f(-2), 0)"]
ENCODED = """
    47574c50 01000000 10000000 03000000 00000000 01000000 01000000 00000000
    07000000 08000000 00000000 01000000  09000000 01000000 00000000 02000000
    01000000 00000000 01000000 03000000  01000000 00000000 00000000 03000000
    04000000 02000000 00000000 03000000  0a000000 00000000 00000000 03000000
    00000000 00000000 00000000 02000000  0a000000 00000000 00000000 02000000
    00000000 01000000 00000000 01000000  02000000 00000000 00000000 01000000
    00000000 02000000 00000000 04000000  05000000 00000000 00000000 04000000
    06000000 64000000 01000000 04000000  00000000 00000000 00000000 04000000
    0c000000 01000000 02000000 04000000  0d000000 00000000 00000000 04000000
    00000000 00000000 05000000 00000000 02000000 00000000 01000000 01000000 01000000
"""
JUMP, HALT = Instruction(Op.JUMP, 1, 0, 1), Instruction(Op.HALT, 0, 0, 1)
PUSH, LEAVE = Instruction(Op.PUSH, 1, 1, 1), Instruction(Op.LEAVE, 1, 0, 1)
ENTER, RETURN = Instruction(Op.ENTER, 2, 0, 1), Instruction(Op.RETURN, 0, 0, 1)
PROCS = (ProcEntry("f", 1, 1, 2),)
PROC_BODY = (Instruction(Op.JUMP, 4, 0, 1), ENTER, PUSH, RETURN)

DAMAGED_PROGRAMS = 6000
DAMAGED_PER_PROGRAM = 200
NATIVE_STRIDE = 9


@pytest.fixture(scope="module")
def kernel() -> WasmKernel:
    return CompiledKernel().start()


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NativeKernel]:
    if COMPILER is None:
        pytest.skip("there is no C compiler")
    kernel = NativeKernel(build_driver(tmp_path_factory.mktemp("driver")))
    yield kernel
    kernel.close()


def test_the_form_of_a_program_is_fixed(kernel: WasmKernel) -> None:
    encoded = encode_program(compile_source(ENCODED_SCRIPT))
    assert encoded == bytes.fromhex(ENCODED)
    assert kernel.load(encoded) >= 0


@pytest.mark.parametrize(
    ("word", "value", "status"),
    [
        (0, 0, HEADER),
        (1, 2, HEADER),
        (2, 0, HEADER),
        (2, 8193, HEADER),
        (3, -1, HEADER),
        (4, 8193, HEADER),
        (5, 4097, HEADER),
        (6, 33, HEADER),
        (7, 1, HEADER),
        (2, 17, LENGTH),
        (3, 2, LENGTH),
    ],
)
def test_a_header_must_fit_what_follows(kernel: WasmKernel, word: int, value: int, status: int) -> None:
    encoded = bytearray.fromhex(ENCODED)
    struct.pack_into("<i", encoded, 4 * word, value)
    assert kernel.load(bytes(encoded)) == status


def test_a_program_must_be_whole(kernel: WasmKernel) -> None:
    encoded = bytes.fromhex(ENCODED)
    for length in range(len(encoded)):
        assert kernel.load(encoded[:length]) == LENGTH
    assert kernel.load(encoded + b"\0\0\0\0") == LENGTH


@pytest.mark.parametrize(
    "instruction",
    [
        Instruction(Op.PUSH, 1, 0, 1),
        Instruction(Op.PUSH, 2, 1, 1),
        Instruction(Op.LOAD, 1, Scope.GLOBAL, 1),
        Instruction(Op.LOAD, -1, Scope.GLOBAL, 1),
        Instruction(Op.LOAD, 0, Scope.LOCAL, 1),
        Instruction(Op.LOAD, 1, Scope.UNDEFINED, 1),
        Instruction(Op.LOAD, 0, 3, 1),
        Instruction(Op.CALL, -2, 0, 1),
        Instruction(Op.CALL, 21, 0, 1),
        Instruction(Op.CALL, 100, 0, 1),
        Instruction(Op.CALL, 2, -1, 1),
        Instruction(Op.JUMP, 99, 0, 1),
        Instruction(Op.JUMP, -1, 0, 1),
        Instruction(Op.LEAVE, -1, 0, 1),
        Instruction(Op.ACTION, 0, 0, 1),
        Instruction(Op.ACTION, 5, 0, 1),
        Instruction(Op.ACTION, 2, 1, 1),
        Instruction(Op.HALT, 1, 0, 1),
        Instruction(Op.HALT, 0, 0, -1),
        Instruction(Op.HALT, 0, 0, 1 << 15),
    ],
)
def test_an_operand_must_be_in_its_range(kernel: WasmKernel, instruction: Instruction) -> None:
    program = Program((JUMP, instruction, LEAVE, HALT), (7,), ("unknown",), ("g",), ())
    assert kernel.load(encode_program(program)) == INSTRUCTION


@pytest.mark.parametrize(
    ("instructions", "procs", "status"),
    [
        ((JUMP, PUSH), (), FLOW),
        ((JUMP, RETURN), (), STACK),
        ((JUMP, PUSH, RETURN), (), FLOW),
        ((JUMP, LEAVE, HALT), (), STACK),
        ((JUMP, PUSH, Instruction(Op.BINARY, 0, 0, 1), HALT), (), STACK),
        ((JUMP, PUSH, Instruction(Op.JUMP, 1, 0, 1)), (), STACK),
        ((JUMP, PUSH, Instruction(Op.JUMP_FALSE, 4, 0, 1), PUSH, HALT), (), STACK),
        ((JUMP, HALT), PROCS, PROC),
        ((*PROC_BODY, HALT), (ProcEntry("f", 1, 3, 2),), PROC),
        ((*PROC_BODY, HALT), (ProcEntry("f", 5, 1, 2),), PROC),
        ((*PROC_BODY, HALT), (ProcEntry("f", 1, 1, 3),), PROC),
        ((Instruction(Op.JUMP, 1, 0, 1), *PROC_BODY[1:], HALT), PROCS, FLOW),
        ((Instruction(Op.JUMP, 2, 0, 1), *PROC_BODY[1:], HALT), PROCS, FLOW),
        ((PROC_BODY[0], ENTER, HALT, HALT, HALT), PROCS, FLOW),
        ((PROC_BODY[0], ENTER, PUSH, PUSH, HALT), PROCS, FLOW),
        ((PROC_BODY[0], ENTER, Instruction(Op.LOAD, 2, Scope.LOCAL, 1), RETURN, HALT), PROCS, INSTRUCTION),
        ((Instruction(Op.JUMP, 5, 0, 1), ENTER, PUSH, PUSH, RETURN, HALT), PROCS, STACK),
    ],
)
def test_code_must_stay_in_its_proc_and_its_stack_must_fit(
    kernel: WasmKernel, instructions: Sequence[Instruction], procs: tuple[ProcEntry, ...], status: int
) -> None:
    assert kernel.load(encode_program(Program(tuple(instructions), (), (), (), procs))) == status


def test_a_program_may_not_need_more_values_than_there_are(kernel: WasmKernel) -> None:
    body = (Instruction(Op.JUMP, 4, 0, 1), Instruction(Op.ENTER, 8192, 0, 1), PUSH, RETURN, HALT)
    procs = (ProcEntry("f", 1, 0, 8192),)
    assert kernel.load(encode_program(Program(body, (), (), (), procs))) == SIZE


def test_programs_are_taken_until_there_is_no_room(kernel: WasmKernel) -> None:
    kernel.unload()
    encoded = bytes.fromhex(ENCODED)
    numbers = [kernel.load(encoded) for _ in range(1025)]
    assert numbers == [*range(1024), ROOM]
    kernel.unload()
    assert kernel.load(encoded) == 0


@pytest.mark.slow
def test_sanitizers_find_nothing_in_the_golden_battles(native: NativeKernel) -> None:
    fast = FastEngine(lambda: native)
    cases = read_battles()[::NATIVE_STRIDE]
    assert len(cases) > 100
    for case in cases:
        assert first_difference(case.expect, compute_fast_answer(fast, case)) is None, case.id


@pytest.mark.slow
def test_a_damaged_program_is_refused_or_plays_within_its_bounds(native: NativeKernel) -> None:
    """The sanitizers watch; a program that is still one may do anything that GWL knows."""
    random = Random(7)
    statuses = set()
    for program in [
        make_program(random, brisk=False) for _ in range(DAMAGED_PROGRAMS // DAMAGED_PER_PROGRAM)
    ]:
        encoded = encode_program(program)
        for _ in range(DAMAGED_PER_PROGRAM):
            native.unload()
            number = native.load(_damage(random, encoded))
            statuses.add(min(number, 0))
            if number >= 0:
                _play(native, number)
    assert statuses >= {0, INSTRUCTION, FLOW, STACK}


def _damage(random: Random, encoded: bytes) -> bytes:
    """A few words changed: to a neighbour, to another word of the program, or to anything."""
    damaged = bytearray(encoded)
    word_count = len(encoded) // 4
    for _ in range(random.choice((1, 1, 2, 5))):
        place = 4 * random.randrange(8 if random.random() < 0.98 else 0, word_count)
        (word,) = struct.unpack_from("<i", encoded, place)
        (other,) = struct.unpack_from("<i", encoded, 4 * random.randrange(word_count))
        anything = random.randrange(-(2**31), 2**31)
        small = random.randrange(16)
        value = random.choice((word - 1, word + 1, other, small, small, anything))
        struct.pack_into("<i", damaged, place, max(-(2**31), min(value, 2**31 - 1)))
    return bytes(damaged)


def _play(kernel: NativeKernel, number: int) -> None:
    job = BattleJob([None] * 4, seed=1, spawn=(124, 145, 754, 775), ticks=55, bomb_cost=1)
    layout = lay_out_result(job, pictures=True)
    kernel.play(encode_job(job, [number] * 4, pictures=True), 1, layout.size)
