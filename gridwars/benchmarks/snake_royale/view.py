"""Snake Royale for the eye: standings, the story turn by turn, and the board at any moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from gridwars.benchmarks.contract import Event, Painter, Recording
from gridwars.benchmarks.following import Following
from gridwars.benchmarks.presentation import Block, Picture, Section, Span, Table
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import Deal, Directive, End, TurnPlayed
from gridwars.benchmarks.snake_royale.happenings import Happening
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    COLOURS,
    SEATS,
    DeathCause,
    EndRule,
    SnakeRoyaleConfig,
    draw_spawn_deal,
)
from gridwars.benchmarks.snake_royale.state import GameState
from gridwars.benchmarks.snake_royale.telling import tell_happening, tell_turn
from gridwars.benchmarks.snake_royale.voices import Voice

TERMINAL_COLOURS = {"amber": "yellow", "teal": "cyan", "violet": "magenta", "lime": "green"}
HEADS = "ABCD"
"""By seat."""
_BODIES = "abcd"
FOOD = "*"
EMPTY = "."
_UPPER_HALF = "▀"

_DEATHS = {
    DeathCause.NONE: "alive",
    DeathCause.WALL: "hit a wall",
    DeathCause.BODY: "hit a body",
    DeathCause.HEAD_ON: "met a head",
    DeathCause.STARVE: "starved",
}
_ENDINGS = {
    EndRule.NONE: "The match goes on after turn {}.",
    EndRule.LAST_STANDING: "It ended in turn {}, with at most one snake left.",
    EndRule.FULL_TIME: "It went the full {} turns.",
    EndRule.WALL_CLOCK: "The clock stopped it after turn {}.",
    EndRule.SIM_FAULT: "A fault stopped it after turn {}.",
    EndRule.HOST_ERROR: "Its host stopped it after turn {}.",
}


class SnakeRoyaleView:
    """See `View`; the one part is the match."""

    part_noun = "match"
    batch_noun = "turn"
    moment_noun = "turn"

    def ends_batch(self, event: Event) -> bool:
        return isinstance(event, TurnPlayed)

    def ends_part(self, event: Event) -> bool:
        return isinstance(event, End)

    def count_parts(self, recording: Recording) -> int:
        return int(any(isinstance(event, Deal) for event in recording.events))

    def render_summary(self, recording: Recording) -> Sequence[Block]:
        config = _require_own(recording)
        results = _find_results(config, recording.events)
        colours = _list_colours(config)
        rows = tuple(
            (
                str(results.places[seat]),
                str(seat + 1),
                recording.seat_names[seat],
                f"{ALIASES[seat]} ({colours[seat]})",
                _render_score(results, seat),
                str(results.survived_turns[seat]),
                str(results.final_lengths[seat]),
                str(results.food_eaten[seat]),
                _tell_fate(results, seat),
                str(results.declined_kills[seat]),
                str(results.trapped_turns[seat]),
                str(results.reverse_repaired[seat]),
                str(results.fallbacks[seat]),
            )
            for seat in results.ranking
        )
        columns = (
            *("place", "seat", "policy", "snake", "score", "survived", "length", "eaten", "fate"),
            *("spared", "trapped", "necks", "fallbacks"),
        )
        title = f"{config.module}, seed {config.seed}: {results.turns} of {config.max_turns} turns"
        return (Table(title, columns, rows, key=3),)

    def tell_result(self, recording: Recording) -> Sequence[str]:
        results = _find_results(_require_own(recording), recording.events)
        if not results.turns:
            return ()
        return tuple(_tell_verdict(results, recording.seat_names))

    def render_part(self, recording: Recording, part: int) -> Sequence[Block]:
        story = [
            f"turn {moment.turn}: {told}"
            for moment in _list_moments(recording.events)
            for told in tell_turn(moment.directives, moment.happenings)
        ]
        notes = [
            f"turn {directive.turn}: {ALIASES[directive.seat]}: {directive.notes}"
            for directive in recording.events
            if isinstance(directive, Directive) and directive.notes
        ]
        sections = [Section(f"match {part}", tuple(story))]
        if notes:
            sections.append(Section("private notes", tuple(notes)))
        return (*self.render_summary(recording), *sections)

    def iterate_pictures(
        self, recording: Recording, part: int, *, compact: bool = False
    ) -> Iterator[Picture]:
        paint = self.start_pictures(recording.config, compact=compact)
        for event in recording.events:
            yield from paint(event)

    def start_pictures(self, config: msgspec.Struct, *, compact: bool = False) -> Painter:
        assert isinstance(config, SnakeRoyaleConfig), "a configuration of another benchmark"
        game = _Game(config)
        colours = [TERMINAL_COLOURS[colour] for colour in _list_colours(config)]
        draw = draw_small_board if compact else draw_board
        opening = [tuple(filter(None, map(tell_happening, game.episode.opening.happenings)))]

        def make_picture(when: str, moment: int, happenings: Sequence[str]) -> Picture:
            state, voices = game.episode.state, game.episode.voices
            lines = (*draw(state, colours), *_draw_legend(state, colours, voices))
            return Picture(f"match 1, {when}", moment, lines, tuple(happenings))

        def paint(event: Event) -> Iterator[Picture]:
            pictures = []
            if isinstance(event, TurnPlayed) and opening:
                pictures.append(make_picture("before the first turn", -1, opening.pop()))
            moment = game.take(event)
            if moment is not None:
                happenings = tuple(tell_turn(moment.directives, moment.happenings))
                pictures.append(make_picture(f"turn {moment.turn}", moment.turn, happenings))
            return iter(pictures)

        return paint


def draw_plain_board(state: GameState) -> str:
    """The board without colours, a line for every row."""
    rows = draw_board(state, ("white",) * len(ALIASES))
    return "\n".join("".join(span.text for span in spans).rstrip() for spans in rows)


class _Moment(NamedTuple):
    """A turn that was played, as the log has it."""

    turn: int
    directives: tuple[Directive, ...]
    happenings: tuple[Happening, ...]


def _require_own(recording: Recording) -> SnakeRoyaleConfig:
    assert isinstance(recording.config, SnakeRoyaleConfig), "a recording of another benchmark"
    return recording.config


def _list_colours(config: SnakeRoyaleConfig) -> list[str]:
    return [COLOURS[anchor] for anchor in draw_spawn_deal(config.seed)]


def _list_moments(events: Sequence[Event]) -> list[_Moment]:
    collect = _Collector()
    return [moment for moment in map(collect.take, events) if moment is not None]


class _Collector:
    """Turns from a log's events, one after another."""

    def __init__(self) -> None:
        self._directives: list[Directive] = []

    def take(self, event: Event) -> _Moment | None:
        """The turn that the event ends, if it does."""
        if isinstance(event, Directive):
            self._directives.append(event)
        elif isinstance(event, TurnPlayed):
            directives, self._directives = tuple(self._directives), []
            return _Moment(event.turn, directives, event.happenings)
        return None


class _Game:
    """A game that is played again along its events, as far as the log's orders fit it."""

    def __init__(self, config: SnakeRoyaleConfig) -> None:
        self.episode = SnakeRoyaleEpisode(config)
        self._collector = _Collector()
        self._events: list[Event] = []
        self._following = Following(self.episode, self._events)

    def take(self, event: Event) -> _Moment | None:
        """The turn that the event ends, once it is played."""
        self._events.append(event)
        moment = self._collector.take(event)
        opened = None if moment is None else self._following.open()
        return moment if opened is not None and self._following.play(opened) else None


def _find_results(config: SnakeRoyaleConfig, events: Sequence[Event]) -> SnakeRoyaleResults:
    """Those that the log ends with; while it does not, those so far."""
    if events and isinstance(events[-1], End):
        return events[-1].results
    game = _Game(config)
    for event in events:
        game.take(event)
    return game.episode.results()


def _tell_verdict(results: SnakeRoyaleResults, seat_names: Sequence[str]) -> Iterator[str]:
    winners = [seat for seat in results.ranking if results.places[seat] == 1]
    names = " and ".join(f"{seat_names[seat]} ({ALIASES[seat]})" for seat in winners)
    verb = "leads" if results.end_rule is EndRule.NONE else "wins"
    if len(winners) > 1:
        names, verb = f"{names}, level,", verb.removesuffix("s")
    yield f"{names} {verb} with {_render_score(results, winners[0])}."
    yield _ENDINGS[results.end_rule].format(results.turns)
    for seat in results.ranking:
        yield (
            f"{results.places[seat]}. {seat_names[seat]} ({ALIASES[seat]}): {_tell_fate(results, seat)}, "
            f"{results.final_lengths[seat]} long, ate {results.food_eaten[seat]}"
            f"{_tell_fallbacks(results.fallbacks[seat])}."
        )


def _tell_fate(results: SnakeRoyaleResults, seat: int) -> str:
    told = _DEATHS[results.death_causes[seat]]
    if results.death_turns[seat]:
        told += f" in turn {results.death_turns[seat]}"
    killer = results.killed_by[seat]
    if killer >= 0:
        told += f" ({'its own' if killer == seat else ALIASES[killer]})"
    return told


def _tell_fallbacks(count: int) -> str:
    times = {1: "once", 2: "twice"}.get(count, f"{count} times")
    return f", played the fallback {times}" if count else ""


def _render_score(results: SnakeRoyaleResults, seat: int) -> str:
    return f"{float(Fraction(results.scores[seat])):+.3f}"


def draw_board(state: GameState, colours: Sequence[str]) -> Iterator[tuple[Span, ...]]:
    """A line for every row, two characters to a cell.

    Args:
        colours: by seat, those of a terminal.
    """
    board = state.board
    cells = {cell: Span(f"{EMPTY} ", "dim") for cell in board.cells}
    cells |= {cell: Span(f"{FOOD} ", "bold red") for cell in state.food}
    for snake in state.living:
        colour = colours[snake.seat]
        cells |= {cell: Span(f"{_BODIES[snake.seat]} ", f"black on {colour}") for cell in snake.body}
        cells[snake.body[0]] = Span(f"{HEADS[snake.seat]} ", f"bold black on bright_{colour}")
    for y in range(board.height):
        yield tuple(cells[board.cell_at(x, y)] for x in range(board.width))


def draw_small_board(state: GameState, colours: Sequence[str]) -> Iterator[tuple[Span, ...]]:
    """Two cells to a character, one above the other, told apart by colour alone."""
    board = state.board
    filled = dict.fromkeys(state.food, "red")
    for snake in state.living:
        filled |= dict.fromkeys(snake.body, colours[snake.seat])
        filled[snake.body[0]] = f"bright_{colours[snake.seat]}"
    for y in range(0, board.height, 2):
        yield tuple(
            Span(
                _UPPER_HALF,
                f"{filled.get(board.cell_at(x, y), 'black')} on "
                f"{filled.get(board.cell_at(x, y + 1), 'black') if y + 1 < board.height else 'default'}",
            )
            for x in range(board.width)
        )


def _draw_legend(
    state: GameState, colours: Sequence[str], voices: Sequence[Voice]
) -> Iterator[tuple[Span, ...]]:
    width = max(map(len, ALIASES))
    for seat in SEATS:
        snake, voice = state.snakes[seat], voices[seat]
        if snake.alive:
            health = f" health {snake.health:>2}" if state.switches.health_start else ""
            status = f"  length {len(snake.body):>2}{health} ate {snake.food_eaten}"
        else:
            status = f"  {_DEATHS[snake.death_cause]} in turn {snake.death_turn}"
        bubble = f'  "{voice.text}"' if snake.alive and voice.turns_left else ""
        yield (Span(f"{HEADS[seat]} {ALIASES[seat]:<{width}}", colours[seat]), Span(f"{status}{bubble}"))
