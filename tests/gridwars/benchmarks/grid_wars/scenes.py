"""Small scenes for tests: a few scripts on chosen cells, played some ticks, and pictures of the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent

from gridwars.benchmarks.grid_wars.battle import Battle, compile_seats
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, SEAT_COUNT, cell_at
from gridwars.benchmarks.grid_wars.state import Warrior

PARKING = ((2, 27), (8, 27), (14, 27), (20, 27))
"""Where seats stand that a scene does not use, halted and out of the way."""


def start(
    *scripts: str, at: Sequence[tuple[int, int]], bomb_cost: int = 0, ticks: int = 1200, seed: int = 1
) -> Battle:
    """A battle of the first seats with these scripts (statements parted by `; ` or lines) at (x, y)."""
    assert len(scripts) == len(at)
    spawn = [cell_at(x, y) for x, y in (*at, *PARKING[len(at) :])]
    lines = [script.replace("; ", "\n").split("\n") for script in scripts]
    programs = compile_seats(lines + [[]] * (SEAT_COUNT - len(scripts)))
    assert None not in programs, "a scene's scripts compile"
    return Battle.start(programs, seed=seed, spawn=spawn, ticks=ticks, bomb_cost=bomb_cost)


def play(
    *scripts: str, at: Sequence[tuple[int, int]], ticks: int, bomb_cost: int = 0, horizon: int = 1200
) -> Battle:
    """A scene after so many ticks."""
    battle = start(*scripts, at=at, bomb_cost=bomb_cost, ticks=horizon)
    for _ in range(ticks):
        battle.step()
    return battle


def seat(battle: Battle, index: int) -> Warrior:
    return battle.state.warriors[index]


def place_of(battle: Battle, index: int) -> tuple[int, int]:
    warrior = seat(battle, index)
    return (warrior.x, warrior.y)


def picture(battle: Battle, left: int, top: int, width: int, height: int) -> str:
    """A window of the board, wrapping, with living warriors as `a`-`d`, or `A`-`D` on a live bomb."""
    rows = [list(row) for row in render_board(battle.state).split("\n")]
    for warrior in battle.state.warriors:
        if warrior.alive:
            letter = "abcd"[warrior.seat]
            rows[warrior.y][warrior.x] = letter.upper() if warrior.cell in battle.state.bombs else letter
    return "\n".join(
        "".join(rows[(top + dy) % BOARD_SIZE][(left + dx) % BOARD_SIZE] for dx in range(width))
        for dy in range(height)
    )


def board(text: str) -> str:
    """An expected picture, as it stands in an indented test."""
    return dedent(text).strip("\n")
