"""Many episodes together: who did how well, for people, for programs, and as rows of a CSV file."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from gridwars.benchmarks.contract import Outcome
from gridwars.benchmarks.presentation import Block, Section, Table
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.run_report import describe_account
from gridwars.cli.tracking import render_cost
from gridwars.compare.episodes import EpisodeTally, SeatTally
from gridwars.compare.summary import GameSummary, PlayerSummary, identify_player, name_variants
from gridwars.log.durable import replace_durably
from gridwars.policies.seats import name_seat

_COUNTED = (Outcome.REPAIRED, Outcome.REFUSED, Outcome.TRUNCATED, Outcome.INVALID, Outcome.EMPTY)
"""Outcomes with a column of their own; the others are valid or void."""

_OUTCOME_NAMES = {Outcome.REPAIRED: "put right"}


def render_games(games: Sequence[GameSummary]) -> list[Block]:
    """The logs of each game, and how the players did in them."""
    blocks: list[Block] = []
    for game in games:
        blocks += [_render_episodes(game), _render_players(game)]
    return [*blocks, *_explain(games)]


def render_players(games: Sequence[GameSummary]) -> list[Block]:
    """How the players of each game did, and how to read that."""
    return [*map(_render_players, games), *_explain(games)]


def render_asked(episode: EpisodeTally) -> list[Block]:
    """What the seats of one episode that were asked answered and took; nothing where nobody was."""
    rows = [
        (name_seat(seat.seat), seat.record.policy, seat.record.strategy, *_render_asked(seat))
        for seat in episode.seats
        if seat.asked_count
    ]
    columns = ("seat", "player", "strategy", *_ASKED_COLUMNS)
    return [drop_empty(Table("who was asked", columns, tuple(rows)))] if rows else []


def _render_players(game: GameSummary) -> Table:
    title = f"{name_game(game)}: players over {_count_standings(game)}"
    return drop_empty(Table(title, _PLAYER_COLUMNS, tuple(map(_render_player, game.players))))


def _render_episodes(game: GameSummary) -> Table:
    folder = os.path.commonpath([episode.path.absolute().parent for episode in game.episodes])
    letters = [name_seat(seat) for seat in range(max(len(each.seats) for each in game.episodes))]
    rows = tuple(
        (
            str(episode.episode_number),
            str(episode.seed),
            episode.standing.value,
            str(sum(seat.void_count for seat in episode.seats) or ""),
            *("" if seat.score is None else f"{float(seat.score):.2f}" for seat in episode.seats),
            render_cost(episode.account),
            os.path.relpath(episode.path, folder),
        )
        for episode in game.episodes
    )
    columns = ("episode", "seed", "status", "void", *letters, "cost", "log")
    return drop_empty(Table(f"{name_game(game)}: {_count(len(rows), 'log')} in {folder}", columns, rows))


def _explain(games: Sequence[GameSummary]) -> list[Block]:
    if not games:
        return []
    lines = ["nobody was asked: further seeds are no independent trials, so there is no interval"]
    if any(player.asked_count for game in games for player in game.players):
        lines = [
            "score, first: of the episodes that are finished and not void, which are counted",
            "±: 95 % t interval that takes a seed as one observation; none for a single one",
            "asked and what follows: of all episodes; a repair is a second request after a bad answer",
        ]
    return [Section("how to read it", tuple(lines))]


def name_game(game: GameSummary) -> str:
    """Its title, with the options that are not the usual ones."""
    benchmark = get_benchmark(game.benchmark)
    usual = msgspec.to_builtins(benchmark.configure({}))
    modes = {}
    for name in (option.name for option in benchmark.options if option.choices):
        if name in game.config and game.config[name] != usual.get(name):
            modes[name] = game.config[name]
            usual = msgspec.to_builtins(benchmark.configure(modes))  # a mode has usual values of its own
    own = modes | {name: value for name, value in game.config.items() if value != usual.get(name)}
    return ", ".join([benchmark.title, *(f"{name} {value}" for name, value in own.items())])


def drop_empty(table: Table) -> Table:
    """The table without the columns in which nothing stands; the one that names the rows holds something."""
    kept = [
        index
        for index, column in enumerate(table.columns)
        if any(row[index] not in _NOTHING.get(column, ("",)) for row in table.rows)
    ]
    return Table(
        table.title,
        tuple(table.columns[index] for index in kept),
        tuple(tuple(row[index] for index in kept) for row in table.rows),
        key=kept.index(table.key),
    )


def describe_games(games: Sequence[GameSummary]) -> list[dict[str, object]]:
    """The same for programs; scores are numbers, with exact fractions beside them as text."""
    return [
        {
            "benchmark": game.benchmark,
            "config": dict(game.config),
            "players": describe_players(game),
            "episodes": [describe_tally(episode) for episode in game.episodes],
        }
        for game in games
    ]


def describe_players(game: GameSummary) -> list[dict[str, object]]:
    return [_describe_player(player) for player in game.players]


def describe_tally(episode: EpisodeTally) -> dict[str, object]:
    return {
        "log": str(episode.path),
        "run": episode.run_digest,
        "episode": episode.episode_number,
        "seed": episode.seed,
        "head": episode.head,
        "status": episode.standing.value,
        "cost": describe_account(episode.account),
        "seats": [_describe_seat(seat) for seat in episode.seats],
    }


def write_seats(games: Sequence[GameSummary], path: Path) -> None:
    """A row for each seat of each log; what is not known is empty.

    Raises:
        OSError: where the file cannot be written; one that stood there stays whole.
    """
    write_rows(
        [row for game in games for episode in game.episodes for row in _list_rows(game, episode)], path
    )


def write_rows(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """A CSV file, headed by the keys that all rows share; as `write_seats`."""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0] if rows else (), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    replace_durably(path, text.getvalue().encode("utf-8", "backslashreplace"))


_ASKED_COLUMNS = (
    *("asked", "repairs", *(_OUTCOME_NAMES.get(outcome, outcome.value) for outcome in _COUNTED)),
    *("fallbacks", "void", "tokens", "cost", "s/answer"),
)

_PLAYER_COLUMNS = (
    *("player", "strategy", "with", "seats", "score", "±", "first", "counted"),
    *_ASKED_COLUMNS,
)


def _render_player(player: PlayerSummary) -> tuple[str, ...]:
    score = player.score
    return (
        player.policy,
        player.strategy,
        player.variant,
        ", ".join(map(name_seat, player.seats)),
        "" if score is None else f"{score.mean:.2f}",
        "" if score is None or score.half_width is None else f"{score.half_width:.2f}",
        str(player.first_count),
        str(player.episode_count),
        *_render_asked(player),
    )


def _render_asked(tally: SeatTally | PlayerSummary) -> tuple[str, ...]:
    answers = tally.asked_count + tally.repair_count
    counts = [tally.asked_count, tally.repair_count, *(tally.outcomes.get(each, 0) for each in _COUNTED)]
    counts += [tally.fallback_count, tally.void_count]
    return (
        *(str(count) if answers else "" for count in counts),
        f"{tally.account.spend.tokens:,}" if tally.account.spend.calls else "",
        render_cost(tally.account),
        f"{tally.milliseconds / 1000 / answers:.1f}" if answers else "",
    )


_NOTHING = dict.fromkeys(("put right", "truncated", "invalid", "empty"), ("", "0"))
"""Columns that are left out where they hold noughts alone."""


def _count_standings(game: GameSummary) -> str:
    counts: dict[str, int] = {}
    for episode in game.episodes:
        counts[episode.standing.value] = counts.get(episode.standing.value, 0) + 1
    kinds = ", ".join(f"{count} {standing}" for standing, count in counts.items())
    return f"{_count(len(game.episodes), 'episode')} ({kinds})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _describe_player(player: PlayerSummary) -> dict[str, object]:
    score = player.score
    return {
        "policy": player.policy,
        "strategy": player.strategy,
        "variant": player.variant,
        "seats": [name_seat(seat) for seat in player.seats],
        "episodes_counted": player.episode_count,
        "score": None if score is None else score.mean,
        "half_width_95": None if score is None else score.half_width,
        "seeds": 0 if score is None else score.block_count,
        "score_exact": None if player.exact_score is None else str(player.exact_score),
        "first": player.first_count,
        "asked": player.asked_count,
        "repairs": player.repair_count,
        "outcomes": {outcome.value: player.outcomes.get(outcome, 0) for outcome in Outcome},
        "fallbacks": player.fallback_count,
        "voids": player.void_count,
        "seconds": player.milliseconds / 1000,
        "cost": describe_account(player.account),
    }


def _describe_seat(seat: SeatTally) -> dict[str, object]:
    return {
        "seat": name_seat(seat.seat),
        "policy": seat.record.policy,
        "strategy": seat.record.strategy,
        "alias": seat.record.alias,
        "score": None if seat.score is None else float(seat.score),
        "score_exact": None if seat.score is None else str(seat.score),
        "rank": seat.rank,
        "asked": seat.asked_count,
        "repairs": seat.repair_count,
        "outcomes": {outcome.value: seat.outcomes.get(outcome, 0) for outcome in Outcome},
        "fallbacks": seat.fallback_count,
        "voids": seat.void_count,
        "seconds": seat.milliseconds / 1000,
        "cost": describe_account(seat.account),
    }


def _list_rows(game: GameSummary, episode: EpisodeTally) -> Iterator[Mapping[str, object]]:
    variants = name_variants(seat.record for each in game.episodes for seat in each.seats)
    for seat in episode.seats:
        account = seat.account
        yield {
            "log": str(episode.path),
            "benchmark": episode.benchmark,
            "run": episode.run_digest,
            "episode": episode.episode_number,
            "seed": episode.seed,
            "status": episode.standing.value,
            "seat": name_seat(seat.seat),
            "alias": seat.record.alias,
            "policy": seat.record.policy,
            "strategy": seat.record.strategy,
            "variant": variants[identify_player(seat.record)],
            "score": None if seat.score is None else float(seat.score),
            "score_exact": seat.score,
            "rank": seat.rank,
            "asked": seat.asked_count,
            "repairs": seat.repair_count,
            **{outcome.value: seat.outcomes.get(outcome, 0) for outcome in Outcome},
            "fallbacks": seat.fallback_count,
            "voids": seat.void_count,
            "calls": account.spend.calls,
            "tokens": account.spend.tokens,
            "microdollars": account.microdollars,
            "known_microdollars": account.spend.microdollars,
            "unpriced_calls": account.unpriced_calls,
            "perhaps_paid_calls": account.lost_calls,
            "seconds": seat.milliseconds / 1000,
        }
