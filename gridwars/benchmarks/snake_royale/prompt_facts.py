"""The numbers that Snake Royale's prompts name, each taken from where the rules define it."""

from __future__ import annotations

from gridwars.benchmarks.snake_royale import rules
from gridwars.benchmarks.snake_royale.baselines import COIL
from gridwars.benchmarks.snake_royale.reply import REPLY_BYTES
from gridwars.canonical import Json


def list_facts() -> dict[str, Json]:
    """`rules` of the game and `reply` of what is submitted."""
    return {
        "rules": {
            "seat_count": rules.SEAT_COUNT,
            "aliases": list(rules.ALIASES),
            "directions": [direction.value for direction in rules.DIRECTIONS],
            "pay_permille": list(rules.PAY_PERMILLE),
        },
        "reply": {
            "say_length": rules.SAY_LENGTH,
            "notes_length": rules.NOTES_LENGTH,
            "reply_bytes": REPLY_BYTES,
            "fallback": COIL,
        },
    }
