"""Battles for Python programs: one or very many, from scripts to typed results and tables.

    >>> import gridwars
    >>> gridwars.battle(["painter", "bomber", "sentry", Path("mine.gwl")], seed=7).winner
    >>> played = gridwars.battles([["painter", "bomber", "sentry", "painter"]], seeds=range(1000))
    >>> gridwars.to_polars(played).group_by("name").agg(polars.col("score").mean())

All of it is also an attribute of `gridwars`, loaded at its first use. Which engine plays is said by
`GRIDWARS_ENGINE`, as for the command line, or by the `engine` argument.
"""

from __future__ import annotations

import difflib
import itertools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars import rules
from gridwars.benchmarks.grid_wars.battle import BattleResult
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.job import BattleJob
from gridwars.benchmarks.grid_wars.programs import compile_script
from gridwars.benchmarks.grid_wars.results import find_round_winner
from gridwars.benchmarks.grid_wars.rules import DeathCause
from gridwars.benchmarks.grid_wars.stats import SeatStats
from gridwars.benchmarks.grid_wars.submission import cap_script, split_script, tidy_script
from gridwars.benchmarks.grid_wars.warriors import load_warriors
from gridwars.canonical import hash_text
from gridwars.files import read_file
from gwl import CompileError, Diagnostic
from gwl.program import Program

if TYPE_CHECKING:
    import pandas
    import polars

Script = str | Path | Sequence[str] | None
"""What fills a seat: a built-in's name or a whole source text, a file, lines, or None for a halted warrior.

A text is never taken for a path; a single word is a built-in's name, since no script is a single word.
"""


class ScriptError(ValueError):
    """A script that does not compile or is longer than allowed, or a name that no built-in has.

    Attributes:
        seat: from 0.
        diagnostics: the errors, the one that counts first; none for a name.
    """

    def __init__(self, seat: int, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        self.seat = seat
        self.diagnostics = diagnostics
        super().__init__(f"seat {seat}: {message}")


@dataclass(frozen=True, slots=True)
class Setup:
    """A battle to be played, a pure function of what stands here.

    Attributes:
        scripts: of the four seats.
        seed: the round's, a signed 64-bit number; an episode of seed `s` plays its round `n` with
            `rules.compute_round_seed(s, n)`.
        spawn: by seat the cell to start on, `30 * y + x`; None for the corners in the order that the
            seed draws.
        ticks: the most to be played, 20..1200.
        bomb_cost: energy that a bomb costs, 0..60.
        cut: whether a script that is longer than allowed is cut, as a model's reply is, instead of refused.
    """

    scripts: Sequence[Script]
    seed: int = 0
    spawn: Sequence[int] | None = None
    ticks: int = 400
    bomb_cost: int = 12
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle that was played.

    Attributes:
        names: by seat: a built-in's name, a file's without its ending, `script-` and eight digits of its
            SHA-256 for a text or lines, `none` for None.
        seed, spawn: what it was played with.
        result: all that the rules count, tile curves and the digest of the last state with it.
    """

    names: tuple[str, ...]
    seed: int
    spawn: tuple[int, ...]
    result: BattleResult

    @property
    def stats(self) -> tuple[SeatStats, ...]:
        """How it went for each seat, in seat order."""
        return self.result.stats

    @property
    def scores(self) -> tuple[float, ...]:
        """Round scores by seat, in points; they add up to 0 and are exact, being quarters."""
        return tuple(stats.round_score_quarters / 4 for stats in self.result.stats)

    @property
    def winner(self) -> int | None:
        """The seat with the highest raw score; None where two share it."""
        return find_round_winner(self.result.stats)

    def __str__(self) -> str:
        """A small table, for people."""
        width = max(map(len, self.names))
        rows = [
            f"{name:<{width}} {score:>8.2f}  {stats.tiles:>3} tiles  {stats.kills} kills  {_tell_fate(stats)}"
            for name, score, stats in zip(self.names, self.scores, self.stats, strict=True)
        ]
        head = f"seed {self.seed}, {self.result.ticks_played} ticks, {self.result.reason}"
        return "\n".join([head, *rows])


def battle(
    scripts: Sequence[Script],
    *,
    seed: int = 0,
    spawn: Sequence[int] | None = None,
    ticks: int = 400,
    bomb_cost: int = 12,
    cut: bool = False,
    engine: EngineChoice | str | None = None,
) -> Battle:
    """Plays one battle; for the arguments see `Setup`.

    Args:
        engine: `auto`, `fast`, `reference` or `both`; None for the one that the process is set to.

    Raises:
        ScriptError: for a script that does not compile or, without `cut`, is longer than allowed.
        ConfigurationError: (a ValueError) for a number out of range.
        OSError: for a file that cannot be read.
    """
    (played,) = play([Setup(scripts, seed, spawn, ticks, bomb_cost, cut)], engine=engine, threads=1)
    return played


def battles(
    script_sets: Iterable[Sequence[Script]],
    *,
    seeds: Iterable[int] = (0,),
    ticks: int = 400,
    bomb_cost: int = 12,
    cut: bool = False,
    engine: EngineChoice | str | None = None,
    threads: int | None = None,
) -> tuple[Battle, ...]:
    """Plays every set of four scripts on every seed: set by set, and the seeds of each in their order.

    Args:
        threads: how many battles are played at once; None for one per core. It never changes a result.

    Raises:
        ScriptError, ConfigurationError, OSError: as `battle`, before anything is played.
    """
    pairs = itertools.product(script_sets, seeds)
    setups = [Setup(scripts, seed, None, ticks, bomb_cost, cut) for scripts, seed in pairs]
    return play(setups, engine=engine, threads=threads)


def play(
    setups: Iterable[Setup], *, engine: EngineChoice | str | None = None, threads: int | None = None
) -> tuple[Battle, ...]:
    """Plays battles that have nothing in common; the results are in the order of the setups.

    Args, raises:
        as `battles`.
    """
    shelf = _Shelf()
    prepared = [_prepare(setup, shelf) for setup in setups]
    chosen = EngineChoice(engine) if engine is not None else None
    results = start_engine(chosen).run_battles(
        [job for _, job in prepared], threads=threads or os.cpu_count() or 1
    )
    return tuple(
        Battle(names, job.seed, tuple(job.spawn), result)
        for (names, job), result in zip(prepared, results, strict=True)
    )


def tabulate(played: Iterable[Battle]) -> dict[str, list[int | float | str | bool | None]]:
    """Battles as columns of equal length, one row for each seat of each battle, in order.

    The columns are `battle` (from 0), `seed`, `seat`, `name`, `cell`, `score` (points), `won`,
    `ticks_played`, `reason`, and every field of `SeatStats` but `round_score_quarters`; `fault_code` is
    None without a fault.
    """
    rows = [
        _make_row(number, each, seat)
        for number, each in enumerate(played)
        for seat in range(rules.SEAT_COUNT)
    ]
    return {name: [row[name] for row in rows] for name in _COLUMNS}


def to_pandas(played: Iterable[Battle]) -> pandas.DataFrame:
    """The table of `tabulate` as a pandas frame; needs `pip install 'gridwars[tables]'`."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise _explain_missing(error) from error
    return pandas.DataFrame(tabulate(played))


def to_polars(played: Iterable[Battle]) -> polars.DataFrame:
    """The table of `tabulate` as a polars frame; needs `pip install 'gridwars[tables]'`."""
    try:
        import polars
    except ModuleNotFoundError as error:
        raise _explain_missing(error) from error
    return polars.DataFrame(tabulate(played), infer_schema_length=None)


def _explain_missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    message = f"{error.name} is not installed; tables need: pip install '.[tables]'"
    return ModuleNotFoundError(message, name=error.name)


def _tell_fate(stats: SeatStats) -> str:
    if stats.alive:
        return "alive"
    fault = f": {stats.fault_text}, line {stats.fault_line}" if stats.death_cause is DeathCause.FAULT else ""
    return f"{stats.death_cause} in tick {stats.death_tick}{fault}"


_WORD = re.compile(r"[\w-]+")


class _Loaded(NamedTuple):
    name: str
    program: Program | None


class _Shelf:
    """Scripts that were compiled, so that each is compiled once, and is one object to the engine."""

    def __init__(self) -> None:
        self._programs: dict[tuple[str, ...], Program] = {}
        self._files: dict[Path, tuple[str, ...]] = {}

    def load(self, script: Script, seat: int, *, cut: bool) -> _Loaded:
        match script:
            case None:
                return _Loaded("none", None)
            case Path():
                if script not in self._files:
                    self._files[script] = split_script(read_file(script).decode())
                return _Loaded(script.stem, self._compile(self._files[script], seat, cut))
            case str() if _WORD.fullmatch(script):
                return _Loaded(script, self._compile(_find_builtin(script, seat), seat, cut))
            case str():
                return self._load_lines(split_script(script), seat, cut)
            case _:
                return self._load_lines(tuple(script), seat, cut)

    def _load_lines(self, lines: tuple[str, ...], seat: int, cut: bool) -> _Loaded:
        digest = hash_text("\n".join(lines))
        return _Loaded(f"script-{digest[:8]}", self._compile(lines, seat, cut))

    def _compile(self, lines: tuple[str, ...], seat: int, cut: bool) -> Program:
        script = cap_script(lines) if cut else tidy_script(lines)
        known = self._programs.get(script)
        if known is None:
            try:
                known = compile_script(script)
            except CompileError as error:
                raise ScriptError(seat, error.render(), error.diagnostics) from None
            self._programs[script] = known
        return known


def _find_builtin(name: str, seat: int) -> tuple[str, ...]:
    warriors = load_warriors()
    if name not in warriors:
        close = difflib.get_close_matches(name, warriors, n=1)
        hint = f'did you mean "{close[0]}"?' if close else f"there is: {', '.join(warriors)}"
        raise ScriptError(seat, f'no built-in is called "{name}"; {hint} A file is given as a Path.')
    return warriors[name].lines


def _prepare(setup: Setup, shelf: _Shelf) -> tuple[tuple[str, ...], BattleJob]:
    if len(setup.scripts) != rules.SEAT_COUNT:
        raise ValueError(f"a battle has {rules.SEAT_COUNT} scripts, not {len(setup.scripts)}")
    config = rules.configure({"seed": setup.seed, "ticks": setup.ticks, "bomb_cost": setup.bomb_cost})
    loaded = [shelf.load(script, seat, cut=setup.cut) for seat, script in enumerate(setup.scripts)]
    job = BattleJob(
        tuple(each.program for each in loaded),
        seed=config.seed,
        spawn=rules.draw_spawn(config.seed) if setup.spawn is None else tuple(setup.spawn),
        ticks=config.ticks,
        bomb_cost=config.bomb_cost,
    )
    return tuple(each.name for each in loaded), job


_STATS = tuple(name for name in SeatStats.__slots__ if name != "round_score_quarters")
_COLUMNS = ("battle", "seed", "seat", "name", "cell", "score", "won", "ticks_played", "reason", *_STATS)


def _make_row(number: int, played: Battle, seat: int) -> dict[str, int | float | str | bool | None]:
    stats = played.result.stats[seat]
    return {
        "battle": number,
        "seed": played.seed,
        "seat": seat,
        "name": played.names[seat],
        "cell": played.spawn[seat],
        "score": played.scores[seat],
        "won": played.winner == seat,
        "ticks_played": played.result.ticks_played,
        "reason": played.result.reason.value,
        **{name: getattr(stats, name) for name in _STATS},
    }
