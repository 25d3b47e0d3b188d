"""Frames: the battle as a viewer sees it, tick by tick, and the happenings read off it."""

from __future__ import annotations

from itertools import pairwise

from gridwars.benchmarks.grid_wars.frames import (
    Frame,
    FrameBomb,
    FrameEvent,
    Happening,
    compute_paint,
    iterate_frames,
)
from gridwars.benchmarks.grid_wars.rules import cell_at
from gwl.program import ActionKind
from tests.gridwars.benchmarks.grid_wars.scenes import seat, start

PACE = "while true:\n  move(1, 0)\n  move(-1, 0)"


def _frames(*scripts: str, at: list[tuple[int, int]], ticks: int, bomb_cost: int = 0) -> list[Frame]:
    return list(iterate_frames(start(*scripts, at=at, ticks=ticks, bomb_cost=bomb_cost)))


def _events(frames: list[Frame], index: int) -> list[tuple[int, FrameEvent]]:
    """What happened to one seat, with its ticks."""
    return [(frame.tick, event) for frame in frames for event in frame.events if event.seat == index]


def test_there_is_a_frame_before_the_first_tick_and_one_after_each() -> None:
    battle = start("place(); move(1, 0)", PACE, at=[(5, 5), (9, 9)], ticks=3)
    frames = list(iterate_frames(battle))
    assert [frame.tick for frame in frames] == [-1, 0, 1, 2]
    assert frames[0].owner == bytes(900)
    assert [frame.warriors[0].cell for frame in frames] == [cell_at(x, 5) for x in (5, 5, 6, 6)]
    assert [frame.warriors[0].action for frame in frames] == [
        ActionKind.NONE,
        ActionKind.PLACE,
        ActionKind.MOVE,
        ActionKind.NONE,
    ]
    assert [frame.warriors[0].line for frame in frames] == [0, 1, 2, 2]
    assert frames[-1].owner == bytes(battle.state.owner)
    assert frames[-1].warriors[0].tiles == seat(battle, 0).tiles == 1


def test_a_plant_a_blast_and_its_victims_are_told_with_their_killer() -> None:
    frames = _frames("bomb(); move(1, 0); move(1, 0)", "wait()", PACE, at=[(5, 5), (5, 6), (20, 9)], ticks=6)
    bomb = cell_at(5, 5)
    assert _events(frames, 0) == [
        (0, FrameEvent(Happening.PLANT, 0, bomb)),
        (4, FrameEvent(Happening.BLAST, 0, bomb)),
    ]
    assert _events(frames, 1) == [(4, FrameEvent(Happening.BOMB_DEATH, 1, cell_at(5, 6), killer=0))]
    assert [frame.bombs for frame in frames[1:6]] == [
        (FrameBomb(bomb, fuse, 0),) for fuse in (4, 3, 2, 1)
    ] + [()]
    assert frames[5].corpses == (cell_at(5, 6),)
    assert not frames[5].warriors[1].alive


def test_a_bomb_planted_into_a_wave_is_told_though_no_frame_shows_it() -> None:
    frames = _frames(
        "bomb()", "for i in 0 ..< 4:\n  wait()\nbomb()", PACE, at=[(5, 5), (6, 5), (20, 9)], ticks=5
    )
    assert [event.what for event in frames[5].events] == [
        Happening.PLANT,
        Happening.BLAST,
        Happening.BLAST,
        Happening.BOMB_DEATH,
        Happening.BOMB_DEATH,
    ]


def test_what_came_to_nothing_is_told() -> None:
    frames = _frames(
        "move(2, 2); bomb(); move(1, 0)\nwhile true:\n  var a = 0",
        PACE,
        at=[(7, 5), (20, 9)],
        ticks=4,
        bomb_cost=60,
    )
    assert [event.what for _, event in _events(frames, 0)] == [
        Happening.ILLEGAL,
        Happening.REFUSED,
        Happening.STALL,
    ]
    blocked = _frames("move(1, 0)", "wait()", at=[(7, 5), (8, 5)], ticks=1)
    assert [event.what for _, event in _events(blocked, 0)] == [Happening.BLOCKED]


def test_idle_and_faulty_deaths_have_no_killer() -> None:
    frames = _frames("", "wait()\nvar a = 1 div 0", PACE, at=[(5, 5), (9, 9), (20, 9)], ticks=60)
    assert _events(frames, 0) == [(49, FrameEvent(Happening.IDLE_DEATH, 0, cell_at(5, 5)))]
    assert _events(frames, 1) == [(1, FrameEvent(Happening.FAULT_DEATH, 1, cell_at(9, 9)))]


def test_paint_is_what_changed_owner() -> None:
    frames = _frames("place(); move(1, 0); place()", PACE, at=[(5, 5), (20, 9)], ticks=3)
    paints = [compute_paint(a.owner, b.owner) for a, b in pairwise(frames)]
    assert paints == [((cell_at(5, 5), 1),), (), ((cell_at(6, 5), 1),)]
