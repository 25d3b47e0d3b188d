"""What a search is asked, and how what it finds does head to head."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gridwars.benchmarks.contract import Player
from gridwars.benchmarks.grid_wars.benchmark import GridWars
from gridwars.benchmarks.grid_wars.bouts import make_player
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.submission import split_script
from gridwars.compare.contestants import Contestant
from gridwars.compare.estimate import Estimate
from gridwars.compare.tournament import run_tournament

BENCHMARK = GridWars()


def observe_round(round_number: int, script: str = "", ticks: int = 400) -> GridWarsObservation:
    """What a seat is asked with in that round.

    Args:
        script: its own; "" for the one that every seat has at first.
    """
    batch = BENCHMARK.start(BENCHMARK.configure({"ticks": ticks})).open()
    assert batch is not None
    observation = batch.requests[0].observation
    assert isinstance(observation, GridWarsObservation)
    own = split_script(script) if script else observation.script
    return msgspec.structs.replace(observation, round=round_number, script=own)


def play_head_to_head(script: str, rival: Player, seeds: Sequence[int], ticks: int = 400) -> Estimate:
    """The script's margin over the rival in points a round: two seats each, all seatings.

    It is exact, with no need of `seeds`, where neither calls `rand`.
    """
    contestants = [Contestant("found", make_player(script)), Contestant("rival", rival)]
    tournament = run_tournament(BENCHMARK, BENCHMARK.configure({"ticks": ticks}), contestants, seeds)
    (duel,) = tournament.duels
    assert duel.margin is not None
    return duel.margin
