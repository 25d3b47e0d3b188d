"""Where nobody draws, a comparison is exact: what all starts and seatings come to, played one by one."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import pytest

from gridwars.benchmarks.contract import Bout, Player
from gridwars.benchmarks.grid_wars.battle import compile_seats, run_battle
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.rules import (
    CORNERS,
    cell_at,
    compute_round_seed,
    draw_spawn,
    list_start_seeds,
)
from gridwars.benchmarks.grid_wars.submission import split_script
from gridwars.benchmarks.kit.playing import answer_with_baselines, play
from gridwars.benchmarks.scripted import play_bouts
from gridwars.benchmarks.snake_royale.benchmark import SnakeRoyale
from gridwars.compare.contestants import Contestant, make_contestants
from gridwars.compare.design import plan_bouts
from gridwars.compare.estimate import Estimate
from gridwars.compare.rebattle import run_rebattle
from gridwars.compare.tournament import Tournament, run_tournament
from tests.gridwars.toy_benchmark import TOY, ToyConfig

BENCHMARK = GridWars()
TICKS = 20
CONFIG = BENCHMARK.configure({"ticks": TICKS})

SCRIPTS = {
    "east": "while true:\n  place()\n  move(1, 0)",
    "south": "while true:\n  place()\n  move(0, 1)\n  move(0, 1)",
    "mined": "move(1, 1)\nbomb()\nwhile true:\n  move(1, 0)\n  place()",
    "still": "while true:\n  wait()",
    "askew": "while true:\n  place()\n  if who(1, 0) < 1 and tick() mod 5 > 1:\n    move(1, 0)\n  move(1, 1)",
}
DICE = "while true:\n  place()\n  move(rand(3) - 1, 1)"


def contest(names: Sequence[str]) -> list[Contestant]:
    return [Contestant(name, make_player(SCRIPTS[name])) for name in names]


def make_bout(seed: int, scripts: Sequence[str]) -> Bout:
    return Bout(seed, tuple(map(make_player, scripts)))


def play_all(names: Sequence[str]) -> dict[str, Fraction]:
    """Mean round scores over all corners and all seatings of these at four seats, as evenly as can be."""
    programs = dict(zip(names, compile_seats([split_script(SCRIPTS[name]) for name in names]), strict=True))
    scores: dict[str, list[int]] = defaultdict(list)
    spread = {4 // len(names), -(-4 // len(names))}
    fields = [
        field
        for field in itertools.product(names, repeat=4)
        if {Counter(field)[name] for name in names} <= spread
    ]
    for field, spawn in itertools.product(fields, itertools.permutations(cell_at(*at) for at in CORNERS)):
        seats = [programs[name] for name in field]
        result = run_battle(seats, seed=5, spawn=spawn, ticks=TICKS, bomb_cost=12)
        for name, stats in zip(field, result.stats, strict=True):
            scores[name].append(stats.round_score_quarters)
    return {name: Fraction(sum(own), 4 * len(own)) for name, own in scores.items()}


def test_every_start_has_one_seed() -> None:
    spawns = [draw_spawn(compute_round_seed(seed, 1)) for seed in list_start_seeds()]
    assert sorted(spawns) == sorted(itertools.permutations(cell_at(*corner) for corner in CORNERS))


@pytest.mark.parametrize("names", [["east", "askew"], ["east", "south", "mined", "askew"]])
def test_means_are_those_of_all_starts_and_seatings_played_one_by_one(names: list[str]) -> None:
    tournament = run_tournament(BENCHMARK, CONFIG, contest(names), [3])
    expected = play_all(names)
    assert len(set(expected.values())) == len(names)
    assert tournament.exact
    assert {tournament.names[each.contestant]: each.score.mean for each in tournament.standings} == {
        name: float(score) for name, score in expected.items()
    }
    for standing in tournament.standings:
        assert (standing.score.exact, standing.score.half_width) == (True, None)
    for duel in tournament.duels:
        first, second = expected[names[duel.first]], expected[names[duel.second]]
        assert duel.margin is not None
        assert duel.margin.mean == float(first - second)
        assert duel.p_value is None
        assert duel.better == (duel.first if first > second else duel.second)


def test_no_bout_is_played_twice_and_every_field_meets_where_more_play_than_sit() -> None:
    tournament = run_tournament(BENCHMARK, CONFIG, contest(list(SCRIPTS)), range(2))
    assert tournament.exact
    played = {(bout.seed, bout.seating) for bout in tournament.bouts}
    assert len(played) == len(tournament.bouts) == 24 * 120
    fields = Counter(frozenset(bout.seating) for bout in tournament.bouts)
    assert set(fields.values()) == {24 * 24}
    assert len(fields) == 5


def test_episodes_on_many_seeds_come_to_the_exact_mean() -> None:
    names = ["east", "south", "mined", "askew"]
    bouts = [
        make_bout(seed, [SCRIPTS[names[player]] for player in seating])
        for seed, seating in plan_bouts(4, 4, range(20))
    ]
    total: dict[str, Fraction] = defaultdict(Fraction)
    for bout, results in zip(bouts, BENCHMARK.play_bouts(CONFIG, bouts), strict=True):
        for player, score in zip(bout.players, results.scores, strict=True):
            total[player.script] += Fraction(score)
    exact = run_tournament(BENCHMARK, CONFIG, contest(names), [0])
    for standing in exact.standings:
        script = SCRIPTS[names[standing.contestant]]
        assert float(total[script]) / len(bouts) == pytest.approx(standing.score.mean, abs=3)


def test_order_names_and_seeds_change_nothing() -> None:
    names = ["east", "south", "askew"]
    whole = tell(run_tournament(BENCHMARK, CONFIG, contest(names), range(3)))
    for order in (["askew", "south", "east"], ["south", "askew", "east"]):
        renamed = [Contestant(f"{each.name}!", each.player) for each in contest(order)]
        told = tell(run_tournament(BENCHMARK, CONFIG, renamed, [99]))
        assert {name.removesuffix("!"): standing for name, standing in told.items()} == whole


def tell(tournament: Tournament) -> dict[str, tuple[Estimate, float, int]]:
    return {
        tournament.names[each.contestant]: (each.score, each.first_share, each.bout_count)
        for each in tournament.standings
    }


@pytest.mark.parametrize(
    "player",
    [
        make_player(DICE),
        make_player("proc never() =\n  return rand(2)\nwhile true:\n  wait()"),
        Player(lambda observation: SCRIPTS["still"]),
        make_player("move("),
    ],
    ids=["draws", "might draw", "decides anew each round", "does not compile"],
)
def test_whoever_may_draw_keeps_the_intervals(player: Player) -> None:
    contestants = [*contest(["east", "south"]), Contestant("other", player)]
    tournament = run_tournament(BENCHMARK, CONFIG, contestants, [4, 5])
    assert not tournament.exact
    assert tournament.seeds == (4, 5)
    for standing in tournament.standings:
        assert standing.score.half_width is not None
        assert standing.score.block_count == 2
    assert all(duel.p_value is not None for duel in tournament.duels)


def test_copies_are_level_and_neither_is_better() -> None:
    contestants = [Contestant(str(number), make_player(SCRIPTS["askew"])) for number in range(2)]
    tournament = run_tournament(BENCHMARK, CONFIG, contestants, [0])
    assert {standing.score.mean for standing in tournament.standings} == {0.0}
    [duel] = tournament.duels
    assert (duel.win_share, duel.p_value, duel.better) == (0.5, None, None)


def test_too_many_bouts_are_drawn_unless_seeds_were_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridwars.compare.tournament.MOST_BOUTS", 143)
    contestants = contest(["east", "south"])
    assert not run_tournament(BENCHMARK, CONFIG, contestants, range(23)).exact
    assert run_tournament(BENCHMARK, CONFIG, contestants, range(24)).exact


def test_other_games_draw_on_every_seed() -> None:
    snake = SnakeRoyale()
    players = [each.player for each in make_contestants(["coil", "forager"], snake)]
    assert snake.list_starts(snake.configure({}), players) is None
    assert not run_tournament(TOY, ToyConfig(), make_contestants(["miser", "rash"], TOY), [0, 1]).exact


def test_parts_are_exact_each_by_itself() -> None:
    config = BENCHMARK.configure({"rounds": 1, "ticks": TICKS})
    still, drawn = (
        BENCHMARK.list_rematches(
            config, play(BENCHMARK.start(config), answer_with_baselines(BENCHMARK, seats))
        )
        for seats in (("painter", "bomber", "sentry", "hunter"), ("painter", "bomber", "sentry", "gambler"))
    )
    rebattle = run_rebattle(BENCHMARK, [*still, *drawn], range(3))
    exact, estimated = rebattle.parts
    assert all(scores.integrated.exact for scores in exact.seats)
    assert not any(scores.integrated.exact for scores in estimated.seats)
    assert rebattle.bout_count == 24 * 24 + 24 * 3
    assert rebattle.seeds == (0, 1, 2)
    for seat, series in enumerate(rebattle.series):
        one, other = exact.seats[seat].integrated, estimated.seats[seat].integrated
        assert series.integrated.mean == pytest.approx((one.mean + other.mean) / 2)
        assert other.half_width is not None
        assert series.integrated.half_width == pytest.approx(other.half_width / 2)
    alone = run_rebattle(BENCHMARK, [*still, *still], range(3))
    assert alone.seeds == ()
    assert [each.integrated.mean for each in alone.series] == [each.integrated.mean for each in exact.seats]
    assert all(each.integrated.exact for each in alone.series)


def test_exact_bouts_are_episodes_that_anybody_can_play() -> None:
    tournament = run_tournament(BENCHMARK, CONFIG, contest(["east", "south"]), [0])
    bouts = tournament.bouts[:30]
    asked = [
        make_bout(bout.seed, [SCRIPTS[tournament.names[player]] for player in bout.seating]) for bout in bouts
    ]
    assert list(play_bouts(BENCHMARK.start, tournament.config, asked)) == [bout.results for bout in bouts]
