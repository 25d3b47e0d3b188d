"""The fast engine: whole battles and batches of them, played by the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, LifoQueue
from typing import TYPE_CHECKING, Protocol, Self

from gridwars.benchmarks.grid_wars.battle import BattleResult
from gridwars.benchmarks.grid_wars.job import BattleJob, PlayedBattle
from gridwars.benchmarks.grid_wars.kernel.encoding import (
    MAX_BOMB_COST,
    MAX_TICKS,
    NO_PROGRAM,
    encode_job,
    encode_program,
    lay_out_result,
)
from gridwars.benchmarks.grid_wars.kernel.results import KernelBattle
from gridwars.benchmarks.grid_wars.rules import CELL_COUNT, SEAT_COUNT
from gwl.program import Program

if TYPE_CHECKING:
    from gridwars.benchmarks.grid_wars.frames import Frame

MAX_JOBS = 64
"""Jobs that go into the kernel in one call."""

INPUT_SIZE = 1 << 18
OUTPUT_SIZE = 1 << 22
"""Bytes of the kernel's buffers."""


class Kernel(Protocol):
    """Loads programs and plays jobs. Used by one thread at a time."""

    def load(self, program: bytes) -> int:
        """The number that jobs call the program by; -1 - a `LoadStatus` of `program.h` for a refusal."""
        ...

    def unload(self) -> None:
        """Forgets all programs."""
        ...

    def play(self, jobs: bytes, count: int, result_size: int) -> bytes:
        """The results of `count` jobs, `result_size` bytes together."""
        ...


class EngineUnavailableError(Exception):
    """The fast engine does not work on this machine; the text says why."""


class FastEngine:
    """Plays battles as the reference engine does, some hundred times as fast. May be shared by threads."""

    def __init__(self, start_kernel: Callable[[], Kernel]) -> None:
        """An engine of kernels of some kind; see `start` for the usual one."""
        self._start_kernel = start_kernel
        self._idle: LifoQueue[_Player] = LifoQueue()

    @classmethod
    def start(cls) -> Self:
        """An engine on wasmtime; the kernel is compiled now, once.

        Raises:
            EngineUnavailableError: where wasmtime is missing or does not work.
        """
        try:
            from gridwars.benchmarks.grid_wars.kernel.instance import CompiledKernel

            return cls(CompiledKernel().start)
        except (ImportError, OSError, RuntimeError) as error:
            reason = str(error).splitlines()[0]
            raise EngineUnavailableError(f"wasmtime does not work here ({reason})") from error

    def run_battle(
        self,
        programs: Sequence[Program | None],
        *,
        seed: int,
        spawn: Sequence[int],
        ticks: int,
        bomb_cost: int,
        tick_digests: bool = False,
    ) -> BattleResult:
        """Plays a whole battle; for the arguments see `battle.run_battle`.

        Raises:
            ValueError: for an argument out of range.
        """
        return self.play_battle(BattleJob(programs, seed, spawn, ticks, bomb_cost, tick_digests)).result

    def play_battle(self, job: BattleJob) -> PlayedBattle:
        played = self.record_battle(job)
        return PlayedBattle(played.result, played.board)

    def run_battles(self, jobs: Iterable[BattleJob], *, threads: int = 1) -> list[BattleResult]:
        """Plays many battles, `threads` at a time; the results are in the order of the jobs.

        Raises:
            ValueError: for a job with something out of range.
        """
        batches = list(_batch(jobs))
        if threads == 1:
            return [played.result for batch in batches for played in self._play_batch(batch)]
        from concurrent.futures import ThreadPoolExecutor  # Here, since importing it takes long.

        with ThreadPoolExecutor(threads) as executor:
            return [played.result for batch in executor.map(self._play_batch, batches) for played in batch]

    def iterate_frames(self, job: BattleJob) -> Iterator[Frame]:
        # Here, since most battles are played unseen.
        from gridwars.benchmarks.grid_wars.kernel.pictures import iterate_pictures

        return iterate_pictures(job.spawn, self.record_battle(job, pictures=True).pictures)

    def record_battle(self, job: BattleJob, *, pictures: bool = False) -> KernelBattle:
        """Plays a battle and tells all that the kernel knows of its end; with `pictures`, of each tick.

        Raises:
            ValueError: for anything in the job that is out of range.
        """
        _require_valid(job)
        with self._player() as player:
            return player.play([job], pictures=pictures)[0]

    def _play_batch(self, jobs: Sequence[BattleJob]) -> list[KernelBattle]:
        with self._player() as player:
            return player.play(jobs, pictures=False)

    @contextmanager
    def _player(self) -> Iterator[_Player]:
        """One that no other thread uses meanwhile."""
        try:
            player = self._idle.get_nowait()
        except Empty:
            player = _Player(self._start_kernel())
        yield player
        self._idle.put(player)


class _Player:
    """A kernel and the programs that it has loaded."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._loaded: dict[int, tuple[Program, int]] = {}
        """By identity, since comparing programs would cost more than loading them: program and number."""

    def play(self, jobs: Sequence[BattleJob], *, pictures: bool) -> list[KernelBattle]:
        played = []
        ready: list[tuple[BattleJob, list[int]]] = []
        for job in jobs:
            try:
                ready.append((job, self._load_seats(job)))
            except _KernelFullError:
                played += self._play_ready(ready, pictures=pictures)
                self._kernel.unload()
                self._loaded.clear()
                ready = [(job, self._load_seats(job))]
        return played + self._play_ready(ready, pictures=pictures)

    def _play_ready(
        self, ready: Sequence[tuple[BattleJob, list[int]]], *, pictures: bool
    ) -> list[KernelBattle]:
        """Plays jobs whose programs, with these numbers, are loaded."""
        layouts = [lay_out_result(job, pictures=pictures) for job, _ in ready]
        encoded = b"".join(encode_job(job, numbers, pictures=pictures) for job, numbers in ready)
        data = self._kernel.play(encoded, len(ready), sum(layout.size for layout in layouts))
        played = []
        start = 0
        for (job, _), layout in zip(ready, layouts, strict=True):
            played.append(KernelBattle(job, layout, data[start : start + layout.size]))
            start += layout.size
        return played

    def _load_seats(self, job: BattleJob) -> list[int]:
        return [NO_PROGRAM if program is None else self._load(program) for program in job.programs]

    def _load(self, program: Program) -> int:
        known = self._loaded.get(id(program))
        if known is not None:
            return known[1]
        number = self._kernel.load(encode_program(program))
        if number == _REFUSED_FOR_ROOM:
            raise _KernelFullError
        assert number >= 0, f"the kernel refused a compiled program, LoadStatus {-1 - number}"
        self._loaded[id(program)] = program, number
        return number


_REFUSED_FOR_ROOM = -9
"""-1 - LOAD_ROOM."""


class _KernelFullError(Exception):
    """No room for another program until all are unloaded."""


def _batch(jobs: Iterable[BattleJob]) -> Iterator[list[BattleJob]]:
    """The jobs in order, in groups that fit the kernel's buffers."""
    group: list[BattleJob] = []
    size = 0
    for job in jobs:
        _require_valid(job)
        result_size = lay_out_result(job, pictures=False).size
        if len(group) == MAX_JOBS or size + result_size > OUTPUT_SIZE:
            yield group
            group, size = [], 0
        group.append(job)
        size += result_size
    if group:
        yield group


def _require_valid(job: BattleJob) -> None:
    if len(job.programs) != SEAT_COUNT:
        raise ValueError(f"programs: a battle has {SEAT_COUNT} seats, not {len(job.programs)}")
    cells = set(job.spawn)
    if not len(job.spawn) == len(cells) == SEAT_COUNT or min(cells) < 0 or max(cells) >= CELL_COUNT:
        raise ValueError(
            f"spawn: {list(job.spawn)} is not {SEAT_COUNT} different cells of 0..{CELL_COUNT - 1}"
        )
    if not 1 <= job.ticks <= MAX_TICKS:
        raise ValueError(f"ticks: {job.ticks} is not 1..{MAX_TICKS}")
    if not 0 <= job.bomb_cost <= MAX_BOMB_COST:
        raise ValueError(f"bomb_cost: {job.bomb_cost} is not 0..{MAX_BOMB_COST}")
