"""Reads the reference's configuration documents, forgivingly, by fixed rules (Snake Royale spec section 2).

Numbers out of range are brought into it, and what has the wrong type counts as absent. Our own
configuration is strict (see `rules.configure`); these documents come from elsewhere.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

import msgspec

from gridwars.benchmarks.contract import ConfigurationError
from gridwars.benchmarks.snake_royale.rules import MODULES, RANGES, HeadOnRule, Module

_STEP_MILLISECONDS = 1000
_WHITE_SPACE = " \t\n\v\f\r"
_LONGEST_NUMBER = 100
_INTEGER = re.compile(r"[+-]?[0-9]+(?:_+[0-9]+)*")
_TRUE_WORDS = frozenset({"1", "true", "yes"})


class Document(msgspec.Struct, kw_only=True, rename="camel"):
    """All fields of a document, in its own names; those that no rule depends on too.

    Attributes:
        player_names: as given, "" for the default.
    """

    seed: int = 1
    module: Module = Module.ROYALE
    board_w: int = MODULES[Module.ROYALE].board_w
    board_h: int = MODULES[Module.ROYALE].board_h
    wrap: bool = MODULES[Module.ROYALE].wrap
    food_count: int = MODULES[Module.ROYALE].food_count
    health_start: int = MODULES[Module.ROYALE].health_start
    shrink_every: int = MODULES[Module.ROYALE].shrink_every
    leave_trail: bool = MODULES[Module.ROYALE].leave_trail
    head_to_head: HeadOnRule = MODULES[Module.ROYALE].head_to_head
    start_length: int = MODULES[Module.ROYALE].start_length
    max_turns: int = MODULES[Module.ROYALE].max_turns
    render_frames_per_turn: int = 12
    say_turns: int = 2
    num_agents: int = msgspec.field(default=4, name="num_agents")
    min_players: int = 4
    fast_mode: bool = True
    show_player_labels: bool = False
    attempt1_ms: int = msgspec.field(default=6000, name="attempt1Ms")
    retry_ms: int = 3000
    turn_budget_ms: int = 11000
    turn_spacing_ms: int = 9000
    wall_clock_budget_seconds: int = 640
    lobby_join_timeout_seconds: int = 90
    game_over_turns: int = 2
    model: str = "claude-haiku-4-5-20251001"
    max_output_tokens: int = 900
    player_names: list[str] = []
    tokens: list[str] = []


class _Range(NamedTuple):
    lowest: int
    highest: int | None = None

    def clamp(self, value: int) -> int:
        value = max(value, self.lowest)
        return value if self.highest is None else min(value, self.highest)


_RANGES: Mapping[str, _Range] = {
    **{name: _Range(*bounds) for name, bounds in RANGES.items()},
    "render_frames_per_turn": _Range(1, 48),
    "num_agents": _Range(1, 4),
    "min_players": _Range(1, 4),
    "turn_spacing_ms": _Range(0),
    "wall_clock_budget_seconds": _Range(1),
    "lobby_join_timeout_seconds": _Range(1),
    "game_over_turns": _Range(0),
    "max_output_tokens": _Range(1),
}


def read_document(text: str) -> Document:
    """The configuration that a document describes.

    Raises:
        ConfigurationError: for what is no JSON object, and for attempts that are no whole seconds.
    """
    document = Document()
    if not text.strip(_WHITE_SPACE):
        return document
    try:
        given = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"the document is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise ConfigurationError("the document is no JSON object")
    document.module = _read_module(given.get("module"))
    for name, preset in msgspec.structs.asdict(MODULES[document.module]).items():
        setattr(document, name, preset)
    for field in msgspec.structs.fields(Document):
        reader = _READERS.get(type(getattr(document, field.name)))
        if reader is not None and field.encode_name in given:
            value = reader(given[field.encode_name])
            if value is not None:
                setattr(document, field.name, _clamp(field.name, value))
    document.player_names = _read_players(given.get("players"))
    document.tokens = [each for each in _as_list(given.get("tokens")) if isinstance(each, str)]
    for name, milliseconds in (("attempt1Ms", document.attempt1_ms), ("retryMs", document.retry_ms)):
        if milliseconds < _STEP_MILLISECONDS or milliseconds % _STEP_MILLISECONDS:
            raise ConfigurationError(
                f"{name}: {milliseconds} is no multiple of {_STEP_MILLISECONDS} from it up"
            )
    document.turn_budget_ms = max(document.turn_budget_ms, document.attempt1_ms + document.retry_ms)
    return document


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _clamp(name: str, value: object) -> object:
    bounds = _RANGES.get(name)
    return bounds.clamp(value) if bounds is not None and isinstance(value, int) else value


def _read_module(value: object) -> Module:
    word = value.strip(_WHITE_SPACE).lower() if isinstance(value, str) else ""
    return Module(word) if word in tuple(Module) else Module.ROYALE


def _read_integer(value: object) -> int | None:
    number = None
    match value:
        case bool():
            pass
        case int():
            number = value
        case float() if math.isfinite(value):
            number = int(value)
        case str():
            text = value.strip(_WHITE_SPACE)
            # A longer text than a 64-bit number may have is none, however long it takes to read.
            number = int(text) if len(text) <= _LONGEST_NUMBER and _INTEGER.fullmatch(text) else None
        case _:
            pass
    lowest, highest = RANGES["seed"]
    return number if number is not None and lowest <= number <= highest else None


def _read_boolean(value: object) -> bool | None:
    match value:
        case int():
            return value != 0
        case str():
            return value.strip(_WHITE_SPACE).lower() in _TRUE_WORDS
        case _:
            return None


def _read_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _read_head_on_rule(value: object) -> HeadOnRule | None:
    if not isinstance(value, str):
        return None
    is_draw = value.strip(_WHITE_SPACE) == HeadOnRule.BOTH_DIE
    return HeadOnRule.BOTH_DIE if is_draw else HeadOnRule.LONGER_WINS


_READERS: Mapping[type, Callable[[object], object]] = {
    int: _read_integer,
    bool: _read_boolean,
    str: _read_text,
    HeadOnRule: _read_head_on_rule,
}
"""By the type of a field; the module and the lists are read by themselves."""


def _read_players(value: object) -> list[str]:
    names = []
    for player in _as_list(value):
        if isinstance(player, dict):
            name = player.get("name")
            names.append(name if isinstance(name, str) else "")
        elif isinstance(player, str):
            names.append(player)
    return names


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
