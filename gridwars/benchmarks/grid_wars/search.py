"""A player without a model: it improves its script by small edits that win battles of its own.

Each round it starts from its own script and all built-ins, keeps what scores best among the strongest of
them, and climbs: it plays edited copies against the same opponents on the same boards as their original, and
takes one that is better beyond chance. A fixed number of battles is spent, on whatever engine plays; the
script is a pure function of that number, the round, the seat's own script and the rules' numbers. It knows
no more than its observation: opponents are the built-ins and itself. Sums are whole, so no float decides.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence

from gridwars.benchmarks.contract import Baseline, Observation
from gridwars.benchmarks.grid_wars.edits import draw_edit
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.rules import SEAT_COUNT, draw_spawn
from gridwars.benchmarks.grid_wars.submission import compile_or_none
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.rng import MASK_64, NimRand, mix
from gwl.program import Program

DEFAULT_BUDGET = 2000
"""Battles for one script."""

LEAST_RIVALS = 3
MUTANTS = 12
FIRST_BOARDS, SECOND_BOARDS = 6, 24
"""Of a generation: boards for all its mutants, then further ones for the `FINALISTS` best of them."""
FINALISTS = 3

Script = tuple[str, ...]


def make_search(budget: int = DEFAULT_BUDGET) -> Baseline:
    """A player that spends so many battles on every script."""

    def decide(observation: Observation) -> str:
        assert isinstance(observation, GridWarsObservation), "an observation of another benchmark"
        seen = observation
        return "\n".join(_search(budget, seen.round, seen.script, seen.ticks, seen.bomb_cost))

    return decide


@functools.lru_cache(maxsize=256)
def _search(budget: int, round_number: int, own: Script, ticks: int, bomb_cost: int) -> Script:
    return _Search(budget, round_number, ticks, bomb_cost).run(own)


class _Search:
    """One search."""

    def __init__(self, budget: int, round_number: int, ticks: int, bomb_cost: int) -> None:
        self._left = budget
        self._rand = NimRand(mix(budget, 6364136223846793005, round_number))
        self._ticks = ticks
        self._bomb_cost = bomb_cost

    def run(self, own: Script) -> Script:
        scripts = list(dict.fromkeys([own, *(warrior.lines for warrior in load_warriors().values())]))
        candidates = [script for script in scripts if compile_or_none(script) is not None]
        ranked = self._rank(candidates, self._left // 5 // len(candidates))
        best, rivals = ranked[0], ranked[: max(LEAST_RIVALS, len(ranked) // 2)]
        while self._left >= MUTANTS * FIRST_BOARDS + (FINALISTS + 1) * SECOND_BOARDS:
            best = self._climb(best, rivals)
        return best

    def _rank(self, candidates: Sequence[Script], board_count: int) -> list[Script]:
        """The candidates by what they score against each other, best first."""
        scores = self._play(candidates, candidates, max(1, board_count))
        totals = [sum(own) for own in scores]
        order = sorted(range(len(candidates)), key=lambda index: (-totals[index], index))
        return [candidates[index] for index in order]

    def _climb(self, best: Script, rivals: Sequence[Script]) -> Script:
        """One generation: the best script or a better neighbour."""
        mutants = list(itertools.islice(self._mutate(best), MUTANTS))
        finalists = self._rank_against(mutants, rivals)[:FINALISTS]
        scores = self._play([best, *finalists], rivals, SECOND_BOARDS)
        for mutant, own in sorted(zip(finalists, scores[1:], strict=True), key=lambda pair: -sum(pair[1])):
            if _is_better(own, scores[0]):
                return mutant
        return best

    def _rank_against(self, mutants: Sequence[Script], rivals: Sequence[Script]) -> list[Script]:
        totals = [sum(own) for own in self._play(mutants, rivals, FIRST_BOARDS)]
        order = sorted(range(len(mutants)), key=lambda index: (-totals[index], index))
        return [mutants[index] for index in order]

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
    """Whether the mean of the differences lies about 1.4 of its standard errors above zero."""
    differences = [a - b for a, b in zip(scores, others, strict=True)]
    total = sum(differences)
    return total > 0 and total * total > 2 * sum(each * each for each in differences)
