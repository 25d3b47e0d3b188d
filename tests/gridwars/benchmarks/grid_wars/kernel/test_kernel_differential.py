"""Random battles on both engines; `python -m tests.benchmarks.differential` is the long form."""

from __future__ import annotations

import time
from random import Random

import pytest

from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.kernel.encoding import encode_program
from gridwars.benchmarks.grid_wars.kernel.fast import FastEngine
from gridwars.benchmarks.grid_wars.kernel.instance import CompiledKernel
from gwl.program import Instruction, Op, Program
from tests.gridwars.benchmarks.grid_wars.kernel.comparing import compare_engines, make_jobs
from tests.gridwars.benchmarks.grid_wars.kernel.programs import make_program

SPAWN = (124, 145, 754, 775)
DAMAGED_PER_PROGRAM = 60


@pytest.mark.slow
def test_random_battles_are_the_same_on_both_engines(pytestconfig: pytest.Config) -> None:
    fast = FastEngine.start()
    seconds = pytestconfig.getoption("--fuzz-seconds")
    deadline = time.monotonic() + seconds
    battles = ticks = 0
    for job in make_jobs(Random(11)):
        ticks += compare_engines(fast, job)
        battles += 1
        if time.monotonic() > deadline:
            break
    assert battles > seconds
    assert ticks > 10 * battles


@pytest.mark.slow
def test_programs_that_no_source_compiles_to_are_the_same_on_both_engines() -> None:
    """Whatever the kernel accepts, it runs as the reference does: jumps anywhere, leftovers on the stack."""
    fast, kernel, random = FastEngine.start(), CompiledKernel().start(), Random(13)
    accepted = 0
    for _ in range(6):
        program = make_program(random, brisk=False)
        for _ in range(DAMAGED_PER_PROGRAM):
            damaged = _damage(random, program)
            kernel.unload()
            if kernel.load(encode_program(damaged)) < 0:
                continue
            accepted += 1
            job = BattleJob([damaged, program, damaged, None], 5, SPAWN, 30, 3, tick_digests=True)
            compare_engines(fast, job)
    assert accepted > 50


def _damage(random: Random, program: Program) -> Program:
    """One to three instructions get another operand, another kind or another's place."""
    instructions = list(program.instructions)
    for _ in range(random.randint(1, 3)):
        place, other = random.randrange(len(instructions)), random.randrange(len(instructions))
        instruction = instructions[place]
        match random.randrange(5):
            case 0:
                instructions[place] = instructions[other]
            case 1 if instruction.op in (Op.JUMP, Op.JUMP_FALSE):
                instructions[place] = instruction._replace(a=max(0, place + random.randint(-9, 9)))
            case 2 if instruction.op in (Op.JUMP, Op.JUMP_FALSE):
                instructions[place] = instruction._replace(a=other)
            case 3:
                instructions[place] = _find_alike(random, program, instruction)
            case _:
                instructions[place] = instruction._replace(a=random.randrange(4))
    return Program(tuple(instructions), program.constants, program.names, program.global_names, program.procs)


def _find_alike(random: Random, program: Program, instruction: Instruction) -> Instruction:
    """Another instruction of the program that takes as many operands."""
    alike = [
        other
        for other in program.instructions
        if _operand_balance(other) == _operand_balance(instruction) is not None
    ]
    return random.choice(alike) if alike else instruction


def _operand_balance(instruction: Instruction) -> tuple[int, int] | None:
    """Operands taken and results left; None where the flow of the program hangs on it."""
    match instruction.op:
        case Op.PUSH | Op.LOAD:
            return 0, 1
        case Op.STORE:
            return 1, 0
        case Op.BINARY:
            return 2, 1
        case Op.UNARY:
            return 1, 1
        case Op.INDEX if instruction.a == 0:
            return 2, 1
        case Op.CALL:
            return instruction.b, 1
        case _:
            return None
