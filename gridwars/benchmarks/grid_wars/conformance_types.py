"""The numbers that Grid Wars' golden vectors are made of, with their ranges."""

from __future__ import annotations

from typing import Annotated

import msgspec

from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT
from gwl.program import ActionKind

Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEAT_COUNT)]
WarriorId = Annotated[int, msgspec.Meta(ge=1, le=SEAT_COUNT)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE)]
Cell = Annotated[int, msgspec.Meta(ge=0, lt=BOARD_SIZE * BOARD_SIZE)]
Count = Annotated[int, msgspec.Meta(ge=1)]
BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
Answer = dict[str, object]
"""What is expected of a case, or what we make of it."""


def name_action(kind: ActionKind) -> str:
    return kind.name.lower()
