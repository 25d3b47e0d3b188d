"""Large edits: they keep to the limits, mostly compile, and carry a technique from script to script."""

from __future__ import annotations

import pytest

from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.grafts import draw_graft
from gridwars.benchmarks.grid_wars.submission import compile_or_none, fits_limits
from gridwars.benchmarks.grid_wars.warriors import LADDER, load_warriors
from gridwars.rng import NimRand
from tests.gridwars.benchmarks.grid_wars.searched import play_head_to_head

LINES = {name: warrior.lines for name, warrior in load_warriors().items()}


@pytest.mark.parametrize("name", LADDER)
def test_grafts_stay_within_the_limits_and_most_compile(name: str) -> None:
    donors = [lines for other, lines in LINES.items() if other != name]
    rand = NimRand(5)
    grafts = [draw_graft(LINES[name], donors, rand) for _ in range(40)]
    changed = [graft for graft in grafts if graft != LINES[name]]
    assert len(changed) >= 15
    assert all(map(fits_limits, changed))
    assert sum(compile_or_none(graft) is not None for graft in changed) > len(changed) / 2
    again = NimRand(5)
    assert [draw_graft(LINES[name], donors, again) for _ in range(40)] == grafts


def test_a_graft_brings_what_its_block_needs() -> None:
    host = ("while true:", "  place()", "  step()", "proc step() =", "  move(1, 0)")
    donor = (
        "var reach = 2",
        "var far = reach * 2",
        "var unused = 1",
        "proc near(a) =",
        "  return who(a, far) > 0",
        "proc step() =",
        "  if near(1):",
        "    wait()",
    )
    found = {draw_graft(host, [donor], NimRand(seed)) for seed in range(60)}
    assert (*donor[:2], *donor[3:5], *host[:3], *donor[5:]) in found


def test_a_script_without_code_is_left_as_it_is() -> None:
    assert draw_graft(("# nothing",), [LINES["sentry"]], NimRand(1)) == ("# nothing",)
    assert draw_graft(LINES["sentry"], [("# nothing",)], NimRand(1)) == LINES["sentry"]


@pytest.mark.slow
def test_the_counter_is_carried_over_to_a_script_that_lacks_it() -> None:
    """A sweeper is prey to the assassin; with brawler's bomb for whoever steps beside it, it is not."""
    rand, assassin = NimRand(1), make_player(load_warriors()["assassin"].source)
    grafts = {draw_graft(LINES["sweeper"], [LINES["brawler"]], rand) for _ in range(600)}
    carried = [
        graft
        for graft in sorted(grafts)
        if any("and beset()" in line for line in graft) and compile_or_none(graft) is not None
    ]
    assert carried
    before = play_head_to_head(load_warriors()["sweeper"].source, assassin, range(2)).mean
    best = max(play_head_to_head("\n".join(graft), assassin, range(2)).mean for graft in carried[:8])
    assert before < -100 < 0 < best
