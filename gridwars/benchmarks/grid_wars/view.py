"""Grid Wars for the eye: the tables of `text_view` and a battle as pictures of its board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import msgspec

from gridwars.benchmarks.contract import Event, Painter, Recording
from gridwars.benchmarks.engines import EngineChoice
from gridwars.benchmarks.grid_wars.engine import start_engine
from gridwars.benchmarks.grid_wars.events import Battle
from gridwars.benchmarks.grid_wars.frames import Frame
from gridwars.benchmarks.grid_wars.results import GridWarsResults, render_decimal
from gridwars.benchmarks.grid_wars.rules import BOARD_SIZE, COLOURS, SEAT_COUNT, GridWarsConfig, draw_aliases
from gridwars.benchmarks.grid_wars.telling import tell_tick
from gridwars.benchmarks.grid_wars.text_view import (
    RoundRecord,
    collect_rounds,
    find_results,
    make_job,
    render_round,
    render_series,
)
from gridwars.benchmarks.presentation import Block, Picture, Span

_WARRIOR_CHARACTERS = "ABCD"
_BOMB_CHARACTER = "*"
_CORPSE_CHARACTER = "x"
_UPPER_HALF = "▀"


class GridWarsView:
    """See `View`."""

    part_noun = "round"
    batch_noun = "round"
    moment_noun = "tick"

    def __init__(self, engine: EngineChoice | None = None) -> None:
        self._engine = engine

    def ends_batch(self, event: Event) -> bool:
        return isinstance(event, Battle)

    def ends_part(self, event: Event) -> bool:
        return isinstance(event, Battle)

    def count_parts(self, recording: Recording) -> int:
        return len(collect_rounds(recording.events))

    def render_summary(self, recording: Recording) -> Sequence[Block]:
        config = _require_own(recording)
        return render_series(config, draw_aliases(config.seed), recording.seat_names, recording.events)

    def tell_result(self, recording: Recording) -> Sequence[str]:
        results = find_results(_require_own(recording), recording.events)
        if results.winner is None:
            return ()
        return tuple(_tell_verdict(results, recording.seat_names))

    def render_part(self, recording: Recording, part: int) -> Sequence[Block]:
        config = _require_own(recording)
        return render_round(config, draw_aliases(config.seed), _find_round(recording, part), self._engine)

    def iterate_pictures(
        self, recording: Recording, part: int, *, compact: bool = False
    ) -> Iterator[Picture]:
        config = _require_own(recording)
        record = _find_round(recording, part)
        if len(record.submits) < SEAT_COUNT:
            return
        aliases = draw_aliases(config.seed)
        for frame in start_engine(self._engine).iterate_frames(make_job(config, record)):
            yield _picture(frame, f"round {part}", aliases, _draw_small_board if compact else _draw_board)

    def start_pictures(self, config: msgspec.Struct, *, compact: bool = False) -> Painter:
        events: list[Event] = []

        def paint(event: Event) -> Iterator[Picture]:
            events.append(event)
            if not isinstance(event, Battle):
                return iter(())
            return self.iterate_pictures(Recording(config, (), tuple(events)), event.round, compact=compact)

        return paint


def _require_own(recording: Recording) -> GridWarsConfig:
    assert isinstance(recording.config, GridWarsConfig), "a recording of another benchmark"
    return recording.config


def _tell_verdict(results: GridWarsResults, seat_names: Sequence[str]) -> Iterator[str]:
    first, second = results.ranking[:2]
    scores = [Fraction(score) for score in results.scores]
    lead = scores[first] - scores[second]
    how = "leads" if results.rounds < results.max_rounds and not results.reason else "wins"
    won = f"{_name(first, seat_names)} {how} with {render_decimal(scores[first])} points a round"
    other = _name(second, seat_names)
    if lead:
        yield f"{won}, {render_decimal(lead)} ahead of {other}."
    else:
        yield f"{won}, level with {other}, by rounds won, then tiles, then the lower seat."
    yield (
        f"It won {results.rounds_won[first]} of {results.rounds} rounds, ended them with "
        f"{results.tiles[first]} tiles in all, killed {results.kills[first]} "
        f"and {_tell_deaths(first, results)}."
    )
    for seat in results.ranking[1:]:
        yield (
            f"{_name(seat, seat_names)}: {render_decimal(scores[seat])}; {results.tiles[seat]} tiles, "
            f"killed {results.kills[seat]}, {_tell_deaths(seat, results)}."
        )


def _name(seat: int, seat_names: Sequence[str]) -> str:
    return f"{seat_names[seat]} (seat {seat + 1}, {COLOURS[seat]})"


def _tell_deaths(seat: int, results: GridWarsResults) -> str:
    deaths, faults, fallbacks = results.deaths[seat], results.faults[seat], results.fallbacks[seat]
    told = f"died {_count_times(deaths)}" if deaths else "never died"
    if faults:
        told += f" ({faults} by a fault)"
    if fallbacks:
        told += f", played the fallback {_count_times(fallbacks)}"
    return told


def _count_times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _find_round(recording: Recording, part: int) -> RoundRecord:
    return collect_rounds(recording.events)[part - 1]


def _picture(
    frame: Frame, title: str, aliases: Sequence[str], draw_board: Callable[[Frame], list[tuple[Span, ...]]]
) -> Picture:
    when = f"tick {frame.tick}" if frame.tick >= 0 else "before the first tick"
    board = draw_board(frame)
    legend = _draw_legend(frame, aliases)
    return Picture(
        title=f"{title}, {when}",
        moment=frame.tick,
        lines=(*board, *legend),
        happenings=tuple(tell_tick(frame, aliases)),
    )


def _draw_board(frame: Frame) -> list[tuple[Span, ...]]:
    cells = [_draw_cell(owner) for owner in frame.owner]
    for cell in frame.corpses:
        cells[cell] = Span(f"{_CORPSE_CHARACTER} ", f"bold white{_find_ground(frame, cell)}")
    for bomb in frame.bombs:
        ground = _find_ground(frame, bomb.cell)
        style = f"bold white{ground}" if ground else f"bold {COLOURS[bomb.seat]}"
        cells[bomb.cell] = Span(f"{_BOMB_CHARACTER}{bomb.fuse}", style)
    for seat, warrior in enumerate(frame.warriors):
        if warrior.alive:
            cells[warrior.cell] = Span(
                f"{_WARRIOR_CHARACTERS[seat]} ", f"bold black on bright_{COLOURS[seat]}"
            )
    return [tuple(cells[start : start + BOARD_SIZE]) for start in range(0, len(cells), BOARD_SIZE)]


def _draw_small_board(frame: Frame) -> list[tuple[Span, ...]]:
    """Two cells to a character, one above the other, told apart by colour alone."""
    colours = [COLOURS[owner - 1] if owner else "black" for owner in frame.owner]
    for cell in frame.corpses:
        colours[cell] = "bright_black"
    for bomb in frame.bombs:
        colours[bomb.cell] = "white"
    for seat, warrior in enumerate(frame.warriors):
        if warrior.alive:
            colours[warrior.cell] = f"bright_{COLOURS[seat]}"
    rows = [colours[start : start + BOARD_SIZE] for start in range(0, len(colours), BOARD_SIZE)]
    return [
        tuple(
            Span(_UPPER_HALF, f"{upper} on {lower}")
            for upper, lower in zip(rows[y], rows[y + 1], strict=True)
        )
        for y in range(0, BOARD_SIZE, 2)
    ]


def _draw_cell(owner: int) -> Span:
    return Span(f"{owner} ", f"{COLOURS[owner - 1]} on {COLOURS[owner - 1]}") if owner else Span(". ", "dim")


def _find_ground(frame: Frame, cell: int) -> str:
    owner = frame.owner[cell]
    return f" on {COLOURS[owner - 1]}" if owner else ""


def _draw_legend(frame: Frame, aliases: Sequence[str]) -> list[tuple[Span, ...]]:
    width = max(map(len, aliases))
    return [
        (
            Span(f"{_WARRIOR_CHARACTERS[seat]} {seat + 1} {aliases[seat]:<{width}}", COLOURS[seat]),
            Span(
                f"  {warrior.tiles:>3} tiles {warrior.energy:>2} energy {warrior.kills} kills"
                f"{'' if warrior.alive else '  dead'}"
            ),
        )
        for seat, warrior in enumerate(frame.warriors)
    ]
