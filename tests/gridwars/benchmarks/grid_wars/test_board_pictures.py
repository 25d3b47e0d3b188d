"""Blasts, chains, corpses and fading paint, as pictures of the board."""

from __future__ import annotations

from gridwars.benchmarks.grid_wars.battle import Battle
from gridwars.benchmarks.grid_wars.board import render_board
from gridwars.benchmarks.grid_wars.rules import cell_at
from gridwars.benchmarks.grid_wars.state import Bomb
from tests.gridwars.benchmarks.grid_wars.scenes import board, picture, play, seat, start

PACE = "while true:\n  move(1, 0)\n  move(-1, 0)"


def _paint(battle: Battle, owner: int, left: int, top: int, width: int, height: int) -> None:
    for y in range(top, top + height):
        for x in range(left, left + width):
            battle.state.owner[cell_at(x, y)] = owner


def test_a_blast_scorches_a_plus() -> None:
    battle = start(PACE, PACE, at=[(20, 5), (20, 9)])
    _paint(battle, 1, 4, 4, 5, 5)
    battle.state.bombs[cell_at(6, 6)] = Bomb(seat=0, fuse=2)
    battle.step()
    assert picture(battle, 4, 4, 5, 5) == board(
        """
        11111
        11111
        11*11
        11111
        11111
        """
    )
    battle.step()
    assert picture(battle, 4, 4, 5, 5) == board(
        """
        11111
        11.11
        1...1
        11.11
        11111
        """
    )
    assert seat(battle, 0).tiles == 20


def test_a_blast_wraps_around_the_edges() -> None:
    battle = start(PACE, PACE, at=[(20, 5), (20, 9)])
    _paint(battle, 2, -2, -2, 5, 5)
    battle.state.bombs[cell_at(0, 0)] = Bomb(seat=0, fuse=1)
    battle.step()
    assert picture(battle, -2, -2, 5, 5) == board(
        """
        22222
        22.22
        2...2
        22.22
        22222
        """
    )


def test_bombs_in_a_blast_go_off_in_the_same_wave_and_others_stay() -> None:
    battle = start(PACE, PACE, at=[(20, 5), (20, 9)])
    _paint(battle, 1, 4, 4, 7, 5)
    for x, y, fuse in ((9, 5, 1), (8, 5, 5), (8, 6, 3), (7, 6, 4), (5, 6, 3)):
        battle.state.bombs[cell_at(x, y)] = Bomb(seat=1, fuse=fuse)
    assert picture(battle, 4, 4, 7, 5) == board(
        """
        1111111
        1111**1
        1*1**11
        1111111
        1111111
        """
    )
    battle.step()
    assert picture(battle, 4, 4, 7, 5) == board(
        """
        1111..1
        111....
        1*....1
        111..11
        1111111
        """
    )


def test_a_warrior_planting_into_its_neighbours_wave_loses_its_bomb_of_this_tick() -> None:
    battle = start("wait(); bomb()", PACE, at=[(5, 5), (20, 9)])
    battle.state.bombs[cell_at(6, 5)] = Bomb(seat=1, fuse=2)
    battle.step()
    assert picture(battle, 4, 4, 4, 3) == board(
        """
        ....
        .a*.
        ....
        """
    )
    battle.step()
    assert picture(battle, 4, 4, 4, 3) == board(
        """
        ....
        .x..
        ....
        """
    )
    # Its own bomb lies on the lower cell.
    assert (seat(battle, 0).self_kills, seat(battle, 1).kills) == (1, 0)


def test_walking_out_of_the_blast_is_enough() -> None:
    battle = play("bomb(); move(1, 0); move(1, 0)", PACE, at=[(5, 5), (20, 9)], ticks=1)
    assert picture(battle, 4, 4, 5, 3) == board(
        """
        .....
        .A...
        .....
        """
    )
    battle.step()
    battle.step()
    assert picture(battle, 4, 4, 5, 3) == board(
        """
        .....
        .*.a.
        .....
        """
    )
    battle.step()
    battle.step()
    assert picture(battle, 4, 4, 5, 3) == board(
        """
        .....
        ...a.
        .....
        """
    )


def test_paint_fades_at_once_when_its_owner_dies_and_other_paint_stays() -> None:
    battle = start("place(); move(1, 0); place(); var a = 1 div 0", PACE, at=[(5, 5), (20, 9)])
    _paint(battle, 2, 4, 6, 3, 1)
    for _ in range(3):
        battle.step()
    assert picture(battle, 4, 4, 4, 3) == board(
        """
        ....
        .1a.
        222.
        """
    )
    battle.step()
    assert picture(battle, 4, 4, 4, 3) == board(
        """
        ....
        ..x.
        222.
        """
    )


def test_paint_placed_in_the_tick_of_death_fades_too() -> None:
    battle = start("place(); place()", PACE, at=[(5, 5), (20, 9)])
    battle.step()
    battle.state.bombs[cell_at(5, 6)] = Bomb(seat=1, fuse=1)
    _paint(battle, 1, 8, 5, 1, 1)
    battle.step()
    assert picture(battle, 4, 4, 5, 3) == board(
        """
        .....
        .x...
        .....
        """
    )


def test_a_corpse_outlasts_a_blast_and_its_cell_can_be_nobodys_again() -> None:
    battle = play("var a = 1 div 0", PACE, at=[(5, 5), (20, 9)], ticks=1)
    battle.state.bombs[cell_at(5, 5)] = Bomb(seat=1, fuse=2)
    assert picture(battle, 5, 5, 1, 1) == "*"
    battle.step()
    battle.step()
    assert picture(battle, 5, 5, 1, 1) == "x"


def test_the_whole_board_is_thirty_lines_of_thirty() -> None:
    battle = play("place(); move(1, 0); bomb(); move(1, 0)", at=[(29, 29)], ticks=4)
    lines = render_board(battle.state).split("\n")
    assert [len(line) for line in lines] == [30] * 30
    assert lines[29] == "*" + "." * 28 + "1"
    assert lines[:29] == ["." * 30] * 29
