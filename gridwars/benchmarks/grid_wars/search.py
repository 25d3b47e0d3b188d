"""A player without a model: it improves its script by small edits that win battles of its own.

A script is worth its worst duel: two seats each against another script, then the seats exchanged, on a few
boards. Each round the player starts from the best by that measure among its own script, one that is kept for
it (`searcher.gwl`) and all built-ins; from its own unless another beats it beyond chance. From there it
climbs: an edited copy meets the script it comes from and, if it wins that duel beyond chance, all the others,
for as long as it does better than its original did on the same boards. It replaces it if it gains beyond
chance over all and its worst duel is no worse.

A fixed number of battles can be spent, on whatever engine plays; the script is a pure function of that
number, the round, the seat's own script and the rules' numbers. It knows no more than its observation:
opponents are built-ins and itself. Sums are whole, so no float decides.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

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

DEFAULT_BUDGET = 2000
"""Battles for one script."""

START_SHARE = 3
"""Of the budget at most one battle in so many goes into finding where to start."""
BOARD_COUNT = 6
"""That every duel is played on, up to four times the default budget; then they grow with its root."""
FIRST_SEATS = ((0, 1), (0, 2), (0, 3))
"""Of the first of a duel, in turn by board: with the exchange every way of sharing four seats."""

Script = tuple[str, ...]
Margins = list[int]
"""By board how much more one script scored than the other, in quarters."""
Duels = dict[Script, Margins]
"""Of one script, by rival."""


def make_search(budget: int = DEFAULT_BUDGET, known: Sequence[Script] | None = None) -> Baseline:
    """A player that spends so many battles on every script.

    Args:
        known: the scripts that it may start from and plays against, the first ones if the budget does not
            allow more; None for `searcher.gwl` and the built-ins.
    """
    scripts = tuple(_list_known() if known is None else known)

    def decide(observation: Observation) -> str:
        assert isinstance(observation, GridWarsObservation), "an observation of another benchmark"
        seen = observation
        return "\n".join(_search(budget, scripts, seen.round, seen.script, seen.ticks, seen.bomb_cost))

    return decide


def _list_known() -> list[Script]:
    start = Path(__file__).with_name("searcher.gwl").read_text(encoding="utf-8")
    built_ins = [warrior.lines for warrior in load_warriors().values()]
    return [cap_script(split_script(start)), *reversed(built_ins)]


@functools.lru_cache(maxsize=256)
def _search(
    budget: int, known: tuple[Script, ...], round_number: int, own: Script, ticks: int, bomb_cost: int
) -> Script:
    return _Search(budget, round_number, ticks, bomb_cost).run(own, known)


class _Board(NamedTuple):
    """Where a duel is played: twice, with the seats exchanged."""

    seed: int
    spawn: Sequence[int]
    first: Sequence[int]
    second: Sequence[int]


class _Search:
    """One search."""

    def __init__(self, budget: int, round_number: int, ticks: int, bomb_cost: int) -> None:
        self._left = budget
        self._rand = NimRand(mix(budget, 6364136223846793005, round_number))
        self._ticks = ticks
        self._bomb_cost = bomb_cost
        board_count = BOARD_COUNT * max(1, math.isqrt(budget // DEFAULT_BUDGET))
        self._boards = [self._draw_board(index) for index in range(board_count)]

    def run(self, own: Script, known: Sequence[Script]) -> Script:
        candidates = [
            script
            for script in dict.fromkeys([*known[:1], own, *known[1:]])
            if compile_or_none(script) is not None
        ]
        most = self._left // START_SHARE
        while len(candidates) > 2 and self._count_battles(math.comb(len(candidates), 2)) > most:
            candidates.pop()
        best, duels = self._find_start(candidates, own)
        mutants = self._mutate(best)
        while self._left >= self._count_battles(len(duels) + 1):
            mutant = next(mutants)
            better = self._try(mutant, best, duels)
            if better is not None:
                best, duels = mutant, better
                mutants = self._mutate(best)
        return best

    def _count_battles(self, duel_count: int) -> int:
        return 2 * len(self._boards) * duel_count

    def _find_start(self, candidates: Sequence[Script], own: Script) -> tuple[Script, Duels]:
        """The candidate with the best worst duel, and its duels with the others."""
        table: dict[Script, Duels] = {script: {} for script in candidates}

        def meet_others(script: Script) -> None:
            rivals = [rival for rival in candidates if rival != script and rival not in table[script]]
            duels = self._play([(script, rival) for rival in rivals], self._boards)
            for rival, margins in zip(rivals, duels, strict=True):
                table[script][rival] = margins
                table[rival][script] = [-margin for margin in margins]

        best = candidates[0]
        for script in candidates:
            # One duel that is worse already than the worst of another's will do.
            if script == best or _find_worst(table[script]) > _find_worst(table[best]):
                meet_others(script)
                best = max(best, script, key=lambda each: _find_worst(table[each]))
        if own in table and own != best and not _is_above_chance(table[best][own]):
            best = own
            meet_others(own)
        return best, table[best]

    def _try(self, mutant: Script, best: Script, duels: Duels) -> Duels | None:
        """The mutant's duels with the same rivals, if it proves better than the script it comes from."""
        (gains,) = self._play([(mutant, best)], self._boards)
        if not _is_above_chance(gains):
            return None
        better: Duels = {rival: [] for rival in duels}
        for index, board in enumerate(self._boards):
            if sum(gains) <= 0:
                return None
            for rival, margins in zip(
                duels, self._play([(mutant, rival) for rival in duels], [board]), strict=True
            ):
                better[rival] += margins
                gains.append(margins[0] - duels[rival][index])
        return better if _is_above_chance(gains) and _find_worst(better) >= _find_worst(duels) else None

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

    def _draw_board(self, index: int) -> _Board:
        seed = self._rand.draw_word() & MASK_64 >> 1
        first = FIRST_SEATS[index % len(FIRST_SEATS)]
        second = [seat for seat in range(SEAT_COUNT) if seat not in first]
        return _Board(seed, draw_spawn(seed), first, second)

    def _play(self, pairs: Sequence[tuple[Script, Script]], boards: Sequence[_Board]) -> list[Margins]:
        """The duels of all pairs on the same boards."""
        jobs, seats_of_first = [], []
        for (one, other), board in itertools.product(pairs, boards):
            programs = _compile(one), _compile(other)
            for seats in (board.first, board.second):
                field = [programs[seat not in seats] for seat in range(SEAT_COUNT)]
                jobs.append(BattleJob(field, board.seed, board.spawn, self._ticks, self._bomb_cost))
                seats_of_first.append(seats)
        self._left -= len(jobs)
        scores = [
            sum(result.stats[seat].round_score_quarters for seat in seats)
            for result, seats in zip(start_engine().run_battles(jobs), seats_of_first, strict=True)
        ]
        margins = [one + other for one, other in zip(scores[::2], scores[1::2], strict=True)]
        return [margins[start : start + len(boards)] for start in range(0, len(margins), len(boards))]


def _find_worst(duels: Duels) -> int:
    return min((sum(margins) for margins in duels.values()), default=0)


def _compile(script: Script) -> Program:
    program = compile_or_none(script)
    assert program is not None, "only what compiles is played"
    return program


def _is_above_chance(values: Sequence[int]) -> bool:
    """Whether their mean lies more than 1.7 standard errors above zero, as luck has it once in twenty."""
    total = sum(values)
    return total > 0 and total * total > 3 * sum(value * value for value in values)
