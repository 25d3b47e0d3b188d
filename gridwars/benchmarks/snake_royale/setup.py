"""The state that a game starts from (Snake Royale spec section 4)."""

from __future__ import annotations

from gridwars.benchmarks.snake_royale.board import Board, make_board
from gridwars.benchmarks.snake_royale.digest import compute_digest
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.rules import (
    SEATS,
    Switches,
    compute_start_direction,
    draw_spawn_deal,
    list_anchors,
    make_food_stream,
)
from gridwars.benchmarks.snake_royale.state import GameState, Snake
from gridwars.benchmarks.snake_royale.turn import place_food


def start_game(switches: Switches, seed: int, module: str) -> tuple[GameState, list[Happening]]:
    """The state before the first turn, and what happened to make it."""
    board = make_board(switches.board_w, switches.board_h, switches.wrap)
    anchors = list_anchors(switches)
    deal = draw_spawn_deal(seed)
    state = GameState(
        switches=switches,
        board=board,
        snakes=tuple(_spawn(switches, board, seat, *anchors[deal[seat]]) for seat in SEATS),
        food_stream=make_food_stream(seed),
    )
    happenings = [Happening(Kind.GAME_START, 0, text=module)]
    for seat in SEATS:
        x, y = anchors[deal[seat]]
        happenings.append(Happening(Kind.SPAWN, 0, seat, x=x, y=y, value=deal[seat]))
    place_food(state, happenings)
    state.digest = compute_digest(state)
    return state, happenings


def _spawn(switches: Switches, board: Board, seat: int, x: int, y: int) -> Snake:
    return Snake(
        seat=seat,
        body=[board.cell_at(x, y)] * switches.start_length,
        health=switches.health_start,
        last_dir=compute_start_direction(switches, x, y),
        max_length=switches.start_length,
        final_length=switches.start_length,
    )
