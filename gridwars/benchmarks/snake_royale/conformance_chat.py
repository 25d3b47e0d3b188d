"""The golden vectors of games driven by reply texts: observations, orders, bubbles, events and results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec

from gridwars.benchmarks.contract import Event, Origin, Outcome, Request
from gridwars.benchmarks.snake_royale.baselines import BASELINES, choose_direction
from gridwars.benchmarks.snake_royale.conformance_games import Answer, SwitchesCase, list_happenings
from gridwars.benchmarks.snake_royale.episode import (
    SnakeRoyaleEpisode,
    find_heading,
    require_own_observation,
)
from gridwars.benchmarks.snake_royale.events import End, TurnPlayed
from gridwars.benchmarks.snake_royale.happenings import Happening, Kind
from gridwars.benchmarks.snake_royale.observation import restore_state
from gridwars.benchmarks.snake_royale.orders import FallbackCause, Order
from gridwars.benchmarks.snake_royale.reply import read_strictly
from gridwars.benchmarks.snake_royale.results_document import PolicyKind, make_document
from gridwars.benchmarks.snake_royale.rules import (
    DIRECTION_CODES,
    DIRECTIONS,
    SEAT_COUNT,
    SEATS,
    Module,
    SnakeRoyaleConfig,
)
from gridwars.benchmarks.snake_royale.sight import Sight
from gridwars.vectors import CaseResult, VectorLine, first_difference

_BySeat = msgspec.Meta(min_length=SEAT_COUNT, max_length=SEAT_COUNT)
_REPLY = "reply"


class ChatSwitchesCase(SwitchesCase, frozen=True, rename="camel", kw_only=True):
    say_turns: int


class ChatTurnCase(msgspec.Struct, frozen=True):
    replies: Annotated[list[str | None], _BySeat]


class ChatCase(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    module: Module
    seed: int
    config: ChatSwitchesCase
    kinds: Annotated[list[str], _BySeat]
    turns: list[ChatTurnCase]


def run_chat_cases(lines: Iterable[VectorLine]) -> Iterator[CaseResult]:
    for line in lines:
        case = line.decode(ChatCase)
        expected = msgspec.json.decode(line.text)
        yield CaseResult(case.id, first_difference(expected, expected | compute_chat_answer(case)))


def compute_chat_answer(case: ChatCase) -> Answer:
    config = SnakeRoyaleConfig(**msgspec.structs.asdict(case.config), seed=case.seed, module=case.module)
    episode = SnakeRoyaleEpisode(config)
    turns: list[Answer] = []
    events: list[Event] = []
    for told in case.turns:
        batch = episode.open()
        if batch is None:
            break
        orders = {
            request.seat: _order(episode, case.kinds[request.seat], request, told.replies[request.seat])
            for request in batch.requests
        }
        events = [event for group in episode.advance(tuple(orders.values())) for event in group]
        played = next(event for event in events if isinstance(event, TurnPlayed))
        views = {request.seat: request.observation for request in batch.requests}
        turns.append(
            {
                "turn": played.turn,
                "views": [msgspec.to_builtins(views.get(seat)) for seat in SEATS],
                "replies": told.replies,
                "orders": [_describe(episode, orders.get(seat)) for seat in SEATS],
                "events": list_happenings([*_list_fallbacks(batch.requests, orders), *played.happenings]),
                "hash": played.hash,
            }
        )
    end = events[-1] if events else None
    if not isinstance(end, End):
        return {"turns": turns, "results": "the game goes on"}
    names = [f"Cog{seat + 1}" for seat in SEATS]
    kinds = [PolicyKind.LLM if kind == _REPLY else PolicyKind.SCRIPTED for kind in case.kinds]
    document = make_document(config, end.results, names, kinds)
    return {"turns": turns, "results": msgspec.to_builtins(document)}


def _order(episode: SnakeRoyaleEpisode, kind: str, request: Request, text: str | None) -> Order:
    """The seat's order: a baseline's, or what the reference makes of the text."""
    observation = require_own_observation(request)
    if kind != _REPLY:
        state, snake = restore_state(observation)
        code = choose_direction(Sight(state), snake, BASELINES[kind])
        return Order(seat=request.seat, origin=Origin.SCRIPTED, direction=DIRECTIONS[code])
    reading = read_strictly(text or "", find_heading(observation))
    if reading is None:
        return episode.fallback(request, "an unusable reply", Outcome.INVALID)
    return Order(
        seat=request.seat,
        origin=Origin.LLM,
        direction=reading.direction,
        alternative=reading.alternative,
        say=reading.say,
        notes=reading.notes,
        repaired=reading.repaired,
    )


def _describe(episode: SnakeRoyaleEpisode, order: Order | None) -> Answer | None:
    if order is None:
        return None
    return {
        "dir": DIRECTION_CODES[order.direction],
        "alt": -1 if order.alternative is None else DIRECTION_CODES[order.alternative],
        "say": order.say,
        "notes": order.notes,
        "source": order.origin.value,
        "repaired": order.repaired,
        "sayTurnsLeft": episode.voices[order.seat].turns_left,
    }


def _list_fallbacks(requests: Sequence[Request], orders: dict[int, Order]) -> Iterator[Happening]:
    for request in requests:
        order = orders[request.seat]
        if order.cause is not FallbackCause.NONE:
            x, y = require_own_observation(request).you.head
            yield Happening(Kind.FALLBACK, request.part, request.seat, x=x, y=y, text=order.cause)
