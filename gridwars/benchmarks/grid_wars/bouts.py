"""Whole series between fixed scripts, all their battles in batches: what an episode gives, but sooner."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from gridwars.benchmarks.contract import Bout, Event, Player, Rematch, Results, Starts
from gridwars.benchmarks.grid_wars.battle import BattleResult
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.programs import draws
from gridwars.benchmarks.grid_wars.results import (
    EpisodeEnding,
    GridWarsResults,
    PlayedRound,
    compute_results,
    compute_score,
)
from gridwars.benchmarks.grid_wars.rules import (
    SEAT_COUNT,
    GridWarsConfig,
    compute_round_seed,
    draw_spawn,
    list_start_seeds,
)
from gridwars.benchmarks.grid_wars.series import GridWarsEpisode
from gridwars.benchmarks.grid_wars.submission import cap_script, compile_or_none, find_cuts, split_script
from gridwars.benchmarks.grid_wars.text_view import collect_rounds
from gridwars.benchmarks.scripted import play_episode, seed_config
from gwl.program import Program

JOBS_AT_ONCE = 256
"""Battles of one batch, for each thread: enough to keep it busy, few enough to show progress."""

UNCOMPILED = "# did not compile"
"""Stands still as the warrior does whose script, in an imported episode, was none."""


def play_bouts(config: GridWarsConfig, bouts: Sequence[Bout], *, threads: int = 1) -> Iterator[Results]:
    """The results of every bout, in order; see `Benchmark.play_bouts`."""
    size = max(1, JOBS_AT_ONCE * threads // config.rounds)
    for start in range(0, len(bouts), size):
        yield from _play_batch(config, bouts[start : start + size], threads)


def list_starts(config: GridWarsConfig, players: Sequence[Player]) -> Starts | None:
    """The starts of a single battle, where the scripts are fixed and none of them calls `rand`.

    Who starts in which corner is all that then depends on a round's seed, and an episode's score is the mean
    of its rounds, which such players play alike.
    """
    programs = _compile_fixed(players)
    if programs is None or any(map(draws, programs)):
        return None
    return Starts(msgspec.structs.replace(config, rounds=1), list_start_seeds())


def list_rematches(config: GridWarsConfig, events: Sequence[Event]) -> tuple[Rematch, ...]:
    """Every round whose four scripts are sealed, as a series of one battle."""
    return tuple(
        Rematch(
            part=record.opening.round,
            config=GridWarsConfig(rounds=1, ticks=config.ticks, bomb_cost=config.bomb_cost),
            players=tuple(make_player("\n".join(submit.script) or UNCOMPILED) for submit in record.submits),
            scores=()
            if record.battle is None
            else tuple(str(compute_score([stats.round_score_quarters])) for stats in record.battle.stats),
            remarks=tuple(
                (submit.seat, f"the script was cut: {cut}")
                for submit in record.submits
                for cut in find_cuts(submit.repairs)
            ),
        )
        for record in collect_rounds(events)
        if len(record.submits) == SEAT_COUNT
    )


def make_player(script: str) -> Player:
    """Who always submits this."""
    return Player(lambda observation: script, script)


def _play_batch(config: GridWarsConfig, bouts: Sequence[Bout], threads: int) -> Iterator[Results]:
    programs = [_compile_fixed(bout.players) for bout in bouts]
    jobs = [
        _make_job(config, bout.seed, number, seats)
        for bout, seats in zip(bouts, programs, strict=True)
        if seats is not None
        for number in range(1, config.rounds + 1)
    ]
    played = iter(start_engine().run_battles(jobs, threads=threads))
    for bout, seats in zip(bouts, programs, strict=True):
        own = seed_config(config, bout.seed)
        if seats is None:
            yield play_episode(GridWarsEpisode(own), bout.players)
        else:
            yield _add_up(own, list(itertools.islice(played, config.rounds)))


def _compile_fixed(players: Sequence[Player]) -> list[Program] | None:
    """The seats' programs; None where one is not fixed, or is none and so falls back."""
    programs = [
        compile_or_none(cap_script(split_script(player.script))) for player in players if player.script
    ]
    fixed = [program for program in programs if program is not None]
    return fixed if len(fixed) == len(players) else None


def _make_job(
    config: GridWarsConfig, episode_seed: int, number: int, programs: Sequence[Program]
) -> BattleJob:
    seed = compute_round_seed(episode_seed, number)
    return BattleJob(programs, seed, draw_spawn(seed), config.ticks, config.bomb_cost)


def _add_up(config: GridWarsConfig, results: Sequence[BattleResult]) -> GridWarsResults:
    rounds = [PlayedRound(result.stats, result.reason, (False,) * SEAT_COUNT) for result in results]
    return compute_results(config, rounds, EpisodeEnding.COMPLETE)
