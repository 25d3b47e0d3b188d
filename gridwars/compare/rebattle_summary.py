"""What players' scripts are worth over several logs: both scores of a rebattle, a seed as one observation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from gridwars.compare.estimate import Estimate
from gridwars.compare.rebattle import Rebattle
from gridwars.compare.summary import GameSummary, PlayerSummary, estimate_seeds, identify_player


@dataclass(frozen=True, slots=True)
class PlayerScores:
    """Both scores of one player; None where no episode has that score.

    Attributes:
        canonical: of the battles that were played, in episodes that are finished and not void.
        integrated: over all seatings and boards, of the scripts of these same episodes.
    """

    player: PlayerSummary
    canonical: Estimate | None
    integrated: Estimate | None


def summarise_rebattles(game: GameSummary, rebattles: Mapping[str, Rebattle]) -> tuple[PlayerScores, ...]:
    """The game's players, by their seat-integrated score from the best.

    Args:
        rebattles: by the `head` of the log; every log of the game has one.
    """
    values: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for episode in game.episodes:
        for seat in episode.seats:
            if seat.score is not None:
                mean = rebattles[episode.head].series[seat.seat].integrated.mean
                values[identify_player(seat.record)].append((episode.seed, mean))
    is_asked = any(player.asked_count for player in game.players)
    scores = [
        PlayerScores(player, player.score, estimate_seeds(values[player.identity], has_interval=is_asked))
        for player in game.players
    ]
    return tuple(sorted(scores, key=_rank))


def _rank(scores: PlayerScores) -> tuple[bool, float]:
    return (scores.integrated is None, 0.0 if scores.integrated is None else -scores.integrated.mean)
