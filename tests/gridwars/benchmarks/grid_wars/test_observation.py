"""What a seat is shown: the rules' list, with the numbers of its own last battle."""

from __future__ import annotations

import msgspec

from gridwars.benchmarks.contract import Event
from gridwars.benchmarks.grid_wars.events import Battle
from gridwars.benchmarks.grid_wars.observation import Diagnostics, GridWarsObservation, Standing
from gridwars.benchmarks.grid_wars.rules import COLOURS, GridWarsConfig, draw_aliases
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.text_view import collect_rounds, compute_board
from tests.gridwars.benchmarks.grid_wars.played import FAULTER, STANDER, WALKER, make_reply, play_round

CONFIG = GridWarsConfig(seed=3, rounds=3, ticks=60, bomb_cost=9)
SCRIPTS = (WALKER, FAULTER, STANDER, WALKER)


def _observe(episode: GridWarsEpisode) -> list[GridWarsObservation]:
    batch = episode.open()
    assert batch is not None
    seen = [request.observation for request in batch.requests]
    return [observation for observation in seen if isinstance(observation, GridWarsObservation)]


def _play_one() -> tuple[GridWarsEpisode, list[Event]]:
    episode = GridWarsEpisode(CONFIG)
    events = play_round(
        episode, lambda request: make_reply(SCRIPTS[request.seat], notes=f"note {request.seat}")
    )
    return episode, events


def test_the_fields_are_the_rules_list_and_no_more() -> None:
    assert GridWarsObservation.__struct_fields__ == (
        *("alias", "warrior_id", "colour", "round", "rounds", "ticks", "bomb_cost"),
        *("script", "diagnostics", "table", "board", "notes"),
    )
    assert Diagnostics.__struct_fields__ == (
        *("fallback", "reason", "fault_line", "fault_text", "ticks_lived", "death_cause"),
        *("tiles", "peak_tiles", "kills", "self_kills"),
        *("illegal", "blocked", "refused", "stalls", "curve"),
    )
    assert Standing.__struct_fields__ == (
        *("alias", "warrior_id", "score", "rounds_won", "tiles", "kills", "deaths", "round_scores"),
    )


def test_before_the_first_round_there_is_a_seed_script_and_nothing_else_to_see() -> None:
    aliases = draw_aliases(3)
    seen = _observe(GridWarsEpisode(CONFIG))
    assert len(seen) == 4
    for seat, observation in enumerate(seen):
        assert (observation.alias, observation.warrior_id) == (aliases[seat], seat + 1)
        assert observation.colour == COLOURS[seat]
        assert (observation.round, observation.rounds) == (1, 3)
        assert (observation.ticks, observation.bomb_cost) == (60, 9)
        assert observation.script
        assert (observation.diagnostics, observation.board, observation.notes) == (None, (), "")
        assert [row.alias for row in observation.table] == list(aliases)
        assert {row.score for row in observation.table} == {"0.00"}


def test_diagnostics_are_the_seats_own_numbers_of_the_last_battle() -> None:
    episode, events = _play_one()
    (battle,) = (event for event in events if isinstance(event, Battle))
    for seat, observation in enumerate(_observe(episode)):
        own = observation.diagnostics
        assert own is not None
        stats = battle.stats[seat]
        for name in set(Diagnostics.__struct_fields__) - {"fallback", "reason", "curve", "death_cause"}:
            assert getattr(own, name) == getattr(stats, name), name
        assert own.death_cause == stats.death_cause.value
        assert own.curve == battle.curve[seat]
        assert observation.notes == f"note {seat}"
        assert observation.script == tuple(SCRIPTS[seat].split("\n"))
    fault = _observe(episode)[1].diagnostics
    assert fault is not None
    assert (fault.fault_line, fault.death_cause) == (3, "fault")
    assert fault.fault_text


def test_table_and_board_are_the_same_for_all_and_those_of_the_log() -> None:
    episode, events = _play_one()
    (battle,) = (event for event in events if isinstance(event, Battle))
    first, *others = _observe(episode)
    assert len(others) == 3
    for other in others:
        assert (other.table, other.board) == (first.table, first.board)
    assert first.board == compute_board(CONFIG, collect_rounds(events)[0])
    assert [len(line) for line in first.board] == [30] * 30
    for row, stats in zip(first.table, battle.stats, strict=True):
        assert row.score == f"{stats.round_score_quarters / 4:.2f}"
        assert row.round_scores == (row.score,)
        assert (row.tiles, row.kills, row.deaths) == (stats.tiles, stats.kills, int(not stats.alive))


def test_an_observation_is_plain_data_with_a_json_form() -> None:
    episode, _ = _play_one()
    for observation in _observe(episode):
        text = msgspec.json.encode(observation)
        assert msgspec.json.decode(text, type=GridWarsObservation) == observation
