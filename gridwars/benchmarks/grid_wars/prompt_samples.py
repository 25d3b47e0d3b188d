"""Invented moments of a series on which prompt templates are tried before a seat is asked anything."""

from __future__ import annotations

from gridwars.benchmarks.grid_wars.board import BOMB, CORPSE, UNCLAIMED
from gridwars.benchmarks.grid_wars.observation import Diagnostics, GridWarsObservation, Standing
from gridwars.benchmarks.grid_wars.rules import ALIASES, BOARD_SIZE, COLOURS, SEAT_COUNT, DeathCause

_ROUND_SCORES = ("100.25", "-100.25")
_BOARD = (
    UNCLAIMED * BOARD_SIZE,
    *("1234".ljust(BOARD_SIZE, UNCLAIMED),) * (BOARD_SIZE - 2),
    f"{CORPSE}{BOMB}".ljust(BOARD_SIZE, UNCLAIMED),
)

_CUT = "121:1: too-many-lines: the script has 121 lines; at most 120 are allowed"


def list_samples() -> tuple[GridWarsObservation, ...]:
    """The first round, then one after a warrior that lived, a cut one that faulted, and a fallback."""
    lived = _diagnose(DeathCause.NONE)
    faulted = _diagnose(
        DeathCause.FAULT, cut=_CUT, fault_line=2, fault_text='"div" by zero: 1 div 0 has no value'
    )
    replaced = _diagnose(DeathCause.BOMB, reason="the reply is cut short\nat its output limit")
    return (
        _observe(1, None),
        _observe(2, lived),
        _observe(3, faulted),
        _observe(5, replaced, notes="first line\n{{ second }} line"),
    )


def _observe(round_number: int, diagnostics: Diagnostics | None, notes: str = "") -> GridWarsObservation:
    scores = _ROUND_SCORES * SEAT_COUNT
    return GridWarsObservation(
        alias=ALIASES[0],
        warrior_id=1,
        colour=COLOURS[0],
        round=round_number,
        rounds=5,
        ticks=400,
        bomb_cost=12,
        script=("while true:", "  place()", "  move(1, 0)"),
        diagnostics=diagnostics,
        table=tuple(
            Standing(
                alias=ALIASES[seat],
                warrior_id=seat + 1,
                score=scores[seat],
                rounds_won=seat,
                tiles=seat * 100,
                kills=seat,
                deaths=seat,
                round_scores=scores[: round_number - 1],
            )
            for seat in range(SEAT_COUNT)
        ),
        board=() if diagnostics is None else _BOARD,
        notes=notes,
    )


def _diagnose(
    cause: DeathCause, *, reason: str = "", cut: str = "", fault_line: int = 0, fault_text: str = ""
) -> Diagnostics:
    return Diagnostics(
        fallback=bool(reason),
        reason=reason or cut,
        fault_line=fault_line,
        fault_text=fault_text,
        ticks_lived=26,
        death_cause=cause.value,
        tiles=12,
        peak_tiles=13,
        kills=1,
        self_kills=0,
        illegal=2,
        blocked=3,
        refused=4,
        stalls=5,
        curve=(1, 12, 13),
    )
