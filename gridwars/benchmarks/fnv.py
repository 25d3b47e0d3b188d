"""FNV-1a 64, the hash that games take their digests with (Fowler, Noll and Vo)."""

from __future__ import annotations

from gridwars.rng import MASK_64

FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3


def hash_bytes(data: bytes, start: int = FNV_OFFSET) -> int:
    """FNV-1a 64 of `data`, continuing from the hash `start`."""
    value = start
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & MASK_64
    return value
