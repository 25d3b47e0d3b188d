"""The eleven steps, one by one: who may act, who is first, what it costs and who dies of what."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.grid_wars.rules import DeathCause, Ending, cell_at
from gridwars.benchmarks.grid_wars.state import Bomb
from gridwars.benchmarks.grid_wars.tick import STEPS
from tests.gridwars.benchmarks.grid_wars.scenes import place_of, play, seat, start

PACE = "while true:\n  move(1, 0)\n  move(-1, 0)"
"""Never idle, never in anybody's way."""


def test_a_tick_is_the_eleven_steps_in_the_order_of_the_rules() -> None:
    assert len(STEPS) == 11
    for number, step in enumerate(STEPS, start=1):
        assert step.__doc__ is not None
        assert step.__doc__.startswith(f"Step {number}: ")


@pytest.mark.parametrize("tick", range(8))
def test_the_first_seat_in_order_wins_a_contested_cell_and_the_order_rotates(tick: int) -> None:
    wait = "wait(); " * tick
    battle = play(
        wait + "move(1, 0)",
        wait + "move(-1, 0)",
        wait + "move(0, 1)",
        wait + "move(0, -1)",
        at=[(9, 10), (11, 10), (10, 9), (10, 11)],
        ticks=tick + 1,
    )
    first = tick % 4
    assert place_of(battle, first) == (10, 10)
    assert [seat(battle, index).blocked for index in range(4)] == [int(index != first) for index in range(4)]


def test_decisions_read_the_board_as_the_last_tick_left_it() -> None:
    look = "var seen = check(0, 0) + 10 * who(1, 0)\nplace()\nwait()\nmove(seen, 0)"
    battle = play("place()", look, at=[(5, 5), (4, 5)], ticks=1)
    assert battle.state.owner[cell_at(5, 5)] == 1
    seen_early = play(
        "place(); move(1, 0)",
        "wait()\nvar a = check(1, 0)\nif a == 1:\n  move(-1, 0)",
        at=[(5, 5), (4, 5)],
        ticks=2,
    )
    assert place_of(seen_early, 1) == (3, 5)
    seen_too_early = play(
        "place(); move(1, 0)", "var a = check(1, 0)\nif a == 0:\n  move(-1, 0)", at=[(5, 5), (4, 5)], ticks=1
    )
    assert place_of(seen_too_early, 1) == (3, 5)


@pytest.mark.parametrize("offset", ["0, 0", "2, 0", "0, -2", "29, 0", "30, 1", "-9223372036854775807, 0"])
def test_a_move_to_no_neighbour_is_illegal_and_a_wait(offset: str) -> None:
    battle = play(f"move({offset})", at=[(5, 5)], ticks=1)
    assert place_of(battle, 0) == (5, 5)
    assert (seat(battle, 0).illegal, seat(battle, 0).blocked, seat(battle, 0).idle) == (1, 0, 1)


@pytest.mark.parametrize("dx", [-1, 0, 1])
@pytest.mark.parametrize("dy", [-1, 0, 1])
def test_a_move_reaches_any_neighbour_across_the_edges(dx: int, dy: int) -> None:
    for x, y in ((0, 0), (29, 29), (7, 8)):
        battle = play(f"move({dx}, {dy})", at=[(x, y)], ticks=1)
        assert place_of(battle, 0) == ((x + dx) % 30, (y + dy) % 30)
        assert seat(battle, 0).illegal == (dx == dy == 0)


def test_spending_the_budget_without_an_action_is_a_stall_and_a_wait() -> None:
    battle = play("while true:\n  var a = 1", at=[(5, 5)], ticks=3)
    assert (seat(battle, 0).stalls, seat(battle, 0).idle) == (3, 3)


def test_a_bomb_is_paid_for_and_refused_when_energy_is_short() -> None:
    battle = play("bomb(); move(1, 0); bomb()", at=[(5, 5)], ticks=1, bomb_cost=12)
    assert seat(battle, 0).energy == 1
    battle.step()
    battle.step()
    assert seat(battle, 0).refused == 1
    assert list(battle.state.bombs) == [cell_at(5, 5)]
    assert seat(battle, 0).energy == 3


def test_a_bomb_on_a_live_bomb_is_refused_and_costs_nothing() -> None:
    battle = play("bomb(); bomb()", at=[(5, 5)], ticks=2, bomb_cost=2)
    assert (seat(battle, 0).refused, seat(battle, 0).energy) == (1, 12)


def test_placing_takes_the_cell_from_whoever_had_it() -> None:
    battle = play("place(); move(1, 0)", "wait(); wait(); move(1, 0); place()", at=[(5, 5), (4, 5)], ticks=2)
    assert [seat(battle, index).tiles for index in (0, 1)] == [1, 0]
    battle.step()
    battle.step()
    assert [seat(battle, index).tiles for index in (0, 1)] == [0, 1]
    assert seat(battle, 0).peak_tiles == 1


def test_two_that_would_swap_block_each_other() -> None:
    battle = play("move(1, 0)", "move(-1, 0)", at=[(5, 5), (6, 5)], ticks=1)
    assert [place_of(battle, index) for index in (0, 1)] == [(5, 5), (6, 5)]
    assert [seat(battle, index).blocked for index in (0, 1)] == [1, 1]


def test_a_train_moves_up_when_its_head_moves_first() -> None:
    step = "move(1, 0)"
    battle = play(step, step, step, at=[(7, 5), (6, 5), (5, 5)], ticks=1)
    assert [place_of(battle, index) for index in range(3)] == [(8, 5), (7, 5), (6, 5)]


def test_a_train_is_stuck_behind_its_head_when_its_tail_moves_first() -> None:
    step = "move(1, 0)"
    battle = play(step, step, step, at=[(5, 5), (6, 5), (7, 5)], ticks=1)
    assert [place_of(battle, index) for index in range(3)] == [(5, 5), (6, 5), (8, 5)]


def test_a_bomb_of_this_tick_already_blocks() -> None:
    battle = play("bomb()", "move(1, 0)", at=[(5, 5), (4, 5)], ticks=1)
    assert seat(battle, 1).blocked == 1


def test_a_warrior_may_leave_its_bomb_but_not_return() -> None:
    battle = play("bomb(); wait(); move(1, 0); move(-1, 0)", at=[(5, 5)], ticks=3)
    assert place_of(battle, 0) == (6, 5)
    battle.step()
    assert (place_of(battle, 0), seat(battle, 0).blocked) == ((6, 5), 1)


def test_a_corpse_blocks_for_good() -> None:
    battle = play("var a = 1 div 0", "wait()\nwhile true:\n  move(-1, 0)", at=[(5, 5), (6, 5)], ticks=20)
    assert (place_of(battle, 1), seat(battle, 1).blocked) == ((6, 5), 19)


def test_a_bomb_planted_on_tick_t_goes_off_on_tick_t_plus_4() -> None:
    battle = play("move(1, 0); bomb(); move(1, 0); move(1, 0); move(1, 0)", at=[(5, 5)], ticks=5)
    assert [bomb.fuse for bomb in battle.state.bombs.values()] == [1]
    battle.step()
    assert battle.state.tick - 1 == 1 + 4
    assert not battle.state.bombs


def test_the_owner_of_the_lowest_covering_bomb_has_the_kill() -> None:
    # Seat 1's bomb is nearer to the front of the board; seat 0's is older.
    battle = start("bomb()", "bomb()", "wait()", at=[(6, 7), (6, 5), (6, 6)])
    for _ in range(5):
        battle.step()
    assert seat(battle, 2).killed_by == 1
    assert [seat(battle, index).kills for index in range(4)] == [0, 1, 0, 0]
    assert [seat(battle, index).self_kills for index in range(4)] == [1, 1, 0, 0]


def test_a_bomb_that_does_not_reach_the_warrior_has_no_part_in_its_death() -> None:
    # One wave of three bombs; only the last of them, by number of its cell, covers the victim.
    battle = start("wait()", "wait()", at=[(6, 8), (20, 5)])
    for cell, owner in ((cell_at(6, 5), 2), (cell_at(6, 6), 3), (cell_at(6, 7), 1)):
        battle.state.bombs[cell] = Bomb(owner, 1)
    battle.step()
    assert seat(battle, 0).killed_by == 1
    assert seat(battle, 1).kills == 1


def test_a_dead_owners_bomb_still_scores() -> None:
    battle = play(
        "bomb(); move(1, 0); var a = 1 div 0", PACE, "wait()", at=[(5, 5), (20, 5), (5, 6)], ticks=5
    )
    assert (seat(battle, 0).alive, seat(battle, 0).kills) == (False, 1)
    assert seat(battle, 2).death_cause is DeathCause.BOMB


def test_killing_oneself_is_a_self_kill_and_no_kill() -> None:
    battle = play("bomb()", at=[(5, 5)], ticks=5)
    assert (seat(battle, 0).kills, seat(battle, 0).self_kills, seat(battle, 0).killed_by) == (0, 1, 0)
    assert (seat(battle, 0).death_tick, seat(battle, 0).ticks_lived) == (4, 4)


def test_fifty_ticks_on_one_cell_kill() -> None:
    battle = play("", PACE, at=[(5, 5), (20, 5)], ticks=49)
    assert (seat(battle, 0).alive, seat(battle, 0).idle) == (True, 49)
    battle.step()
    assert (seat(battle, 0).death_cause, seat(battle, 0).death_tick) == (DeathCause.IDLE, 49)
    assert battle.state.corpse[cell_at(5, 5)] == 1


def test_a_move_takes_the_idle_points_away_and_a_blocked_one_does_not() -> None:
    battle = play(
        "for i in 0 ..< 9:\n  wait()\nmove(1, 0)\nmove(1, 0)\nwait()", "", at=[(5, 5), (7, 5)], ticks=9
    )
    assert seat(battle, 0).idle == 9
    battle.step()
    assert seat(battle, 0).idle == 0
    battle.step()
    battle.step()
    assert (seat(battle, 0).blocked, seat(battle, 0).idle) == (1, 2)


def test_a_fault_kills_and_its_line_and_text_are_kept() -> None:
    battle = play("place()\nvar a = 1 div 0", PACE, at=[(5, 5), (20, 5)], ticks=2)
    fault = battle.state.machines[0].fault
    assert fault is not None
    assert (fault.line, seat(battle, 0).death_cause) == (2, DeathCause.FAULT)
    assert battle.state.corpse[cell_at(5, 5)] == 1
    assert (seat(battle, 0).tiles, seat(battle, 0).peak_tiles) == (0, 1)


def test_a_bomb_is_faster_than_the_fault_of_its_tick_and_standing_still_too() -> None:
    bombed = play("bomb(); wait(); wait(); wait(); var a = 1 div 0", PACE, at=[(5, 5), (20, 5)], ticks=5)
    assert seat(bombed, 0).death_cause is DeathCause.BOMB
    assert bombed.state.machines[0].fault is not None
    idle = play("for i in 0 ..< 49:\n  wait()\nvar a = 1 div 0", PACE, at=[(5, 5), (20, 5)], ticks=50)
    assert seat(idle, 0).death_cause is DeathCause.IDLE
    assert idle.state.machines[0].fault is not None


def test_energy_grows_by_one_and_by_one_more_for_every_sixty_tiles_up_to_sixty() -> None:
    battle = start(PACE, PACE, at=[(5, 5), (20, 5)])
    battle.state.owner[60 * 10 : 60 * 10 + 119] = bytes([1]) * 119
    battle.state.owner[0:59] = bytes([2]) * 59
    battle.step()
    assert [seat(battle, index).energy for index in (0, 1)] == [12 + 2, 12 + 1]
    for _ in range(60):
        battle.step()
    assert [seat(battle, index).energy for index in (0, 1)] == [60, 60]


def test_the_dead_gain_nothing() -> None:
    battle = play("var a = 1 div 0", PACE, at=[(5, 5), (20, 5)], ticks=9)
    assert (seat(battle, 0).energy, seat(battle, 0).ticks_lived) == (12, 0)
    assert (seat(battle, 1).energy, seat(battle, 1).ticks_lived) == (21, 9)


@pytest.mark.parametrize(("ticks", "samples"), [(1, 2), (25, 2), (26, 3), (50, 3), (51, 4)])
def test_the_curve_is_sampled_every_25_ticks_and_at_the_end(ticks: int, samples: int) -> None:
    battle = start("while true:\n  place()\n  move(1, 0)", PACE, at=[(5, 5), (20, 9)], ticks=ticks)
    curve = battle.run().curve[0]
    assert len(curve) == samples
    assert (curve[0], curve[-1]) == (1, (ticks + 1) // 2)


@pytest.mark.parametrize(
    ("living", "horizon", "ending"),
    [
        (2, 9, None),
        (1, 9, Ending.LAST_STANDING),
        (0, 9, Ending.WIPEOUT),
        (2, 1, Ending.HORIZON),
        (1, 1, Ending.HORIZON),
        (0, 1, Ending.HORIZON),
    ],
)
def test_the_horizon_is_tested_before_last_standing_before_wipeout(
    living: int, horizon: int, ending: Ending | None
) -> None:
    scripts = [PACE] * living + ["var a = 1 div 0"] * (4 - living)
    battle = play(*scripts, at=[(3, 3), (3, 9), (3, 15), (3, 21)], ticks=1, horizon=horizon)
    assert battle.state.ending is ending
