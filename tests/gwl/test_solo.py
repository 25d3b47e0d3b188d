"""A warrior alone: what the board gives it, and how it ends."""

from __future__ import annotations

from gwl import FaultCode, compile_source
from gwl.solo import Outcome, TraceLine, run_solo


def run(*lines: str, ticks: int = 400, seat: int = 0, bomb_cost: int = 12) -> list[TraceLine]:
    trace = run_solo(compile_source(lines), seat=seat, seed=0, bomb_cost=bomb_cost, ticks=ticks)
    return list(trace)


def test_a_run_lasts_the_ticks_it_is_given() -> None:
    trace = run("while true:", "  move(1, 0)", ticks=60)
    assert [line.tick for line in trace] == list(range(60))
    assert {line.outcome for line in trace} == {Outcome.DONE}


def test_the_board_wraps_around() -> None:
    trace = run("while true:", "  move(-1, -1)", ticks=6)
    assert (trace[-1].x, trace[-1].y) == (28, 28)


def test_each_seat_has_its_corner_and_id() -> None:
    starts = [run("move(0, ID)", "wait()", ticks=1, seat=seat)[0] for seat in range(4)]
    assert [(line.x, line.y) for line in starts] == [(4, 5), (25, 4), (4, 25), (25, 25)]
    assert [line.outcome for line in starts] == [Outcome.DONE, *[Outcome.ILLEGAL] * 3]


PAINT_A_ROW = ["  place()", "  place()", "  move(1, 0)", "  if x() == 4:", "    move(0, 1)"]


def test_paint_counts_once_a_cell() -> None:
    trace = run("while true:", *PAINT_A_ROW, ticks=6)
    assert [line.tiles for line in trace] == [1, 1, 1, 2, 2, 2]


def test_energy_grows_by_one_and_one_more_for_sixty_tiles_up_to_sixty() -> None:
    script = ["var n = 0", "while n < 60:", *PAINT_A_ROW, "  n = n + 1", "bomb()", "wait()", "wait()"]
    trace = run(*script, ticks=1000, bomb_cost=60)
    assert [line.energy for line in trace[:3]] == [13, 14, 15]
    assert max(line.energy for line in trace) == 60
    bomb = next(line for line in trace if line.action == "bomb()")
    assert [line.energy for line in trace[bomb.tick : bomb.tick + 3]] == [2, 4, 6]


def test_the_sensors_show_the_warrior_its_own_board() -> None:
    trace = run(
        "place()",
        "bomb()",
        "move(check(0, 0), who(0, 0) - 2)",
        "move(check(1, 1) - ID, check(5, 0) - FOG)",
        "move(alive(ID) + alive(2), tick() - 4)",
        "wait()",
        ticks=6,
    )
    assert [line.action for line in trace[2:5]] == ["move(-1, -1)", "move(-2, 0)", "move(1, 0)"]


def test_a_bomb_kills_who_is_beside_it_five_ticks_after_it_was_planted() -> None:
    trace = run("bomb()", "move(0, 1)", "while true:", "  wait()")
    assert trace[-1].outcome is Outcome.BLASTED
    assert trace[-1].tick == 4


def test_a_bomb_blocks_its_cell_scorches_paint_and_lets_go_who_is_two_cells_away() -> None:
    trace = run("place()", "bomb()", "move(0, 1)", "move(0, -1)", "move(0, 1)", "move(0, 1)", "move(0, 1)")
    assert trace[3].outcome is Outcome.BLOCKED
    assert [line.tiles for line in trace[4:6]] == [1, 0]
    assert trace[-1].outcome is Outcome.HALTED


def test_bombs_in_a_blast_go_off_with_it() -> None:
    lines = ["bomb()", "move(1, 0)", "bomb()", "move(1, 0)", "move(1, 0)", "place()", "place()", "move(0, 1)"]
    trace = run(*lines, bomb_cost=0)
    assert [line.outcome for line in trace] == [Outcome.DONE] * 8 + [Outcome.HALTED]
    chained = run("bomb()", "move(1, 0)", "bomb()", "move(1, 0)", "wait()", bomb_cost=0)
    assert (chained[-1].outcome, chained[-1].tick) == (Outcome.BLASTED, 4)


def test_a_bomb_is_refused_without_energy_and_on_another_bomb() -> None:
    assert run("bomb()", bomb_cost=13)[0].outcome is Outcome.REFUSED
    trace = run("bomb()", "bomb()", bomb_cost=0)
    assert [line.outcome for line in trace[:2]] == [Outcome.DONE, Outcome.REFUSED]


def test_a_move_other_than_to_a_neighbour_is_illegal() -> None:
    for move in ("move(0, 0)", "move(2, 0)", "move(0, -9223372036854775807)"):
        assert run(move)[0].outcome is Outcome.ILLEGAL


def test_standing_still_for_fifty_ticks_kills() -> None:
    trace = run("while true:", "  wait()")
    assert len(trace) == 50
    assert trace[-1].outcome is Outcome.STARVED


def test_a_fault_ends_the_run_with_its_line_and_text() -> None:
    last = run("place()", "discard 1 div 0")[-1]
    assert (last.outcome, last.line, last.action) == (Outcome.FAULTED, 2, "-")
    assert last.fault is not None
    assert last.fault.code is FaultCode.DIV_ZERO


def test_a_stall_is_told() -> None:
    trace = run("while true:", "  discard 1", ticks=1)
    assert (trace[0].outcome, trace[0].spent) == (Outcome.STALLED, 2000)
