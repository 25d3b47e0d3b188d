"""The stream behind `rand`: xorshift64, one state per warrior (GWL v1 section 5)."""

from __future__ import annotations

_WORD = 0xFFFF_FFFF_FFFF_FFFF
_STATE_FOR_ZERO = 0x9E37_79B9_7F4A_7C15


def first_state(seed: int, seat: int) -> int:
    """The state with which a seat begins a round; `seed` is the round's, of any sign."""
    return (seed + seat) & _WORD or _STATE_FOR_ZERO


def next_state(state: int) -> int:
    state ^= (state << 13) & _WORD
    state ^= state >> 7
    return state ^ ((state << 17) & _WORD)
