"""A compiled program as bytes, the form in which the kernel takes it.

Little-endian 32-bit words: a header, then per instruction `op a b line`, per constant its low and high
word, per proc `entry arity local_count`. Names of globals and procs and the texts of undefined names stay
behind; a fault's text is made from the `Program` itself (`gwl.faults`).
"""

from __future__ import annotations

import struct

from gwl.program import Program

MAGIC = b"GWLP"
VERSION = 1


def encode_program(program: Program) -> bytes:
    """The bytes of a program; `kernel/program.h` says the same in C."""
    procs = [(proc.entry, proc.arity, proc.local_count) for proc in program.procs]
    counts = (
        len(program.instructions),
        len(program.constants),
        len(program.names),
        program.global_count,
        len(procs),
    )
    return b"".join(
        (
            MAGIC,
            struct.pack("<7i", VERSION, *counts, 0),
            _pack_all("4i", program.instructions),
            struct.pack(f"<{len(program.constants)}q", *program.constants),
            _pack_all("3i", procs),
        )
    )
