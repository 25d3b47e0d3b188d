"""What Snake Royale's prompts name: numbers, each from where the rules define it, and the board as text."""

from __future__ import annotations

from gridwars.benchmarks.snake_royale import rules
from gridwars.benchmarks.snake_royale.baselines import COIL
from gridwars.benchmarks.snake_royale.observation import SnakeRoyaleObservation, restore_state
from gridwars.benchmarks.snake_royale.reply import REPLY_BYTES
from gridwars.benchmarks.snake_royale.sight import BodyKind
from gridwars.benchmarks.snake_royale.view import EMPTY, FOOD, HEADS, draw_plain_board
from gridwars.canonical import Json

_DEATHS = {
    rules.DeathCause.NONE: "lives",
    rules.DeathCause.WALL: "left the board",
    rules.DeathCause.BODY: "ran into a body",
    rules.DeathCause.HEAD_ON: "lost where heads met",
    rules.DeathCause.STARVE: "had no health or no length left",
}
_BODIES = {
    BodyKind.NONE: "nothing",
    BodyKind.SELF: "your own body",
    BodyKind.OTHER: "a rival's body",
    BodyKind.TAIL: "a tail that moves on",
}


def list_facts() -> dict[str, Json]:
    """`rules` of the game and `reply` of what is submitted."""
    return {
        "rules": {
            "seat_count": rules.SEAT_COUNT,
            "aliases": list(rules.ALIASES),
            "directions": [direction.value for direction in rules.DIRECTIONS],
            "pay_permille": list(rules.PAY_PERMILLE),
            "heads": list(HEADS),
            "letters": dict(zip(rules.ALIASES, HEADS, strict=True)),
            "empty_character": EMPTY,
            "food_character": FOOD,
            "deaths": {cause.value: words for cause, words in _DEATHS.items()},
            "bodies": {kind.value: words for kind, words in _BODIES.items()},
        },
        "reply": {
            "say_length": rules.SAY_LENGTH,
            "notes_length": rules.NOTES_LENGTH,
            "reply_bytes": REPLY_BYTES,
            "fallback": COIL,
        },
    }


def tell_moment(seen: SnakeRoyaleObservation) -> dict[str, Json]:
    """The board as lines with its coordinates, and when everybody shrinks: 1 is this turn, 0 never again."""
    state, _ = restore_state(seen)
    every = seen.rules.shrink_every
    shrinks_in = every - seen.turn % every if every else 0
    return {
        "board": [*_count_columns(seen.board.w), *_count_rows(draw_plain_board(state).split("\n"))],
        "shrinks_in": shrinks_in if shrinks_in <= seen.turns_left else 0,
    }


def _count_columns(width: int) -> list[str]:
    tens = " ".join(str(x // 10) if x % 10 == 0 and x else " " for x in range(width))
    ones = " ".join(str(x % 10) for x in range(width))
    return [f"   {line}".rstrip() for line in ([tens, ones] if width > 10 else [ones])]


def _count_rows(rows: list[str]) -> list[str]:
    return [f"{y:2} {row}" for y, row in enumerate(rows)]
