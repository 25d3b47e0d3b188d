"""Who did how well over many played episodes, one row for each player: a model with a strategy, or a script.

Scores are those of episodes that are finished and not void; what was asked and paid is that of all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import SEED_OPTION, Outcome
from gridwars.canonical import Json, compute_digest
from gridwars.compare.episodes import EpisodeTally, SeatTally
from gridwars.compare.estimate import Estimate, average_blocks, estimate_mean
from gridwars.log.events import SeatRecord
from gridwars.log.spending import Account

_SHORT = 40
"""Characters of a parameter that is shown as it is."""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """One player.

    Attributes:
        identity: see `identify_player`.
        variant: the parameters that tell it from others of its name and strategy; "" where there are none.
        seats: where it sat, from 0.
        episode_count: how many count.
        score: the mean of those; a seed is one observation, and there is no interval where nobody was asked:
            the same scripts on other seeds are no independent trials. None where no episode counts.
        exact_score: the mean over all its seats in them.
        first_count: in how many of them one of its seats came first.
        outcomes, asked_count and so on: sums of those of `SeatTally`, over all episodes.
    """

    identity: str
    policy: str
    strategy: str
    variant: str
    seats: tuple[int, ...]
    episode_count: int
    score: Estimate | None
    exact_score: Fraction | None
    first_count: int
    outcomes: Mapping[Outcome, int]
    asked_count: int
    repair_count: int
    fallback_count: int
    void_count: int
    milliseconds: int
    account: Account


@dataclass(frozen=True, slots=True)
class GameSummary:
    """Episodes of one game, alike in all but their seeds.

    Attributes:
        config: what they share.
        players: best first; those without a score last.
    """

    benchmark: str
    config: Mapping[str, Json]
    episodes: tuple[EpisodeTally, ...]
    players: tuple[PlayerSummary, ...]


def summarise(episodes: Iterable[EpisodeTally]) -> tuple[GameSummary, ...]:
    """A summary for each game and configuration, in the order in which they first come."""
    games: dict[str, list[EpisodeTally]] = defaultdict(list)
    for episode in episodes:
        games[compute_digest([episode.benchmark, _share(episode)])].append(episode)
    return tuple(
        GameSummary(each[0].benchmark, _share(each[0]), tuple(each), tuple(_summarise_players(each)))
        for each in games.values()
    )


def estimate_seeds(values: Sequence[tuple[int, float]], *, has_interval: bool) -> Estimate | None:
    """The mean of scores by seed, each of which is one observation; None where there is none.

    Args:
        has_interval: False where nobody was asked: the same scripts on other seeds are no new trials.
    """
    if not values:
        return None
    estimate = estimate_mean(average_blocks(values))
    return estimate if has_interval else Estimate(estimate.mean, None, estimate.block_count)


def identify_player(record: SeatRecord) -> str:
    """The same for seats that are filled alike, in all that decides what is played."""
    return compute_digest(msgspec.to_builtins(msgspec.structs.replace(record, alias="", metering=None)))


def name_variants(records: Iterable[SeatRecord]) -> dict[str, str]:
    """What tells players from others of their name and strategy, by `identify_player`."""
    namesakes: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(dict)
    for record in records:
        namesakes[record.policy, record.strategy].setdefault(
            identify_player(record), dict(_list_leaves("", {"kind": record.kind, **record.parameters}))
        )
    variants = {}
    for players in namesakes.values():
        names = sorted({name for leaves in players.values() for name in leaves})
        differing = [name for name in names if len({leaves.get(name) for leaves in players.values()}) > 1]
        for player, leaves in players.items():
            variants[player] = ", ".join(
                f"{name.removeprefix('parameters.')}={leaves[name]}" for name in differing if name in leaves
            )
    return variants


def _share(episode: EpisodeTally) -> dict[str, Json]:
    return {name: value for name, value in episode.config.items() if name != SEED_OPTION}


def _list_leaves(path: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _list_leaves(f"{path}.{name}" if path else name, inner)
    else:
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        yield path, text if len(text) <= _SHORT else compute_digest(text)[:8]


def _summarise_players(episodes: Sequence[EpisodeTally]) -> list[PlayerSummary]:
    seats: dict[str, list[tuple[EpisodeTally, SeatTally]]] = defaultdict(list)
    for episode in episodes:
        for seat in episode.seats:
            seats[identify_player(seat.record)].append((episode, seat))
    variants = name_variants(seat.record for own in seats.values() for _, seat in own)
    is_asked = any(seat.asked_count for own in seats.values() for _, seat in own)
    players = [_summarise(own, variants[player], is_asked) for player, own in seats.items()]
    return sorted(players, key=lambda player: (player.score is None, -(player.exact_score or 0)))


def _summarise(
    played: Sequence[tuple[EpisodeTally, SeatTally]], variant: str, is_asked: bool
) -> PlayerSummary:
    scores = [seat.score for _, seat in played if seat.score is not None]
    outcomes: Counter[Outcome] = Counter()
    account = Account()
    for _, seat in played:
        outcomes.update(seat.outcomes)
        account = account.plus(seat.account)
    record = played[0][1].record
    values = [(episode.seed, float(seat.score)) for episode, seat in played if seat.score is not None]
    return PlayerSummary(
        identity=identify_player(record),
        policy=record.policy,
        strategy=record.strategy,
        variant=variant,
        seats=tuple(sorted({seat.seat for _, seat in played})),
        episode_count=len({episode.path for episode, seat in played if seat.score is not None}),
        score=estimate_seeds(values, has_interval=is_asked),
        exact_score=sum(scores, Fraction()) / len(scores) if scores else None,
        first_count=sum(seat.rank == 1 for _, seat in played),
        outcomes=outcomes,
        asked_count=sum(seat.asked_count for _, seat in played),
        repair_count=sum(seat.repair_count for _, seat in played),
        fallback_count=sum(seat.fallback_count for _, seat in played),
        void_count=sum(seat.void_count for _, seat in played),
        milliseconds=sum(seat.milliseconds for _, seat in played),
        account=account,
    )
