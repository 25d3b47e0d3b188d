"""The numbers that Grid Wars' prompts name, each taken from where the rules or the language define it."""

from __future__ import annotations

from gridwars.benchmarks.grid_wars import board, rules
from gridwars.benchmarks.grid_wars.series import FALLBACK
from gridwars.benchmarks.grid_wars.submission import BANNER_LENGTH, NOTES_LENGTH
from gridwars.canonical import Json
from gwl import limits
from gwl.builtins import CONSTANTS
from gwl.tokens import KEYWORDS


def list_facts() -> dict[str, Json]:
    """`rules` of the game, `gwl` of the language and `reply` of what is submitted."""
    return {
        "rules": {
            "board_size": rules.BOARD_SIZE,
            "seat_count": rules.SEAT_COUNT,
            "corners": [list(corner) for corner in rules.CORNERS],
            "sight": rules.SIGHT,
            "start_energy": rules.START_ENERGY,
            "most_energy": rules.MOST_ENERGY,
            "tiles_per_energy": rules.TILES_PER_ENERGY,
            "fuse": rules.FUSE,
            "idle_limit": rules.IDLE_LIMIT,
            "curve_interval": rules.CURVE_INTERVAL,
            "points_alive": rules.POINTS_ALIVE,
            "points_kill": rules.POINTS_KILL,
            "points_self_kill": rules.POINTS_SELF_KILL,
            "unclaimed_character": board.UNCLAIMED,
            "corpse_character": board.CORPSE,
            "bomb_character": board.BOMB,
        },
        "gwl": {
            "max_lines": limits.MAX_LINES,
            "max_line_length": limits.MAX_LINE_LENGTH,
            "max_source_length": limits.MAX_SOURCE_LENGTH,
            "max_nesting": limits.MAX_NESTING,
            "max_procs": limits.MAX_PROCS,
            "max_call_depth": limits.MAX_CALL_DEPTH,
            "instructions_per_tick": limits.INSTRUCTIONS_PER_TICK,
            "constants": dict(CONSTANTS),
            "keywords": [*sorted(KEYWORDS)],
        },
        "reply": {
            "notes_length": NOTES_LENGTH,
            "banner_length": BANNER_LENGTH,
            "fallback": FALLBACK,
        },
    }
