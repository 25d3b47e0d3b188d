"""What `play` and `resume` share: following an episode as it is played, and telling how it ended."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from gridwars.benchmarks.contract import Event, Recording, View
from gridwars.benchmarks.registry import get_benchmark
from gridwars.cli.console import open_console, print_json
from gridwars.cli.drawing import is_low, play_pictures, print_blocks, print_sentences
from gridwars.cli.exit_codes import ExitCode
from gridwars.clock import Clock
from gridwars.harness.orchestrator import Played
from gridwars.log.events import HARNESS_EVENTS, Start


def find_log_path(out: Path | None, benchmark_name: str, clock: Clock) -> Path:
    """Where a new log goes; makes the folder. An existing file is left for the log's writer to refuse."""
    folder = Path("runs") if out is None else out
    if out is not None and not out.is_dir() and out.suffix:
        out.parent.mkdir(parents=True, exist_ok=True)
        return out
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{benchmark_name}-{clock.now():%Y%m%d-%H%M%S}"
    candidates = (folder / f"{name}{suffix}.jsonl" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in candidates if not path.exists())


class Spectator:
    """Sees every event as it becomes durable, draws what has been played, and speaks at the end."""

    def __init__(self, path: Path, *, watch: bool, speed: int, as_json: bool) -> None:
        self._path = path
        self._watch = watch
        self._speed = speed
        self._as_json = as_json
        self._console = open_console()
        self._start: Start | None = None
        self._events: list[Event] = []
        self._drawn_part_count = 0

    def observe(self, event: Event, was_known: bool) -> None:
        if isinstance(event, Start):
            self._start = event
        elif not isinstance(event, HARNESS_EVENTS):
            self._events.append(event)
            if self._watch:
                self._draw(event, was_known)

    def follow(self, play: Callable[[], Played]) -> ExitCode:
        """Plays, then prints the results; interrupted, says how to go on."""
        try:
            played = play()
        except KeyboardInterrupt:
            click.echo(
                f"gridwars: interrupted; what was played is safe in {self._path}\n"
                f"go on with: gridwars resume {shlex.quote(str(self._path))}",
                err=True,
            )
            return ExitCode.INTERRUPTED
        if self._as_json:
            self._print_json(played)
        else:
            self._print(played)
        return ExitCode.OK

    def _draw(self, event: Event, was_known: bool) -> None:
        """Draws a part once it has been played."""
        view, recording = self._show()
        if not view.ends_part(event):
            return
        self._drawn_part_count += 1
        if not was_known:
            part = self._drawn_part_count
            pictures = view.iterate_pictures(recording, part, compact=is_low(self._console))
            play_pictures(self._console, pictures, pictures_per_second=self._speed)

    def _show(self) -> tuple[View, Recording]:
        assert self._start is not None, "an episode begins with its start event"
        benchmark = get_benchmark(self._start.benchmark)
        names = [seat.policy for seat in self._start.seats]
        recording = Recording(benchmark.configure(self._start.config), names, self._events)
        return benchmark.make_view(), recording

    def _print(self, played: Played) -> None:
        view, recording = self._show()
        print_blocks(self._console, view.render_summary(recording))
        print_sentences(self._console, view.tell_result(recording))
        self._console.print(f"\nlog   {played.path}\nhead  {played.head}")

    def _print_json(self, played: Played) -> None:
        assert self._start is not None, "an episode begins with its start event"
        print_json(
            {
                "log": str(played.path),
                "head": played.head,
                "seats": [{"policy": seat.policy, "alias": seat.alias} for seat in self._start.seats],
                "results": msgspec.to_builtins(played.results),
            }
        )
