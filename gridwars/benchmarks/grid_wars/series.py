"""The series: asks four seats for scripts each round, seals them, plays the battle, keeps the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridwars.benchmarks.contract import (
    Batch,
    Decision,
    Event,
    Origin,
    Outcome,
    Rejection,
    Reply,
    Request,
)
from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.events import Battle, End, Round, Submit
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.observation import SeatView, build_observation
from gridwars.benchmarks.grid_wars.reply import ASKED_FOR, Reading, read_reply
from gridwars.benchmarks.grid_wars.results import (
    EpisodeEnding,
    GridWarsResults,
    PlayedRound,
    compute_results,
)
from gridwars.benchmarks.grid_wars.rules import (
    SEAT_COUNT,
    GridWarsConfig,
    compute_round_seed,
    draw_aliases,
    draw_spawn,
)
from gridwars.benchmarks.grid_wars.submission import (
    Submission,
    cap_banner,
    cap_notes,
    cap_reason,
    cap_script,
    compile_or_none,
    find_cuts,
    find_problem,
    list_cuts,
    list_further_problems,
    split_script,
)
from gridwars.benchmarks.grid_wars.warriors import load_warriors

FALLBACK = "sentry"
"""The built-in that is played for a seat without a usable reply, and the seed script of round 1."""

FURTHER_PROBLEMS = 14
"""How many errors beyond the first a repair is told of, since there is only one."""


class GridWarsEpisode:
    """One series; a pure function of its configuration, its decisions and an early end."""

    def __init__(self, config: GridWarsConfig, engine: EngineChoice | None = None) -> None:
        self._config = config
        self._engine = engine
        self._aliases = draw_aliases(config.seed)
        self._rounds: list[PlayedRound] = []
        self._board: tuple[str, ...] = ()
        self._views = [SeatView(seat, _fallback_script()) for seat in range(SEAT_COUNT)]
        self._ending = EpisodeEnding.NONE

    @property
    def aliases(self) -> tuple[str, ...]:
        return self._aliases

    def open(self) -> Batch | None:
        if self._ending is not EpisodeEnding.NONE:
            return None
        part = self._round_number
        return Batch(
            part=part,
            requests=tuple(
                Request(
                    part=part,
                    seat=view.seat,
                    attempt=1,
                    observation=build_observation(
                        self._config, self._aliases, self._rounds, self._board, view
                    ),
                )
                for view in self._views
            ),
        )

    def read(self, request: Request, reply: Reply) -> Submission | Rejection:
        if reply.text is None:
            return Rejection(reply.failure)
        if reply.scripted:
            reading: Reading | Rejection = Reading(split_script(reply.text), "", "", ())
        else:
            reading = read_reply(reply.text)
        if isinstance(reading, Rejection):
            return reading
        if reading.otherwise and reply.outcome is Outcome.TRUNCATED:
            # A bare program has no end of its own, so nothing tells a whole one from a piece.
            return Rejection(f"the reply is cut short at its output limit; {ASKED_FOR}")
        script = cap_script(reading.script)
        # A file's text is within the limits; in an older log it may not be, and no cut of it was named.
        cuts = () if reply.scripted else list_cuts(reading.script)
        problem = find_problem(script)
        if problem is not None:
            problem = "\n".join((*cuts, problem))
            if reading.otherwise:
                return Rejection(f"{reading.otherwise}\n{problem}")
            return Rejection(problem, further=list_further_problems(script, FURTHER_PROBLEMS))
        first = Origin.SCRIPTED if reply.scripted else Origin.LLM
        return Submission(
            seat=request.seat,
            origin=first if request.attempt == 1 else Origin.RETRY,
            script=script,
            notes=cap_notes(reading.notes),
            banner=cap_banner(reading.banner),
            repairs=(*reading.repairs, *cuts),
        )

    def fallback(self, request: Request, reason: str, outcome: Outcome = Outcome.INVALID) -> Submission:
        return Submission(
            seat=request.seat,
            origin=Origin.FALLBACK,
            script=_fallback_script(),
            reason=cap_reason(reason) or "no usable reply",
        )

    def advance(self, decisions: Sequence[Decision]) -> Iterator[Sequence[Event]]:
        assert self._ending is EpisodeEnding.NONE, "the episode is over"
        assert [decision.seat for decision in decisions] == list(range(SEAT_COUNT)), "one decision per seat"
        submissions = [decision for decision in decisions if isinstance(decision, Submission)]
        assert len(submissions) == SEAT_COUNT, "decisions of another benchmark"
        number = self._round_number
        seed = compute_round_seed(self._config.seed, number)
        opening = Round(round=number, seed=seed, spawn=draw_spawn(seed), ticks=self._config.ticks)
        yield [opening, *(_seal(number, submission) for submission in submissions)]
        yield [self._play(opening, submissions)]
        if len(self._rounds) == self._config.rounds:
            yield from self._end(EpisodeEnding.COMPLETE)

    def stop_early(self, recorded: Event | None = None) -> Iterator[Sequence[Event]]:
        assert self._ending is EpisodeEnding.NONE, "the episode is over"
        yield from self._end(EpisodeEnding.DEADLINE)

    def decision_of(self, event: Event) -> Submission | None:
        if not isinstance(event, Submit) or event.round != self._round_number:
            return None
        return Submission(
            seat=event.seat,
            origin=event.origin,
            script=event.script,
            notes=event.notes,
            banner=event.banner,
            reason=event.reason,
            repairs=event.repairs,
        )

    def results(self) -> GridWarsResults:
        return compute_results(self._config, self._rounds, self._ending)

    @property
    def _round_number(self) -> int:
        return len(self._rounds) + 1

    def _play(self, opening: Round, submissions: Sequence[Submission]) -> Battle:
        job = BattleJob(
            [compile_or_none(submission.script) for submission in submissions],
            seed=opening.seed,
            spawn=opening.spawn,
            ticks=opening.ticks,
            bomb_cost=self._config.bomb_cost,
            tick_digests=True,
        )
        result, board = start_engine(self._engine).play_battle(job)
        self._board = tuple(board.split("\n"))
        self._rounds.append(
            PlayedRound(
                stats=result.stats,
                reason=result.reason,
                fallbacks=tuple(submission.origin is Origin.FALLBACK for submission in submissions),
            )
        )
        self._views = [
            _remember(view, submission, curve)
            for view, submission, curve in zip(self._views, submissions, result.curve, strict=True)
        ]
        return Battle(
            round=opening.round,
            ticks_played=result.ticks_played,
            reason=result.reason,
            digest=result.digest,
            tick_digests=result.tick_digests,
            stats=result.stats,
            curve=result.curve,
        )

    def _end(self, ending: EpisodeEnding) -> Iterator[Sequence[Event]]:
        self._ending = ending
        yield [End(results=self.results())]


def _fallback_script() -> tuple[str, ...]:
    return load_warriors()[FALLBACK].lines


def _seal(round_number: int, submission: Submission) -> Submit:
    return Submit(
        round=round_number,
        seat=submission.seat,
        origin=submission.origin,
        script=submission.script,
        notes=submission.notes,
        banner=submission.banner,
        reason=submission.reason,
        repairs=submission.repairs,
    )


def _remember(view: SeatView, submission: Submission, curve: tuple[int, ...]) -> SeatView:
    """What the seat sees of itself next; a fallback leaves its own script and notes as they were."""
    own = submission.origin is not Origin.FALLBACK
    return SeatView(
        seat=view.seat,
        script=submission.script if own and submission.script else view.script,
        notes=submission.notes if own else view.notes,
        reason=submission.reason or "\n".join(find_cuts(submission.repairs)),
        curve=curve,
    )
