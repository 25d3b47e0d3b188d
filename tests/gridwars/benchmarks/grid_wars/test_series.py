"""The series: who is asked what, what is sealed when, how it is scored and how it ends."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings

from gridwars.benchmarks.contract import Event, Origin, Outcome, Rejection, Reply
from gridwars.benchmarks.grid_wars.events import EVENT_TYPES, Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.results import (
    EpisodeEnding,
    PlayedRound,
    compute_results,
    render_decimal,
)
from gridwars.benchmarks.grid_wars.rules import (
    DeathCause,
    Ending,
    GridWarsConfig,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
)
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.stats import SeatStats
from gridwars.benchmarks.grid_wars.submission import Submission
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from tests.gridwars.benchmarks.grid_wars.played import (
    FAULTER,
    NOT_GWL,
    STANDER,
    WALKER,
    decide,
    make_reply,
    play_round,
    play_scripts,
    play_series,
    series,
)

CONFIG = GridWarsConfig(seed=7, rounds=3, ticks=60)
SENTRY = load_warriors()["sentry"].lines


def _see(episode: GridWarsEpisode, seat: int) -> GridWarsObservation:
    batch = episode.open()
    assert batch is not None
    observation = batch.requests[seat].observation
    assert isinstance(observation, GridWarsObservation)
    return observation


def _end_of(events: list[Event]) -> End:
    end = events[-1]
    assert isinstance(end, End)
    return end


def test_every_round_asks_all_four_seats_at_once() -> None:
    episode = GridWarsEpisode(CONFIG)
    for part in (1, 2, 3):
        batch = episode.open()
        assert batch is not None
        assert [request.key for request in batch.requests] == [(part, seat, 1) for seat in range(4)]
        assert batch == episode.open()
        play_round(episode, lambda request: make_reply(WALKER))
    assert episode.open() is None


def test_submissions_are_sealed_before_the_battle_is_computed() -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    groups = episode.advance(decide(episode, batch, lambda request: make_reply(WALKER)))
    sealed = next(groups)
    assert [type(event) for event in sealed] == [Round, Submit, Submit, Submit, Submit]
    assert [event.seat for event in sealed if isinstance(event, Submit)] == [0, 1, 2, 3]
    assert episode.results().rounds == 0, "nothing was played yet"
    (battle,) = next(groups)
    assert isinstance(battle, Battle)
    assert episode.results().rounds == 1


def test_seed_and_spawn_are_those_of_the_round() -> None:
    events = play_scripts(CONFIG, [[WALKER] * 4] * 3)
    opened = [event for event in events if isinstance(event, Round)]
    assert len(opened) == 3
    for number, event in enumerate(opened, start=1):
        seed = compute_round_seed(7, number)
        assert event == Round(round=number, seed=seed, spawn=draw_spawn(seed), ticks=60)
    assert GridWarsEpisode(CONFIG).aliases == draw_aliases(7)


def test_the_battle_records_a_digest_for_every_tick() -> None:
    events = play_scripts(CONFIG, [[WALKER] * 4])
    (battle,) = (event for event in events if isinstance(event, Battle))
    assert len(battle.tick_digests) == 8 * battle.ticks_played
    assert battle.digest.startswith(battle.tick_digests[-8:])


@pytest.mark.parametrize(
    ("attempt", "scripted", "origin"),
    [(1, False, Origin.LLM), (2, False, Origin.RETRY), (1, True, Origin.SCRIPTED)],
)
def test_the_origin_says_who_answered(attempt: int, scripted: bool, origin: Origin) -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    request = msgspec.structs.replace(batch.requests[2], attempt=attempt)
    reply = Reply(f"{WALKER}\r\n", scripted=True) if scripted else make_reply(WALKER, "n ", "b\nc")
    decision = episode.read(request, reply)
    assert isinstance(decision, Submission)
    assert (decision.seat, decision.origin, decision.script) == (2, origin, tuple(WALKER.split("\n")))
    assert (decision.notes, decision.banner) == (("", "") if scripted else ("n", "b c"))


def test_a_script_that_does_not_compile_is_rejected_in_the_compilers_words() -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    for reply in (make_reply(NOT_GWL), Reply(NOT_GWL, scripted=True)):
        rejection = episode.read(batch.requests[0], reply)
        assert isinstance(rejection, Rejection)
        assert "1:11" in rejection.reason
        assert "while true" in rejection.reason


@pytest.mark.parametrize("script", ["", " \n\t\n", "\n"])
def test_a_script_without_a_line_is_refused_as_empty(script: str) -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    for reply in (make_reply(script), Reply(script, scripted=True)):
        rejection = episode.read(batch.requests[0], reply)
        assert isinstance(rejection, Rejection)
        assert "empty" in rejection.reason


def test_a_bare_program_is_taken_unless_it_may_be_cut_short() -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    assert isinstance(episode.read(batch.requests[0], Reply(WALKER)), Submission)
    cut = episode.read(batch.requests[0], Reply(WALKER, outcome=Outcome.TRUNCATED))
    assert isinstance(cut, Rejection)
    assert "cut short" in cut.reason
    broken = episode.read(batch.requests[0], Reply(NOT_GWL))
    assert isinstance(broken, Rejection)
    assert "no JSON object" in broken.reason


def test_a_fallback_plays_sentry_and_keeps_a_trimmed_reason() -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    decision = episode.fallback(batch.requests[1], "  x" + "y" * 300)
    assert (decision.seat, decision.origin, decision.script) == (1, Origin.FALLBACK, SENTRY)
    assert decision.reason == "x" + "y" * 298 + "…"
    assert episode.fallback(batch.requests[1], " ").reason


def test_a_fallback_is_shown_and_counted_and_costs_neither_script_nor_notes() -> None:
    episode = GridWarsEpisode(CONFIG)
    assert _see(episode, 0).script == SENTRY, "the seed script"
    play_round(episode, lambda request: make_reply(WALKER, notes="mine"))
    assert _see(episode, 0).script == tuple(WALKER.split("\n"))
    play_round(
        episode,
        lambda request: Reply(None, failure="no answer") if request.seat == 0 else make_reply(STANDER),
    )
    seen = _see(episode, 0)
    assert (seen.script, seen.notes) == (tuple(WALKER.split("\n")), "mine")
    assert seen.diagnostics is not None
    assert (seen.diagnostics.fallback, seen.diagnostics.reason) == (True, "no answer")
    other = _see(episode, 1)
    assert (other.script, other.notes) == (tuple(STANDER.split("\n")), "")
    assert other.diagnostics is not None
    assert (other.diagnostics.fallback, other.diagnostics.reason) == (False, "")
    assert episode.results().fallbacks == (1, 0, 0, 0)


def test_faults_count_as_deaths_and_as_faults() -> None:
    results = _end_of(play_scripts(GridWarsConfig(rounds=1, ticks=60), [[FAULTER, STANDER, WALKER, WALKER]]))
    assert results.results.deaths == (1, 1, 0, 0)
    assert results.results.faults == (1, 0, 0, 0)


@settings(max_examples=25)
@given(series())
def test_scores_sum_to_exactly_zero_in_every_round_and_in_the_end(
    played: tuple[GridWarsConfig, list[Event]],
) -> None:
    config, events = played
    battles = [event for event in events if isinstance(event, Battle)]
    assert battles
    for battle in battles:
        assert sum(stats.round_score_quarters for stats in battle.stats) == 0
    results = _end_of(events).results
    assert sum(Fraction(score) for score in results.scores) == 0
    assert results.rounds == len(battles) <= results.max_rounds == config.rounds
    assert sorted(results.ranking) == [0, 1, 2, 3]
    assert results.reason == ("complete" if len(battles) == config.rounds else "deadline")
    assert results.round_reasons == tuple(battle.reason for battle in battles)


def test_a_series_ended_early_is_scored_by_the_rounds_played() -> None:
    whole = play_scripts(CONFIG, [[WALKER, STANDER, WALKER, FAULTER]] * 3)
    early = play_series(
        CONFIG,
        lambda request: make_reply([WALKER, STANDER, WALKER, FAULTER][request.seat]),
        stop_after=1,
    )
    assert early[:-1] == whole[:6]
    results = _end_of(early).results
    assert (results.reason, results.rounds, results.max_rounds) == ("deadline", 1, 3)
    battle = early[-2]
    assert isinstance(battle, Battle)
    assert [Fraction(score) for score in results.scores] == [
        Fraction(stats.round_score_quarters, 4) for stats in battle.stats
    ]


def test_an_early_end_before_any_round_has_no_winner() -> None:
    events = play_series(CONFIG, lambda request: make_reply(WALKER), stop_after=0)
    results = _end_of(events).results
    assert (results.rounds, results.winner, results.scores) == (0, None, ("0", "0", "0", "0"))


def test_the_decision_of_a_sealing_event_is_the_one_that_was_sealed() -> None:
    episode = GridWarsEpisode(CONFIG)
    batch = episode.open()
    assert batch is not None
    decisions = decide(
        episode,
        batch,
        lambda request: (
            Reply(None, failure="no") if request.seat == 3 else make_reply(f"{WALKER} # x,", "n", "b")
        ),
    )
    sealed = next(episode.advance(decisions))
    assert [episode.decision_of(event) for event in sealed] == [None, *decisions]
    assert GridWarsEpisode(CONFIG).decision_of(msgspec.structs.replace(sealed[1], round=2)) is None


def test_playing_again_from_the_sealed_decisions_gives_the_same_events() -> None:
    events = play_scripts(CONFIG, [[WALKER, FAULTER, NOT_GWL, STANDER]] * 3)
    again = GridWarsEpisode(CONFIG)
    derived: list[Event] = []
    while again.open() is not None:
        decisions = [decision for event in events if (decision := again.decision_of(event)) is not None]
        for group in again.advance(decisions):
            derived += group
    assert derived == events


@settings(max_examples=10)
@given(series())
def test_events_survive_json(played: tuple[GridWarsConfig, list[Event]]) -> None:
    _, events = played
    for event in events:
        assert msgspec.json.decode(msgspec.json.encode(event), type=type(event)) == event
    assert {type(event) for event in events} == set(EVENT_TYPES)


def _stats(raw: int, quarters: int, tiles: int = 0) -> SeatStats:
    return SeatStats(
        tiles=tiles,
        peak_tiles=0,
        kills=0,
        self_kills=0,
        alive=True,
        death_tick=-1,
        death_cause=DeathCause.NONE,
        fault_line=0,
        fault_code=None,
        fault_text="",
        illegal=0,
        blocked=0,
        refused=0,
        stalls=0,
        ticks_lived=0,
        raw=raw,
        round_score_quarters=quarters,
    )


def _rank(*rounds: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ranking and rounds won for rounds of (raw, score in quarters, tiles) by seat."""
    played = [
        PlayedRound(tuple(_stats(*seat) for seat in seats), Ending.HORIZON, (False,) * 4) for seats in rounds
    ]
    results = compute_results(GridWarsConfig(rounds=len(rounds)), played, EpisodeEnding.COMPLETE)
    return results.ranking, results.rounds_won


def test_ties_break_by_rounds_won_then_tiles_then_seat() -> None:
    # Seats 1 and 2 have one score; seat 2 won a round, seat 1's best was shared.
    assert _rank(
        ((5, 0, 0), (5, 4, 9), (4, 0, 0), (0, -4, 0)), ((0, -4, 0), (0, 0, 0), (9, 4, 0), (0, 0, 0))
    ) == ((2, 1, 0, 3), (0, 0, 1, 0))
    assert _rank(((0, 0, 1), (0, 0, 3), (0, 0, 3), (0, 0, 2))) == ((1, 2, 3, 0), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(309, 20), "15.45"),
        (Fraction(-5, 4), "-1.25"),
        (Fraction(-1, 1000), "0.00"),
        (Fraction(1, 8), "0.12"),
        (Fraction(7), "7.00"),
    ],
)
def test_decimals_are_exact_where_they_can_be(value: Fraction, text: str) -> None:
    assert render_decimal(value) == text
