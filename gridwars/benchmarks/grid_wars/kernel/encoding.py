"""Programs and jobs as bytes, in the form in which the kernel takes them.

A program is a list of little-endian 32-bit words: a header, then per instruction `op a b line`, per constant
its low and high word, per proc `entry arity local_count`. Names stay behind: a fault's text is made from the
`Program` itself (`gwl.faults`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.rules import CURVE_INTERVAL, SEAT_COUNT
from gwl.program import Program

MAGIC = b"GWLP"
VERSION = 1

NO_PROGRAM = -1
"""In a job, stands for the program of a warrior that is halted from the start."""

MAX_TICKS = 1 << 15
"""The most ticks that a job may have."""
MAX_BOMB_COST = 2**63 - 1

RESULT_SIZE = 1440
"""Bytes of a result before its variable parts."""
PICTURE_SIZE = 90
_SAMPLE_SIZE = 2 * SEAT_COUNT
_TICK_DIGEST_SIZE = 4

_WANT_TICK_DIGESTS = 1
_WANT_PICTURES = 2

_JOB = struct.Struct("<Qq4i4HiI")
JOB_SIZE = _JOB.size


@dataclass(frozen=True, slots=True)
class ResultLayout:
    """Where the parts of a job's result lie, in bytes from its beginning.

    Attributes:
        digests: a word per tick, the digest's upper half.
        pictures: a record per tick.
        size: of the whole result.
    """

    samples: int
    digests: int
    pictures: int
    size: int


def encode_program(program: Program) -> bytes:
    """The bytes of a program; `program.h` says the same in C."""
    procs = [(proc.entry, proc.arity, proc.local_count) for proc in program.procs]
    counts = (len(program.instructions), len(program.constants), len(program.names), program.global_count)
    return b"".join(
        (
            MAGIC,
            struct.pack("<7i", VERSION, *counts, len(procs), 0),
            _pack_words(word for instruction in program.instructions for word in instruction),
            struct.pack(f"<{len(program.constants)}q", *program.constants),
            _pack_words(word for proc in procs for word in proc),
        )
    )


def encode_job(job: BattleJob, program_numbers: Sequence[int], *, pictures: bool) -> bytes:
    """The bytes of a job.

    Args:
        program_numbers: by seat, what loading gave, or `NO_PROGRAM`.
    """
    wants = _WANT_TICK_DIGESTS * job.tick_digests | _WANT_PICTURES * pictures
    return _JOB.pack(job.seed % 2**64, job.bomb_cost, *program_numbers, *job.spawn, job.ticks, wants)


def lay_out_result(job: BattleJob, *, pictures: bool) -> ResultLayout:
    """The layout of a job's result, which has room for as many ticks as the job allows."""
    digests_at = RESULT_SIZE + _SAMPLE_SIZE * ((job.ticks - 1) // CURVE_INTERVAL + 2)
    pictures_at = digests_at + _TICK_DIGEST_SIZE * job.ticks * job.tick_digests
    end = pictures_at + PICTURE_SIZE * job.ticks * pictures
    return ResultLayout(RESULT_SIZE, digests_at, pictures_at, -(-end // 8) * 8)


def _pack_words(words: Iterable[int]) -> bytes:
    listed = list(words)
    return struct.pack(f"<{len(listed)}i", *listed)
