"""The bytes of a reference replay: little-endian, every text after its length (Snake Royale spec section 12).

Only the shape is read here: values are taken as they stand, records of a kind that is not known are left
out, and fields that are not known are ignored.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from gridwars.benchmarks.contract import ReplayError
from gridwars.benchmarks.snake_royale.config_document import Document
from gridwars.benchmarks.snake_royale.orders import FallbackCause
from gridwars.benchmarks.snake_royale.results_document import PolicyKind, ResultsDocument
from gridwars.benchmarks.snake_royale.rules import (
    DIRECTIONS,
    GAME_VERSION,
    MODULES,
    SEAT_COUNT,
    Direction,
    EndRule,
    HeadOnRule,
    Module,
    SnakeRoyaleConfig,
)

Decoded = TypeVar("Decoded")

MAGIC = b"COWLDSNK"
PROTOCOL = "snake-royale/v1"
FORMAT_VERSION = 1
GAME_NAME = "snake-royale"
DEAD = 255
"""Stands for the direction of a seat that was dead before the turn."""

_CELL_PIXELS = 32
_DOCUMENT = Document()
_ROYALE = MODULES[Module.ROYALE]

Slot = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]


class ReplayBoard(msgspec.Struct, frozen=True, rename="camel"):
    w: int = _ROYALE.board_w
    h: int = _ROYALE.board_h
    wrap: bool = _ROYALE.wrap
    cell_px: int = _CELL_PIXELS


class ReplayPlayer(msgspec.Struct, frozen=True):
    name: str = ""


class ReplayConfig(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How the game was set up; what is missing is as in royale."""

    protocol: str = PROTOCOL
    seed: int = 1
    module: Module = Module.ROYALE
    board: ReplayBoard = ReplayBoard()
    food_count: int = _ROYALE.food_count
    health_start: int = _ROYALE.health_start
    shrink_every: int = _ROYALE.shrink_every
    leave_trail: bool = _ROYALE.leave_trail
    head_to_head: HeadOnRule = _ROYALE.head_to_head
    start_length: int = _ROYALE.start_length
    max_turns: int = _ROYALE.max_turns
    num_agents: int = msgspec.field(default=SEAT_COUNT, name="num_agents")
    spawn_deal: tuple[int, ...] = ()
    spawn_anchors: tuple[tuple[int, int], ...] = ()
    players: tuple[ReplayPlayer, ...] = ()
    aliases: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    policy_kinds: tuple[str, ...] = ()
    attempt1_ms: int = msgspec.field(default=_DOCUMENT.attempt1_ms, name="attempt1Ms")
    retry_ms: int = _DOCUMENT.retry_ms
    turn_budget_ms: int = _DOCUMENT.turn_budget_ms
    turn_spacing_ms: int = _DOCUMENT.turn_spacing_ms
    render_frames_per_turn: int = _DOCUMENT.render_frames_per_turn
    say_turns: int = _DOCUMENT.say_turns
    fast_mode: bool = _DOCUMENT.fast_mode
    show_player_labels: bool = _DOCUMENT.show_player_labels

    def to_config(self) -> SnakeRoyaleConfig:
        return SnakeRoyaleConfig(
            seed=self.seed,
            module=self.module,
            board_w=self.board.w,
            board_h=self.board.h,
            wrap=self.board.wrap,
            food_count=self.food_count,
            health_start=self.health_start,
            shrink_every=self.shrink_every,
            leave_trail=self.leave_trail,
            head_to_head=self.head_to_head,
            start_length=self.start_length,
            max_turns=self.max_turns,
            say_turns=self.say_turns,
        )


class Register(msgspec.Struct, frozen=True, tag_field="k", tag="register"):
    slot: Slot
    alias: str
    colour: str
    policy: str
    kind: PolicyKind
    baseline: str


class DirectiveRecord(msgspec.Struct, frozen=True, tag_field="k", tag="directive"):
    turn: int
    slot: Slot
    alias: str
    source: str
    latency_ms: int
    dir: Direction
    repaired: bool
    say: str
    alt: Direction | None


class FallbackRecord(msgspec.Struct, frozen=True, tag_field="k", tag="fallback"):
    turn: int
    slot: Slot
    attempt: int
    cause: FallbackCause
    detail: str


class BudgetGuard(msgspec.Struct, frozen=True, tag_field="k", tag="budget_guard"):
    turn: int
    remaining_s: int | float


class Stop(msgspec.Struct, frozen=True, tag_field="k", tag="stop", rename="camel"):
    turn: int
    end_rule: EndRule


class Result(msgspec.Struct, frozen=True, tag_field="k", tag="result"):
    results: ResultsDocument


Record = Register | DirectiveRecord | FallbackRecord | BudgetGuard | Stop | Result
_KINDS = frozenset({"register", "directive", "fallback", "budget_guard", "stop", "result"})


class Join(NamedTuple):
    slot: int
    name: str
    token: str


class TurnRow(NamedTuple):
    """One turn of the table.

    Attributes:
        codes: by seat, the submitted direction's, or `DEAD`.
        digest: of the state after it, 64 bits.
    """

    codes: tuple[int, ...]
    digest: int


class Replay(NamedTuple):
    config: ReplayConfig
    joins: tuple[Join, ...]
    turns: tuple[TurnRow, ...]
    records: tuple[Record, ...]


def decode_replay(data: bytes) -> Replay:
    """Reads a replay.

    Raises:
        ReplayError: for another format, game or version, a file that is cut or goes on, and for values of
            the wrong shape.
    """
    reader = _Reader(data)
    if reader.take(len(MAGIC)) != MAGIC:
        raise ReplayError(f"no {PROTOCOL} replay: it does not begin with {MAGIC.decode()}")
    version = reader.take_number()
    if version != FORMAT_VERSION:
        raise ReplayError(f"format version {version}; only {FORMAT_VERSION} can be read")
    for what, known in (("game", GAME_NAME), ("game version", GAME_VERSION)):
        found = reader.take_text()
        if found != known:
            raise ReplayError(f"{what} is {found[:80]!r}; only {known!r} can be read")
    config = _decode(reader.take_text(), ReplayConfig, "config")
    joins = tuple(
        Join(reader.take_number(), reader.take_text(), reader.take_text())
        for _ in range(reader.take_number())
    )
    turns = tuple(reader.take_turn(number) for number in range(1, reader.take_number() + 1))
    texts = [reader.take_text() for _ in range(reader.take_number())]
    reader.require_end()
    records = [_decode_record(text, f"records[{index}]") for index, text in enumerate(texts)]
    return Replay(config, joins, turns, tuple(record for record in records if record is not None))


def encode_replay(replay: Replay) -> bytes:
    parts = [MAGIC, _number(FORMAT_VERSION), _text(GAME_NAME), _text(GAME_VERSION)]
    parts += [_json(replay.config), _number(len(replay.joins))]
    for join in replay.joins:
        parts += [_number(join.slot), _text(join.name), _text(join.token)]
    parts.append(_number(len(replay.turns)))
    parts += [struct.pack("<4BQ", *turn.codes, turn.digest) for turn in replay.turns]
    parts.append(_number(len(replay.records)))
    parts += [_json(record) for record in replay.records]
    return b"".join(parts)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def take(self, length: int) -> bytes:
        end = self._position + length
        if end > len(self._data):
            raise ReplayError(
                f"the file is cut: {length} bytes should follow byte {self._position}, "
                f"{len(self._data) - self._position} do"
            )
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def take_number(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def take_text(self) -> str:
        start = self._position
        try:
            return self.take(self.take_number()).decode()
        except UnicodeDecodeError as error:
            raise ReplayError(f"the text at byte {start} is not UTF-8") from error

    def take_turn(self, number: int) -> TurnRow:
        row = struct.unpack("<4BQ", self.take(SEAT_COUNT + 8))
        codes: Sequence[int] = row[:SEAT_COUNT]
        for slot, code in enumerate(codes):
            if code >= len(DIRECTIONS) and code != DEAD:
                raise ReplayError(f"turn {number}, slot {slot}: {code} is no direction (0..3, or {DEAD})")
        return TurnRow(tuple(codes), row[SEAT_COUNT])

    def require_end(self) -> None:
        rest = len(self._data) - self._position
        if rest:
            raise ReplayError(f"{rest} bytes follow the last record, at byte {self._position}")


def _decode_record(text: str, place: str) -> Record | None:
    kind = _decode(text, _Kind, place).k
    return _decode(text, Record, place) if kind in _KINDS else None  # type: ignore[arg-type]  # a union is no type to mypy


class _Kind(msgspec.Struct):
    k: str


def _decode(text: str, as_type: type[Decoded], place: str) -> Decoded:
    try:
        return msgspec.json.decode(text, type=as_type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ReplayError(f"{place}: {error}") from error


def _number(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _text(value: str) -> bytes:
    data = value.encode()
    return _number(len(data)) + data


def _json(value: msgspec.Struct) -> bytes:
    data = msgspec.json.encode(value)
    return _number(len(data)) + data
