"""The shape of a `gridwars.replay.v1` file (Grid Wars spec section 8): one JSON object.

Fields that are not known here are ignored, and values are read as they stand, in range or not; only what
has another shape is refused, with the place.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import Origin, ReplayError
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT, DeathCause, Ending

PROTOCOL = "gridwars.replay.v1"
START_TEXT = "grid-wars"

Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]
Cell = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE * BOARD_SIZE)]
_BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)


class ReplayConfig(msgspec.Struct, frozen=True, rename="camel"):
    rounds: int
    ticks: int
    bomb_cost: int
    seed: int
    sampled: bool = True


class ReplayStats(msgspec.Struct, frozen=True, rename="camel"):
    """One seat's statistics; for the fields see `SeatStats`."""

    tiles: int
    peak_tiles: int
    kills: int
    self_kills: int
    alive: bool
    death_tick: int
    death_cause: DeathCause
    fault_line: int
    fault_text: str
    illegal: int
    blocked: int
    refused: int
    stalls: int
    ticks_lived: int
    raw: int
    round_score: float


class ReplayStart(msgspec.Struct, frozen=True, tag_field="kind", tag="start"):
    text: str = START_TEXT


class ReplayRound(msgspec.Struct, frozen=True, tag_field="kind", tag="round"):
    round: int
    seed: int
    ticks: int
    spawn: Annotated[tuple[Cell, ...], _BySeat]


class ReplaySubmit(msgspec.Struct, frozen=True, tag_field="kind", tag="submit", rename="camel"):
    """One seat's submission.

    Attributes:
        script: none where it does not compile; `lines` is its length.
        compile_error: a fallback's reason too.
        text: the notes, left out where there are none.
    """

    round: int
    seat: Seat
    script: tuple[str, ...]
    lines: int
    origin: Origin
    compile_error: str = ""
    banner: str = ""
    scripted: bool = False
    text: str | msgspec.UnsetType = msgspec.UNSET


class ReplayBattle(msgspec.Struct, frozen=True, tag_field="kind", tag="battle", rename="camel"):
    round: int
    ticks_played: int
    reason: Ending
    digest: str
    stats: Annotated[tuple[ReplayStats, ...], _BySeat]
    curve: Annotated[tuple[tuple[int, ...], ...], _BySeat]


class ReplayEnd(msgspec.Struct, frozen=True, tag_field="kind", tag="end"):
    """The end; `round` is the number of rounds played, `text` the reason."""

    round: int
    text: str


ReplayEvent = ReplayStart | ReplayRound | ReplaySubmit | ReplayBattle | ReplayEnd


class ReplayResults(msgspec.Struct, frozen=True, rename="camel"):
    """Results by seat, under policy names; `winner` is a policy's name, "" where no round was played."""

    names: Annotated[tuple[str, ...], _BySeat]
    scores: Annotated[tuple[float, ...], _BySeat]
    tiles: Annotated[tuple[int, ...], _BySeat]
    rounds_won: Annotated[tuple[int, ...], _BySeat]
    kills: Annotated[tuple[int, ...], _BySeat]
    deaths: Annotated[tuple[int, ...], _BySeat]
    faults: Annotated[tuple[int, ...], _BySeat]
    fallbacks: Annotated[tuple[int, ...], _BySeat]
    rounds: int
    max_rounds: int
    ticks: int
    round_reasons: tuple[Ending, ...]
    winner: str
    reason: str


class Replay(msgspec.Struct, frozen=True, rename="camel"):
    """A replay; `names` are the seats' aliases."""

    protocol: str
    names: Annotated[tuple[str, ...], _BySeat]
    policy_names: Annotated[tuple[str, ...], _BySeat]
    config: ReplayConfig
    events: tuple[ReplayEvent, ...]
    results: ReplayResults


def decode_replay(data: bytes) -> Replay:
    """Reads a replay.

    Raises:
        ReplayError: for what is no JSON, another protocol, or a missing or wrong field.
    """
    try:
        replay = msgspec.json.decode(data, type=Replay)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"no {PROTOCOL} replay: {error}") from error
    if replay.protocol != PROTOCOL:
        raise ReplayError(f"protocol is {replay.protocol[:80]!r}; only {PROTOCOL} can be read")
    return replay


def encode_replay(replay: Replay) -> bytes:
    return msgspec.json.encode(replay)
