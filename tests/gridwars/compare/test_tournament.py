"""Tournaments over the toy game and Grid Wars: who wins, and that copies of one player are level."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Bout, Player
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.scripted import play_bouts
from gridwars.compare.contestants import Contestant, make_contestants
from gridwars.compare.tournament import run_tournament
from gridwars.policies.policy import PolicyError
from tests.gridwars.toy_benchmark import TOY, ToyConfig

GRID_WARS = GridWars()


def test_toy_tournament_has_the_standings_that_bids_say() -> None:
    contestants = make_contestants(["miser", "fair", "rash"], TOY)
    told: list[tuple[int, int]] = []
    tournament = run_tournament(
        TOY, ToyConfig(), contestants, range(4), progress=lambda done, total: told.append((done, total))
    )
    assert len(tournament.bouts) == 4 * 6
    assert told[-1] == (24, 24)
    assert [tournament.names[each.contestant] for each in tournament.standings] == ["rash", "miser", "fair"]
    rash, miser, fair = tournament.standings
    assert rash.score.mean > 0
    assert miser.score.mean == fair.score.mean == 0
    assert (rash.first_share, rash.bout_count, rash.score.block_count) == (1.0, 24, 4)
    duels = {(duel.first, duel.second): duel for duel in tournament.duels}
    assert duels[0, 1].win_share == 0.5
    assert duels[0, 1].p_value == 1.0
    assert duels[0, 2].win_share == 0
    assert duels[0, 2].margin is not None
    assert duels[0, 2].margin.mean == -rash.score.mean
    assert duels[0, 2].p_value is not None
    assert duels[0, 2].p_value < 0.05
    assert (duels[0, 1].better, duels[0, 2].better) == (None, 2)
    assert not tournament.exact


def test_two_take_turns_on_two_seats_and_are_scored_by_the_mean_of_theirs() -> None:
    contestants = make_contestants(["miser", "rash"], TOY)
    tournament = run_tournament(TOY, ToyConfig(seats=3, rounds=1), contestants, [0])
    prize = max(float(score) for score in tournament.bouts[0].results.scores)
    assert prize > 0
    # With two rash seats neither takes the prize, with one it does.
    by_rash_seats = {
        bout.seating.count(1): [float(bout.compute_scores()[player]) for player in (0, 1)]
        for bout in tournament.bouts
    }
    assert by_rash_seats == {1: [0, prize], 2: [0, 0]}


def test_more_players_than_seats_all_take_part_equally() -> None:
    contestants = make_contestants(["miser", "fair", "rash", "rash", "fair"], TOY)
    tournament = run_tournament(TOY, ToyConfig(seats=3), contestants, range(3))
    assert tournament.names == ("miser", "fair", "rash", "rash#2", "fair#2")
    assert {standing.bout_count for standing in tournament.standings} == {9}


def test_copies_of_a_warrior_are_level_in_grid_wars() -> None:
    contestants = make_contestants(["gambler", "gambler", "gambler", "gambler"], GRID_WARS)
    tournament = run_tournament(GRID_WARS, GRID_WARS.configure({"rounds": 1}), contestants, range(2))
    assert {standing.score.mean for standing in tournament.standings} == {0.0}
    assert all(duel.win_share == 0.5 and duel.p_value == 1.0 for duel in tournament.duels)
    assert all(duel.better is None for duel in tournament.duels)


def test_batches_on_threads_give_what_episodes_give() -> None:
    config = GRID_WARS.configure({"rounds": 2, "ticks": 60})
    painter, bomber, sentry = (
        each.player for each in make_contestants(["painter", "bomber", "sentry"], GRID_WARS)
    )
    awkward = Player(lambda observation: bomber.script if painter.script else "", "")
    broken = Player(lambda observation: "move(", "move(")
    bouts = [
        Bout(1, (painter, bomber, sentry, painter)),
        Bout(2, (painter, awkward, sentry, painter)),
        Bout(3, (broken, bomber, sentry, painter)),
        Bout(4, (sentry, bomber, sentry, painter)),
    ]
    episodes = list(play_bouts(GRID_WARS.start, config, bouts))
    assert [results.fallbacks for results in episodes] == [  # type: ignore[attr-defined]  # Grid Wars has them
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        (2, 0, 0, 0),
        (0, 0, 0, 0),
    ]
    assert list(GRID_WARS.play_bouts(config, bouts)) == episodes
    assert list(GRID_WARS.play_bouts(config, bouts, threads=2)) == episodes


def test_file_takes_part_and_whoever_must_be_asked_does_not(tmp_path: Path) -> None:
    path = tmp_path / "mine.gwl"
    path.write_text("while true:\n  wait()\n", encoding="utf-8")
    (contestant,) = make_contestants([str(path)], GRID_WARS)
    assert isinstance(contestant, Contestant)
    assert (contestant.name, contestant.player.script) == ("mine.gwl", "while true:\n  wait()\n")
    with pytest.raises(PolicyError, match=r'"human" cannot take part'):
        make_contestants(["painter", "human"], GRID_WARS)
    with pytest.raises(PolicyError, match="did you mean"):
        make_contestants(["paintr", "bomber"], GRID_WARS)
