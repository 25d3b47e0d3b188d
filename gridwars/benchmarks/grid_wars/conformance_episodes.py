"""The golden vectors of the kind `episodes`: whole series, compared as the reference's replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import Origin
from gridwars.benchmarks.grid_wars.replay import Series, derive_series, export_replay
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, GridWarsConfig, draw_aliases
from gridwars.benchmarks.grid_wars.submission import Submission, admit
from gridwars.vectors import CaseResult, VectorLine, first_difference


class SubmissionCase(msgspec.Struct, frozen=True):
    """What a seat submits; `rejected` is a fallback's reason."""

    script: tuple[str, ...]
    origin: Origin
    notes: str = ""
    banner: str = ""
    rejected: str = ""


_BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)


class EpisodeCase(msgspec.Struct, frozen=True, rename="camel"):
    """One series; with `stop_after` it ends early after so many rounds."""

    id: str
    seed: int
    rounds: int
    ticks: Annotated[int, msgspec.Meta(ge=1)]
    bomb_cost: int
    submissions: tuple[Annotated[tuple[SubmissionCase, ...], _BySeat], ...]
    expect: dict[str, object]
    stop_after: int | None = None


def run_episode_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(EpisodeCase)
        answer = {"replay": drop_free_texts(compute_replay(case))}
        expected = {name: drop_free_texts(value) for name, value in case.expect.items()}
        yield CaseResult(case.id, first_difference(expected, answer, approximate=("scores",)))


def compute_replay(case: EpisodeCase) -> object:
    """The case's series, played and exported, as plain data."""
    config = GridWarsConfig(seed=case.seed, rounds=case.rounds, ticks=case.ticks, bomb_cost=case.bomb_cost)
    played = case.submissions[: case.rounds if case.stop_after is None else case.stop_after]
    rounds = [
        [
            admit(
                Submission(
                    seat=seat,
                    origin=submission.origin,
                    script=submission.script,
                    notes=submission.notes,
                    banner=submission.banner,
                    reason=submission.rejected,
                )
            )
            for seat, submission in enumerate(submissions)
        ]
        for submissions in played
    ]
    series = Series(
        config=config,
        aliases=draw_aliases(case.seed),
        policy_names=tuple(f"policy-{seat + 1}" for seat in range(SEAT_COUNT)),
        events=derive_series(config, rounds),
    )
    return msgspec.to_builtins(export_replay(series))


def drop_free_texts(value: object) -> object:
    """The value without what every implementation words in its own way."""
    if isinstance(value, dict):
        return {
            name: drop_free_texts(inner)
            for name, inner in value.items()
            if name not in ("faultText", "compileError")
        }
    if isinstance(value, list | tuple):
        return [drop_free_texts(inner) for inner in value]
    return value
