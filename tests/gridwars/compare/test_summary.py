"""What players' rows add up, from finished logs of models."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from gridwars.benchmarks.contract import Outcome
from gridwars.compare.episodes import Standing, tally_logs
from gridwars.compare.summary import name_variants, summarise
from gridwars.log.events import SeatRecord

LOGS = Path(__file__).parents[2] / "fixtures" / "logs" / "v1"


def test_a_players_row_is_the_sum_of_its_seats_and_a_void_episode_counts_for_no_score() -> None:
    tallies = list(tally_logs(sorted((LOGS / "run").glob("*.jsonl"))))
    assert [tally.standing for tally in tallies].count(Standing.VOID) == 1
    [game] = summarise(tallies)
    [model] = [player for player in game.players if player.policy == "openai:some-model"]
    assert (model.strategy, model.variant, model.seats) == ("plan", "", (0,))
    assert (model.episode_count, model.first_count) == (3, 2)
    assert model.exact_score == Fraction(-311, 12)
    assert model.score is not None
    assert model.score.mean == pytest.approx(-311 / 12)
    assert model.score.half_width == pytest.approx(124.96, abs=0.01)
    assert (model.asked_count, model.repair_count) == (4, 0)
    assert (model.fallback_count, model.void_count) == (1, 1)
    assert (model.account.spend.tokens, model.account.microdollars) == (450, 1674)
    scripted = [player for player in game.players if player is not model]
    assert len(scripted) == 3
    assert all(not player.asked_count and not player.account.spend.calls for player in scripted)
    assert sum((player.exact_score or 0) for player in game.players) == 0


def test_outcomes_of_every_kind_are_told_apart() -> None:
    [game] = summarise(tally_logs([LOGS / "grid-wars-models.jsonl"]))
    players = {player.strategy: player for player in game.players}
    chat = players["null"]
    assert (chat.asked_count, chat.repair_count, chat.fallback_count) == (2, 1, 1)
    assert chat.outcomes == {Outcome.REFUSED: 1, Outcome.TRUNCATED: 1, Outcome.VALID: 1}
    assert players["plan"].outcomes[Outcome.INVALID] == 1
    assert chat.score is not None
    assert chat.score.half_width is None


def test_an_unknown_cost_stays_unknown() -> None:
    [game] = summarise(tally_logs([LOGS / "grid-wars-void.jsonl"]))
    [model] = [player for player in game.players if player.asked_count]
    assert model.score is None
    assert model.account.microdollars is None
    assert model.void_count == 1


def test_games_of_other_configurations_are_apart() -> None:
    games = summarise(tally_logs(sorted(LOGS.rglob("*.jsonl"))))
    assert [game.benchmark for game in games].count("grid-wars") == 2
    assert len(games) == 3


def test_namesakes_are_told_apart_by_what_differs() -> None:
    def fill(kind: str = "openai", **parameters: int | str) -> SeatRecord:
        return SeatRecord(
            "openai:m", kind, "Bolt", {"model": "m", "parameters": {**parameters}}, strategy="plan"
        )

    records = [fill(effort="low"), fill(effort="high", seed=3), fill(effort="low")]
    assert sorted(name_variants(records).values()) == ["effort=high, seed=3", "effort=low"]
    assert list(name_variants([fill(effort="low")]).values()) == [""]
    assert sorted(name_variants([fill(), fill("imported")]).values()) == ["kind=imported", "kind=openai"]
