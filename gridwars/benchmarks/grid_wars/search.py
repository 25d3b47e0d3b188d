"""A player without a model: it improves its script by small edits that win battles of its own.

Each round it starts from its own script, one that is kept for it (`searcher.gwl`) and all built-ins, takes
what scores best among them, and climbs: it plays edited copies against the strongest of them, on the same
boards and against the same opponents as their original, and takes one that is better beyond chance. A fixed
number of battles is spent, on whatever engine plays; the script is a pure function of that number, the
round, the seat's own script and the rules' numbers. It knows no more than its observation: opponents are
built-ins and itself. Sums are whole, so no float decides.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from importlib.resources import files

from gridwars.benchmarks.contract import Baseline, Observation
from gridwars.benchmarks.grid_wars.edits import draw_edit
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, draw_spawn
from gridwars.benchmarks.grid_wars.submission import cap_script, compile_or_none, split_script
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.rng import MASK_64, NimRand, mix
from gwl.program import Program

DEFAULT_BUDGET = 3000
"""Battles for one script."""

LEAST_RIVALS = 3
RANKING_SHARE = 5
"""One battle in so many goes into finding where to start and who the rivals are."""
MUTANTS = 16
STAGES = (1, 1, 2, 4)
"""Boards of a generation, in a unit that grows with the budget; each stage halves the mutants."""
GENERATION_COST = 48
"""Of one generation, in that unit: 16 + 8 + 2 * 4 + 4 * 2 for the mutants, 8 for what they come from."""

Script = tuple[str, ...]


def make_search(budget: int = DEFAULT_BUDGET, known: Sequence[Script] | None = None) -> Baseline:
    """A player that spends so many battles on every script.

    Args:
        known: the scripts that it may start from and plays against; None for the built-ins and
            `searcher.gwl`.
    """
    scripts = tuple(_list_known() if known is None else known)

    def decide(observation: Observation) -> str:
        assert isinstance(observation, GridWarsObservation), "an observation of another benchmark"
        seen = observation
        return "\n".join(_search(budget, scripts, seen.round, seen.script, seen.ticks, seen.bomb_cost))

    return decide


def _list_known() -> list[Script]:
    start = files("gridwars.benchmarks.grid_wars").joinpath("searcher.gwl").read_text(encoding="utf-8")
    return [cap_script(split_script(start)), *(warrior.lines for warrior in load_warriors().values())]


@functools.lru_cache(maxsize=256)
def _search(
    budget: int, known: tuple[Script, ...], round_number: int, own: Script, ticks: int, bomb_cost: int
) -> Script:
    return _Search(budget, round_number, ticks, bomb_cost).run(own, known)


class _Search:
    """One search."""

    def __init__(self, budget: int, round_number: int, ticks: int, bomb_cost: int) -> None:
        self._left = budget
        self._rand = NimRand(mix(budget, 6364136223846793005, round_number))
        self._ticks = ticks
        self._bomb_cost = bomb_cost

    def run(self, own: Script, known: Sequence[Script]) -> Script:
        candidates = [
            script for script in dict.fromkeys([own, *known]) if compile_or_none(script) is not None
        ]
        board_count = self._left // RANKING_SHARE // len(candidates)
        ranked, scores = self._rank(candidates, candidates, board_count)
        best, rivals = ranked[0], ranked[: max(LEAST_RIVALS, len(ranked) // 2)]
        if own in scores and not _is_better(scores[best], scores[own]):
            best = own
        # More of both, since few boards tell nothing and few generations lead nowhere.
        unit = max(1, math.isqrt(max(0, self._left)) // 6)
        while self._left >= GENERATION_COST * unit:
            best = self._climb(best, rivals, unit)
        return best

    def _climb(self, best: Script, rivals: Sequence[Script], unit: int) -> Script:
        """One generation: the best script, or a neighbour that proves better."""
        mutants = list(itertools.islice(self._mutate(best), MUTANTS))
        scores: dict[Script, list[int]] = {script: [] for script in (best, *mutants)}
        for boards in STAGES:
            contenders = [best, *mutants]
            for script, own in zip(contenders, self._play(contenders, rivals, boards * unit), strict=True):
                scores[script] += own
            mutants = sorted(mutants, key=lambda script: -sum(scores[script]))[: len(mutants) // 2]
        (challenger,) = mutants
        return challenger if _is_better(scores[challenger], scores[best]) else best

    def _rank(
        self, candidates: Sequence[Script], rivals: Sequence[Script], board_count: int
    ) -> tuple[list[Script], dict[Script, list[int]]]:
        """The candidates, best first, and their scores by board, on at least one board."""
        scores = dict(zip(candidates, self._play(candidates, rivals, max(1, board_count)), strict=True))
        return sorted(candidates, key=lambda script: -sum(scores[script])), scores

    def _mutate(self, script: Script) -> Iterator[Script]:
        """Neighbours that compile, each once, without end."""
        seen = {script}
        while True:
            mutant = draw_edit(script, self._rand)
            while self._rand.draw_up_to(2) == 0:
                mutant = draw_edit(mutant, self._rand)
            if mutant not in seen and compile_or_none(mutant) is not None:
                seen.add(mutant)
                yield mutant

    def _play(
        self, candidates: Sequence[Script], rivals: Sequence[Script], board_count: int
    ) -> list[list[int]]:
        """By candidate its scores in quarters, board by board; the board, seat and opponents are the same."""
        own = [_compile(script) for script in candidates]
        others = [_compile(script) for script in rivals]
        jobs, seats = [], []
        for _ in range(board_count):
            seed = self._rand.draw_word() & MASK_64 >> 1
            seat = self._rand.draw_up_to(SEAT_COUNT - 1)
            field = [others[self._rand.draw_up_to(len(others) - 1)] for _ in range(SEAT_COUNT)]
            seats.append(seat)
            for program in own:
                field[seat] = program
                jobs.append(BattleJob(tuple(field), seed, draw_spawn(seed), self._ticks, self._bomb_cost))
        self._left -= len(jobs)
        results = start_engine().run_battles(jobs)
        scores: list[list[int]] = [[] for _ in candidates]
        for index, result in enumerate(results):
            board, candidate = divmod(index, len(candidates))
            scores[candidate].append(result.stats[seats[board]].round_score_quarters)
        return scores


def _compile(script: Script) -> Program:
    program = compile_or_none(script)
    assert program is not None, "only what compiles is played"
    return program


def _is_better(scores: Sequence[int], others: Sequence[int]) -> bool:
    """Whether the mean of the differences lies more than its standard error above zero."""
    differences = [a - b for a, b in zip(scores, others, strict=True)]
    total = sum(differences)
    return total > 0 and total * total > sum(each * each for each in differences)
