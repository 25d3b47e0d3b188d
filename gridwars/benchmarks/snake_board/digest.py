"""The game's hash, which fixes every bit of a state that rules depend on (board game spec section 17)."""

from __future__ import annotations

import struct

from gridwars.benchmarks.fnv import FNV_OFFSET, hash_bytes
from gridwars.benchmarks.snake_board.config import SnakeBoardConfig
from gridwars.benchmarks.snake_board.rules import BoardName, Fate, Mode, RockMethod
from gridwars.benchmarks.snake_board.state import NOBODY, GameState, Link, Snake

_NONE = 255
_PHASE_PLAY, _PHASE_OVER = 1, 2
_APPLE, _ROCK, _LIVING, _DEAD = 1, 2, 16, 32
_MODES, _BOARDS, _METHODS, _FATES, _LINKS = map(list, (Mode, BoardName, RockMethod, Fate, Link))
_LINK_CODES = {link: code for code, link in enumerate(_LINKS)}


def compute_first_digest(state: GameState) -> int:
    """64 bits: the configuration and the state before the first turn."""
    return hash_bytes(_pack_header(state.config) + _pack_block(state), FNV_OFFSET)


def compute_digest(state: GameState) -> int:
    """64 bits: the state at the end of a turn, behind the hash of the turn before."""
    return hash_bytes(_pack_block(state), state.digest)


def render_digest(digest: int) -> str:
    return f"{digest:016x}"


def _pack_header(config: SnakeBoardConfig) -> bytes:
    is_solo, is_adder = config.mode is Mode.PYTHON, config.mode is Mode.ADDER
    numbers = struct.pack(
        "<10BIQ",
        _MODES.index(config.mode),
        _BOARDS.index(config.board),
        config.seats,
        config.rocks,
        _METHODS.index(config.rock_method),
        config.wormholes,
        config.infinity,
        config.adder if is_adder else _NONE,
        config.robots if is_solo else 0,
        config.max_apples if is_solo else 0,
        config.max_turns,
        config.seed,
    )
    pattern = (config.rock_pattern or "--").encode("ascii")
    return b"snake-boardgame/1\0" + numbers + pattern + bytes(config.starts)


def _pack_block(state: GameState) -> bytes:
    to_move = _NONE if state.to_move == NOBODY else state.to_move
    phase = _PHASE_PLAY if state.over is None else _PHASE_OVER
    parts = [
        struct.pack("<IBBQ", state.turn, to_move, phase, state.dice.state),
        bytes(_code_square(state, square) for square in state.board.squares),
        bytes([len(state.pending)]),
        *(bytes(entry) for entry in sorted(state.pending.items())),
        bytes([state.saved]),
        *map(_pack_snake, state.snakes),
    ]
    return b"".join(parts)


def _code_square(state: GameState, square: int) -> int:
    owner = state.owners.get(square)
    if owner is not None:
        # Whose death ended the game lies where it died, and no longer lives.
        return _LIVING + owner if state.snakes[owner].alive else 0
    if square in state.apples:
        return _APPLE
    if square in state.rocks:
        return _ROCK
    colour = state.dead.get(square)
    return 0 if colour is None else _DEAD + colour


def _pack_snake(snake: Snake) -> bytes:
    numbers = struct.pack(
        "<BBBHH", _FATES.index(snake.fate), snake.heading, snake.carried, snake.repaired, len(snake.body)
    )
    return numbers + bytes(snake.body) + bytes(_LINK_CODES[link] for link in snake.links)
