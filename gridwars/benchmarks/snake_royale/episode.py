"""The game as the harness sees it: asks all living seats at once, seals their orders, plays the turn."""

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
from gridwars.benchmarks.snake_royale.baselines import BASELINES, COIL, choose_direction
from gridwars.benchmarks.snake_royale.digest import render_digest
from gridwars.benchmarks.snake_royale.events import Deal, Directive, End, TurnPlayed
from gridwars.benchmarks.snake_royale.observation import (
    SnakeRoyaleObservation,
    build_observations,
    require_own,
    restore_state,
)
from gridwars.benchmarks.snake_royale.orders import FallbackCause, Order, cap_reason
from gridwars.benchmarks.snake_royale.reply import Heading, read_reply
from gridwars.benchmarks.snake_royale.results import SnakeRoyaleResults, Tally, compute_results
from gridwars.benchmarks.snake_royale.rules import (
    ALIASES,
    COLOURS,
    DIRECTION_CODES,
    DIRECTIONS,
    EARLY_END_RULES,
    SEATS,
    Direction,
    EndRule,
    SnakeRoyaleConfig,
    draw_spawn_deal,
)
from gridwars.benchmarks.snake_royale.setup import start_game
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.benchmarks.snake_royale.turn import apply_turn
from gridwars.benchmarks.snake_royale.voices import Voice


class SnakeRoyaleEpisode:
    """One game; a pure function of its configuration, its orders and an early end.

    Attributes:
        opening: the first event of its log.
        state: as of the end of the last turn; to look at, not to change, as the voices.
        voices: by seat.
    """

    def __init__(self, config: SnakeRoyaleConfig) -> None:
        self._config = config
        self._deal = draw_spawn_deal(config.seed)
        self.state, happenings = start_game(config, config.seed, config.module)
        self.opening = Deal(
            spawn_deal=self._deal, hash=render_digest(self.state.digest), happenings=tuple(happenings)
        )
        self.voices = [Voice() for _ in SEATS]
        self._tally = Tally()
        self._end_rule = self.state.end_rule

    @property
    def aliases(self) -> tuple[str, ...]:
        return ALIASES

    def open(self) -> Batch | None:
        if self._end_rule is not EndRule.NONE:
            return None
        colours = [COLOURS[anchor] for anchor in self._deal]
        observations = build_observations(self.state, self._config.module, colours, self.voices)
        part = self.state.turn + 1
        return Batch(
            part=part,
            requests=tuple(
                Request(part=part, seat=seat, attempt=1, observation=observation)
                for seat, observation in observations.items()
            ),
        )

    def read(self, request: Request, reply: Reply) -> Order | Rejection:
        if reply.text is None:
            return Rejection(reply.failure)
        reading = read_reply(reply.text, find_heading(require_own_observation(request)))
        if isinstance(reading, Rejection):
            return reading
        first = Origin.SCRIPTED if reply.scripted else Origin.LLM
        return Order(
            seat=request.seat,
            origin=first if request.attempt == 1 else Origin.RETRY,
            direction=reading.direction,
            alternative=reading.alternative,
            say=reading.say,
            notes=reading.notes,
            repaired=reading.repaired,
            repairs=reading.repairs,
        )

    def fallback(self, request: Request, reason: str, outcome: Outcome = Outcome.INVALID) -> Order:
        return Order(
            seat=request.seat,
            origin=Origin.FALLBACK,
            direction=choose_fallback(require_own_observation(request)),
            cause=FallbackCause.of(outcome),
            reason=cap_reason(reason) or "no usable reply",
        )

    def advance(self, decisions: Sequence[Decision]) -> Iterator[Sequence[Event]]:
        assert self._end_rule is EndRule.NONE, "the game is over"
        state = self.state
        orders = [decision for decision in decisions if isinstance(decision, Order)]
        assert [order.seat for order in orders] == [snake.seat for snake in state.living], (
            "one order of every living seat"
        )
        opening = [] if state.turn else [self.opening]
        yield [*opening, *(_seal(state.turn + 1, order) for order in orders)]
        yield [self._play(orders)]
        if state.end_rule is not EndRule.NONE:
            yield from self._end(state.end_rule)

    def stop_early(self, recorded: Event | None = None) -> Iterator[Sequence[Event]]:
        end_rule = recorded.results.end_rule if isinstance(recorded, End) else EndRule.WALL_CLOCK
        yield from self.stop_by(end_rule if end_rule in EARLY_END_RULES else EndRule.WALL_CLOCK)

    def stop_by(self, end_rule: EndRule) -> Iterator[Sequence[Event]]:
        """Ends the game before its next turn, by a rule that has nothing to do with the board."""
        assert self._end_rule is EndRule.NONE, "the game is over"
        yield from self._end(end_rule)

    def decision_of(self, event: Event) -> Order | None:
        if not isinstance(event, Directive) or event.turn != self.state.turn + 1:
            return None
        return Order(
            seat=event.seat,
            origin=event.origin,
            direction=event.direction,
            alternative=event.alternative,
            say=event.say,
            notes=event.notes,
            repaired=event.repaired,
            cause=event.cause,
            reason=event.reason,
            repairs=event.repairs,
        )

    def results(self) -> SnakeRoyaleResults:
        return compute_results(self.state, self._config.module, self._end_rule, self.voices, self._tally)

    def _play(self, orders: Sequence[Order]) -> TurnPlayed:
        directions = [0 for _ in SEATS]
        alternatives: list[int | None] = [None for _ in SEATS]
        for order in orders:
            directions[order.seat] = DIRECTION_CODES[order.direction]
            if order.alternative is not None:
                alternatives[order.seat] = DIRECTION_CODES[order.alternative]
            self.voices[order.seat] = self.voices[order.seat].hear(order, self._config.say_turns)
            self._tally.count(order)
        turn = apply_turn(self.state, directions, alternatives)
        return TurnPlayed(
            turn=self.state.turn,
            hash=render_digest(self.state.digest),
            happenings=tuple(turn.happenings),
        )

    def _end(self, end_rule: EndRule) -> Iterator[Sequence[Event]]:
        self._end_rule = end_rule
        yield [End(results=self.results())]


def find_heading(observation: SnakeRoyaleObservation) -> Heading:
    return Heading(observation.you.last_dir, tuple(move.legal for move in observation.moves))


def choose_fallback(observation: SnakeRoyaleObservation) -> Direction:
    """What is played for a seat without a usable reply: what coil would."""
    state, snake = restore_state(observation)
    return DIRECTIONS[choose_direction(Sight(state), snake, BASELINES[COIL])]


def require_own_observation(request: Request) -> SnakeRoyaleObservation:
    return require_own(request.observation)


def _seal(turn: int, order: Order) -> Directive:
    return Directive(
        turn=turn,
        seat=order.seat,
        origin=order.origin,
        direction=order.direction,
        alternative=order.alternative,
        say=order.say,
        notes=order.notes,
        repaired=order.repaired,
        cause=order.cause,
        reason=order.reason,
        repairs=order.repairs,
    )
