"""A player without a model: it improves its script by edits that win battles of its own.

A script is worth its worst duel: two seats each against another script, then the seats exchanged, on a few
boards. Each round the player starts from the best by that measure among its own script and all built-ins;
from its own unless another beats it beyond chance. From there it climbs: an edited copy meets the script it
comes from and, if it wins that duel beyond chance, all the others, for as long as its worst duel is not lost,
or no worse than its original's on the same boards. Then it replaces its original, which is one more rival
from there on. Large edits take statements and procs from the others.

Boards are drawn without return from all starts and ways of sharing the seats. Once a budget allows all of
them a duel of scripts that never call `rand` is exact, and any gain counts.

A fixed number of battles can be spent, on whatever engine plays; the script is a pure function of that
number, the round, the seat's own script and the rules' numbers. It knows no more than its observation:
opponents are built-ins and itself. Sums are whole, so no float decides.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridwars.benchmarks.contract import Baseline, Observation
from gridwars.benchmarks.grid_wars.edits import draw_edit
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.observation import GridWarsObservation
from gridwars.benchmarks.grid_wars.rules import CORNERS, SEAT_COUNT, cell_at
from gridwars.benchmarks.grid_wars.submission import compile_or_none
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.rng import MASK_64, NimRand, mix
from gwl.program import Program

DEFAULT_BUDGET = 2000
"""Battles for one script."""

START_SHARE = 3
"""Of the budget at most one battle in so many goes into finding where to start."""
BOARD_COUNT = 12
"""That every duel is played on for each default budget, up to all that there are."""
BOARDS_AT_A_TIME = 2
"""After so many an edited copy that does no better is given up."""
FIRST_SEATS = ((0, 1), (0, 2), (0, 3))
"""Of the first of a duel: with the exchange every way of sharing four seats."""
STARTS = tuple(itertools.permutations(cell_at(*corner) for corner in CORNERS))
FIRST_KNOWN = "brawler"
"""It beats every other built-in in duels, so the start is found by few of them."""

Script = tuple[str, ...]
Margins = list[int]
"""By board how much more one script scored than the other, in quarters."""
Duels = dict[Script, Margins]
"""Of one script, by rival."""


def make_search(budget: int = DEFAULT_BUDGET, known: Sequence[Script] | None = None) -> Baseline:
    """A player that spends so many battles on every script.

    Args:
        known: the scripts that it may start from and plays against, the first ones if the budget does not
            allow more; None for the built-ins.
    """
    scripts = tuple(_list_known() if known is None else known)

    def decide(observation: Observation) -> str:
        assert isinstance(observation, GridWarsObservation), "an observation of another benchmark"
        seen = observation
        return "\n".join(_search(budget, scripts, seen.round, seen.script, seen.ticks, seen.bomb_cost))

    return decide


def _list_known() -> list[Script]:
    warriors = load_warriors()
    return list(dict.fromkeys(warriors[name].lines for name in (FIRST_KNOWN, *reversed(warriors))))


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
        self._least_left = budget - budget // START_SHARE
        self._boards = self._draw_boards(BOARD_COUNT * max(1, budget // DEFAULT_BUDGET))
        self._donors: tuple[Script, ...] = ()

    def run(self, own: Script, known: Sequence[Script]) -> Script:
        candidates = [
            script
            for script in dict.fromkeys([*known[:1], own, *known[1:]])
            if compile_or_none(script) is not None
        ]
        most = self._left - self._least_left
        while len(candidates) > 2 and self._count_battles(len(candidates) - 1) > most:
            candidates.pop()
        self._donors = tuple(candidates)
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
            if table[best] and self._left < self._least_left:
                break
            # One duel that is worse already than the worst of another's will do.
            if script == best or _find_worst(table[script]) > _find_worst(table[best]):
                meet_others(script)
                best = max(best, script, key=lambda each: _find_worst(table[each]))
        if own in table and own != best and not self._is_gain(table[best][own], best, own):
            best = own
            meet_others(own)
        return best, table[best]

    def _try(self, mutant: Script, best: Script, duels: Duels) -> Duels | None:
        """The mutant's duels with the same rivals, if it proves better than the script it comes from."""
        gains: Margins = []
        for start in range(0, len(self._boards), BOARDS_AT_A_TIME):
            (margins,) = self._play([(mutant, best)], self._boards[start : start + BOARDS_AT_A_TIME])
            gains += margins
            if sum(gains) <= 0:
                return None
        if not self._is_gain(gains, mutant, best):
            return None
        better: Duels = {rival: [] for rival in duels}
        for index, board in enumerate(self._boards):
            for rival, margins in zip(
                duels, self._play([(mutant, rival) for rival in duels], [board]), strict=True
            ):
                better[rival] += margins
            before = {rival: margins[: index + 1] for rival, margins in duels.items()}
            if index + 1 >= BOARDS_AT_A_TIME and _find_worst(better) < min(0, _find_worst(before)):
                return None
        return {**better, best: gains}

    def _is_gain(self, values: Sequence[int], *scripts: Script) -> bool:
        """Whether the sum is above zero: beyond chance, or as it is where nothing is left to chance."""
        if len(self._boards) == len(STARTS) * len(FIRST_SEATS) and not any(map(_calls_rand, scripts)):
            return sum(values) > 0
        return _is_above_chance(values)

    def _mutate(self, script: Script) -> Iterator[Script]:
        """Neighbours that compile, each once, without end."""
        seen = {script}
        while True:
            mutant = draw_edit(script, self._rand, self._donors)
            while self._rand.draw_up_to(2) == 0:
                mutant = draw_edit(mutant, self._rand, self._donors)
            if mutant not in seen and compile_or_none(mutant) is not None:
                seen.add(mutant)
                yield mutant

    def _draw_boards(self, count: int) -> list[_Board]:
        """So many of all boards, each once; they share the seats in turn."""
        boards: list[_Board] = []
        starts = {first: list(STARTS) for first in FIRST_SEATS}
        for left in starts.values():
            self._rand.shuffle(left)
        for first in itertools.islice(
            itertools.cycle(FIRST_SEATS), min(count, len(STARTS) * len(FIRST_SEATS))
        ):
            second = [seat for seat in range(SEAT_COUNT) if seat not in first]
            seed = self._rand.draw_word() & MASK_64 >> 1
            boards.append(_Board(seed, starts[first].pop(), first, second))
        return boards

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


def _calls_rand(script: Script) -> bool:
    return any(re.search(r"\brand\b", line.partition("#")[0]) for line in script)
