"""What an audit holds orders to, where a turn's hash could not tell."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from gridwars.benchmarks.contract import Event, Origin
from gridwars.benchmarks.snake_royale.audit import audit_game
from gridwars.benchmarks.snake_royale.episode import SnakeRoyaleEpisode
from gridwars.benchmarks.snake_royale.events import Directive, End
from gridwars.benchmarks.snake_royale.orders import FallbackCause
from gridwars.benchmarks.snake_royale.rules import Direction, EndRule, configure
from tests.gridwars.benchmarks.snake_royale.games import order_text, take_turn

CONFIG = configure({"max_turns": 5, "seed": 4})
FALLBACK_SEAT, REPAIRED_SEAT = 1, 2


def play() -> list[Event]:
    """A game whose seat 1 always plays the fallback and whose seat 2 never names a direction."""
    episode = SnakeRoyaleEpisode(CONFIG)
    events: list[Event] = []
    while episode.open() is not None:
        events += take_turn(
            episode,
            {0: order_text("up", say="hello", notes="n"), FALLBACK_SEAT: "?", REPAIRED_SEAT: '{"alt": "x"}'},
        )
    return events


EVENTS = play()


def forge(seat: int, change: Callable[[Directive], Directive]) -> list[tuple[int, Event]]:
    events = list(EVENTS)
    index = next(i for i, event in enumerate(events) if isinstance(event, Directive) and event.seat == seat)
    directive = events[index]
    assert isinstance(directive, Directive)
    events[index] = change(directive)
    assert events != EVENTS
    return list(enumerate(events))


def test_the_game_as_played_is_clean() -> None:
    assert list(audit_game(CONFIG, enumerate(EVENTS))) == []
    kinds = {directive.origin for directive in EVENTS if isinstance(directive, Directive)}
    assert kinds == {Origin.LLM, Origin.FALLBACK}


@pytest.mark.parametrize(
    ("seat", "changes", "field"),
    [
        (0, {"say": "a shout that does not fit a bubble"}, "say"),
        (0, {"say": "{braces}"}, "say"),
        (0, {"notes": "n" * 161}, "notes"),
        (0, {"notes": "two\nlines"}, "notes"),
        (0, {"reason": "none"}, "reason"),
        (0, {"cause": FallbackCause.TIMEOUT}, "cause"),
        (0, {"repaired": True}, "repaired"),
        (0, {"seat": 3}, "seat"),
        (0, {"turn": 2}, "turn"),
        (FALLBACK_SEAT, {"alternative": Direction.UP}, "alternative"),
        (FALLBACK_SEAT, {"say": "hello"}, "say"),
        (FALLBACK_SEAT, {"notes": "hello"}, "notes"),
        (FALLBACK_SEAT, {"cause": FallbackCause.NONE}, "cause"),
        (FALLBACK_SEAT, {"reason": ""}, "reason"),
        (FALLBACK_SEAT, {"repaired": True}, "repaired"),
        (REPAIRED_SEAT, {"repaired": False}, "repaired"),
        (REPAIRED_SEAT, {"repairs": ()}, "repaired"),
    ],
)
def test_a_directive_that_breaks_a_rule_is_found(seat: int, changes: dict[str, object], field: str) -> None:
    forged = forge(seat, lambda directive: msgspec.structs.replace(directive, **changes))
    finding = next(audit_game(CONFIG, forged))
    assert finding.field == field
    assert finding.seat == seat
    assert finding.part == 1


@pytest.mark.parametrize("seat", [FALLBACK_SEAT, REPAIRED_SEAT])
def test_a_direction_that_the_rules_give_cannot_be_another(seat: int) -> None:
    def turn_back(directive: Directive) -> Directive:
        others = [direction for direction in Direction if direction is not directive.direction]
        return msgspec.structs.replace(directive, direction=others[0])

    finding = next(audit_game(CONFIG, forge(seat, turn_back)))
    assert (finding.field, finding.seat) == ("direction", seat)


def test_an_early_end_is_the_clocks_and_an_end_too_early_is_found() -> None:
    episode = SnakeRoyaleEpisode(CONFIG)
    played = take_turn(episode)
    (group,) = list(episode.stop_early())
    assert list(audit_game(CONFIG, enumerate([*played, *group]))) == []
    end = EVENTS[-1]
    assert isinstance(end, End)
    assert end.results.end_rule is EndRule.FULL_TIME
    assert next(audit_game(CONFIG, enumerate([*played, end]))).field.startswith("results.")
